(** The table that counts stones. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits.
Import ListNotations.
Local Open Scope uint63_scope.

Definition b2n (x : bool) : nat := if x then 1%nat else 0%nat.

Fixpoint sum (l : list nat) : nat := match l with nil => 0%nat | x :: l => (x + sum l)%nat end.

Lemma length_filter : forall (A : Type) (f : A -> bool) l, length (filter f l) = sum (map (fun x => b2n (f x)) l).
Proof. induction l as [| x l IH]; simpl; auto. destruct (f x); simpl; now rewrite IH. Qed.

Definition low13 : list int := [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12].

Definition ones (s : int) : nat := sum (map (fun i => b2n (bit s i)) low13).

Fixpoint from (n : nat) (i : int) : list int := match n with O => [] | S n => i :: from n (i + 1) end.

Lemma in_from : forall n i x, (φ i <= φ x < φ i + Z.of_nat n)%Z -> (φ i + Z.of_nat n < wB)%Z -> In x (from n i).
Proof.
  induction n as [| n IH]; intros i x H B.
  - lia.
  - simpl. destruct (Z.eq_dec (φ i) (φ x)) as [E | E]; [left; now apply to_Z_inj | right].
    pose proof (to_Z_bounded i). assert (K : φ (i + 1) = (φ i + 1)%Z).
    { rewrite add_spec. change (φ 1) with 1%Z. rewrite Z.mod_small; lia. }
    apply IH; rewrite K; lia.
Qed.

Definition table_right (x : int) : bool := (φ (counts.[x]) =? Z.of_nat (ones x))%Z.

Lemma table_checked : forallb table_right (from (Nat.pow 2 13) 0) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma counts_right : forall x, (φ x < 8192)%Z -> φ (counts.[x]) = Z.of_nat (ones x).
Proof.
  intros x H. pose proof table_checked as T. rewrite forallb_forall in T.
  specialize (T x). apply Z.eqb_eq. apply T. pose proof (to_Z_bounded x). apply in_from.
  - change (φ 0) with 0%Z. change (Z.of_nat (2 ^ 13)) with 8192%Z. lia.
  - reflexivity.
Qed.

Lemma ones_le : forall x, (ones x <= 13)%nat.
Proof.
  intro x. unfold ones. assert (G : forall l, (sum (map (fun i => b2n (bit x i)) l) <= length l)%nat).
  { induction l as [| i l IH]; simpl; auto. destruct (bit x i); simpl; lia. }
  exact (G low13).
Qed.

Lemma small_bound : forall s, small s -> (φ s < 2 ^ 25)%Z.
Proof.
  intros s S. rewrite <- S, land_spec'. change (φ full) with (Z.ones 25).
  pose proof (to_Z_bounded s). rewrite Z.land_ones by lia. apply Z.mod_pos_bound. lia.
Qed.

Theorem count_right : forall s, small s -> φ (count s) = Z.of_nat (size s).
Proof.
  intros s S. unfold count.
  assert (L : φ (counts.[s land 8191]) = Z.of_nat (ones (s land 8191))).
  { apply counts_right. rewrite land_spec'. change (φ 8191) with (Z.ones 13). rewrite Z.land_ones by lia.
    apply Z.mod_pos_bound. lia. }
  assert (H : φ (counts.[s >> 13]) = Z.of_nat (ones (s >> 13))).
  { apply counts_right. rewrite lsr_spec. change (φ 13) with 13%Z. pose proof (small_bound s S).
    apply Z.div_lt_upper_bound; lia. }
  rewrite add_spec, L, H. pose proof (ones_le (s land 8191)). pose proof (ones_le (s >> 13)).
  rewrite Z.mod_small by (change wB with 9223372036854775808%Z; lia). rewrite <- Nat2Z.inj_add. f_equal.
  unfold size. rewrite length_filter.
  assert (M : map (fun p => b2n (mem s p)) points = map (fun i => b2n (bit s i)) (map index points)).
  { now rewrite map_map. }
  rewrite M. clear M L H H0 H1.
  change (map index points) with ([0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15; 16; 17; 18; 19; 20; 21; 22; 23; 24]).
  unfold ones.
  assert (A : map (fun i => b2n (bit (s land 8191) i)) low13 = map (fun i => b2n (bit s i)) low13).
  { apply map_ext_in. intros i I. rewrite land_spec.
    assert (bit 8191 i = true) as -> by (simpl in I; intuition subst; reflexivity). now rewrite andb_true_r. }
  assert (B : map (fun i => b2n (bit (s >> 13) i)) low13 =
    map (fun i => b2n (bit s i)) [13; 14; 15; 16; 17; 18; 19; 20; 21; 22; 23; 24; 25]).
  { simpl. rewrite !bit_lsr. reflexivity. }
  assert (C : bit s 25 = false).
  { destruct (bit s 25) eqn:E; auto. apply (small_bit s 25 S) in E. destruct E as [[[] []] E]; apply Uint63.eqb_spec in E; vm_compute in E; discriminate. }
  etransitivity; [exact (f_equal2 Nat.add (f_equal sum A) (f_equal sum B)) |].
  clear A B. generalize dependent (bit s). intros f C. simpl. rewrite C. simpl. lia.
Qed.
