(** The definitions, executed: what a game is by the rules of Rules.v, as a function that can be run on games. *)

Require Import Uint63 List ZArith Bool.
Require Import Rules Checker Bits Moves Ko Count Bound SearchRight Levels.
Import ListNotations.
Local Open Scope uint63_scope.

(** The points where the mover may put a stone. Black's stones are [h], White's [v]; [mine] when Black is to move. *)
Fixpoint legal_among (points : list int) (mine : bool) (h v ko : int) : int :=
  match points with
  | [] => 0
  | p :: points =>
      if free h v ko land p =? 0 then legal_among points mine h v ko else
      match (if mine then play h v p else play v h p) with
      | Illegal => legal_among points mine h v ko
      | Played _ _ _ => p lor legal_among points mine h v ko
      end
  end.

Definition legal (mine : bool) (h v ko : int) : int := legal_among masks mine h v ko.

(** A game: for each ply the legal points and, above 25 bits, the move, 25 for PASS; at last Black's stones, White's
    above 25 bits, and above 50 bits whether a PASS ended it. *)
Fixpoint replay (plies : list int) (mine : bool) (h v ko : int) (passed : bool) : bool :=
  match plies with
  | [] => false
  | [last] => if last land full =? h then if (last >> 25) land full =? v then last >> 50 =? 0 else false else false
  | ply :: plies =>
      if ply land full =? legal mine h v ko then
        if ply >> 25 =? 25 then
          if passed then
            match plies with
            | [last] => if last land full =? h then if (last >> 25) land full =? v then last >> 50 =? 1 else false else false
            | _ => false
            end
          else replay plies (negb mine) h v 0 true
        else
          match (if mine then play h v (1 << (ply >> 25)) else play v h (1 << (ply >> 25))) with
          | Illegal => false
          | Played m t taken =>
              if mine then replay plies false m t (ko_after h v m t taken) false
              else replay plies true t m (ko_after v h m t taken) false
          end
      else false
  end.

Definition games_agree (games : list (list int)) : bool :=
  forallb (fun game => replay game true 0 0 0 true) games.

(** A game that the course's code has judged: the moves, 25 for PASS, and at last Black's stones, White's above 25 bits,
    above 50 bits how it ended, by its plies (0), by PASS (1) or by an illegal move (2), and above 52 who won, Black (1). *)
Definition judged (last h v how : int) (black : bool) : bool :=
  if last land full =? h then
  if (last >> 25) land full =? v then last >> 50 =? how lor (if black then 4 else 0) else false else false.

(** Black needs three stones more. *)
Definition black_won (h v : int) : bool := count v + 3 <=? count h.

Fixpoint course_game (n : nat) (plies : list int) (mine : bool) (h v ko : int) (passed : bool) {struct plies} : bool :=
  match plies with
  | [] => false
  | [last] => if Nat.eqb n 0 then judged last h v 0 (black_won h v) else false
  | ply :: plies =>
      match n with
      | O => false
      | S n =>
          if ply =? 25 then
            if passed then match plies with [last] => judged last h v 1 (black_won h v) | _ => false end
            else course_game n plies (negb mine) h v 0 true
          else if legal mine h v ko land (1 << ply) =? 0 then
            match plies with [last] => judged last h v 2 (negb mine) | _ => false end
          else
            match (if mine then play h v (1 << ply) else play v h (1 << ply)) with
            | Illegal => false
            | Played m t taken =>
                if mine then course_game n plies false m t (ko_after h v m t taken) false
                else course_game n plies true t m (ko_after v h m t taken) false
            end
      end
  end.

Definition course_agrees (games : list (list int)) : bool :=
  forallb (fun game => course_game Rules.plies game true 0 0 0 true) games.

(** What [legal] computes is what the rules say. *)
Lemma legal_among_right : forall mine h v ko passed now before, fits Black mine h v ko passed now before ->
  forall l p, mem (legal_among (map mask l) mine h v ko) p = true <->
    In p l /\ exists after, plays now (side Black mine) p after /\ ~ same_board after before.
Proof.
  intros mine h v ko passed now before F l p. pose proof F as [S [_ KO]].
  assert (LEGAL : forall q, (exists after, plays now (side Black mine) q after /\ ~ same_board after before) <->
    mem (free h v ko) q = true /\ (if mine then play h v (mask q) else play v h (mask q)) <> Illegal).
  { intro q. rewrite (free_right _ _ _ _ _ _ _ _ q F). split.
    - intros [after [P K]]. pose proof (on_an_empty_point _ _ _ _ P) as E. split; [split; auto |].
      + destruct (mem ko q) eqn:X; auto. exfalso. apply K. now apply (KO q after P).
      + destruct mine.
        * pose proof (play_right now Black h v q S E) as R. destruct (play h v (mask q)); [now apply R in P | discriminate].
        * pose proof (play_right now White v h q (shows_swap _ _ _ _ S) E) as R.
          destruct (play v h (mask q)); [now apply R in P | discriminate].
    - intros [[E K] N]. destruct mine.
      + pose proof (play_right now Black h v q S E) as R. destruct (play h v (mask q)) as [| m t k]; [contradiction |].
        destruct R as [_ [_ [P _]]]. exists (board_of Black m t). split; auto. intro X. apply (KO q _ P) in X. congruence.
      + pose proof (play_right now White v h q (shows_swap _ _ _ _ S) E) as R.
        destruct (play v h (mask q)) as [| m t k]; [contradiction |].
        destruct R as [_ [_ [P _]]]. exists (board_of White m t). split; auto. intro X. apply (KO q _ P) in X. congruence. }
  induction l as [| q l IH]; cbn [map legal_among].
  - rewrite mem_0. split; [discriminate | intros [[] _]].
  - pose proof (LEGAL q) as Q.
    assert (M : (free h v ko land mask q =? 0) = negb (mem (free h v ko) q)) by apply LinesRight.mem_point.
    rewrite M. destruct (mem (free h v ko) q) eqn:FQ; cbn [negb].
    + destruct (if mine then play h v (mask q) else play v h (mask q)) as [| m t k] eqn:PL.
      * rewrite IH. split; intros [I X]; (split; [| exact X]).
        -- now right.
        -- destruct I as [<- | I]; auto. apply Q in X. destruct X as [_ X]. now exfalso.
      * rewrite mem_lor, mem_mask, orb_true_iff, IH. split.
        -- intros [X | [I X]]; [| split; [now right | exact X]]. apply same_point_true in X. subst q.
           split; [now left |]. apply Q. split; auto. discriminate.
        -- intros [[<- | I] X]; [left; apply same_point_refl | right; auto].
    + rewrite IH. split; intros [I X]; (split; [| exact X]).
      * now right.
      * destruct I as [<- | I]; auto. apply Q in X. destruct X as [X _]. congruence.
Qed.

Theorem legal_right : forall mine h v ko passed now before, fits Black mine h v ko passed now before ->
  forall p, mem (legal mine h v ko) p = true <->
    exists after, plays now (side Black mine) p after /\ ~ same_board after before.
Proof.
  intros mine h v ko passed now before F p. unfold legal. change masks with (map mask points).
  rewrite (legal_among_right mine h v ko passed now before F points p). split; [tauto |].
  intro X. split; auto. apply in_points.
Qed.
