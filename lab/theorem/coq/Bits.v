(** Sets of points as the bits of an integer. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker.
Import ListNotations.
Local Open Scope uint63_scope.

Definition row (l : line) : int := match l with L0 => 0 | L1 => 5 | L2 => 10 | L3 => 15 | L4 => 20 end.
Definition column (l : line) : int := match l with L0 => 0 | L1 => 1 | L2 => 2 | L3 => 3 | L4 => 4 end.

Definition index (p : point) : int := row (fst p) + column (snd p).
Definition mem (s : int) (p : point) : bool := bit s (index p).
Definition mask (p : point) : int := 1 << index p.
Definition small (s : int) : Prop := s land full = s.
Definition size (s : int) : nat := length (filter (mem s) points).

(** ** Points *)

Lemma in_points : forall p, In p points.
Proof. intros [[] []]; simpl; tauto. Qed.

Lemma points_distinct : NoDup points.
Proof. unfold points; simpl. repeat constructor; simpl; intuition discriminate. Qed.

Lemma on_points : forall f : point -> bool, forallb f points = true -> forall p, f p = true.
Proof. intros f H p. rewrite forallb_forall in H. apply H, in_points. Qed.

Lemma same_point_true : forall p q, same_point p q = true <-> p = q.
Proof. intros [[] []] [[] []]; split; intro H; (reflexivity || discriminate). Qed.

Lemma same_point_refl : forall p, same_point p p = true.
Proof. intros p. now apply same_point_true. Qed.

Lemma same_point_false : forall p q, same_point p q = false <-> p <> q.
Proof.
  intros p q. rewrite <- same_point_true. destruct (same_point p q); split; congruence.
Qed.

Lemma point_dec : forall p q : point, {p = q} + {p <> q}.
Proof. intros p q. destruct (same_point p q) eqn:E; [left | right]; [now apply same_point_true | now apply same_point_false]. Qed.

Lemma adjacent_sym : forall p q, adjacent p q = adjacent q p.
Proof. intros [[] []] [[] []]; reflexivity. Qed.

Lemma index_inj : forall p q, index p = index q -> p = q.
Proof.
  intros p q H. assert (K : (index p =? index q) = same_point p q).
  { clear H. revert p q. intros [[] []] [[] []]; reflexivity. }
  apply same_point_true. rewrite <- K, H. now apply Uint63.eqb_spec.
Qed.

(** ** Bits *)

Lemma mem_lor : forall x y p, mem (x lor y) p = mem x p || mem y p.
Proof. intros. apply lor_spec. Qed.
Lemma mem_land : forall x y p, mem (x land y) p = mem x p && mem y p.
Proof. intros. apply land_spec. Qed.
Lemma mem_lxor : forall x y p, mem (x lxor y) p = xorb (mem x p) (mem y p).
Proof. intros. apply lxor_spec. Qed.
Lemma mem_full : forall p, mem full p = true.
Proof. intros [[] []]; reflexivity. Qed.
Lemma mem_0 : forall p, mem 0 p = false.
Proof. intros. apply bit_0. Qed.
Lemma mem_mask : forall p q, mem (mask p) q = same_point q p.
Proof. intros [[] []] [[] []]; reflexivity. Qed.

Lemma small_0 : small 0.
Proof. reflexivity. Qed.
Lemma small_mask : forall p, small (mask p).
Proof. intros [[] []]; reflexivity. Qed.

Lemma bit_full : forall i, bit full i = true -> exists p, i = index p.
Proof.
  intros i H. destruct (i <? 25) eqn:E.
  - rewrite ltb_spec in E. change (φ 25) with 25%Z in E. pose proof (to_Z_bounded i) as B.
    assert (C : exists p, φ i = φ (index p)).
    { assert (D : (φ i = 0 \/ φ i = 1 \/ φ i = 2 \/ φ i = 3 \/ φ i = 4 \/ φ i = 5 \/ φ i = 6 \/ φ i = 7 \/ φ i = 8 \/
        φ i = 9 \/ φ i = 10 \/ φ i = 11 \/ φ i = 12 \/ φ i = 13 \/ φ i = 14 \/ φ i = 15 \/ φ i = 16 \/ φ i = 17 \/
        φ i = 18 \/ φ i = 19 \/ φ i = 20 \/ φ i = 21 \/ φ i = 22 \/ φ i = 23 \/ φ i = 24)%Z) by lia.
      repeat destruct D as [D | D]; rewrite D;
      match goal with |- exists p, ?n = _ =>
        let found := eval vm_compute in (find (fun p => (φ (index p) =? n)%Z) points) in
        match found with Some ?p => exists p; reflexivity end end. }
    destruct C as [p C]. exists p. now apply to_Z_inj.
  - exfalso. assert (L : (25 <= φ i)%Z).
    { destruct (Z.lt_ge_cases (φ i) 25) as [C | C]; [| exact C].
      change 25%Z with (φ 25) in C. apply ltb_spec in C. congruence. }
    pose proof (to_Z_bounded i) as B.
    assert (S1 : φ (i - 25) = (φ i - 25)%Z).
    { rewrite sub_spec. change (φ 25) with 25%Z. apply Z.mod_small. lia. }
    assert (S2 : 25 + (i - 25) = i).
    { apply to_Z_inj. rewrite add_spec, S1. change (φ 25) with 25%Z. rewrite Z.mod_small; lia. }
    pose proof (bit_lsr full 25 (i - 25)) as K. rewrite S2 in K.
    assert (S3 : (i - 25 <=? i) = true) by (apply leb_spec; lia).
    rewrite S3, H in K. change (full >> 25) with 0 in K. rewrite bit_0 in K. discriminate.
Qed.

Lemma small_bit : forall s i, small s -> bit s i = true -> exists p, i = index p.
Proof.
  intros s i S H. unfold small in S. rewrite <- S, land_spec in H. apply andb_true_iff in H. now apply bit_full.
Qed.

Lemma small_ext : forall x y, small x -> small y -> (forall p, mem x p = mem y p) -> x = y.
Proof.
  intros x y X Y H. apply bit_ext. intro i.
  destruct (bit x i) eqn:E; destruct (bit y i) eqn:F; try reflexivity.
  - destruct (small_bit x i X E) as [p ->]. specialize (H p). unfold mem in H. congruence.
  - destruct (small_bit y i Y F) as [p ->]. specialize (H p). unfold mem in H. congruence.
Qed.

Lemma small_land : forall x y, small y -> small (x land y).
Proof.
  intros x y Y. unfold small in *. apply bit_ext. intro i. rewrite <- Y at 2. rewrite !land_spec.
  destruct (bit x i), (bit y i), (bit full i); reflexivity.
Qed.
Lemma small_land_l : forall x y, small x -> small (x land y).
Proof.
  intros x y X. unfold small in *. apply bit_ext. intro i. rewrite <- X at 2. rewrite !land_spec.
  destruct (bit x i), (bit y i), (bit full i); reflexivity.
Qed.
Lemma small_lor : forall x y, small x -> small y -> small (x lor y).
Proof.
  intros x y X Y. unfold small in *. apply bit_ext. intro i. rewrite <- X at 2. rewrite <- Y at 2.
  rewrite ?land_spec, ?lor_spec, ?land_spec. destruct (bit x i), (bit y i), (bit full i); reflexivity.
Qed.
Lemma small_lxor : forall x y, small x -> small y -> small (x lxor y).
Proof.
  intros x y X Y. unfold small in *. apply bit_ext. intro i. rewrite <- X at 2. rewrite <- Y at 2.
  rewrite ?land_spec, ?lxor_spec, ?land_spec. destruct (bit x i), (bit y i), (bit full i); reflexivity.
Qed.
Lemma small_full : small full.
Proof. reflexivity. Qed.

Lemma bit_one : forall i j, bit (1 << i) j = true -> i = j.
Proof.
  intros i j H. rewrite bit_lsl in H. destruct (j <? i) eqn:L; [discriminate |].
  destruct (digits <=? j); [discriminate |]. simpl in H.
  rewrite bit_1 in H. apply Uint63.eqb_spec in H. apply to_Z_inj.
  assert (G : (φ i <= φ j)%Z).
  { destruct (Z.lt_ge_cases (φ j) (φ i)) as [C | C]; [apply ltb_spec in C; congruence | lia]. }
  pose proof (to_Z_bounded i). pose proof (to_Z_bounded j).
  assert (K : φ (j - i) = 0%Z) by now rewrite H.
  rewrite sub_spec, Z.mod_small in K; lia.
Qed.

Lemma mem_one : forall i p, mem (1 << i) p = true -> i = index p.
Proof. intros. now apply bit_one. Qed.

Lemma empty_is_0 : forall s, small s -> (forall p, mem s p = false) -> s = 0.
Proof. intros s S H. apply small_ext; auto using small_0. intro p. now rewrite H, mem_0. Qed.

Lemma not_0 : forall s, small s -> (s =? 0) = false -> exists p, mem s p = true.
Proof.
  intros s S H. destruct (existsb (mem s) points) eqn:E.
  - apply existsb_exists in E. destruct E as [p [_ P]]. now exists p.
  - exfalso. assert (s = 0); [| subst; discriminate]. apply empty_is_0; auto.
    intro p. destruct (mem s p) eqn:F; auto. rewrite <- E. symmetry. apply existsb_exists. exists p. auto using in_points.
Qed.

Lemma is_0 : forall s p, (s =? 0) = true -> mem s p = false.
Proof. intros s p H. apply eqb_correct in H. subst. apply mem_0. Qed.

(** ** Neighbours *)

Lemma mem_beside : forall s q, mem (beside s) q = existsb (fun p => adjacent p q && mem s p) points.
Proof.
  intros s q. unfold mem, beside. rewrite !lor_spec, !land_spec, !bit_lsl, !bit_lsr.
  generalize (bit s). intro f. clear s.
  destruct q as [[] []]; vm_compute;
  repeat match goal with |- context [f ?i] => destruct (f i) end; reflexivity.
Qed.

Lemma beside_true : forall s q, mem (beside s) q = true <-> exists p, mem s p = true /\ adjacent p q = true.
Proof.
  intros s q. rewrite mem_beside, existsb_exists. split.
  - intros [p [_ H]]. apply andb_true_iff in H. exists p. tauto.
  - intros [p H]. exists p. split; [apply in_points | apply andb_true_iff; tauto].
Qed.

(** ** Counting *)

Lemma size_le : forall x y, (forall p, mem x p = true -> mem y p = true) -> (size x <= size y)%nat.
Proof.
  intros x y H. unfold size. induction points as [| p ps IH]; simpl; auto.
  destruct (mem x p) eqn:E; [rewrite (H p E); simpl; lia | destruct (mem y p); simpl; lia].
Qed.

Lemma size_lt : forall x y q, (forall p, mem x p = true -> mem y p = true) -> mem x q = false -> mem y q = true ->
  (size x < size y)%nat.
Proof.
  intros x y q H X Y. unfold size. pose proof (in_points q) as I.
  assert (G : forall ps, (length (filter (mem x) ps) <= length (filter (mem y) ps))%nat).
  { induction ps as [| p ps IH]; simpl; auto.
    destruct (mem x p) eqn:E; [rewrite (H p E); simpl; lia | destruct (mem y p); simpl; lia]. }
  induction points as [| p ps IH]; [contradiction |]. simpl. destruct I as [-> | I].
  - rewrite X, Y. simpl. specialize (G ps). lia.
  - specialize (IH I). destruct (mem x p) eqn:E; [rewrite (H p E); simpl; lia | destruct (mem y p); simpl; lia].
Qed.

Lemma size_25 : forall x, (size x <= 25)%nat.
Proof.
  intro x. assert (G : forall ps : list point, (length (filter (mem x) ps) <= length ps)%nat).
  { induction ps as [| p ps IH]; simpl; auto. destruct (mem x p); simpl; lia. }
  exact (G points).
Qed.

(** ** Flood fill *)

Section Flood.
  Variables (s : int) (reach : point -> Prop).
  Hypothesis step : forall q r, reach q -> adjacent q r = true -> mem s r = true -> reach r.

  Lemma flood_sound : forall fuel g, (forall q, mem g q = true -> reach q) ->
    forall q, mem (flood fuel g s) q = true -> reach q.
  Proof.
    induction fuel as [| fuel IH]; intros g G q H; simpl in H; auto.
    destruct ((g lor beside g) land s =? g); auto.
    revert q H. apply IH. intros q H. rewrite mem_land, mem_lor in H.
    apply andb_true_iff in H. destruct H as [H S]. apply orb_true_iff in H. destruct H as [H | H]; auto.
    apply beside_true in H. destruct H as [p [P A]]. eauto.
  Qed.
End Flood.

Definition within (g s : int) : Prop := forall p, mem g p = true -> mem s p = true.

Lemma flood_step_grows : forall g s, within g s -> within g ((g lor beside g) land s).
Proof. intros g s W p H. rewrite mem_land, mem_lor, H, (W p H). reflexivity. Qed.

Lemma flood_step_within : forall g s, within ((g lor beside g) land s) s.
Proof. intros g s p H. rewrite mem_land in H. now apply andb_true_iff in H. Qed.

Lemma flood_grows : forall fuel g s, within g s -> within g (flood fuel g s).
Proof.
  induction fuel as [| fuel IH]; intros g s W p H; simpl; auto.
  destruct (_ =? g); auto. apply IH; [apply flood_step_within | now apply flood_step_grows].
Qed.

Lemma flood_within : forall fuel g s, within g s -> within (flood fuel g s) s.
Proof.
  induction fuel as [| fuel IH]; intros g s W; simpl; auto.
  destruct (_ =? g); auto. apply IH, flood_step_within.
Qed.

Lemma flood_small : forall fuel g s, small g -> small s -> small (flood fuel g s).
Proof.
  induction fuel as [| fuel IH]; intros g s G S; simpl; auto.
  destruct (_ =? g); auto. apply IH; auto using small_land.
Qed.

Lemma flood_closed : forall fuel g s, small g -> small s -> within g s -> (25 <= size g + fuel)%nat ->
  forall q r, mem (flood fuel g s) q = true -> adjacent q r = true -> mem s r = true -> mem (flood fuel g s) r = true.
Proof.
  induction fuel as [| fuel IH]; intros g s G S W F q r Q A R; simpl in *.
  - destruct (mem g r) eqn:E; auto. exfalso.
    assert (size g < size full)%nat by (eapply size_lt; eauto using mem_full).
    pose proof (size_25 full). lia.
  - destruct ((g lor beside g) land s =? g) eqn:E.
    + apply eqb_correct in E. rewrite <- E, mem_land, mem_lor, R.
      assert (B : mem (beside g) r = true) by (apply beside_true; eauto). rewrite B. now destruct (mem g r).
    + assert (L : (size g < size ((g lor beside g) land s))%nat).
      { assert (D : exists p, mem g p = false /\ mem ((g lor beside g) land s) p = true).
        { destruct (existsb (fun p => negb (mem g p) && mem ((g lor beside g) land s) p) points) eqn:X.
          - apply existsb_exists in X. destruct X as [p [_ X]]. apply andb_true_iff in X. destruct X as [X Y].
            exists p. split; auto. now apply negb_true_iff.
          - exfalso. assert ((g lor beside g) land s = g).
            { apply small_ext; auto using small_land. intro p.
              destruct (mem g p) eqn:P; [now apply flood_step_grows |].
              destruct (mem ((g lor beside g) land s) p) eqn:Y; auto.
              rewrite <- X. symmetry. apply existsb_exists. exists p. rewrite P, Y. auto using in_points. }
            rewrite H in E. assert (g =? g = true) by now apply Uint63.eqb_spec. congruence. }
        destruct D as [p [P Y]]. eapply size_lt; eauto. apply flood_step_grows; auto. }
      eapply IH; eauto using small_land, flood_step_within. lia.
Qed.
