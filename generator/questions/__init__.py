"""The generator's questions: shorter games, atlases, closures and traps."""
