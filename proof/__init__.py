"""Why believe it? Certificates, the walk through the script, and contradictions in the store.

``proof.checker`` reads and judges certificates, and imports nothing of ours but itself.
"""
