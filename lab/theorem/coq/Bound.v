(** Stones that cannot be taken in time: [hero] may fill spare liberties of theirs, and pass for ever. *)

Require Import Uint63 List ZArith Bool Lia.
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

Lemma how_many_lt : forall f g q, (forall p, f p = true -> g p = true) -> f q = false -> g q = true ->
  (how_many f < how_many g)%nat.
Proof.
  intros f g q H F G. unfold how_many. pose proof (in_points q) as I.
  induction points as [| p ps IH]; [contradiction |]. simpl. destruct I as [-> | I].
  - rewrite F, G. pose proof (Nat.lt_succ_diag_r (length (filter g ps))). simpl.
    assert (length (filter f ps) <= length (filter g ps))%nat; [| lia].
    clear IH. induction ps as [| x ps IH]; simpl; auto.
    destruct (f x) eqn:E; [rewrite (H x E); simpl; lia | destruct (g x); simpl; lia].
  - specialize (IH I). destruct (f p) eqn:E; [rewrite (H p E); simpl; lia | destruct (g p); simpl; lia].
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

Lemma same_board_dec : forall b b' : board, same_board b b' \/ ~ same_board b b'.
Proof.
  intros b b'.
  assert (D : forall x y : option colour, {x = y} + {x <> y}) by (repeat decide equality).
  destruct (forallb (fun p => if D (b p) (b' p) then true else false) points) eqn:E.
  - left. intro p. pose proof (on_points _ E p) as H. simpl in H. now destruct (D (b p) (b' p)).
  - right. intro S. assert (X : forallb (fun p => if D (b p) (b' p) then true else false) points = true); [| congruence].
    apply forallb_forall. intros p _. destruct (D (b p) (b' p)) as [| N]; auto.
Qed.

(** ** A stone of one's own *)

Lemma set_of : forall f : point -> bool, exists s, small s /\ forall p, mem s p = f p.
Proof.
  intro f. assert (L : forall l, exists s, small s /\ forall p, mem s p = existsb (fun q => f q && same_point p q) l).
  { induction l as [| q l [s [S M]]]; [exists 0%uint63; split; [apply small_0 | apply mem_0] |].
    exists (if f q then (s lor mask q)%uint63 else s). cbn [existsb]. destruct (f q); [| now split].
    split; [auto using small_lor, small_mask |]. intro p. rewrite mem_lor, mem_mask, M. apply orb_comm. }
  destruct (L points) as [s [S M]]. exists s. split; auto. intro p. rewrite M.
  destruct (f p) eqn:E.
  - apply existsb_exists. exists p. rewrite E, same_point_refl. auto using in_points.
  - destruct (existsb _ points) eqn:X; auto. apply existsb_exists in X. destruct X as [q [_ X]].
    apply andb_true_iff in X. destruct X as [X Y]. apply same_point_true in Y. congruence.
Qed.

Lemma shown : forall b c, exists m t, shows b c m t.
Proof.
  intros b c. destruct (set_of (fun p => is_colour c (b p))) as [m [M HM]].
  destruct (set_of (fun p => is_colour (other c) (b p))) as [t [T HT]]. exists m, t. split; [| split]; auto.
  intro p. rewrite HM, HT. split; apply is_colour_true.
Qed.

(** [c] puts a stone on [p]; whether that is suicide stays open. *)
Section Own.
  Variables (b : board) (c : colour) (p : point) (b' : board).
  Hypothesis rest : forall q, ~ dead (put b c p) (other c) q -> b' q = put b c p q.

  Lemma own_stays : forall q, q = p \/ b q = Some c -> b' q = Some c.
  Proof.
    intros q Q. assert (P : put b c p q = Some c).
    { unfold put. destruct (same_point q p) eqn:E; auto. apply same_point_false in E. tauto. }
    rewrite rest; auto. intros [D _]. rewrite P in D. injection D as D. symmetry in D. now apply other_not in D.
  Qed.

  Lemma own_joined : forall x y, joined b c x y -> joined b' c x y.
  Proof. intros x y J. induction J; [apply joined_itself | apply joined_further with q]; auto using own_stays. Qed.

  Lemma own_liberty : forall q x, liberty b c q x -> x <> p -> liberty b' c q x.
  Proof.
    intros q x [y [J [A N]]] X. exists y. split; [now apply own_joined | split; auto].
    assert (P : put b c p x = None) by (apply same_point_false in X; unfold put; now rewrite X).
    rewrite rest; auto. intros [D _]. congruence.
  Qed.

  Lemma own_joins : forall q, liberty b c q p -> joined b' c q p.
  Proof. intros q [y [J [A N]]]. apply joined_further with y; auto using own_joined, own_stays. Qed.
End Own.

Lemma secure_joined : forall b c t q r, joined b c q r -> secure b c t q -> secure b c t r.
Proof.
  intros b c t q r J [_ [l [D [L A]]]]. split; [now apply joined_colour in J |]. exists l. repeat split; auto.
  intros x X. destruct (A x X) as [y [K N]]. exists y. split; auto. apply joined_trans with q; auto using joined_sym.
Qed.

(** A group with more than one liberty can fill one of them: it keeps another, and if one brings back the board before,
    another does not. *)
Lemma a_fill : forall b c u z before, secure b c (S u) z ->
  exists p after, liberty b c z p /\ plays b c p after /\ ~ same_board after before.
Proof.
  intros b c u z before [Z [[| p [| x l]] [D [L A]]]]; simpl in L; try lia.
  assert (P : liberty b c z p) by (apply A; simpl; auto). assert (X : liberty b c z x) by (apply A; simpl; auto).
  assert (N : p <> x) by (inversion D as [| ? ? I]; intros ->; apply I; simpl; auto). clear l D L A.
  assert (F : forall p x, liberty b c z p -> liberty b c z x -> p <> x -> exists after, plays b c p after).
  { clear p x P X N. intros p x P X N. pose proof P as [_ [_ [_ E]]]. destruct (shown b c) as [m [t S]].
    pose proof (after_stone_shows b c m t p S E) as AS. destruct (after_stone m t p) as [m' t'] eqn:Q.
    exists (board_of c m' t'). pose proof (plays_shows b c m t p (board_of c m' t') S E) as PS.
    rewrite Q in PS. apply PS in AS. destruct AS as [DT RS]. constructor; auto.
    destruct (own_liberty b c p _ RS z x X) as [y [J Y]]; auto. exists x, y. split; auto.
    apply joined_trans with z; auto. apply joined_sym, (own_joins b c); auto. }
  destruct (F p x P X N) as [after PL]. destruct (same_board_dec after before) as [S | S]; [| now exists p, after].
  destruct (F x p X P (not_eq_sym N)) as [after' PL']. exists x, after'. split; [| split]; auto. intro S'.
  pose proof (stone_stands _ _ _ _ PL) as Y. rewrite (S p), <- (S' p) in Y.
  pose proof P as [_ [_ [_ E]]]. apply same_point_false in N.
  assert (O : put b c x p = None) by (unfold put; now rewrite N).
  rewrite (the_rest_stays _ _ _ _ PL') in Y; [congruence |]. intros [O' _]. congruence.
Qed.

(** The group of [z] fills its liberty [p]: it loses no other, and a group that loses [p] too is joined to it. *)
Lemma secure_filled : forall b c p b' z t u q, plays b c p b' -> liberty b c z p -> secure b c (S u) z -> (t <= u)%nat ->
  q = p \/ secure b c t q -> secure b' c t q.
Proof.
  intros b c p b' z t u q PL P Z T Q. pose proof (the_rest_stays _ _ _ _ PL) as R.
  assert (Z' : secure b' c t z).
  { destruct Z as [Z [l [D [L A]]]]. split; [now apply (own_stays b c p); auto |].
    destruct (without_one l p D) as [k [DK [LK AK]]]. exists k. split; [| split]; auto; [lia |].
    intros x X. destruct (AK x X). apply (own_liberty b c p); auto. }
  assert (JP : joined b' c z p) by now apply (own_joins b c).
  destruct Q as [-> | [Q [l [D [L A]]]]]; [now apply secure_joined with z |].
  destruct (in_dec point_dec p l) as [I | I].
  - apply secure_joined with z; auto. apply joined_trans with p; auto. apply joined_sym, (own_joins b c); auto.
  - split; [now apply (own_stays b c p); auto |]. exists l. split; [| split]; auto.
    intros x X. apply (own_liberty b c p); auto. intros ->. contradiction.
Qed.

Lemma no_more_of_theirs : forall b c p b', plays b c p b' -> (stones (other c) b' <= stones (other c) b)%nat.
Proof.
  intros b c p b' P. apply how_many_le. intros q Q. apply is_colour_true in Q. apply is_colour_true.
  assert (X : ~ dead (put b c p) (other c) q).
  { intro D. rewrite (the_dead_are_taken _ _ _ _ P q D) in Q. discriminate. }
  rewrite (the_rest_stays _ _ _ _ P q X) in Q. unfold put in Q. destruct (same_point q p); auto.
  injection Q as Q. symmetry in Q. now apply other_not in Q.
Qed.

(** ** The bound

    [hero] can fill [k] liberties of the group of [z], as he has so many plies, and then pass for ever. *)
Theorem filling_does : forall hero need n mine now before f k z,
  mover n = side hero mine ->
  (forall q, f q = true -> secure now hero (threats n mine) q) ->
  k = 0%nat \/ secure now hero (threats n mine + k) z -> (k <= threats n (negb mine))%nat ->
  (need + Z.of_nat (stones (other hero) now) + Z.of_nat (threats n mine) <= Z.of_nat (how_many f + k))%Z ->
  (mine = false -> same_board now before -> (need <= margin hero now)%Z) ->
  can_force hero need n now before.
Proof.
  intros hero need n. induction n as [| n IH]; intros mine now before f k z M F Z K N W.
  - simpl in *. unfold margin. assert (how_many f <= stones hero now)%nat; [| lia].
    apply how_many_le. intros q Q. apply is_colour_true. now apply F.
  - pose proof (mover_next n) as MN. rewrite M in MN. destruct mine; simpl in M, MN, F, Z, K, N.
    + apply force_mine; auto. destruct k as [| k].
      * assert (enough_now : (need <= margin hero now)%Z).
        { unfold margin. assert (how_many f <= stones hero now)%nat; [| lia].
          apply how_many_le. intros q Q. apply is_colour_true. now apply F. }
        left. destruct (same_board_dec now before) as [SB | SB]; [left; auto | right].
        split; auto. apply (IH false now now f 0%nat z); auto; lia.
      * right. destruct Z as [Z | Z]; [discriminate |]. rewrite Nat.add_succ_r in Z.
        destruct (a_fill _ _ _ _ before Z) as [p [after [P [PL SB]]]]. exists p, after. split; auto.
        pose proof (secure_filled now hero p after z) as SF.
        apply (IH false after now (fun q => f q || same_point q p) k z); [exact MN | | | cbn [negb]; lia | |].
        -- intros q Q. apply orb_true_iff in Q. apply SF with (threats n false + k)%nat; auto; [lia |].
           destruct Q as [Q | Q]; [right; auto | left; now apply same_point_true].
        -- right. apply SF with (threats n false + k)%nat; auto. right. apply secure_weaker with (S (threats n false + k)); auto.
        -- pose proof (no_more_of_theirs _ _ _ _ PL). pose proof (on_an_empty_point _ _ _ _ PL) as E.
           assert (how_many f < how_many (fun q => f q || same_point q p))%nat; [| lia].
           apply (how_many_lt _ _ p); [intros q Q; now rewrite Q | | rewrite same_point_refl; apply orb_true_r].
           destruct (f p) eqn:FP; auto. apply F in FP. destruct FP as [FP _]. congruence.
        -- intros _ S. exfalso. now apply (stone_changes _ _ _ _ PL).
    + apply force_theirs; auto. rewrite other_other in MN. split.
      * destruct (same_board_dec now before) as [SB | SB]; [left; auto | right]. split; auto.
        apply (IH true now now f k z); auto; [| | cbn [negb]; lia | discriminate].
        -- intros q Q. apply secure_weaker with (S (threats n true)); auto.
        -- destruct Z as [Z | Z]; auto. right. apply secure_weaker with (S (threats n true) + k)%nat; auto. simpl. lia.
      * intros p after [P _]. pose proof (one_more_stone _ _ _ _ P).
        apply (IH true after now f k z); [exact MN | | | cbn [negb]; lia | lia | discriminate].
        -- intros q Q. now apply (secure_after now hero _ p after q P), F.
        -- destruct Z as [Z | Z]; auto. right. now apply (secure_after now hero _ p after z P).
Qed.
