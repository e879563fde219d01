(** Turning or reflecting the board changes nothing. *)

Require Import List ZArith Bool Lia Permutation.
Require Import Rules Bits Moves.
Import ListNotations.

Record symmetry (s t : point -> point) : Prop := {
  there : forall p, t (s p) = p;
  back : forall p, s (t p) = p;
  keeps : forall p q, adjacent (s p) (s q) = adjacent p q
}.

Lemma symmetry_back : forall s t, symmetry s t -> symmetry t s.
Proof.
  intros s t [T B K]. constructor; auto. intros p q. rewrite <- (B p) at 2. rewrite <- (B q) at 2. now rewrite K.
Qed.

(** The board [b'] has on [p] what [b] has on [s p]. *)
Definition image (s : point -> point) (b' b : board) : Prop := forall p, b' p = b (s p).

Lemma image_back : forall s t b' b, symmetry s t -> image s b' b -> image t b b'.
Proof. intros s t b' b [T B K] I p. rewrite I. now rewrite B. Qed.

Lemma joined_image : forall s t b' b c p q, symmetry s t -> image s b' b -> joined b' c p q -> joined b c (s p) (s q).
Proof.
  intros s t b' b c p q S I J. induction J.
  - apply joined_itself. now rewrite <- I.
  - apply joined_further with (s q); auto; [now rewrite (keeps _ _ S) | now rewrite <- I].
Qed.

Lemma breathes_image : forall s t b' b c p, symmetry s t -> image s b' b -> breathes b' c p -> breathes b c (s p).
Proof.
  intros s t b' b c p S I [l [q [J [A L]]]]. exists (s l), (s q). split; [| split].
  - now apply joined_image with t b'.
  - now rewrite (keeps _ _ S).
  - now rewrite <- I.
Qed.

Lemma dead_image : forall s t b' b c p, symmetry s t -> image s b' b -> dead b' c p -> dead b c (s p).
Proof.
  intros s t b' b c p S I [C N]. split; [now rewrite <- I |]. intro B. apply N.
  apply (breathes_image t s b b' c (s p) (symmetry_back _ _ S) (image_back _ _ _ _ S I)) in B.
  now rewrite (there _ _ S) in B.
Qed.

Lemma put_image : forall s t b' b c p, symmetry s t -> image s b' b -> image s (put b' c p) (put b c (s p)).
Proof.
  intros s t b' b c p S I q. unfold put. rewrite I.
  destruct (same_point q p) eqn:E.
  - apply same_point_true in E. subst q. now rewrite same_point_refl.
  - destruct (same_point (s q) (s p)) eqn:F; auto. apply same_point_true in F.
    apply same_point_false in E. exfalso. apply E. rewrite <- (there _ _ S q), F. apply (there _ _ S).
Qed.

Lemma plays_image : forall s t b' b a' a c p, symmetry s t -> image s b' b -> image s a' a ->
  plays b' c p a' -> plays b c (s p) a.
Proof.
  intros s t b' b a' a c p S I IA [E D R N].
  pose proof (symmetry_back _ _ S) as S'. pose proof (image_back _ _ _ _ S IA) as IA'.
  pose proof (image_back _ _ _ _ S (put_image _ _ _ _ c p S I)) as IP.
  constructor.
  - now rewrite <- I.
  - intros q Q. rewrite IA'. apply D. now apply (dead_image t s (put b c (s p)) (put b' c p) _ _ S').
  - intros q Q. rewrite IA', IP. apply R. intro X. apply Q.
    rewrite <- (back _ _ S q). apply (dead_image s t (put b' c p) (put b c (s p)) _ _ S); auto.
    now apply put_image with t.
  - now apply breathes_image with t a'.
Qed.

Lemma same_image : forall s t a' a b' b, symmetry s t -> image s a' a -> image s b' b ->
  (same_board a' b' <-> same_board a b).
Proof.
  intros s t a' a b' b S IA IB. split; intros H p.
  - rewrite (image_back _ _ _ _ S IA p), (image_back _ _ _ _ S IB p). apply H.
  - rewrite IA, IB. apply H.
Qed.

Lemma filter_permutation : forall (f : point -> bool) l l', Permutation l l' ->
  length (filter f l) = length (filter f l').
Proof.
  intros f l l' P. induction P; simpl; auto.
  - destruct (f x); simpl; auto.
  - destruct (f x), (f y); simpl; auto.
  - congruence.
Qed.

Lemma filter_map : forall (f : point -> bool) (s : point -> point) l,
  length (filter f (map s l)) = length (filter (fun p => f (s p)) l).
Proof. induction l as [| p l IH]; simpl; auto. destruct (f (s p)); simpl; auto. Qed.

Lemma stones_image : forall s t b' b c, symmetry s t -> image s b' b -> stones c b' = stones c b.
Proof.
  intros s t b' b c S I. unfold stones.
  assert (P : Permutation points (map s points)).
  { apply NoDup_Permutation.
    - apply points_distinct.
    - apply FinFun.Injective_map_NoDup; [| apply points_distinct].
      intros x y H. rewrite <- (there _ _ S x), H. apply (there _ _ S).
    - intro p. split; intros _; [| apply in_points]. apply in_map_iff. exists (t p).
      split; [apply (back _ _ S) | apply in_points]. }
  etransitivity; [| symmetry; exact (filter_permutation (fun p => is_colour c (b p)) _ _ P)].
  etransitivity; [| symmetry; apply (filter_map (fun p => is_colour c (b p)) s points)].
  generalize points. intro l. f_equal. apply filter_ext. intro p. now rewrite I.
Qed.

Lemma margin_image : forall s t b' b c, symmetry s t -> image s b' b -> margin c b' = margin c b.
Proof. intros s t b' b c S I. unfold margin. now rewrite !(stones_image s t b' b). Qed.

Theorem can_force_image : forall s t, symmetry s t -> forall hero need n now before now' before',
  image s now' now -> image s before' before ->
  can_force hero need n now before -> can_force hero need n now' before'.
Proof.
  intros s t SY hero need. pose proof (symmetry_back _ _ SY) as SY'.
  induction n as [| n IH]; intros now before now' before' I IB H.
  - simpl in *. now rewrite (margin_image s t now' now).
  - simpl in H |- *. set (c := mover (S n)) in *.
    assert (PASS : (same_board now before /\ (need <= margin hero now)%Z \/
        ~ same_board now before /\ can_force hero need n now now) ->
       (same_board now' before' /\ (need <= margin hero now')%Z \/
        ~ same_board now' before' /\ can_force hero need n now' now')).
    { rewrite (same_image s t now' now before' before SY I IB), (margin_image s t now' now hero SY I).
      intros [X | [X Y]]; [left | right]; auto. split; auto. now apply (IH now now). }
    destruct (is_colour hero (Some c)).
    + destruct H as [H | [p [after [[P K] H]]]]; [left; auto | right].
      pose (after' := fun q => after (s q)). assert (IA : image s after' after) by (intro; reflexivity).
      exists (t p), after'. split; [split |].
      * apply (plays_image t s now now' after after' c p SY' (image_back _ _ _ _ SY I) (image_back _ _ _ _ SY IA) P).
      * now rewrite (same_image s t after' after before' before SY IA IB).
      * now apply (IH after now).
    + destruct H as [H1 H2]. split; auto. intros p' after' [P K].
      pose (after := fun q => after' (t q)).
      assert (IA : image s after' after) by (intro q; unfold after; now rewrite (there _ _ SY)).
      apply (IH after now); auto. apply (H2 (s p')). split.
      * now apply (plays_image s t now' now after' after).
      * now rewrite <- (same_image s t after' after before' before SY IA IB).
Qed.
