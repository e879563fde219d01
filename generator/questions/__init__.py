"""What is asked: ladders, atlases, closures and traps."""
