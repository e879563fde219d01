(** The checker: what runs. Nothing is proved here; that it may be believed is proved in the files that follow.

    A set of points is an integer: bit [5 * row + column]. [h] are the stones of the hero, the side whose claim is
    checked, [v] those of the other side, [ko] the point that may not be retaken, or no point. *)

Require Import Uint63 PArray List.
Import ListNotations.
Local Open Scope uint63_scope.

Definition full : int := 0x1ffffff.

(** The points next to any of [s], and bits above them that stand for none. *)
Definition beside (s : int) : int :=
  (s << 5) lor ((s >> 5) land 0xfffff) lor ((s << 1) land 0x1ef7bde) lor ((s >> 1) land 0xf7bdef).

(** [g] and all of [s] that a path in [s] joins to it. *)
Fixpoint flood (fuel : nat) (g s : int) : int :=
  match fuel with
  | O => g
  | S fuel => let g' := (g lor beside g) land s in if g' =? g then g else flood fuel g' s
  end.

(** The stones of [s] whose groups have a liberty among the points [e]. *)
Definition breathing (s e : int) : int := flood 25 (beside e land s) s.

Inductive outcome := Illegal | Played (mine theirs taken : int).

(** A stone on [p], an empty point. *)
Definition play (mine theirs p : int) : outcome :=
  let mine := mine lor p in
  let alive := breathing theirs (full lxor (mine lor theirs)) in
  let e := full lxor (mine lor alive) in
  if beside p land e =? 0
  then if breathing mine e land p =? 0 then Illegal else Played mine alive (theirs lxor alive)
  else Played mine alive (theirs lxor alive).

(** How many points are in a set, by a table for 13 bits at a time. *)
Fixpoint slow_count (n : nat) (s : int) : int :=
  match n with O => 0 | S n => (s land 1) + slow_count n (s >> 1) end.
Fixpoint fill (n : nat) (i : int) (a : array int) : array int :=
  match n with O => a | S n => fill n (i + 1) (a.[i <- slow_count 13 i]) end.
Definition counts : array int := Eval vm_compute in fill (Nat.pow 2 13) 0 (make 8192 0).
Definition count (s : int) : int := counts.[s land 8191] + counts.[s >> 13].

Definition masks : list int := Eval vm_compute in map (fun i => 1 << of_Z (BinInt.Z.of_nat i)) (seq 0 25).

(** The point that may not be retaken after a stone that turned [mine], [theirs] into [mine'], [theirs']: to put a stone
    there would bring back the board that was. Only where one stone was taken can that be. *)
Definition ko_after (mine theirs mine' theirs' taken : int) : int :=
  if taken =? 0 then 0 else
  if taken land (taken - 1) =? 0 then
    match play theirs' mine' taken with
    | Illegal => 0
    | Played m t _ =>
        if m =? theirs then if t =? mine then if existsb (fun p => p =? taken) masks then taken else 0 else 0 else 0
    end
  else 0.

(** What the liberties of one side's groups tell: [safe], the stones of groups with more than [t]; the most that a group
    has; the last liberties of groups. The last ones are advice, the rest must be right. *)
Record survey := Survey { safe : int; most : int; last : int }.

Fixpoint look (fuel : nat) (stones e t rest safe most last : int) : survey :=
  match fuel with
  | O => Survey safe most last
  | S fuel =>
      if rest =? 0 then Survey safe most last else
      let g := flood 25 ((1 << tail0 rest) land stones) stones in
      let l := beside g land e in
      let n := count l in
      look fuel stones e t (rest land (full lxor g)) (if t <? n then safe lor g else safe)
        (if most <? n then n else most) (if n =? 1 then last lor l else last)
  end.

(** How many liberties a side with [s] plies can fill in its group with [most], and the other's [t] plies cannot take it. *)
Definition spare (most t s : int) : int :=
  if most <=? t + 1 then 0 else if most - t - 1 <=? s then most - t - 1 else s.

(** ** The memory of positions

    An entry is a position packed into 61 bits, and one bit that says that it is proved. *)

Definition memo := array int.
Inductive answer := Yes (m : memo) | No (m : memo).

Definition proved : int := 1 << 61.

Definition pack (l h v ko : int) (passed : bool) : int :=
  h lor (v << 25) lor ((tail0 ko land 31) << 50) lor (if passed then 1 << 55 else 0) lor (l << 56).

Definition ko_of (x : int) : int := (1 << ((x >> 50) land 31)) land full.
Definition passed_of (x : int) : bool := (x >> 55) land 1 =? 1.

(** [x] is the position, proved: so [pack] itself need not be trusted. *)
Definition unpacks (x l h v ko : int) (passed : bool) : bool :=
  if x land full =? h then
  if (x >> 25) land full =? v then
  if ko_of x =? ko then
  if Bool.eqb (passed_of x) passed then
  if (x >> 56) land 31 =? l then x >> 61 =? 1 else false else false else false else false else false.

Definition memo_bits : int := 20.
Definition slot (x : int) : int := (x * 0x1E3779B97F4A7C15) >> (63 - memo_bits).
Definition no_memo (_ : unit) : memo := make (1 << memo_bits) 0.

Definition remember (key yes l h v ko : int) (passed : bool) (r : answer) : answer :=
  match r with
  | Yes m => Yes (if unpacks yes l h v ko passed then m.[slot key <- yes] else m)
  | No m => No (if key >> 61 =? 0 then m.[slot key <- key] else m)
  end.

(** ** The search *)

(** The order of moves: what takes stones, the centre, the points next to it and around it, the edge where both sides
    stand near, where the mover does, the rest of it; the corners are last. *)
Definition order (takes mine theirs : int) : list int :=
  let near := beside mine land 0x0e8c62e in
  [takes; 0x1000; 0x22880; 0x739c0; near land beside theirs; near; 0x0e8c62e].

(** Visit the points of [set] until one does. *)
Fixpoint some_of (fuel : nat) (set : int) (visit : int -> memo -> answer) (m : memo) : answer :=
  match fuel with
  | O => No m
  | S fuel =>
      let p := 1 << tail0 set in
      if set land p =? 0 then No m else
      match visit p m with Yes m => Yes m | No m => some_of fuel (set lxor p) visit m end
  end.

(** Visit the points of [set] until one does not. *)
Fixpoint all_of (fuel : nat) (set : int) (visit : int -> memo -> answer) (m : memo) : answer :=
  match fuel with
  | O => No m
  | S fuel =>
      if set =? 0 then Yes m else
      let p := 1 << tail0 set in
      match visit p m with No m => No m | Yes m => all_of fuel (set lxor p) visit m end
  end.

(** The same with the points in [first] before the others, set by set. *)
Fixpoint some_in (first : list int) (set : int) (visit : int -> memo -> answer) (m : memo) : answer :=
  match first with
  | [] => some_of 26 set visit m
  | c :: first =>
      let now := set land c in
      match some_of 26 now visit m with Yes m => Yes m | No m => some_in first (set lxor now) visit m end
  end.

Fixpoint all_in (first : list int) (set : int) (visit : int -> memo -> answer) (m : memo) : answer :=
  match first with
  | [] => all_of 26 set visit m
  | c :: first =>
      let now := set land c in
      match all_of 26 now visit m with No m => No m | Yes m => all_in first (set lxor now) visit m end
  end.

Section Check.
  (** The hero needs his stones plus [b] to be at least the other's plus [a]. *)
  Variables a b : int.

  Definition enough (h v : int) : bool := count v + a <=? count h + b.

  Definition free (h v ko : int) : int := ((full lxor (h lor v)) land (full lxor ko)) land full.

  (** [visit h v ko passed] answers for the position after the ply. *)
  Definition my_turn (visit : int -> int -> int -> bool -> memo -> answer) (first : list int) (h v ko : int)
    (passed : bool) (m : memo) : answer :=
    match some_in first (free h v ko) (fun p m =>
        match play h v p with
        | Illegal => No m
        | Played h' v' taken => visit h' v' (ko_after h v h' v' taken) false m
        end) m with
    | Yes m => Yes m
    | No m => if passed then No m else if enough h v then visit h v 0 true m else No m
    end.

  Definition their_turn (visit : int -> int -> int -> bool -> memo -> answer) (first : list int) (h v ko : int)
    (passed : bool) (m : memo) : answer :=
    match all_in first (free h v ko) (fun p m =>
        match play v h p with
        | Illegal => Yes m
        | Played v' h' taken => visit h' v' (ko_after v h v' h' taken) false m
        end) m with
    | No m => No m
    | Yes m => if enough h v then Yes m else if passed then No m else visit h v 0 true m
    end.

  (** The hero can force it with [n] plies left, [l] as an integer; [t] of them are the other's, [s] his own. *)
  Fixpoint search (n : nat) (l t s : int) (mine : bool) (h v ko : int) (passed : bool) (m : memo) {struct n} : answer :=
    match n with
    | O => if enough h v then Yes m else No m
    | S n' =>
        let key := pack l h v ko passed in
        let yes := key lor proved in
        let x := m.[slot key] in
        if (if x =? yes then unpacks yes l h v ko passed else false) then Yes m else
        if x =? key then No m else
        let won := if passed then enough h v else false in
        if (if mine then won else false) then Yes m else
        if (if mine then false else if passed then negb won else false) then No m else
        let e := full lxor (h lor v) in
        let lost := count v + a in
        let kept := count h + b in
        (* If all goes well for him the hero has enough; else all does not go well for the other side. *)
        let may := lost + t <=? kept + s in
        let seen := if may then look 25 h e t h 0 0 0 else look 25 v e s v 0 0 0 in
        if (if may then lost + t <=? count (safe seen) + b + spare (most seen) t s else false) then Yes m else
        if (if may then false else kept + s <? count (safe seen) + a + spare (most seen) s t) then No m else
        let takes :=
          last (if mine then if may then look 25 v e s v 0 0 0 else seen else if may then seen else look 25 h e t h 0 0 0) in
        remember key yes l h v ko passed
          (if mine
           then my_turn (search n' (l - 1) t (s - 1) false) (order takes h v) h v ko passed m
           else their_turn (search n' (l - 1) (t - 1) s true) (order takes v h) h v ko passed m)
    end.
End Check.
