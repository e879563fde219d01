(** When all lines are checked, the hero can force it wherever there is a line. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits Moves Ko Count Symmetry Bound SearchRight Certificate.
Import ListNotations.
Local Open Scope uint63_scope.
Local Opaque flood beside play breathing search.
(* Else the kernel would unfold thirty levels of the look-up when it compares. *)
Strategy 100 [is_line_at find is_line].

(** ** Images *)

Lemma symmetries_right : forall s, In s symmetries -> symmetry (fst s) (snd s).
Proof.
  intros s I. simpl in I. repeat destruct I as [<- | I]; try contradiction;
  (constructor; [intros [[] []]; reflexivity | intros [[] []]; reflexivity | intros [[] []] [[] []]; reflexivity]).
Qed.

Lemma turns_pairs : turns = map (fun s => pairs (fst s)) symmetries.
Proof. vm_compute. reflexivity. Qed.

Lemma mem_point : forall s p, (s land mask p =? 0) = negb (mem s p).
Proof.
  intros s p. destruct (mem s p) eqn:E.
  - destruct (s land mask p =? 0) eqn:Z; auto. apply (is_0 _ p) in Z.
    rewrite mem_land, mem_mask, same_point_refl, E in Z. discriminate.
  - destruct (s land mask p =? 0) eqn:Z; auto. apply not_0 in Z; [| apply small_land, small_mask].
    destruct Z as [q Z]. rewrite mem_land, mem_mask in Z. apply andb_true_iff in Z. destruct Z as [Z Q].
    apply same_point_true in Q. subst q. congruence.
Qed.

Lemma small_turned : forall f l s, small (turned (map (fun p => (mask p, mask (f p))) l) s).
Proof.
  induction l as [| p l IH]; intro s; simpl; [apply small_0 |].
  destruct (_ =? 0); auto using small_lor, small_mask.
Qed.

Lemma mem_turned : forall f l s q,
  mem (turned (map (fun p => (mask p, mask (f p))) l) s) q = existsb (fun p => mem s p && same_point q (f p)) l.
Proof.
  induction l as [| p l IH]; intros s q; simpl; [apply mem_0 |].
  rewrite mem_point. destruct (mem s p); simpl; rewrite ?mem_lor, ?mem_mask, IH; reflexivity.
Qed.

Lemma turned_right : forall f g s p, symmetry f g -> mem (turned (pairs f) s) p = mem s (g p).
Proof.
  intros f g s p S. unfold pairs. rewrite mem_turned. destruct (mem s (g p)) eqn:E.
  - apply existsb_exists. exists (g p). split; [apply in_points |]. rewrite E, (back _ _ S). apply same_point_refl.
  - destruct (existsb _ points) eqn:X; auto. apply existsb_exists in X. destruct X as [q [_ X]].
    apply andb_true_iff in X. destruct X as [X Y]. apply same_point_true in Y. subst p.
    rewrite (there _ _ S) in E. congruence.
Qed.

Lemma fits_image : forall f g hero mine h v ko passed now before now' before', symmetry f g ->
  fits hero mine h v ko passed now before -> image g now' now -> image g before' before ->
  fits hero mine (turned (pairs f) h) (turned (pairs f) v) (turned (pairs f) ko) passed now' before'.
Proof.
  intros f g hero mine h v ko passed now before now' before' S [[H [V X]] [P K]] IN IB.
  pose proof (symmetry_back _ _ S) as S'. split; [split; [| split] | split].
  - apply small_turned.
  - apply small_turned.
  - intro p. rewrite !(turned_right f g _ _ S), IN. apply X.
  - rewrite P. symmetry. now apply (same_image g f).
  - intros p after' PL. rewrite (turned_right f g _ _ S).
    pose (after := fun q => after' (f q)).
    assert (IA : image g after' after) by (intro q; unfold after; now rewrite (back _ _ S)).
    rewrite (same_image g f after' after before' before S' IA IB). apply K.
    now apply (plays_image g f now' now after' after).
Qed.

Lemma is_line_true : forall x h v ko passed, is_line x h v ko passed = true ->
  h = x land full /\ v = (x >> 25) land full /\ ko = ko_of x /\ passed = passed_of x.
Proof.
  intros x h v ko passed H. unfold is_line in H. destruct (x land full =? h) eqn:E1; [| discriminate].
  destruct ((x >> 25) land full =? v) eqn:E2; [| discriminate]. destruct (ko_of x =? ko) eqn:E3; [| discriminate].
  apply eqb_correct in E1. apply eqb_correct in E2. apply eqb_correct in E3. apply eqb_prop in H. auto.
Qed.

Lemma is_line_at_true : forall lines i h v ko passed, is_line_at lines i h v ko passed = true ->
  (i <? PArray.length lines) = true /\ is_line lines.[i] h v ko passed = true.
Proof.
  intros lines i h v ko passed H. unfold is_line_at in H. now destruct (i <? PArray.length lines).
Qed.

Section Right.
  Variables (hero : colour) (a b : int).
  Hypothesis a_small : (φ a <= 100)%Z.
  Hypothesis b_small : (φ b <= 100)%Z.

  Definition line_claim (n : nat) (x : int) : Prop :=
    claim hero a b n true (x land full) ((x >> 25) land full) (ko_of x) (passed_of x).

  Definition all_lines (lines : certificate) (n : nat) : Prop :=
    forall i, (i <? PArray.length (lines n)) = true -> line_claim n (lines n).[i].

  Lemma has_line_right : forall lines n h v ko passed, all_lines lines n ->
    has_line (lines n) h v ko passed = true -> claim hero a b n true h v ko passed.
  Proof.
    intros lines n h v ko passed A H. unfold has_line in H. revert H.
    generalize (find 30 (lines n) (pack 0 h v ko passed) 0 (PArray.length (lines n))). intros i H.
    apply is_line_at_true in H. destruct H as [L H]. specialize (A _ L). apply is_line_true in H. destruct H as [-> [-> [-> ->]]]. exact A.
  Qed.

  Lemma has_image_right : forall lines n h v ko passed, all_lines lines n ->
    has_image turns (lines n) h v ko passed = true -> claim hero a b n true h v ko passed.
  Proof.
    intros lines n h v ko passed A H. rewrite turns_pairs in H. pose proof symmetries_right as SR.
    revert H SR. generalize symmetries. intro l. induction l as [| [f g] l IH]; cbn [map has_image fst snd]; intros H SR; [discriminate |].
    destruct (has_line (lines n) (turned (pairs f) h) (turned (pairs f) v) (turned (pairs f) ko) passed) eqn:E.
    - apply (has_line_right _ _ _ _ _ _ A) in E. pose proof (SR (f, g) (or_introl eq_refl)) as S. cbn [fst snd] in S.
      intros now before F.
      apply (can_force_image f g S hero (need a b) n (fun p => now (g p)) (fun p => before (g p))).
      + intro p. now rewrite (there _ _ S).
      + intro p. now rewrite (there _ _ S).
      + apply E. apply (fits_image f g hero true h v ko passed now before); auto; intro p; reflexivity.
    - apply IH; auto. intros s I. apply SR. now right.
  Qed.

  Lemma check_after_right : forall lines leaf n l t s h v ko passed m, (n <= 100)%nat -> φ l = Z.of_nat n ->
    φ t = Z.of_nat (threats n false) -> φ s = Z.of_nat (threats n true) -> mover n = other hero -> all_lines lines (Nat.pred n) -> good hero a b m ->
    worth hero a b (check_after a b lines leaf n l t s h v ko passed m) (claim hero a b n false h v ko passed).
  Proof.
    intros lines leaf n l t s h v ko passed m N L T O M A G. unfold check_after. destruct n as [| n]; auto.
    destruct leaf.
    - apply search_right; auto.
    - destruct (if passed then negb (enough a b h v) else false) eqn:W; auto.
      assert (P : passed = true -> enough a b h v = true).
      { intros ->. now apply negb_false_iff in W. }
      match goal with |- worth _ _ _ ?r _ =>
        assert (R : worth hero a b r ((passed = true -> enough a b h v = true) -> claim hero a b (S n) false h v ko passed)) end.
      { apply their_turn_right; auto. intros h' v' ko' passed' m' G'.
        destruct (has_image turns (lines n) h' v' ko' passed') eqn:E; cbn [worth]; auto.
        split; auto. now apply (has_image_right lines). }
      destruct (their_turn _ _ _ _ _ _ _ _ _) as [m' | m']; cbn [worth] in R |- *; tauto.
  Qed.

  Lemma check_line_right : forall lines n l t s x m, (n <= 100)%nat -> φ l = Z.of_nat n ->
    φ t = Z.of_nat (threats n true) -> φ s = Z.of_nat (threats n false) -> mover n = hero -> all_lines lines (Nat.pred (Nat.pred n)) -> good hero a b m ->
    worth hero a b (check_line a b lines n l t s x m) (line_claim n x).
  Proof.
    intros lines n l t s x m N L T O M A G. unfold check_line, line_claim. destruct n as [| n]; auto.
    set (h := x land full). set (v := (x >> 25) land full). set (ko := ko_of x).
    assert (L' : φ (l - 1) = Z.of_nat n).
    { rewrite sub_spec, L. change (φ 1) with 1%Z. pose proof (to_Z_bounded l). rewrite Z.mod_small; lia. }
    pose proof (mover_next n) as MN. rewrite M in MN. simpl in T.
    assert (O' : φ (s - 1) = Z.of_nat (threats n true)).
    { simpl in O. rewrite sub_spec, O. change (φ 1) with 1%Z. pose proof (to_Z_bounded s). rewrite Z.mod_small; lia. }
    destruct (move_of x =? 25).
    - destruct (passed_of x) eqn:PX.
      + destruct (enough a b h v) eqn:W; cbn [worth]; auto. split; auto.
        intros now before [S [F _]]. apply a_won_pass; auto; [now apply (enough_right hero a b a_small b_small now h v) | now apply F].
      + pose proof (check_after_right lines (is_leaf x) n (l - 1) t (s - 1) h v 0 true m) as R.
        destruct (check_after _ _ _ _ _ _ _ _ _ _ _ _ _) as [m' | m']; cbn [worth] in R |- *.
        * destruct R as [G' C]; auto; [lia |]. split; auto. intros now before F. apply force_mine; auto. left. right.
          split; [destruct F as [_ [F _]]; intro X; apply F in X; discriminate |].
          apply C. now apply (fits_passed hero true false h v ko false now before).
        * apply R; auto. lia.
    - destruct (free h v ko land (1 << move_of x) =? 0) eqn:E; auto.
      apply not_0 in E; [| apply small_land_l, small_free]. destruct E as [p E]. rewrite mem_land in E.
      apply andb_true_iff in E. destruct E as [P I]. apply mem_one in I. rewrite I. change (1 << index p) with (mask p).
      destruct (play h v (mask p)) as [| h' v' taken] eqn:PL; auto.
      pose proof (check_after_right lines (is_leaf x) n (l - 1) t (s - 1) h' v' (ko_after h v h' v' taken) false m) as R.
      destruct (check_after _ _ _ _ _ _ _ _ _ _ _ _ _) as [m' | m']; cbn [worth] in R |- *.
      + destruct R as [G' C]; auto; [lia |]. split; auto. intros now before F. apply force_mine; auto. right.
        apply (free_right _ _ _ _ _ _ _ _ p F) in P. destruct P as [E K]. pose proof F as [S [_ KO]].
        pose proof (play_right now hero h v p S E) as R. rewrite PL in R. destruct R as [_ [_ [PP _]]].
        exists p, (board_of hero h' v'). split; [split; auto |].
        * intro X. apply (KO p _ PP) in X. congruence.
        * apply C. apply (fits_after hero true h v ko (passed_of x) now before p h' v' taken); auto.
      + apply R; auto. lia.
  Qed.

  Lemma check_from_right : forall lines n l t s, (n <= 100)%nat -> φ l = Z.of_nat n ->
    φ t = Z.of_nat (threats n true) -> φ s = Z.of_nat (threats n false) -> mover n = hero -> all_lines lines (Nat.pred (Nat.pred n)) ->
    forall k i m, good hero a b m -> check_from a b lines k n l t s i m = true ->
    forall j, In j (from k i) -> line_claim n (lines n).[j].
  Proof.
    intros lines n l t s N L T O M A. induction k as [| k IH]; intros i m G H j J; simpl in *; [contradiction |].
    pose proof (check_line_right lines n l t s (lines n).[i] m N L T O M A G) as R.
    destruct (check_line _ _ _ _ _ _ _ _ _) as [m' | m']; [| discriminate]. destruct R as [G' C].
    destruct J as [<- | J]; auto. now apply (IH (i + 1) m').
  Qed.
End Right.
