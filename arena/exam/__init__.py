"""The exam: positions by theme, asked one by one, with points and the reasons of wrong answers."""
