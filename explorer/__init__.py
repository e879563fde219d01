"""The explorer: ``explorer.html``, one page for any position, and its making."""
