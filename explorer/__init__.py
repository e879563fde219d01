"""The explorer: ``explorer.html``, one page that knows any position, and its making."""
