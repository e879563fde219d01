(** From the checks of pieces to all lines of a level, and from all lines to the game. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits Moves Ko Count Symmetry Bound SearchRight Certificate LinesRight.
Import ListNotations.
Local Open Scope uint63_scope.
Local Opaque flood beside play breathing search check_from check_line has_image.
Strategy 100 [has_image check_line].

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

Section Levels.
  Variables (hero : colour) (a b : int) (leaf : nat) (lines : certificate).
  Hypothesis a_small : (φ a <= 100)%Z.
  Hypothesis b_small : (φ b <= 100)%Z.

  Lemma level_right : forall (n : int) N pieces,
    Z.to_nat (φ n) = N -> (φ n =? Z.of_nat N)%Z = true -> (φ (n >> 1) =? Z.of_nat (threats N true))%Z = true ->
    (N <=? 100)%nat = true -> mover N = hero ->
    cover pieces 0 (φ (PArray.length (lines N))) = true ->
    Forall (fun piece => check a b leaf lines n (fst piece) (snd piece) = true) pieces ->
    all_lines hero a b lines (Nat.pred (Nat.pred N)) -> all_lines hero a b lines N.
  Proof.
    intros n N pieces E L T H M C P A j J.
    apply Z.eqb_eq in L. apply Z.eqb_eq in T. apply Nat.leb_le in H.
    apply ltb_spec in J. pose proof (to_Z_bounded j). pose proof (to_Z_bounded (PArray.length (lines N))).
    destruct (cover_in _ _ _ j C) as [k [i [I F]]]; [lia | lia |].
    rewrite Forall_forall in P. specialize (P _ I). unfold check in P. cbn [fst snd] in P. rewrite E in P.
    eapply (check_from_right hero a b a_small b_small leaf lines N n (n >> 1) ((n + 1) >> 1) H L T M A _ i
      (no_memo tt)); eauto using good_no_memo.
  Qed.

  Lemma no_level : forall N, (φ (PArray.length (lines N)) =? 0)%Z = true -> all_lines hero a b lines N.
  Proof.
    intros N E j J. apply Z.eqb_eq in E. apply ltb_spec in J. pose proof (to_Z_bounded j). lia.
  Qed.
End Levels.

Lemma fits_start : forall hero mine, fits hero mine 0 0 0 true empty_board empty_board.
Proof.
  intros hero mine. split; [split; [| split] | split].
  - apply small_0.
  - apply small_0.
  - intro p. rewrite mem_0. split; split; discriminate.
  - split; auto. intros _ p. reflexivity.
  - intros p after P. rewrite mem_0. split; [| discriminate]. intro S. exfalso. now apply (stone_changes _ _ _ _ P).
Qed.

(** Black's first line: the empty board as after a PASS, because a PASS there ends the game. *)
Definition starts (leaf : nat) (lines : certificate) (first : int) : bool :=
  is_line first 0 0 0 true &&
  match check_line 3 0 leaf lines 24 24 12 12 first (no_memo tt) with Yes _ => true | No _ => false end.

(** The claim about Black. *)
Theorem black_from_lines : forall leaf lines first, all_lines Black 3 0 lines 22 ->
  starts leaf lines first = true -> can_force_from_the_start Black 3.
Proof.
  intros leaf lines first A H. assert (X : (φ 3 <= 100)%Z) by discriminate. assert (Y : (φ 0 <= 100)%Z) by discriminate.
  unfold starts in H. apply andb_true_iff in H. destruct H as [L H].
  pose proof (check_line_right Black 3 0 X Y leaf lines 24 24 12 12 first (no_memo tt) ltac:(apply Nat.leb_le; reflexivity)
    eq_refl eq_refl eq_refl A (good_no_memo Black 3 0)) as R.
  destruct (check_line 3 0 leaf lines 24 24 12 12 first (no_memo tt)) as [m | m]; [| discriminate].
  destruct R as [_ R]. apply is_line_true in L. destruct L as [L1 [L2 [L3 L4]]].
  unfold line_claim in R. rewrite <- L1, <- L2, <- L3, <- L4 in R.
  exact (R _ _ (fits_start Black true)).
Qed.

Lemma first_stone : forall p, play 0 0 (mask p) = Played (mask p) 0 0 /\ ko_after 0 0 (mask p) 0 0 = 0.
Proof. intros [[] []]; vm_compute; auto. Qed.

Definition other_starts (lines : certificate) : bool :=
  forallb (fun p => same_point p centre || has_image turns (lines 23%nat) 0 (mask p) 0 false) points.

(** The claim about White: whatever Black does first, a PASS too, unless it is a stone on the centre. *)
Theorem white_from_lines : forall lines, all_lines White 0 2 lines 23 -> other_starts lines = true ->
  forall p after, plays empty_board Black p after -> p <> centre -> can_force White (-2) 23 after empty_board.
Proof.
  intros lines A H p after P C. 
  pose proof (on_points (fun p => same_point p centre || has_image turns (lines 23%nat) 0 (mask p) 0 false) H p) as K.
  cbv beta in K. clear H. rename K into H.
  apply orb_true_iff in H. destruct H as [H | H]; [exfalso; apply C, same_point_true, H |].
  apply (has_image_right White 0 2 lines 23 _ _ _ _ A H).
  pose proof (fits_after White false 0 0 0 true empty_board empty_board p (mask p) 0 0 after (fits_start White false) P
    (proj1 (first_stone p))) as F.
  cbv beta iota in F. rewrite (proj2 (first_stone p)) in F. exact F.
Qed.

(** ** Both cannot be *)

Lemma margins : forall b, (margin White b = - margin Black b)%Z.
Proof. intro b. unfold margin. simpl. lia. Qed.

Theorem not_both : forall n now before, can_force Black 3 n now before -> can_force White (-2) n now before -> False.
Proof.
  induction n as [| n IH]; intros now before B W.
  - simpl in B, W. rewrite margins in W. lia.
  - assert (PASS : pass_does Black 3 n now before -> pass_does White (-2) n now before -> False).
    { intros [[S X] | [S X]] [[S' Y] | [S' Y]]; try contradiction.
      - rewrite margins in Y. lia.
      - now apply (IH now now). }
    destruct (mover (S n)) eqn:M.
    + apply force_mine in B; auto. apply force_theirs in W; auto. destruct W as [WP W].
      destruct B as [B | [p [after [L B]]]]; [now apply PASS |]. apply (IH after now); auto. now apply (W p).
    + apply force_theirs in B; auto. apply force_mine in W; auto. destruct B as [BP B].
      destruct W as [W | [p [after [L W]]]]; [now apply PASS |]. apply (IH after now); auto. now apply (B p).
Qed.

(** Black's other first plies do not win: he cannot force it with a first stone elsewhere, and not with a PASS. *)
Theorem only_the_centre :
  (forall p after, plays empty_board Black p after -> p <> centre -> can_force White (-2) 23 after empty_board) ->
  (forall p after, plays empty_board Black p after -> p <> centre -> ~ can_force Black 3 23 after empty_board) /\
  ~ pass_does Black 3 23 empty_board empty_board.
Proof.
  intro W. split.
  - intros p after P C B. exact (not_both 23 after empty_board B (W p after P C)).
  - intros [[_ X] | [X _]]; [vm_compute in X; now apply X | apply X; intro; reflexivity].
Qed.
