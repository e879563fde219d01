"""Proofs: certificates, the walk through the player's script, and the search for contradictions in the store.

``little_go.proof.checker`` reads and checks certificates. The checker imports nothing of this project except its own
modules.
"""
