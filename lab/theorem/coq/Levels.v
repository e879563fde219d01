(** From the checks of pieces to all lines of a level, and from all lines to the game. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits Moves Ko Count Symmetry Bound SearchRight Certificate LinesRight.
Import ListNotations.
Local Open Scope uint63_scope.
Local Opaque flood beside play breathing search check_from check_line check_after has_image.
Strategy 100 [has_image check_line check_after].

(** Pieces, each a number of lines and the first of them, that together are lines [at] to [size - 1]. *)
Fixpoint cover (pieces : list (int * int)) (at_ size : Z) : bool :=
  match pieces with
  | [] => (at_ =? size)%Z
  | (k, i) :: pieces => (φ i =? at_)%Z && cover pieces (at_ + φ k)%Z size
  end.

Lemma cover_le : forall pieces at_ size, cover pieces at_ size = true -> (at_ <= size)%Z.
Proof.
  induction pieces as [| [k i] pieces IH]; simpl; intros at_ size H.
  - apply Z.eqb_eq in H. lia.
  - apply andb_true_iff in H. destruct H as [_ H]. apply IH in H. pose proof (to_Z_bounded k). lia.
Qed.

Lemma cover_in : forall pieces at_ size j, cover pieces at_ size = true -> (size < wB)%Z -> (at_ <= φ j < size)%Z ->
  exists k i, In (k, i) pieces /\ In j (from (Z.to_nat (φ k)) i).
Proof.
  induction pieces as [| [k i] pieces IH]; simpl; intros at_ size j H W J.
  - apply Z.eqb_eq in H. lia.
  - apply andb_true_iff in H. destruct H as [E H]. apply Z.eqb_eq in E. pose proof (cover_le _ _ _ H).
    pose proof (to_Z_bounded k).
    destruct (Z.lt_ge_cases (φ j) (at_ + φ k)) as [L | L].
    + exists k, i. split; auto. apply in_from; rewrite Z2Nat.id by lia; lia.
    + destruct (IH _ _ j H W) as [k' [i' [I F]]]; [lia |]. exists k', i'. auto.
Qed.

Lemma fits_start : forall hero mine, fits hero mine 0 0 0 true empty_board empty_board.
Proof.
  intros hero mine. split; [split; [| split] | split].
  - apply small_0.
  - apply small_0.
  - intro p. rewrite mem_0. split; split; discriminate.
  - split; auto. intros _ p. reflexivity.
  - intros p after P. rewrite mem_0. split; [| discriminate]. intro S. exfalso. now apply (stone_changes _ _ _ _ P).
Qed.

Lemma first_stone : forall p, play 0 0 (mask p) = Played (mask p) 0 0 /\ ko_after 0 0 (mask p) 0 0 = 0.
Proof. intros [[] []]; vm_compute; auto. Qed.

Lemma one_stone : forall p, plays empty_board Black p (put empty_board Black p).
Proof.
  intro p. split; auto.
  - intros q [D _]. unfold put in D. destruct (same_point q p); discriminate.
  - exists (fst p, match snd p with L0 => L1 | L1 => L2 | L2 => L3 | L3 => L4 | L4 => L3 end), p.
    split; [apply joined_itself; unfold put; now rewrite same_point_refl |].
    destruct p as [[] []]; split; reflexivity.
Qed.

Section Levels.
  Variables (hero : colour) (a b : int) (lines : certificate).
  Hypothesis a_small : (φ a <= 100)%Z.
  Hypothesis b_small : (φ b <= 100)%Z.

  Lemma level_right : forall (n : int) N pieces,
    Z.to_nat (φ n) = N -> (φ n =? Z.of_nat N)%Z = true -> (φ (n >> 1) =? Z.of_nat (threats N true))%Z = true ->
    (φ ((n + 1) >> 1) =? Z.of_nat (threats N false))%Z = true -> (N <=? 100)%nat = true -> mover N = hero ->
    cover pieces 0 (φ (PArray.length (lines N))) = true ->
    Forall (fun piece => check a b lines n (fst piece) (snd piece) = true) pieces ->
    all_lines hero a b lines (Nat.pred (Nat.pred N)) -> all_lines hero a b lines N.
  Proof.
    intros n N pieces E L T O H M C P A j J.
    apply Z.eqb_eq in L. apply Z.eqb_eq in T. apply Z.eqb_eq in O. apply Nat.leb_le in H.
    apply ltb_spec in J. pose proof (to_Z_bounded j). pose proof (to_Z_bounded (PArray.length (lines N))).
    destruct (cover_in _ _ _ j C) as [k [i [I F]]]; [lia | lia |].
    rewrite Forall_forall in P. specialize (P _ I). unfold check in P. cbn [fst snd] in P. rewrite E in P.
    eapply (check_from_right hero a b a_small b_small lines N n (n >> 1) ((n + 1) >> 1) H L T O M A _ i
      (no_memo tt)); eauto using good_no_memo.
  Qed.

  Lemma no_level : forall N, (φ (PArray.length (lines N)) =? 0)%Z = true -> all_lines hero a b lines N.
  Proof.
    intros N E j J. apply Z.eqb_eq in E. apply ltb_spec in J. pose proof (to_Z_bounded j). lia.
  Qed.

  Lemma covers_right : forall n N mine h v passed, Z.to_nat (φ n) = N -> φ n = Z.of_nat N -> (N <= 100)%nat ->
    φ ((n + 1) >> 1) = Z.of_nat (threats N false) -> φ (n >> 1) = Z.of_nat (threats N true) -> mover N = side hero mine ->
    all_lines hero a b lines (if mine then N else Nat.pred N) -> covers a b lines n mine h v passed = true ->
    claim hero a b N mine h v 0 passed.
  Proof.
    intros n N mine h v passed E L H T O M A C. unfold covers in C. rewrite E in C. destruct mine.
    - exact (has_image_right hero a b lines N h v 0 passed A C).
    - pose proof (check_after_right hero a b a_small b_small lines false N n ((n + 1) >> 1) (n >> 1) h v 0 passed
        (no_memo tt) H L T O M A (good_no_memo hero a b)) as R.
      destruct (check_after a b lines false N n ((n + 1) >> 1) (n >> 1) h v 0 passed (no_memo tt)); [| discriminate].
      exact (proj2 R).
  Qed.

  (** The empty board counts as after a PASS, because a PASS there ends the game. *)
  Theorem from_the_start : forall mine, Black = side hero mine -> all_lines hero a b lines (if mine then 24 else 23) ->
    covers a b lines 24 mine 0 0 true = true -> can_force_from_the_start hero (need a b).
  Proof.
    intros mine M A C. refine (covers_right 24 24 mine 0 0 true eq_refl eq_refl _ eq_refl eq_refl M A C _ _ (fits_start hero mine)).
    apply Nat.leb_le. reflexivity.
  Qed.

  (** After a first stone of the hero's, when [own], or of the other side's. *)
  Theorem after_a_stone : forall own p, Black = side hero own -> all_lines hero a b lines (if own then 22 else 23) ->
    covers a b lines 23 (negb own) (if own then mask p else 0) (if own then 0 else mask p) false = true ->
    can_force_after p hero (need a b).
  Proof.
    intros own p M A C.
    refine (covers_right 23 23 (negb own) _ _ false eq_refl eq_refl _ eq_refl eq_refl _ _ C _ _ _).
    - apply Nat.leb_le. reflexivity.
    - destruct hero, own; (reflexivity || discriminate).
    - destruct own; exact A.
    - pose proof (one_stone p) as P. rewrite M in P at 1.
      pose proof (fits_after hero own 0 0 0 true empty_board empty_board p (mask p) 0 0 _ (fits_start hero own) P) as F.
      destruct own; specialize (F (proj1 (first_stone p))); rewrite (proj2 (first_stone p)) in F; exact F.
  Qed.

  Theorem after_stones : forall own ps, Black = side hero own -> all_lines hero a b lines (if own then 22 else 23) ->
    forallb (fun p => covers a b lines 23 (negb own) (if own then mask p else 0) (if own then 0 else mask p) false) ps
      = true ->
    forall p, In p ps -> can_force_after p hero (need a b).
  Proof. intros own ps M A C p I. rewrite forallb_forall in C. exact (after_a_stone own p M A (C p I)). Qed.
End Levels.

(** ** Both cannot be *)

Lemma margins : forall b, (margin White b = - margin Black b)%Z.
Proof. intro b. unfold margin. simpl. lia. Qed.

Theorem never_both : forall x y n now before, (0 < x + y)%Z ->
  can_force Black x n now before -> can_force White y n now before -> False.
Proof.
  intros x y n. induction n as [| n IH]; intros now before XY B W.
  - simpl in B, W. rewrite margins in W. lia.
  - assert (PASS : pass_does Black x n now before -> pass_does White y n now before -> False).
    { intros [[S X] | [S X]] [[S' Y] | [S' Y]]; try contradiction.
      - rewrite margins in Y. lia.
      - now apply (IH now now). }
    destruct (mover (S n)) eqn:M.
    + apply force_mine in B; auto. apply force_theirs in W; auto. destruct W as [WP W].
      destruct B as [B | [p [after [L B]]]]; [now apply PASS |]. apply (IH after now); auto. now apply (W p).
    + apply force_theirs in B; auto. apply force_mine in W; auto. destruct B as [BP B].
      destruct W as [W | [p [after [L W]]]]; [now apply PASS |]. apply (IH after now); auto. now apply (B p).
Qed.

Local Opaque can_force.

(** ** The first ply *)

(** What Black can force he forces with a stone, or has on the empty board already, where a PASS ends the game. *)
Lemma first_ply : forall n, can_force_from_the_start Black n -> (n <= 0)%Z \/ exists p, can_force_after p Black n.
Proof.
  intros n F. unfold can_force_from_the_start, plies in F.
  destruct (proj1 (force_mine Black n 23 empty_board empty_board eq_refl) F) as [[[_ X] | [X _]] | [p [after [[P _] A]]]].
  - left. exact X.
  - exfalso. apply X. intro p. reflexivity.
  - right. exists p. apply (can_force_image (fun q => q) (fun q => q)) with (now := after) (before := empty_board).
    + constructor; auto.
    + intro q. symmetry. apply (the_rest_stays _ _ _ _ P). intros [D _]. unfold put in D.
      destruct (same_point q p); discriminate.
    + intro q. reflexivity.
    + exact A.
Qed.

(** Did a PASS on the first ply not end the game, White's PASS would: he can end level. *)
Lemma first_pass_answered : can_force White 0 23 empty_board empty_board.
Proof.
  refine (proj2 (force_mine White 0 22 empty_board empty_board eq_refl) (or_introl (or_introl _))). split; [intro p; reflexivity | discriminate].
Qed.

(** So a game has one value. *)
Theorem one_value : forall n m, exactly n -> exactly m -> n = m.
Proof.
  intros n m [N N'] [M M']. unfold can_force_from_the_start in *. pose proof (Z.lt_trichotomy n m) as [L | [E | L]]; auto; exfalso.
  - assert (X : (0 < m + - n)%Z) by (clear - L; lia). exact (never_both m (- n) plies empty_board empty_board X M N').
  - assert (X : (0 < n + - m)%Z) by (clear - L; lia). exact (never_both n (- m) plies empty_board empty_board X N M').
Qed.
