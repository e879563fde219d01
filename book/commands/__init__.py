"""The commands about positions, and the options that they share."""
