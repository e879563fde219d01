"""These programs are data of the tests; nothing in them is a test."""

collect_ignore_glob = ["*"]
