"""The exam: questions about positions, by theme, with points and with the reasons why answers are wrong."""
