"""What holds for all tests."""

from hypothesis import settings

# A busy machine must not fail a test, so no example is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
