"""What is found out from games: about agents, opponents and learning; and puzzles out of games."""
