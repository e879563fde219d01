"""The exam: positions by theme that an agent is asked one by one, its points, and why its wrong answers are wrong."""
