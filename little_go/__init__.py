"""The command ``little-go``: the commands of all packages, and short names for the most common ones."""
