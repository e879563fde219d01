(** When the search says yes, the hero can force it. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits Moves Ko Count Bound.
Import ListNotations.
Local Open Scope uint63_scope.
Local Opaque flood beside play breathing.

(** The position that the search's numbers stand for. *)
Definition fits (hero : colour) (mine : bool) (h v ko : int) (passed : bool) (now before : board) : Prop :=
  shows now hero h v /\ (passed = true <-> same_board now before) /\
  forall p after, plays now (side hero mine) p after -> (same_board after before <-> mem ko p = true).

(** ** Counting *)

Lemma how_many_size : forall f s, (forall p, f p = mem s p) -> how_many f = size s.
Proof. intros f s H. unfold how_many, size. f_equal. apply filter_ext. exact H. Qed.

Lemma stones_mine : forall b c m t, shows b c m t -> stones c b = size m.
Proof.
  intros b c m t [_ [_ H]]. apply how_many_size. intro p. destruct (H p) as [X _].
  destruct (mem m p); [apply is_colour_true; tauto |].
  destruct (is_colour c (b p)) eqn:E; auto. apply is_colour_true in E. symmetry. tauto.
Qed.

Lemma stones_theirs : forall b c m t, shows b c m t -> stones (other c) b = size t.
Proof. intros b c m t S. apply stones_mine with m. now apply shows_swap. Qed.

Section Right.
  Variables (hero : colour) (a b : int).
  Hypothesis a_small : (φ a <= 100)%Z.
  Hypothesis b_small : (φ b <= 100)%Z.

  Definition need : Z := (φ a - φ b)%Z.

  Definition claim (n : nat) (mine : bool) (h v ko : int) (passed : bool) : Prop :=
    forall now before, fits hero mine h v ko passed now before -> can_force hero need n now before.

  Lemma sum_small : forall x y, (0 <= φ x <= 1000)%Z -> (0 <= φ y <= 1000)%Z -> φ (x + y) = (φ x + φ y)%Z.
  Proof. intros x y X Y. rewrite add_spec, Z.mod_small; auto. change wB with 9223372036854775808%Z. lia. Qed.

  Lemma enough_right : forall now h v, shows now hero h v -> enough a b h v = true -> (need <= margin hero now)%Z.
  Proof.
    intros now h v S E. pose proof S as [H [V _]]. unfold enough in E. apply leb_spec in E.
    unfold margin. rewrite (stones_mine _ _ _ _ S), (stones_theirs _ _ _ _ S).
    pose proof (size_25 h). pose proof (size_25 v). pose proof (to_Z_bounded a). pose proof (to_Z_bounded b).
    rewrite !sum_small in E; rewrite ?(count_right h H), ?(count_right v V) in *; unfold need; lia.
  Qed.

  (** ** The bound *)

  (** What a survey says of the hero's groups. *)
  Definition surveyed (now : board) (t safe most : int) : Prop :=
    small safe /\ (forall q, mem safe q = true -> secure now hero (Z.to_nat (φ t)) q) /\
    forall u, (Z.of_nat u < φ most)%Z -> exists z, secure now hero u z.

  Lemma look_right : forall now h v t, shows now hero h v ->
    forall fuel rest safe0 most0 last0, surveyed now t safe0 most0 ->
    let r := look fuel h (full lxor (h lor v)) t rest safe0 most0 last0 in surveyed now t (safe r) (most r).
  Proof.
    intros now h v t S. pose proof S as [H [V P]]. fold (empties h v).
    induction fuel as [| fuel IH]; intros rest safe0 most0 last0 [S0 [H0 M0]]; simpl; [now split; auto |].
    destruct (rest =? 0); simpl; [now split; auto |].
    set (i := tail0 rest). set (g := flood 25 ((1 << i) land h) h).
    assert (W : within ((1 << i) land h) h).
    { intros p X. rewrite mem_land in X. now apply andb_true_iff in X. }
    assert (G : small g) by (apply flood_small; auto using small_land).
    assert (R : forall y, mem g y = true -> exists z, i = index z /\ joined now hero z y).
    { apply flood_sound.
      - intros x y [z [I J]] A Y. exists z. split; auto. apply joined_further with x; auto. now apply P.
      - intros x X. rewrite mem_land in X. apply andb_true_iff in X. destruct X as [X1 X2].
        apply mem_one in X1. exists x. split; auto. apply joined_itself. now apply P. }
    set (l := beside g land empties h v).
    assert (SL : small l) by (apply small_land, small_empties; auto).
    assert (N : forall u q, mem g q = true -> (u < size l)%nat -> secure now hero u q).
    { intros u q Q U. destruct (R q Q) as [z [Iz Jz]]. split; [now apply joined_colour in Jz |].
      exists (filter (mem l) points). split; [apply NoDup_filter, points_distinct | split; [exact U |]].
      intros x X. apply filter_In in X. destruct X as [_ X]. unfold l in X. rewrite mem_land in X.
      apply andb_true_iff in X. destruct X as [X1 X2]. apply beside_true in X1. destruct X1 as [y [Y A]].
      destruct (R y Y) as [z' [Iz' Jz']]. assert (z = z') by (apply index_inj; congruence). subst z'.
      exists y. split; [| split]; auto.
      - apply joined_trans with z; auto. now apply joined_sym.
      - now apply (mem_empties _ _ _ _ x S). }
    apply IH. split; [| split].
    - destruct (t <? count l); auto using small_lor.
    - destruct (t <? count l) eqn:T; auto. intros q Q. rewrite mem_lor in Q. apply orb_true_iff in Q.
      destruct Q as [Q | Q]; auto. apply N; auto. apply ltb_spec in T. rewrite (count_right l SL) in T.
      pose proof (to_Z_bounded t). lia.
    - destruct (most0 <? count l); auto. intros u U. rewrite (count_right l SL) in U.
      destruct (filter (mem l) points) as [| x xs] eqn:F; [unfold size in U; rewrite F in U; simpl in U; lia |].
      assert (X : In x (filter (mem l) points)) by (rewrite F; now left). apply filter_In in X. destruct X as [_ X].
      unfold l in X. rewrite mem_land in X. apply andb_true_iff in X. destruct X as [X _].
      apply beside_true in X. destruct X as [y [Y _]]. exists y. apply N; auto. lia.
  Qed.

  Lemma threats_le : forall n mine, (threats n mine <= n)%nat.
  Proof.
    induction n as [| n IH]; intros mine; simpl; auto. destruct mine; [specialize (IH false) | specialize (IH true)]; lia.
  Qed.

  (** So many liberties of one group, [k], can be filled. *)
  Lemma spare_right : forall most t s, (φ t <= 100)%Z ->
    exists k, φ (spare most t s) = Z.of_nat k /\ (Z.of_nat k <= φ s)%Z /\ (k = 0%nat \/ (φ t + Z.of_nat k < φ most)%Z).
  Proof.
    intros most t s T. exists (Z.to_nat (φ (spare most t s))). unfold spare.
    pose proof (to_Z_bounded t). pose proof (to_Z_bounded s). pose proof (to_Z_bounded most).
    assert (T1 : φ (t + 1) = (φ t + 1)%Z) by (apply sum_small; [lia | change (φ 1) with 1%Z; lia]).
    destruct (most <=? t + 1) eqn:E.
    - change (φ 0) with 0%Z. repeat split; auto; simpl; lia.
    - assert (L : (φ t + 1 < φ most)%Z).
      { destruct (Z.le_gt_cases (φ most) (φ t + 1)) as [C | C]; [| lia]. rewrite <- T1 in C. apply leb_spec in C. congruence. }
      assert (M : φ (most - t - 1) = (φ most - φ t - 1)%Z).
      { rewrite !sub_spec. change (φ 1) with 1%Z. rewrite (Z.mod_small (φ most - φ t)), Z.mod_small; lia. }
      destruct (most - t - 1 <=? s) eqn:F.
      + apply leb_spec in F. rewrite M in *. repeat split; [| | right]; lia.
      + assert (C : (φ s < φ most - φ t - 1)%Z).
        { rewrite <- M. destruct (Z.lt_ge_cases (φ s) (φ (most - t - 1))) as [C | C]; auto. apply leb_spec in C. congruence. }
        repeat split; [| | right]; lia.
  Qed.

  Lemma bound_right : forall n mine h v ko passed t s, (n <= 100)%nat -> mover n = side hero mine ->
    φ t = Z.of_nat (threats n mine) -> φ s = Z.of_nat (threats n (negb mine)) ->
    (mine = false -> passed = true -> enough a b h v = true) ->
    let ours := look 25 h (full lxor (h lor v)) t h 0 0 0 in
    (count v + a + t <=? count (safe ours) + b + spare (most ours) t s) = true -> claim n mine h v ko passed.
  Proof.
    intros n mine h v ko passed t s N M T O W ours E now before [S [PS _]]. pose proof S as [H [V P]].
    assert (Z0 : surveyed now t 0 0).
    { split; [apply small_0 | split].
      - intros q Q. rewrite mem_0 in Q. discriminate.
      - intros u U. change (φ 0) with 0%Z in U. lia. }
    destruct (look_right now h v t S 25 h 0 0 0 Z0) as [SS [Q R]]. fold ours in SS, Q, R.
    pose proof (threats_le n mine). pose proof (threats_le n (negb mine)).
    destruct (spare_right (most ours) t s) as [k [K [KS KM]]]; [lia |].
    set (x := safe ours) in *. clearbody x. apply leb_spec in E. pose proof (size_25 x). pose proof (size_25 v).
    pose proof (to_Z_bounded a). pose proof (to_Z_bounded b).
    assert (E1 : φ (count v + a) = (Z.of_nat (size v) + φ a)%Z).
    { rewrite sum_small; rewrite ?(count_right v V); lia. }
    assert (E2 : φ (count v + a + t) = (Z.of_nat (size v) + φ a + φ t)%Z) by (rewrite sum_small; lia).
    assert (E3 : φ (count x + b) = (Z.of_nat (size x) + φ b)%Z) by (rewrite sum_small; rewrite ?(count_right x SS); lia).
    assert (E4 : φ (count x + b + spare (most ours) t s) = (Z.of_nat (size x) + φ b + Z.of_nat k)%Z).
    { rewrite sum_small; lia. }
    rewrite E2, E4 in E.
    assert (Z : exists z, k = 0%nat \/ secure now hero (threats n mine + k) z).
    { destruct KM as [-> | KM]; [exists centre; auto |]. destruct (R (threats n mine + k)%nat) as [z Z]; [lia | exists z; auto]. }
    destruct Z as [z Z]. rewrite T, Nat2Z.id in Q. apply (filling_does hero need n mine now before (mem x) k z); auto.
    - lia.
    - rewrite (how_many_size (mem x) x (fun _ => eq_refl)), (stones_theirs _ _ _ _ S). unfold need. lia.
    - intros MF SB. apply (enough_right now h v S), W; auto. now apply PS.
  Qed.

  (** ** The memory *)

  Definition mine_at (n : nat) : bool := is_colour hero (Some (mover n)).

  Lemma mine_at_mover : forall n mine, mover n = side hero mine -> mine_at n = mine.
  Proof. intros n [] M; unfold mine_at; rewrite M; [apply is_colour_same | apply is_colour_other]. Qed.

  Definition good_entry (x : int) : Prop :=
    forall l h v ko passed, unpacks x l h v ko passed = true ->
    claim (Z.to_nat (φ l)) (mine_at (Z.to_nat (φ l))) h v ko passed.

  Definition good (m : memo) : Prop := forall i, good_entry m.[i].

  Lemma unpacks_true : forall x l h v ko passed, unpacks x l h v ko passed = true ->
    h = x land full /\ v = (x >> 25) land full /\ ko = ko_of x /\ passed = passed_of x /\ l = (x >> 56) land 31 /\
    (x >> 61 =? 1) = true.
  Proof.
    intros x l h v ko passed U. unfold unpacks in U.
    destruct (x land full =? h) eqn:E1; [| discriminate]. destruct ((x >> 25) land full =? v) eqn:E2; [| discriminate].
    destruct (ko_of x =? ko) eqn:E3; [| discriminate]. destruct (Bool.eqb (passed_of x) passed) eqn:E4; [| discriminate].
    destruct ((x >> 56) land 31 =? l) eqn:E5; [| discriminate].
    apply eqb_correct in E1. apply eqb_correct in E2. apply eqb_correct in E3. apply eqb_prop in E4.
    apply eqb_correct in E5. now repeat split.
  Qed.

  Lemma good_set : forall m i x, good m -> good_entry x -> good (m.[i <- x]).
  Proof.
    intros m i x G X j. destruct (i =? j) eqn:E.
    - apply eqb_correct in E. subst j. destruct (i <? PArray.length m) eqn:L.
      + now rewrite get_set_same.
      + rewrite get_out_of_bounds; [| now rewrite length_set]. rewrite default_set.
        rewrite <- (get_out_of_bounds _ m i L). apply G.
    - rewrite get_set_other; auto. intro H. apply Uint63.eqb_spec in H. congruence.
  Qed.

  Lemma good_no_memo : good (no_memo tt).
  Proof.
    intros i l h v ko passed U. unfold no_memo in U. rewrite get_make in U. apply unpacks_true in U.
    destruct U as [_ [_ [_ [_ [_ U]]]]]. discriminate.
  Qed.

  (** What an answer is worth. *)
  Definition worth (r : answer) (c : Prop) : Prop := match r with Yes m => good m /\ c | No m => good m end.

  Lemma remember_right : forall n l mine h v ko passed key r,
    φ l = Z.of_nat n -> mover n = side hero mine -> worth r (claim n mine h v ko passed) ->
    worth (remember key (key lor proved) l h v ko passed r) (claim n mine h v ko passed).
  Proof.
    intros n l mine h v ko passed key r L M R. destruct r as [m | m]; simpl in *.
    - destruct R as [G C]. destruct (unpacks (key lor proved) l h v ko passed) eqn:U; split; auto.
      apply good_set; auto. intros l' h' v' ko' passed' U'. apply unpacks_true in U. apply unpacks_true in U'.
      assert (l' = l /\ h' = h /\ v' = v /\ ko' = ko /\ passed' = passed) as [-> [-> [-> [-> ->]]]].
      { destruct U as [? [? [? [? [? _]]]]], U' as [? [? [? [? [? _]]]]]. repeat split; congruence. }
      rewrite L, Nat2Z.id. now rewrite (mine_at_mover n mine M).
    - destruct (key >> 61 =? 0) eqn:K; auto. apply good_set; auto.
      intros l' h' v' ko' passed' U. apply unpacks_true in U. destruct U as [_ [_ [_ [_ [_ U]]]]].
      apply eqb_correct in K. rewrite K in U. discriminate.
  Qed.

  (** ** Points one by one *)

  Lemma some_of_right : forall (Q : point -> Prop) visit fuel set m, small set -> good m ->
    (forall p m, mem set p = true -> good m -> worth (visit (mask p) m) (Q p)) ->
    worth (some_of fuel set visit m) (exists p, mem set p = true /\ Q p).
  Proof.
    intros Q visit. induction fuel as [| fuel IH]; intros set m S G V; simpl; auto.
    destruct (set land (1 << tail0 set) =? 0) eqn:E; auto.
    apply not_0 in E; [| now apply small_land_l]. destruct E as [p E]. rewrite mem_land in E.
    apply andb_true_iff in E. destruct E as [P I]. apply mem_one in I.
    rewrite I. change (1 << index p) with (mask p).
    pose proof (V p m P G) as R. destruct (visit (mask p) m) as [m' | m']; simpl in R.
    - split; [tauto |]. exists p. tauto.
    - assert (SUB : forall x, mem (set lxor mask p) x = true -> mem set x = true).
      { intros x X. rewrite mem_lxor, mem_mask in X. destruct (same_point x p) eqn:Y.
        - apply same_point_true in Y. now subst x.
        - now rewrite xorb_false_r in X. }
      assert (R' : worth (some_of fuel (set lxor mask p) visit m') (exists x, mem (set lxor mask p) x = true /\ Q x)).
      { apply IH; auto using small_lxor, small_mask. }
      destruct (some_of fuel (set lxor mask p) visit m') as [m2 | m2]; simpl in *; auto.
      destruct R' as [G2 [x [X QX]]]. split; auto. exists x. auto.
  Qed.

  Lemma all_of_right : forall (Q : point -> Prop) visit,
    (forall p m, good m -> worth (visit p m) (forall q, p = mask q -> Q q)) ->
    forall fuel set m, good m -> worth (all_of fuel set visit m) (forall q, mem set q = true -> Q q).
  Proof.
    intros Q visit V. induction fuel as [| fuel IH]; intros set m G; simpl; auto.
    destruct (set =? 0) eqn:E.
    - simpl. split; auto. intros q H. rewrite (is_0 set q E) in H. discriminate.
    - pose proof (V (1 << tail0 set) m G) as R. destruct (visit (1 << tail0 set) m) as [m' | m']; simpl in R; auto.
      destruct R as [G' QP]. specialize (IH (set lxor (1 << tail0 set)) m' G').
      destruct (all_of fuel (set lxor (1 << tail0 set)) visit m') as [m2 | m2]; simpl in *; auto.
      destruct IH as [G2 QR]. split; auto. intros q H. destruct (mem (1 << tail0 set) q) eqn:X.
      + apply QP. apply mem_one in X. now rewrite X.
      + apply QR. now rewrite mem_lxor, H, X.
  Qed.

  Lemma some_in_right : forall (Q : point -> Prop) visit first set m, small set -> good m ->
    (forall p m, mem set p = true -> good m -> worth (visit (mask p) m) (Q p)) ->
    worth (some_in first set visit m) (exists p, mem set p = true /\ Q p).
  Proof.
    intros Q visit. induction first as [| c first IH]; intros set m S G V; cbn [some_in].
    - now apply some_of_right.
    - assert (S1 : small (set land c)) by now apply small_land_l.
      assert (SUB1 : forall p, mem (set land c) p = true -> mem set p = true).
      { intros p P. rewrite mem_land in P. now apply andb_true_iff in P. }
      pose proof (some_of_right Q visit 26 (set land c) m S1 G (fun p m P => V p m (SUB1 p P))) as R.
      destruct (some_of 26 (set land c) visit m) as [m' | m']; cbn [worth] in R |- *.
      + destruct R as [G' [p [P QP]]]. split; auto. exists p. auto.
      + assert (SUB2 : forall p, mem (set lxor (set land c)) p = true -> mem set p = true).
        { intros p P. rewrite mem_lxor, mem_land in P. now destruct (mem set p). }
        specialize (IH (set lxor (set land c)) m' (small_lxor _ _ S S1) R (fun p m P => V p m (SUB2 p P))).
        destruct (some_in first (set lxor (set land c)) visit m') as [m2 | m2]; cbn [worth] in *; auto.
        destruct IH as [G2 [p [P QP]]]. split; auto. exists p. auto.
  Qed.

  Lemma all_in_right : forall (Q : point -> Prop) visit,
    (forall p m, good m -> worth (visit p m) (forall q, p = mask q -> Q q)) ->
    forall first set m, good m -> worth (all_in first set visit m) (forall q, mem set q = true -> Q q).
  Proof.
    intros Q visit V. induction first as [| c first IH]; intros set m G; cbn [all_in].
    - now apply all_of_right.
    - pose proof (all_of_right Q visit V 26 (set land c) m G) as R.
      destruct (all_of 26 (set land c) visit m) as [m' | m']; cbn [worth] in R |- *; auto.
      destruct R as [G' R]. specialize (IH (set lxor (set land c)) m' G').
      destruct (all_in first (set lxor (set land c)) visit m') as [m2 | m2]; cbn [worth] in *; auto.
      destruct IH as [G2 R2]. split; auto. intros q H. destruct (mem (set land c) q) eqn:X; [now apply R |].
      apply R2. now rewrite mem_lxor, H, X.
  Qed.

  (** ** Turns *)

  Lemma side_other : forall mine, side hero (negb mine) = other (side hero mine).
  Proof. intros []; simpl; auto. now rewrite other_other. Qed.

  (** After a stone the numbers fit again. *)
  Lemma fits_after : forall mine h v ko passed now before p m' t' taken after,
    fits hero mine h v ko passed now before -> plays now (side hero mine) p after ->
    (if mine then play h v (mask p) else play v h (mask p)) = Played m' t' taken ->
    fits hero (negb mine) (if mine then m' else t') (if mine then t' else m')
      (if mine then ko_after h v m' t' taken else ko_after v h m' t' taken) false after now.
  Proof.
    intros mine h v ko passed now before p m' t' taken after [S _] P PL.
    pose proof (on_an_empty_point _ _ _ _ P) as E. pose proof (shows_swap _ _ _ _ S) as S'.
    destruct mine; cbn [side negb] in *.
    - pose proof (play_right now hero h v p S E) as R. rewrite PL in R. destruct R as [_ [_ [_ [R _]]]].
      specialize (R after P). split; [exact R | split].
      + split; [discriminate |]. intro X. exfalso. now apply (stone_changes _ _ _ _ P).
      + intros q after' P'. now apply (ko_right now hero h v p m' t' taken after).
    - pose proof (play_right now (other hero) v h p S' E) as R. rewrite PL in R. destruct R as [_ [_ [_ [R _]]]].
      specialize (R after P). split; [| split].
      + apply shows_swap in R. now rewrite other_other in R.
      + split; [discriminate |]. intro X. exfalso. now apply (stone_changes _ _ _ _ P).
      + intros q after' P'. apply (ko_right now (other hero) v h p m' t' taken after); auto. now rewrite other_other.
  Qed.

  Lemma fits_passed : forall mine mine' h v ko passed now before,
    fits hero mine h v ko passed now before -> fits hero mine' h v 0 true now now.
  Proof.
    intros mine mine' h v ko passed now before [S _]. split; [auto | split].
    - split; auto. intros _ p. reflexivity.
    - intros p after P. rewrite mem_0. split; [| discriminate]. intro X. exfalso. now apply (stone_changes _ _ _ _ P).
  Qed.

  Lemma free_right : forall mine h v ko passed now before p, fits hero mine h v ko passed now before ->
    (mem (free h v ko) p = true <-> now p = None /\ mem ko p = false).
  Proof.
    intros mine h v ko passed now before p [S _]. unfold free. fold (empties h v).
    rewrite !mem_land, mem_lxor, mem_full, andb_true_r, andb_true_iff, (mem_empties _ _ _ _ p S).
    destruct (mem ko p); simpl; intuition discriminate.
  Qed.

  Lemma small_free : forall h v ko, small (free h v ko).
  Proof. intros. apply small_land, small_full. Qed.

  Lemma a_won_pass : forall n now before, mover n = hero \/ n = 0%nat -> (need <= margin hero now)%Z ->
    same_board now before -> can_force hero need n now before.
  Proof.
    intros n now before M W S. destruct n as [| n]; auto. destruct M as [M | M]; [| discriminate].
    apply force_mine; auto. left. left. auto.
  Qed.

  Section Turns.
    Variables (n : nat) (visit : int -> int -> int -> bool -> memo -> answer).

    Lemma my_turn_right : forall first h v ko passed m, mover (S n) = hero ->
      (forall h v ko passed m, good m -> worth (visit h v ko passed m) (claim n false h v ko passed)) -> good m ->
      worth (my_turn a b visit first h v ko passed m) (claim (S n) true h v ko passed).
    Proof.
      intros first h v ko passed m M V G. unfold my_turn.
      pose (Q := fun p => match play h v (mask p) with
        | Illegal => False
        | Played h' v' taken => claim n false h' v' (ko_after h v h' v' taken) false end).
      match goal with |- context [some_in first (free h v ko) ?f m] =>
        assert (R : worth (some_in first (free h v ko) f m) (exists p, mem (free h v ko) p = true /\ Q p)) end.
      { apply some_in_right; auto using small_free. intros p m' P G'. unfold Q.
        destruct (play h v (mask p)) as [| h' v' taken]; auto. }
      destruct (some_in _ _ _ m) as [m' | m']; cbn [worth] in R |- *.
      - destruct R as [G' [p [P QP]]]. split; auto. intros now before F.
        apply force_mine; auto. right. apply (free_right _ _ _ _ _ _ _ p F) in P. destruct P as [E K].
        pose proof F as [S [_ KO]].
        pose proof (play_right now hero h v p S E) as R. unfold Q in QP.
        destruct (play h v (mask p)) as [| h' v' taken] eqn:PL; [contradiction |].
        destruct R as [_ [_ [PP _]]]. exists p, (board_of hero h' v'). split; [split; auto |].
        + intro X. apply (KO p _ PP) in X. congruence.
        + apply QP. apply (fits_after true h v ko passed now before p h' v' taken); auto.
      - destruct passed; auto. destruct (enough a b h v) eqn:W; auto.
        pose proof (V h v 0 true m' R) as X. destruct (visit h v 0 true m') as [m2 | m2]; cbn [worth] in *; auto.
        destruct X as [G2 C]. split; auto. intros now before F. apply force_mine; auto. left. right. split.
        + destruct F as [_ [F _]]. intro X. apply F in X. discriminate.
        + apply C. now apply (fits_passed true false h v ko false now before).
    Qed.

    Lemma their_turn_right : forall first h v ko passed m, mover (S n) = other hero ->
      (forall h v ko passed m, good m -> worth (visit h v ko passed m) (claim n true h v ko passed)) -> good m ->
      worth (their_turn a b visit first h v ko passed m)
        ((passed = true -> enough a b h v = true) -> claim (S n) false h v ko passed).
    Proof.
      intros first h v ko passed m M V G. unfold their_turn.
      pose (Q := fun p => match play v h (mask p) with
        | Illegal => True
        | Played v' h' taken => claim n true h' v' (ko_after v h v' h' taken) false end).
      match goal with |- context [all_in first (free h v ko) ?f m] =>
        assert (R : worth (all_in first (free h v ko) f m) (forall p, mem (free h v ko) p = true -> Q p)) end.
      { apply all_in_right; auto. intros p m' G'.
        destruct (play v h p) as [| v' h' taken] eqn:PL.
        - split; auto. intros q ->. unfold Q. now rewrite PL.
        - pose proof (V h' v' (ko_after v h v' h' taken) false m' G') as X.
          destruct (visit h' v' _ false m') as [m2 | m2]; cbn [worth] in *; auto. destruct X as [G2 C]. split; auto.
          intros q ->. unfold Q. now rewrite PL. }
      destruct (all_in _ _ _ m) as [m' | m']; cbn [worth] in R |- *; auto. destruct R as [G' R].
      assert (STONES : forall now before, fits hero false h v ko passed now before ->
        forall p after, plays now (other hero) p after /\ ~ same_board after before -> can_force hero need n after now).
      { intros now before F p after [P K]. pose proof F as [S [_ KO]].
        pose proof (on_an_empty_point _ _ _ _ P) as E.
        assert (FR : mem (free h v ko) p = true).
        { apply (free_right _ _ _ _ _ _ _ p F). split; auto. destruct (mem ko p) eqn:X; auto. exfalso.
          apply K. now apply (KO p after P). }
        specialize (R p FR). unfold Q in R.
        pose proof (play_right now (other hero) v h p (shows_swap _ _ _ _ S) E) as PR.
        destruct (play v h (mask p)) as [| v' h' taken] eqn:PL; [now apply PR in P |].
        apply R. apply (fits_after false h v ko passed now before p v' h' taken); auto. }
      destruct (enough a b h v) eqn:W.
      - cbn [worth]. split; auto. intros _ now before F. pose proof F as [S [PS _]].
        apply force_theirs; auto. split; [| now apply STONES].
        pose proof (enough_right now h v S W) as MW. destruct (same_board_dec now before) as [X | X]; [left; auto | right].
        split; auto. apply a_won_pass; auto; [| intro p; reflexivity].
        left. rewrite (mover_next n), M. apply other_other.
      - destruct passed; auto. pose proof (V h v 0 true m' G') as X.
        destruct (visit h v 0 true m') as [m2 | m2]; cbn [worth] in *; auto. destruct X as [G2 C]. split; auto.
        intros _ now before F. apply force_theirs; auto. split; [right; split | now apply STONES].
        + destruct F as [_ [F _]]. intro X. apply F in X. discriminate.
        + apply C. now apply (fits_passed false true h v ko false now before).
    Qed.
  End Turns.

  (** ** The search *)

  Theorem search_right : forall n l t s mine h v ko passed m, (n <= 100)%nat -> φ l = Z.of_nat n ->
    φ t = Z.of_nat (threats n mine) -> φ s = Z.of_nat (threats n (negb mine)) -> mover n = side hero mine -> good m ->
    worth (search a b n l t s mine h v ko passed m) (claim n mine h v ko passed).
  Proof.
    induction n as [| n IH]; intros l t s mine h v ko passed m N L T O M G.
    - cbn [search]. destruct (enough a b h v) eqn:W; cbn [worth]; auto. split; auto.
      intros now before [S _]. cbn [can_force]. now apply (enough_right now h v).
    - cbn [search].
      set (key := pack l h v ko passed). set (x := m.[slot key]).
      destruct (if x =? key lor proved then unpacks (key lor proved) l h v ko passed else false) eqn:FOUND.
      { destruct (x =? key lor proved) eqn:E; [| discriminate]. apply eqb_correct in E. split; auto.
        pose proof (G (slot key)) as X. fold x in X. rewrite E in X. specialize (X l h v ko passed FOUND).
        rewrite L, Nat2Z.id in X. now rewrite (mine_at_mover (S n) mine M) in X. }
      destruct (x =? key); auto.
      set (won := if passed then enough a b h v else false).
      destruct (if mine then won else false) eqn:W1.
      { destruct mine; [| discriminate]. unfold won in W1. destruct passed; [| discriminate]. split; auto.
        intros now before [S [F _]]. apply a_won_pass; auto; [now apply (enough_right now h v) | now apply F]. }
      destruct (if mine then false else if passed then negb won else false) eqn:W2; auto.
      assert (P : mine = false -> passed = true -> enough a b h v = true).
      { intros -> ->. unfold won in W2. now apply negb_false_iff in W2. }
      set (may := count v + a + t <=? count h + b + s).
      match goal with |- context [if ?c then Yes m else _] => destruct c eqn:B end.
      { split; auto. destruct may; [| discriminate]. now apply (bound_right (S n) mine h v ko passed t s). }
      match goal with |- context [if ?c then No m else _] => destruct c; auto end.
      assert (L' : φ (l - 1) = Z.of_nat n).
      { rewrite sub_spec, L. change (φ 1) with 1%Z. pose proof (to_Z_bounded l). rewrite Z.mod_small; lia. }
      pose proof (mover_next n) as MN. rewrite M in MN.
      apply remember_right; auto. destruct mine.
      + assert (O' : φ (s - 1) = Z.of_nat (threats n true)).
        { simpl in O. rewrite sub_spec, O. change (φ 1) with 1%Z. pose proof (to_Z_bounded s). rewrite Z.mod_small; lia. }
        apply my_turn_right; auto. intros. apply IH; auto; lia.
      + simpl in MN. rewrite other_other in MN.
        assert (T' : φ (t - 1) = Z.of_nat (threats n true)).
        { simpl in T. rewrite sub_spec, T. change (φ 1) with 1%Z. pose proof (to_Z_bounded t). rewrite Z.mod_small; lia. }
        match goal with |- worth ?r _ =>
          assert (R : worth r ((passed = true -> enough a b h v = true) -> claim (S n) false h v ko passed)) end.
        { apply their_turn_right; auto. intros. apply IH; auto; lia. }
        destruct (their_turn _ _ _ _ _ _ _ _ _) as [m' | m']; cbn [worth] in R |- *; tauto.
  Qed.
End Right.
