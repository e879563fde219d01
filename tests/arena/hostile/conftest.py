"""None of these programs may be imported in search of tests."""

collect_ignore_glob = ["*.py"]
