"""pytest must not import these programs when it searches for tests."""

collect_ignore_glob = ["*.py"]
