"""Read input.txt."""


def read_points(path):
    with open(path) as file:
        lines = file.read().split()
    return lines[0], "".join(lines[1:6]), "".join(lines[6:11])
