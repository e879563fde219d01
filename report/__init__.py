"""The report: findings and methods, as a PDF whose numbers are read from the shipped files when it is built."""
