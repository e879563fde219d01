(** Stones that cannot be taken in time: [hero] may pass for ever. *)

Require Import List ZArith Bool Lia.
Require Import Rules Bits Moves Ko.
Import ListNotations.

Definition side (hero : colour) (mine : bool) : colour := if mine then hero else other hero.

Lemma mover_next : forall n, mover n = other (mover (S n)).
Proof. intro n. unfold mover. rewrite Nat.even_succ, <- Nat.negb_even. now destruct (Nat.even n). Qed.

Lemma is_colour_same : forall c, is_colour c (Some c) = true.
Proof. now intros []. Qed.
Lemma is_colour_other : forall c, is_colour c (Some (other c)) = false.
Proof. now intros []. Qed.
Lemma is_colour_true : forall c s, is_colour c s = true <-> s = Some c.
Proof. intros [] [[] |]; simpl; split; intro H; (reflexivity || discriminate). Qed.

Definition pass_does hero need n (now before : board) : Prop :=
  (same_board now before /\ (need <= margin hero now)%Z) \/
  (~ same_board now before /\ can_force hero need n now now).

Lemma force_mine : forall hero need n now before, mover (S n) = hero ->
  (can_force hero need (S n) now before <->
   pass_does hero need n now before \/
   exists p after, (plays now hero p after /\ ~ same_board after before) /\ can_force hero need n after now).
Proof. intros hero need n now before M. simpl. rewrite M, is_colour_same. reflexivity. Qed.

Lemma force_theirs : forall hero need n now before, mover (S n) = other hero ->
  (can_force hero need (S n) now before <->
   pass_does hero need n now before /\
   forall p after, plays now (other hero) p after /\ ~ same_board after before -> can_force hero need n after now).
Proof. intros hero need n now before M. simpl. rewrite M, is_colour_other. reflexivity. Qed.

(** How many plies the other side has of [n]. *)
Fixpoint threats (n : nat) (mine : bool) : nat :=
  match n with O => 0%nat | S n => if mine then threats n false else S (threats n true) end.

(** [q] is a stone of [c] whose group has more than [t] liberties. *)
Definition secure (b : board) (c : colour) (t : nat) (q : point) : Prop :=
  b q = Some c /\ exists l, NoDup l /\ (t < length l)%nat /\ forall x, In x l -> liberty b c q x.

Definition how_many (f : point -> bool) : nat := length (filter f points).

Lemma how_many_le : forall f g, (forall p, f p = true -> g p = true) -> (how_many f <= how_many g)%nat.
Proof.
  intros f g H. unfold how_many. induction points as [| p ps IH]; simpl; auto.
  destruct (f p) eqn:E; [rewrite (H p E); simpl; lia | destruct (g p); simpl; lia].
Qed.

Lemma how_many_one_more : forall f g q, (forall p, f p = true -> p <> q -> g p = true) ->
  (how_many f <= S (how_many g))%nat.
Proof.
  intros f g q H. unfold how_many. pose proof points_distinct as D.
  induction points as [| p ps IH]; simpl; auto. inversion D; subst.
  destruct (point_dec p q) as [-> | N].
  - assert (L : (length (filter f ps) <= length (filter g ps))%nat).
    { clear IH D H3. induction ps as [| x ps IH]; simpl; auto.
      assert (x <> q) by (intro; subst; apply H2; now left).
      assert (~ In q ps) by (intro; apply H2; now right).
      specialize (IH H1). destruct (f x) eqn:E; [rewrite (H x E H0); simpl; lia | destruct (g x); simpl; lia]. }
    destruct (f q), (g q); simpl; lia.
  - specialize (IH H3). destruct (f p) eqn:E; [rewrite (H p E N); simpl; lia | destruct (g p); simpl; lia].
Qed.

Lemma without_one : forall (l : list point) p, NoDup l ->
  exists k, NoDup k /\ (length l <= S (length k))%nat /\ forall x, In x k -> In x l /\ x <> p.
Proof.
  intros l p D. exists (filter (fun x => negb (same_point x p)) l). split; [now apply NoDup_filter |]. split.
  - induction l as [| x l IH]; simpl; auto. inversion D; subst. destruct (same_point x p) eqn:E; simpl.
    + apply same_point_true in E. subst x.
      assert (F : filter (fun x => negb (same_point x p)) l = l).
      { clear IH D H2. induction l as [| y l IH]; simpl; auto. 
        assert (y <> p) by (intro; subst; apply H1; now left). apply same_point_false in H. rewrite H. simpl.
        f_equal. apply IH. intro. apply H1. now right. }
      rewrite F. lia.
    + specialize (IH H2). lia.
  - intros x I. apply filter_In in I. destruct I as [I N]. split; auto. apply same_point_false. now destruct (same_point x p).
Qed.

(** A stone of the other side on [p] takes one liberty at most. *)
Lemma secure_after : forall b c t p b' q, plays b (other c) p b' -> secure b c (S t) q -> secure b' c t q.
Proof.
  intros b c t p b' q P [Q [l [D [L A]]]].
  destruct (without_one l p D) as [k [DK [LK AK]]].
  pose proof (on_an_empty_point _ _ _ _ P) as E.
  assert (NP : forall x, b x = Some c -> put b (other c) p x = Some c).
  { intros x X. unfold put. destruct (same_point x p) eqn:F; auto. apply same_point_true in F. congruence. }
  assert (JP : forall x y, joined b c x y -> joined (put b (other c) p) c x y).
  { intros x y J. induction J; [apply joined_itself; auto | apply joined_further with q0; auto]. }
  assert (LP : forall x, In x k -> liberty (put b (other c) p) c q x).
  { intros x X. destruct (AK x X) as [XL XP]. destruct (A x XL) as [y [J [AD N]]]. exists y. split; [| split]; auto.
    unfold put. apply same_point_false in XP. now rewrite XP. }
  assert (alive : forall y, joined b c q y -> ~ dead (put b (other c) p) (other (other c)) y).
  { intros y J [_ ND]. rewrite other_other in ND. apply ND. destruct k as [| x k].
    - simpl in LK. lia.
    - destruct (LP x (or_introl eq_refl)) as [z [JZ [AZ NZ]]]. exists x, z. split; [| split]; auto.
      apply joined_trans with q; auto. apply joined_sym. auto. }
  assert (stays : forall y, joined b c q y -> b' y = Some c).
  { intros y J. rewrite (the_rest_stays _ _ _ _ P y (alive y J)). apply NP. now apply joined_colour in J. }
  assert (JB : forall y, joined b c q y -> joined b' c q y).
  { intros y J. pose proof J as J0. revert J0. induction J; intro J0.
    - apply joined_itself. auto.
    - apply joined_further with q0; auto. }
  split; [apply stays; now apply joined_itself |].
  exists k. split; [| split]; auto; [lia |]. intros x X. destruct (AK x X) as [XL XP].
  destruct (A x XL) as [y [J [AD N]]]. exists y. split; [| split]; auto.
  rewrite (the_rest_stays _ _ _ _ P x).
  - unfold put. apply same_point_false in XP. now rewrite XP.
  - intros [C _]. unfold put in C. apply same_point_false in XP. rewrite XP in C. congruence.
Qed.

Lemma secure_weaker : forall b c t u q, (t <= u)%nat -> secure b c u q -> secure b c t q.
Proof. intros b c t u q H [Q [l [D [L A]]]]. split; auto. exists l. repeat split; auto. lia. Qed.

(** The other side's stone adds one to his stones at most. *)
Lemma one_more_stone : forall b c p b', plays b c p b' -> (stones c b' <= S (stones c b))%nat.
Proof.
  intros b c p b' P. apply (how_many_one_more _ _ p). intros q Q N. apply is_colour_true in Q. apply is_colour_true.
  apply same_point_false in N.
  destruct (b q) as [k |] eqn:B.
  - destruct (is_colour c (Some k)) eqn:K; [now apply is_colour_true in K |]. exfalso.
    assert (k = other c) by (destruct k, c; auto; discriminate). subst k.
    assert (X : ~ dead (put b c p) (other c) q).
    { intro D. rewrite (the_dead_are_taken _ _ _ _ P q D) in Q. discriminate. }
    rewrite (the_rest_stays _ _ _ _ P q X) in Q. unfold put in Q. rewrite N, B in Q. injection Q as Q. now apply other_not in Q.
  - exfalso. assert (X : ~ dead (put b c p) (other c) q).
    { intros [D _]. unfold put in D. rewrite N in D. congruence. }
    rewrite (the_rest_stays _ _ _ _ P q X) in Q. unfold put in Q. rewrite N in Q. congruence.
Qed.

Theorem passing_does : forall hero need f n mine now before,
  mover n = side hero mine ->
  (forall q, f q = true -> secure now hero (threats n mine) q) ->
  (need + Z.of_nat (stones (other hero) now) + Z.of_nat (threats n mine) <= Z.of_nat (how_many f))%Z ->
  (forall b b', same_board b b' \/ ~ same_board b b') ->
  can_force hero need n now before.
Proof.
  intros hero need f n mine now before M F N DEC. revert mine now before M F N.
  induction n as [| n IH]; intros mine now before M F N.
  - simpl in *. unfold margin. assert (how_many f <= stones hero now)%nat; [| lia].
    apply how_many_le. intros q Q. apply is_colour_true. now apply F.
  - assert (enough_now : (need <= margin hero now)%Z).
    { unfold margin. assert (how_many f <= stones hero now)%nat; [| lia].
      apply how_many_le. intros q Q. apply is_colour_true. now apply F. }
    pose proof (mover_next n) as MN. rewrite M in MN.
    destruct mine; simpl in M, MN.
    + apply force_mine; auto. left. destruct (DEC now before) as [SB | SB]; [left; auto | right].
      split; auto. apply (IH false); auto.
    + simpl in F, N. apply force_theirs; auto. rewrite other_other in MN. split.
      * destruct (DEC now before) as [SB | SB]; [left; auto | right]. split; auto.
        apply (IH true); auto; [| lia]. intros q Q. apply secure_weaker with (S (threats n true)); auto.
      * intros p after [P _]. apply (IH true); auto.
        -- intros q Q. now apply (secure_after now hero _ p after q P), F.
        -- pose proof (one_more_stone _ _ _ _ P). lia.
Qed.

Lemma same_board_dec : forall b b' : board, same_board b b' \/ ~ same_board b b'.
Proof.
  intros b b'.
  assert (D : forall x y : option colour, {x = y} + {x <> y}) by (repeat decide equality).
  destruct (forallb (fun p => if D (b p) (b' p) then true else false) points) eqn:E.
  - left. intro p. pose proof (on_points _ E p) as H. simpl in H. now destruct (D (b p) (b' p)).
  - right. intro S. assert (X : forallb (fun p => if D (b p) (b' p) then true else false) points = true); [| congruence].
    apply forallb_forall. intros p _. destruct (D (b p) (b' p)) as [| N]; auto.
Qed.
