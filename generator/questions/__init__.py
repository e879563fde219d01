"""The generator's questions: ladders, atlases, closures and traps."""
