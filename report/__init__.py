"""The report on results and methods, as a PDF. Its numbers are read from the shipped files when it is built."""
