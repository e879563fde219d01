(** What `make theorem` says at the end: the theorems, and all that they assume. *)

Require Import List ZArith.
From LittleGo Require Import Rules Bound Levels.
Require Import Theorems.

Check little_go.
Check not_four.
Check only_the_centre_wins.
Check the_others.
Check next_to_the_centre.
Check no_first_pass.
Check one_value.
Print Assumptions everything.
