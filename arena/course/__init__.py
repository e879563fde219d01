"""What the course says: its schemes of points, its logged games, and how alike our agents are."""
