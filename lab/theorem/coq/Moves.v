(** A stone on sets of bits is a stone by the rules. *)

Require Import Uint63 PArray List ZArith Bool Lia.
Require Import Rules Checker Bits.
Import ListNotations.
Local Open Scope uint63_scope.

Local Opaque flood beside.

(** [mine] are the stones of [c], [theirs] the other's. *)
Definition shows (b : board) (c : colour) (mine theirs : int) : Prop :=
  small mine /\ small theirs /\
  forall p, (mem mine p = true <-> b p = Some c) /\ (mem theirs p = true <-> b p = Some (other c)).

Definition board_of (c : colour) (mine theirs : int) : board :=
  fun p => if mem mine p then Some c else if mem theirs p then Some (other c) else None.

Definition empties (mine theirs : int) : int := full lxor (mine lor theirs).

Lemma other_other : forall c, other (other c) = c.
Proof. now intros []. Qed.
Lemma other_not : forall c, other c <> c.
Proof. now intros []. Qed.

Lemma shows_swap : forall b c m t, shows b c m t -> shows b (other c) t m.
Proof. intros b c m t [M [T H]]. split; [| split]; auto. intro p. rewrite other_other. specialize (H p). tauto. Qed.

Lemma shows_disjoint : forall b c m t p, shows b c m t -> mem m p = true -> mem t p = false.
Proof.
  intros b c m t p [_ [_ H]] P. destruct (mem t p) eqn:E; auto. destruct (H p) as [X Y].
  apply X in P. apply Y in E. rewrite P in E. injection E as E. symmetry in E. now apply other_not in E.
Qed.

Lemma mem_empties : forall b c m t p, shows b c m t -> (mem (empties m t) p = true <-> b p = None).
Proof.
  intros b c m t p [_ [_ H]]. destruct (H p) as [X Y]. unfold empties. rewrite mem_lxor, mem_lor, mem_full.
  destruct (mem m p); destruct (mem t p); simpl; (split; intro Z; try discriminate).
  - rewrite (proj1 X eq_refl) in Z. discriminate.
  - rewrite (proj1 X eq_refl) in Z. discriminate.
  - rewrite (proj1 Y eq_refl) in Z. discriminate.
  - destruct (b p) as [k |]; auto. exfalso.
    assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto); [apply X in Z + idtac | idtac];
    try (assert (false = true) by (apply X; reflexivity); discriminate);
    try (assert (false = true) by (apply Y; reflexivity); discriminate).
  - reflexivity.
Qed.

Lemma small_empties : forall m t, small m -> small t -> small (empties m t).
Proof. intros. apply small_lxor; auto using small_full, small_lor. Qed.

Lemma shows_board_of : forall c m t, small m -> small t -> (forall p, mem m p = true -> mem t p = false) ->
  shows (board_of c m t) c m t.
Proof.
  intros c m t M T D. split; [| split]; auto. intro p. unfold board_of. specialize (D p).
  destruct (mem m p) eqn:E; destruct (mem t p) eqn:F; try (specialize (D eq_refl); discriminate).
  - split; split; auto; try discriminate. intro H. injection H as H. symmetry in H. now apply other_not in H.
  - split; split; auto; try discriminate. intro H. injection H as H. now apply other_not in H.
  - split; split; discriminate.
Qed.

Lemma shows_same : forall b b' c m t, shows b c m t -> shows b' c m t -> same_board b b'.
Proof.
  intros b b' c m t [_ [_ H]] [_ [_ K]] p. destruct (H p) as [X Y], (K p) as [X' Y'].
  destruct (b p) as [k |] eqn:E.
  - assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto).
    + symmetry. tauto.
    + symmetry. tauto.
  - destruct (b' p) as [k |] eqn:E'; auto.
    assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto);
    [assert (@None colour = Some c) by tauto | assert (@None colour = Some (other c)) by tauto]; discriminate.
Qed.

Lemma same_shows : forall b b' c m t, shows b c m t -> same_board b b' -> shows b' c m t.
Proof. intros b b' c m t [M [T H]] S. split; [| split]; auto. intro p. rewrite <- (S p). apply H. Qed.

Lemma shows_unique : forall b c m t m' t', shows b c m t -> shows b c m' t' -> m = m' /\ t = t'.
Proof.
  intros b c m t m' t' [M [T H]] [M' [T' H']]. split; apply small_ext; auto; intro p;
  destruct (H p) as [X Y]; destruct (H' p) as [X' Y'].
  - destruct (mem m p), (mem m' p); try reflexivity; [symmetry |]; tauto.
  - destruct (mem t p), (mem t' p); try reflexivity; [symmetry |]; tauto.
Qed.

(** ** Groups *)

Lemma joined_colour : forall b c p q, joined b c p q -> b p = Some c /\ b q = Some c.
Proof. induction 1; tauto. Qed.

Lemma joined_front : forall b c p q r, b p = Some c -> adjacent p q = true -> joined b c q r -> joined b c p r.
Proof.
  intros b c p q r P A J. induction J.
  - apply joined_further with p; auto. now apply joined_itself.
  - now apply joined_further with q0.
Qed.

Lemma joined_trans : forall b c p q r, joined b c p q -> joined b c q r -> joined b c p r.
Proof. intros b c p q r J K. induction K; auto. now apply joined_further with q0. Qed.

Lemma joined_sym : forall b c p q, joined b c p q -> joined b c q p.
Proof.
  intros b c p q J. induction J.
  - now apply joined_itself.
  - apply joined_front with q; auto. now rewrite adjacent_sym.
Qed.

Lemma mem_breathing : forall b c s e, small s -> small e -> (forall p, mem s p = true <-> b p = Some c) ->
  (forall p, mem e p = true <-> b p = None) -> forall p, mem (breathing s e) p = true <-> breathes b c p.
Proof.
  intros b c s e S E HS HE p. unfold breathing.
  assert (W : within (beside e land s) s).
  { intros q Q. rewrite mem_land in Q. now apply andb_true_iff in Q. }
  split.
  - revert p. apply flood_sound.
    + intros q r [l [x [J [A L]]]] AD R. exists l, x. split; auto.
      apply joined_front with q; auto; [now apply HS | now rewrite adjacent_sym].
    + intros q Q. rewrite mem_land in Q. apply andb_true_iff in Q. destruct Q as [Q SQ].
      apply beside_true in Q. destruct Q as [l [L A]]. exists l, q. split; [| split].
      * apply joined_itself. now apply HS.
      * now rewrite adjacent_sym.
      * now apply HE.
  - intros [l [x [J [A L]]]].
    assert (X : mem (flood 25 (beside e land s) s) x = true).
    { apply flood_grows; auto. rewrite mem_land. apply andb_true_iff. split.
      - apply beside_true. exists l. split; [now apply HE | now rewrite adjacent_sym].
      - apply HS. exact (proj2 (joined_colour _ _ _ _ J)). }
    clear A L. induction J; auto. apply IHJ.
    apply flood_closed with r; auto.
    + now apply small_land.
    + lia.
    + now rewrite adjacent_sym.
    + apply HS. exact (proj2 (joined_colour _ _ _ _ J)).
Qed.

Lemma mem_breathing_mine : forall b c m t p, shows b c m t ->
  (mem (breathing m (empties m t)) p = true <-> breathes b c p).
Proof.
  intros b c m t p S. pose proof S as [M [T H]]. apply mem_breathing; auto using small_empties.
  - apply H.
  - intro q. eapply mem_empties; eauto.
Qed.

Lemma mem_breathing_theirs : forall b c m t p, shows b c m t ->
  (mem (breathing t (empties m t)) p = true <-> breathes b (other c) p).
Proof.
  intros b c m t p S. pose proof S as [M [T H]]. apply mem_breathing; auto using small_empties.
  - apply H.
  - intro q. eapply mem_empties; eauto.
Qed.

Lemma breathing_within : forall s e p, mem (breathing s e) p = true -> mem s p = true.
Proof.
  intros s e p. apply flood_within. intros q Q. rewrite mem_land in Q. now apply andb_true_iff in Q.
Qed.

Lemma small_breathing : forall s e, small s -> small (breathing s e).
Proof. intros. apply flood_small; auto using small_land. Qed.

(** ** A stone *)

Lemma shows_put : forall b c m t p, shows b c m t -> b p = None -> shows (put b c p) c (m lor mask p) t.
Proof.
  intros b c m t p [M [T H]] E. split; [| split]; auto using small_lor, small_mask.
  intro q. unfold put. rewrite mem_lor, mem_mask. destruct (H q) as [X Y].
  destruct (same_point q p) eqn:Q.
  - apply same_point_true in Q. subst q. rewrite orb_true_r. split; [tauto |]. split; intro Z.
    + apply Y in Z. congruence.
    + injection Z as Z. symmetry in Z. now apply other_not in Z.
  - rewrite orb_false_r. tauto.
Qed.

(** What a stone of [c] on [p] leaves: his stones, and the other's. *)
Definition after_stone (m t : int) (p : point) : int * int :=
  (m lor mask p, breathing t (empties (m lor mask p) t)).

Lemma plays_shows : forall b c m t p b', shows b c m t -> b p = None ->
  ((forall q, dead (put b c p) (other c) q -> b' q = None) /\
   (forall q, ~ dead (put b c p) (other c) q -> b' q = put b c p q)) <->
  shows b' c (fst (after_stone m t p)) (snd (after_stone m t p)).
Proof.
  intros b c m t p b' S E. pose proof (shows_put b c m t p S E) as SP. unfold after_stone; simpl.
  set (m1 := m lor mask p) in *. pose proof SP as [M1 [T H]].
  pose proof (fun q => mem_breathing_theirs _ _ _ _ q SP) as B.
  set (alive := breathing t (empties m1 t)) in *.
  assert (AT : forall q, mem alive q = true -> mem t q = true) by (intros q; apply breathing_within).
  assert (D : forall q, dead (put b c p) (other c) q <-> (mem t q = true /\ mem alive q = false)).
  { intro q. unfold dead. specialize (B q). destruct (H q) as [_ Y]. rewrite <- Y, <- B.
    destruct (mem alive q); split; intros [U V]; split; auto; try congruence. }
  split.
  - intros [DT RS]. split; [| split]; auto using small_breathing.
    { now apply small_breathing. }
    intro q. destruct (H q) as [X Y]. specialize (D q).
    destruct (mem alive q) eqn:A.
    + assert (N : ~ dead (put b c p) (other c) q) by (intro K; apply D in K; destruct K; discriminate).
      rewrite (RS q N). split; auto. rewrite <- Y. split; auto.
    + destruct (mem t q) eqn:TQ.
      * assert (K : dead (put b c p) (other c) q) by (apply D; auto). rewrite (DT q K).
        assert (F : mem m1 q = false).
        { destruct (mem m1 q) eqn:F; auto. apply (shows_disjoint _ _ _ _ _ SP) in F. congruence. }
        rewrite F. split; split; discriminate.
      * assert (N : ~ dead (put b c p) (other c) q) by (intro K; apply D in K; destruct K; discriminate).
        rewrite (RS q N). split; auto.
  - intros [_ [_ K]]. split; intros q Q.
    + apply D in Q. destruct Q as [TQ AQ]. destruct (K q) as [X Y].
      assert (F : mem m1 q = false).
      { destruct (mem m1 q) eqn:F; auto. apply (shows_disjoint _ _ _ _ _ SP) in F. congruence. }
      destruct (b' q) as [k |]; auto. exfalso.
      assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto).
      * rewrite (proj2 X eq_refl) in F. discriminate.
      * rewrite (proj2 Y eq_refl) in AQ. discriminate.
    + destruct (K q) as [X Y], (H q) as [X' Y'].
      assert (TA : mem t q = mem alive q).
      { destruct (mem alive q) eqn:A; [now apply AT |]. destruct (mem t q) eqn:TQ; auto. exfalso. apply Q, D. auto. }
      rewrite TA in Y'. destruct (put b c p q) as [k |].
      * assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto); tauto.
      * destruct (b' q) as [k |]; auto.
        assert (k = c \/ k = other c) as [-> | ->] by (destruct k, c; auto);
        [assert (@None colour = Some c) by tauto | assert (@None colour = Some (other c)) by tauto]; discriminate.
Qed.

Lemma after_stone_shows : forall b c m t p, shows b c m t -> b p = None ->
  let (m', t') := after_stone m t p in shows (board_of c m' t') c m' t'.
Proof.
  intros b c m t p S E. unfold after_stone. pose proof (shows_put b c m t p S E) as SP. pose proof SP as [M [T H]].
  apply shows_board_of; auto using small_breathing.
  intros q Q. destruct (mem (breathing _ _) q) eqn:B; auto. apply breathing_within in B.
  apply (shows_disjoint _ _ _ _ _ SP) in Q. congruence.
Qed.

Lemma breath_test : forall b c m t p, shows b c m t -> mem m p = true ->
  (breathes b c p <->
   (if beside (mask p) land empties m t =? 0
    then if breathing m (empties m t) land mask p =? 0 then false else true else true) = true).
Proof.
  intros b c m t p S P. pose proof S as [M [T H]].
  destruct (beside (mask p) land empties m t =? 0) eqn:Q.
  - rewrite <- (mem_breathing_mine b c m t p S).
    destruct (breathing m (empties m t) land mask p =? 0) eqn:R.
    + apply (is_0 _ p) in R. rewrite mem_land, mem_mask, same_point_refl, andb_true_r in R. rewrite R. tauto.
    + split; auto. intros _. apply not_0 in R.
      * destruct R as [q R]. rewrite mem_land, mem_mask in R. apply andb_true_iff in R. destruct R as [R Z].
        apply same_point_true in Z. now subst q.
      * apply small_land, small_mask.
  - split; auto. intros _. apply not_0 in Q.
    + destruct Q as [l Q]. rewrite mem_land in Q. apply andb_true_iff in Q. destruct Q as [Q L].
      apply beside_true in Q. destruct Q as [q [Q A]]. rewrite mem_mask in Q. apply same_point_true in Q. subst q.
      exists l, p. split; [| split]; auto.
      * apply joined_itself. now apply H.
      * now apply (mem_empties b c m t l S).
    + now apply small_land, small_empties.
Qed.

Theorem play_right : forall b c m t p, shows b c m t -> b p = None ->
  match play m t (mask p) with
  | Illegal => forall b', ~ plays b c p b'
  | Played m' t' taken =>
      m' = m lor mask p /\ shows (board_of c m' t') c m' t' /\ plays b c p (board_of c m' t') /\
      (forall b', plays b c p b' -> shows b' c m' t') /\
      small taken /\ (forall q, mem taken q = true <-> mem t q = true /\ mem t' q = false)
  end.
Proof.
  intros b c m t p S E. pose proof (after_stone_shows b c m t p S E) as AS.
  pose proof (fun b' => plays_shows b c m t p b' S E) as PS.
  unfold after_stone in *. simpl in PS. unfold play.
  set (m1 := m lor mask p) in *. fold (empties m1 t).
  set (alive := breathing t (empties m1 t)) in *. fold (empties m1 alive).
  assert (P1 : mem m1 p = true) by (unfold m1; rewrite mem_lor, mem_mask, same_point_refl; apply orb_true_r).
  assert (T : small t) by (destruct S as [_ [T _]]; auto).
  assert (good : breathes (board_of c m1 alive) c p -> m1 = m1 /\ shows (board_of c m1 alive) c m1 alive /\
    plays b c p (board_of c m1 alive) /\ (forall b', plays b c p b' -> shows b' c m1 alive) /\
    small (t lxor alive) /\ (forall q, mem (t lxor alive) q = true <-> mem t q = true /\ mem alive q = false)).
  { intro B. split; auto. split; auto. split; [| split; [| split]].
    - destruct (proj2 (PS _) AS) as [D R]. constructor; auto.
    - intros b' [_ D R _]. apply PS. auto.
    - apply small_lxor; auto. now apply small_breathing.
    - intro q. rewrite mem_lxor. pose proof (breathing_within t (empties m1 t) q) as W. fold alive in W.
      destruct (mem t q), (mem alive q); simpl; split; try tauto; try (intros []; discriminate);
      intro Z; try discriminate. all: try (specialize (W eq_refl); discriminate). }
  pose proof (fun b' SB => breath_test b' c m1 alive p SB P1) as BT.
  destruct (beside (mask p) land empties m1 alive =? 0).
  - destruct (breathing m1 (empties m1 alive) land mask p =? 0).
    + intros b' [_ D R B]. assert (SB : shows b' c m1 alive) by (apply PS; auto).
      apply (BT b' SB) in B. discriminate.
    + apply good, (BT _ AS). reflexivity.
  - apply good, (BT _ AS). reflexivity.
Qed.
