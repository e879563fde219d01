"""The course's schemes of points and logged games, and how alike our agents are."""
