"""How a process behaves: it ends with its parent, writes a file whole or not at all, and shows what it is at."""
