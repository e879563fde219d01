"""These programs are data of the tests, and contain no tests."""

collect_ignore_glob = ["*"]
