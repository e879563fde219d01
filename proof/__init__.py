"""Proofs: certificates, the walk through the player's script, and the search for contradictions in the store.

``little_go.proof.checker`` reads and checks certificates. It imports nothing of this project except its own modules.
"""
