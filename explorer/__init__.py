"""The explorer: ``explorer.html``, a page for any position, and the code that builds it."""
