"""Read the terms of a course, which are its scheme of points and the keys of its course file."""
