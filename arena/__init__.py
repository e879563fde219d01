"""Play games by the course's rules, run tournaments and gradings, and review the games."""
