(** One point that may not be retaken, and the board before. *)

Require Import Uint63 List ZArith Bool Lia.
Require Import Rules Checker Bits Moves.
Import ListNotations.
Local Open Scope uint63_scope.
Local Opaque flood beside play.

Lemma stone_stands : forall b c p b', plays b c p b' -> b' p = Some c.
Proof.
  intros b c p b' P. rewrite (the_rest_stays _ _ _ _ P).
  - unfold put. now rewrite same_point_refl.
  - intros [D _]. unfold put in D. rewrite same_point_refl in D. injection D as D. symmetry in D. now apply other_not in D.
Qed.

Lemma stone_changes : forall b c p b', plays b c p b' -> ~ same_board b' b.
Proof.
  intros b c p b' P S. specialize (S p). rewrite (stone_stands _ _ _ _ P), (on_an_empty_point _ _ _ _ P) in S. discriminate.
Qed.

Lemma lone_mask : forall p, (mask p =? 0) = false /\ (mask p land (mask p - 1) =? 0) = true /\
  existsb (fun x => x =? mask p) masks = true.
Proof. intros [[] []]; vm_compute; auto. Qed.

Lemma in_masks : forall x, existsb (fun y => y =? x) masks = true -> exists p, x = mask p.
Proof.
  intros x H. assert (M : masks = map mask points) by reflexivity.
  apply existsb_exists in H. destruct H as [y [I E]]. apply eqb_correct in E. subst y.
  rewrite M in I. apply in_map_iff in I. destruct I as [p [E _]]. now exists p.
Qed.

Theorem ko_right : forall b c m t p m' t' taken b', shows b c m t -> b p = None ->
  play m t (mask p) = Played m' t' taken -> shows b' c m' t' ->
  forall q b'', plays b' (other c) q b'' -> (same_board b'' b <-> mem (ko_after m t m' t' taken) q = true).
Proof.
  intros b c m t p m' t' taken b' S E PL S' q b'' P.
  pose proof (play_right b c m t p S E) as R. rewrite PL in R. destruct R as [_ [_ [_ [_ [ST TK]]]]].
  pose proof (play_right b' (other c) t' m' q (shows_swap _ _ _ _ S') (on_an_empty_point _ _ _ _ P)) as R.
  split.
  - intro SB. pose proof S as [M [T H]]. pose proof S' as [M' [T' H']].
    assert (TQ : taken = mask q).
    { apply small_ext; auto using small_mask. intro x. rewrite mem_mask.
      destruct (same_point x q) eqn:X.
      - apply same_point_true in X. subst x. apply TK. split.
        + apply H. rewrite <- (SB q). now apply stone_stands with b'.
        + destruct (mem t' q) eqn:Q; auto. apply H' in Q. rewrite (on_an_empty_point _ _ _ _ P) in Q. discriminate.
      - destruct (mem taken x) eqn:Y; auto. exfalso. apply TK in Y. destruct Y as [Y Z].
        apply H in Y. rewrite <- (SB x) in Y.
        assert (N : ~ dead (put b' (other c) q) (other (other c)) x).
        { intro D. rewrite (the_dead_are_taken _ _ _ _ P x D) in Y. discriminate. }
        rewrite (the_rest_stays _ _ _ _ P x N) in Y. unfold put in Y. rewrite X in Y. apply H' in Y. congruence. }
    subst taken. unfold ko_after. destruct (lone_mask q) as [-> [-> ->]].
    destruct (play t' m' (mask q)) as [| a d k].
    + exfalso. now apply (R b'').
    + destruct R as [_ [_ [_ [R _]]]]. specialize (R _ P).
      assert (B : shows b'' (other c) t m).
      { apply same_shows with b; [now apply shows_swap |]. intro x. symmetry. apply SB. }
      destruct (shows_unique _ _ _ _ _ _ R B) as [-> ->].
      assert (X1 : (m =? m) = true) by now apply Uint63.eqb_spec. assert (X2 : (t =? t) = true) by now apply Uint63.eqb_spec.
      rewrite X1, X2. rewrite mem_mask. apply same_point_refl.
  - intro K. unfold ko_after in K.
    destruct (taken =? 0); [rewrite mem_0 in K; discriminate |].
    destruct (taken land (taken - 1) =? 0); [| rewrite mem_0 in K; discriminate].
    destruct (play t' m' taken) as [| a d k] eqn:PT; [rewrite mem_0 in K; discriminate |].
    destruct (a =? t) eqn:AT; [| rewrite mem_0 in K; discriminate].
    destruct (d =? m) eqn:DM; [| rewrite mem_0 in K; discriminate].
    destruct (existsb (fun x => x =? taken) masks) eqn:EM; [| rewrite mem_0 in K; discriminate].
    apply eqb_correct in DM. apply eqb_correct in AT. subst a d.
    apply in_masks in EM. destruct EM as [x ->]. rewrite mem_mask in K. apply same_point_true in K. subst x.
    rewrite PT in R. destruct R as [_ [_ [_ [R _]]]]. specialize (R _ P).
    apply shows_same with (other c) t m; auto using shows_swap.
Qed.
