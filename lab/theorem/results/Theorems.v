(** The theorems, from what Coq has checked of the certificates; Rules.v says what the words mean. *)

Require Import List ZArith.
Import ListNotations.
From LittleGo Require Import Rules Bits Bound Levels.
Require game_at_least_3_right game_at_most_3_right others_at_most_2_right after_1_2_at_least_0_right
  after_1_2_at_most_0_right.
Local Opaque can_force.

Lemma among : forall p l, existsb (same_point p) l = true -> In p l.
Proof. intros p l H. apply existsb_exists in H. destruct H as [q [I S]]. now apply same_point_true in S as <-. Qed.

(** The game is worth exactly three: Black can end three stones ahead, and White can hold him to that. *)
Theorem little_go : exactly 3.
Proof. exact (conj game_at_least_3_right.claim game_at_most_3_right.claim). Qed.

(** So Black cannot end four ahead. *)
Theorem not_four : ~ can_force_from_the_start Black 4.
Proof. intro F. exact (never_both 4 (-3) plies empty_board empty_board eq_refl F (proj2 little_go)). Qed.

(** After any other first stone White can hold him to two. *)
Theorem the_others : forall p, p <> centre -> can_force_after p White (-2).
Proof.
  intros p C. apply others_at_most_2_right.claim, among. destruct p as [[] []]; (reflexivity || now destruct C).
Qed.

(** So of Black's first stones the one in the centre wins, and no other. *)
Theorem only_the_centre_wins : forall p, can_force_after p Black 3 <-> p = centre.
Proof.
  assert (OTHERS : forall p, p <> centre -> ~ can_force_after p Black 3).
  { intros p C F. exact (never_both 3 (-2) 23 (put empty_board Black p) empty_board eq_refl F (the_others p C)). }
  intro p. split.
  - intro F. destruct (point_dec p centre) as [E | N]; auto. exfalso. exact (OTHERS p N F).
  - intros ->. destruct (first_ply 3 (proj1 little_go)) as [X | [q F]]; [exfalso; now apply X |].
    destruct (point_dec q centre) as [<- | N]; auto. exfalso. exact (OTHERS q N F).
Qed.

(** A PASS on the first ply does not win: if it ends the game, as the host sees it, nobody leads; if the game went on,
    White could end level. *)
Theorem no_first_pass : margin Black empty_board = 0%Z /\ can_force White 0 23 empty_board empty_board.
Proof. exact (conj eq_refl first_pass_answered). Qed.

(** With Black's first stone next to the centre, the game ends level. *)
Theorem next_to_the_centre : forall p, adjacent p centre = true -> exactly_after p 0.
Proof.
  intros p A. assert (I : In p [(L1, L2); (L2, L1); (L2, L3); (L3, L2)]).
  { apply among. destruct p as [[] []]; (reflexivity || discriminate A). }
  exact (conj (after_1_2_at_least_0_right.claim p I) (after_1_2_at_most_0_right.claim p I)).
Qed.

Definition everything :=
  (little_go, not_four, the_others, only_the_centre_wins, no_first_pass, next_to_the_centre, one_value).
