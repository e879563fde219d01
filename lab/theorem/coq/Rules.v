(** The rules of Little-Go and what a player can force, as plain definitions.

    Nothing here is made to be fast. The theorems, in ../results/Theorems.v, are about these definitions and no others. *)

Require Import List ZArith Bool.
Import ListNotations.

(** * The board *)

Inductive line := L0 | L1 | L2 | L3 | L4.

(** A point is a row and a column, counted from the top left. *)
Definition point : Type := line * line.

Definition lines : list line := [L0; L1; L2; L3; L4].
Definition points : list point := list_prod lines lines.

Definition number (l : line) : nat := match l with L0 => 0 | L1 => 1 | L2 => 2 | L3 => 3 | L4 => 4 end.

Definition same_line (k l : line) : bool := Nat.eqb (number k) (number l).
Definition next_line (k l : line) : bool :=
  Nat.eqb (number k) (S (number l)) || Nat.eqb (number l) (S (number k)).

Definition same_point (p q : point) : bool := same_line (fst p) (fst q) && same_line (snd p) (snd q).

(** Two points are adjacent when they are neighbours in a row or in a column. *)
Definition adjacent (p q : point) : bool :=
  same_line (fst p) (fst q) && next_line (snd p) (snd q) || next_line (fst p) (fst q) && same_line (snd p) (snd q).

Inductive colour := Black | White.

Definition other (c : colour) : colour := match c with Black => White | White => Black end.

(** What stands on each point; [None] is an empty point. *)
Definition board : Type := point -> option colour.

Definition empty_board : board := fun _ => None.

Definition same_board (b b' : board) : Prop := forall p, b p = b' p.

(** * Groups and liberties *)

(** Two stones of one colour belong to one group when a path of adjacent stones of that colour joins them. *)
Inductive joined (b : board) (c : colour) (p : point) : point -> Prop :=
| joined_itself : b p = Some c -> joined b c p p
| joined_further : forall q r, joined b c p q -> adjacent q r = true -> b r = Some c -> joined b c p r.

(** An empty point next to a stone of the group is a liberty of it. *)
Definition liberty (b : board) (c : colour) (p l : point) : Prop :=
  exists q, joined b c p q /\ adjacent q l = true /\ b l = None.

Definition breathes (b : board) (c : colour) (p : point) : Prop := exists l, liberty b c p l.

(** * A stone *)

Definition put (b : board) (c : colour) (p : point) : board := fun q => if same_point q p then Some c else b q.

(** The stone at [q] is one of a group of [c] without a liberty. *)
Definition dead (b : board) (c : colour) (q : point) : Prop := b q = Some c /\ ~ breathes b c q.

(** [c] puts a stone on [p], which turns the board [b] into [b']. *)
Record plays (b : board) (c : colour) (p : point) (b' : board) : Prop := {
  on_an_empty_point : b p = None;
  the_dead_are_taken : forall q, dead (put b c p) (other c) q -> b' q = None;
  the_rest_stays : forall q, ~ dead (put b c p) (other c) q -> b' q = put b c p q;
  no_suicide : breathes b' c p
}.

(** * The score *)

Definition is_colour (c : colour) (s : option colour) : bool :=
  match c, s with Black, Some Black | White, Some White => true | _, _ => false end.

Definition stones (c : colour) (b : board) : nat := length (filter (fun p => is_colour c (b p)) points).

(** The stones of [c] less those of the other colour. *)
Definition margin (c : colour) (b : board) : Z := (Z.of_nat (stones c b) - Z.of_nat (stones (other c) b))%Z.

(** * The game *)

(** Black makes the plies with an even number of plies left before them, so the first of 24, and White the last. *)
Definition mover (left : nat) : colour := if Nat.even left then Black else White.

Definition plies : nat := 24.

(** With [left] plies left and the board [now], which was [before] ahead of the last ply, [hero] can play so that at
    the end he has [need] stones more than the other side, or better, whatever the other side does.

    - With no plies left the stones are counted.
    - A PASS leaves the board as it is. The game ends with it when the last ply left the board as it was too, which
      is how the host sees that a PASS answers a PASS; and on the first ply, when nothing stood before.
    - A stone may not bring the board back to what it was ahead of the other side's last ply (ko).
    - On his own plies it is for [hero] to choose; on the others all that is legal must do. *)
Fixpoint can_force (hero : colour) (need : Z) (left : nat) (now before : board) : Prop :=
  match left with
  | O => (need <= margin hero now)%Z
  | S rest =>
      let a_pass_does :=
        (same_board now before /\ (need <= margin hero now)%Z) \/
        (~ same_board now before /\ can_force hero need rest now now) in
      let legal p after := plays now (mover left) p after /\ ~ same_board after before in
      if is_colour hero (Some (mover left))
      then a_pass_does \/ exists p after, legal p after /\ can_force hero need rest after now
      else a_pass_does /\ forall p after, legal p after -> can_force hero need rest after now
  end.

(** The game from the beginning. *)
Definition can_force_from_the_start (hero : colour) (need : Z) : Prop :=
  can_force hero need plies empty_board empty_board.

(** The game is worth [n]: Black can end [n] stones ahead or better, and White can hold him to [n]. *)
Definition exactly (n : Z) : Prop := can_force_from_the_start Black n /\ can_force_from_the_start White (- n).

(** The same with Black's first stone on [p], which takes nothing; White is to move. *)
Definition can_force_after (p : point) (hero : colour) (need : Z) : Prop :=
  can_force hero need 23 (put empty_board Black p) empty_board.

Definition exactly_after (p : point) (n : Z) : Prop := can_force_after p Black n /\ can_force_after p White (- n).

Definition centre : point := (L2, L2).
