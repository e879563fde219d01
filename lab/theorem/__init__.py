"""Write sources for the proof assistant Coq: lines of certificates, games, and damaged lines."""
