"""The habits of a process: it ends with its parent, writes a file whole or not at all, and shows its progress."""
