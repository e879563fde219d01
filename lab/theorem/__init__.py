"""The proof assistant's input: lines, games and damaged lines, written as its source."""
