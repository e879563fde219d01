"""Find out more: ask the kernel the questions that decide a game, in parallel, and keep what is proven."""
