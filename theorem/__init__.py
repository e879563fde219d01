"""What the proof assistant is given to check: lines, games and damaged lines, written as its source."""
