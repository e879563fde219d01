"""Write output.txt."""


def write_point(path, point):
    with open(path, "w") as file:
        file.write("PASS" if point is None else f"{point // 5},{point % 5}")
