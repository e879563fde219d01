"""The course: its schemes of points, and the course file with its terms."""
