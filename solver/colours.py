"""The colours' names."""

#: By number, for people.
COLOURS = {1: "Black", 2: "White"}

#: The numbers by name, as options and records spell it.
COLOUR_NUMBERS = {name.lower(): number for number, name in COLOURS.items()}
