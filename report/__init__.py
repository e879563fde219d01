"""The report: what was found and how, as a PDF whose numbers are read from the files that ship when it is built."""
