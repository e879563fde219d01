"""Studies of games: opponent models, puzzles, exams, and a check of the reasons for mistakes."""
