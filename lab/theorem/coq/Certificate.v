(** The certificate's checker: one move of the hero for each of his positions, down to the leaves, which are searched. *)

Require Import Uint63 PArray List Bool.
Require Import Rules Checker Bits.
Import ListNotations.
Local Open Scope uint63_scope.

(** ** Turns and reflections *)

Definition flip (l : line) : line := match l with L0 => L4 | L1 => L3 | L2 => L2 | L3 => L1 | L4 => L0 end.

Definition mirror (p : point) : point := (fst p, flip (snd p)).
Definition upside_down (p : point) : point := (flip (fst p), snd p).
Definition transpose (p : point) : point := (snd p, fst p).

(** Each with its inverse. *)
Definition symmetries : list ((point -> point) * (point -> point)) :=
  [ (fun p => p, fun p => p);
    (mirror, mirror);
    (upside_down, upside_down);
    (fun p => mirror (upside_down p), fun p => mirror (upside_down p));
    (transpose, transpose);
    (fun p => mirror (transpose p), fun p => transpose (mirror p));
    (fun p => upside_down (transpose p), fun p => transpose (upside_down p));
    (fun p => mirror (upside_down (transpose p)), fun p => transpose (upside_down (mirror p))) ].

Definition pairs (s : point -> point) : list (int * int) := map (fun p => (mask p, mask (s p))) points.

Definition turns : list (list (int * int)) := Eval vm_compute in map (fun s => pairs (fst s)) symmetries.

Fixpoint turned (turn : list (int * int)) (s : int) : int :=
  match turn with
  | [] => 0
  | (p, q) :: turn => if s land p =? 0 then turned turn s else q lor turned turn s
  end.

(** ** Lines

    For each number of plies left before a ply of the hero's, an array of lines, sorted by their low 56 bits: a position
    as [pack 0] writes it. The five bits above are the hero's move, 25 for PASS, and bit 61 marks a leaf: what follows
    its move is searched, else it must be in the certificate too. *)

Definition certificate := nat -> array int.

Definition low56 : int := 0xffffffffffffff.
Definition move_of (x : int) : int := (x >> 56) land 31.
Definition is_leaf (x : int) : bool := x >> 61 =? 1.

Fixpoint find (fuel : nat) (lines : array int) (key low high : int) : int :=
  match fuel with
  | O => low
  | S fuel =>
      if high <=? low + 1 then low else
      let middle := (low + high) >> 1 in
      if lines.[middle] land low56 <=? key then find fuel lines key middle high else find fuel lines key low middle
  end.

Definition is_line (x h v ko : int) (passed : bool) : bool :=
  if x land full =? h then
  if (x >> 25) land full =? v then
  if ko_of x =? ko then Bool.eqb (passed_of x) passed else false else false else false.

Definition is_line_at (lines : array int) (i h v ko : int) (passed : bool) : bool :=
  if i <? PArray.length lines then is_line lines.[i] h v ko passed else false.

Definition has_line (lines : array int) (h v ko : int) (passed : bool) : bool :=
  is_line_at lines (find 30 lines (pack 0 h v ko passed) 0 (PArray.length lines)) h v ko passed.

(** An image of the position has a line. *)
Fixpoint has_image (turns : list (list (int * int))) (lines : array int) (h v ko : int) (passed : bool) : bool :=
  match turns with
  | [] => false
  | turn :: turns =>
      if has_line lines (turned turn h) (turned turn v) (turned turn ko) passed then true
      else has_image turns lines h v ko passed
  end.

Section Lines.
  Variables (a b : int) (lines : certificate).

  (** The other side to move, with [n] plies left: after a leaf a search, else lines for all that he can do. *)
  Definition check_after (leaf : bool) (n : nat) (l t s : int) (h v ko : int) (passed : bool) (m : memo) : answer :=
    match n with
    | O => No m
    | S n' =>
        if leaf then search a b n l t s false h v ko passed m else
        if (if passed then negb (enough a b h v) else false) then No m else
        their_turn a b (fun h v ko passed m => if has_image turns (lines n') h v ko passed then Yes m else No m)
          [] h v ko passed m
    end.

  Definition check_line (n : nat) (l t s x : int) (m : memo) : answer :=
    match n with
    | O => No m
    | S n' =>
        let h := x land full in
        let v := (x >> 25) land full in
        let ko := ko_of x in
        let passed := passed_of x in
        if move_of x =? 25 then
          if passed then if enough a b h v then Yes m else No m
          else check_after (is_leaf x) n' (l - 1) t (s - 1) h v 0 true m
        else
          let p := 1 << move_of x in
          if free h v ko land p =? 0 then No m else
          match play h v p with
          | Illegal => No m
          | Played h' v' taken => check_after (is_leaf x) n' (l - 1) t (s - 1) h' v' (ko_after h v h' v' taken) false m
          end
    end.

  Fixpoint check_from (k : nat) (n : nat) (l t s i : int) (m : memo) : bool :=
    match k with
    | O => true
    | S k =>
        match check_line n l t s (lines n).[i] m with
        | Yes m => check_from k n l t s (i + 1) m
        | No _ => false
        end
    end.
End Lines.

(** Lines [i] to [i + k - 1] of those with [n] plies left. *)
Definition check (a b : int) (lines : certificate) (n k i : int) : bool :=
  check_from a b lines (BinInt.Z.to_nat (to_Z k)) (BinInt.Z.to_nat (to_Z n)) n (n >> 1) ((n + 1) >> 1) i (no_memo tt).

(** A position of the game's beginning that the lines cover: with the hero to move one of them, else all that follow. *)
Definition covers (a b : int) (lines : certificate) (n : int) (mine : bool) (h v : int) (passed : bool) : bool :=
  let left := BinInt.Z.to_nat (to_Z n) in
  if mine then has_image turns (lines left) h v 0 passed
  else match check_after a b lines false left n ((n + 1) >> 1) (n >> 1) h v 0 passed (no_memo tt) with
       | Yes _ => true
       | No _ => false
       end.
