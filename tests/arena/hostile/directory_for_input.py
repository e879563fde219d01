"""An agent that answers, and replaces input.txt by a directory."""

import os

if __name__ == "__main__":
    os.remove("input.txt")
    os.makedirs("input.txt/deep/er")
    with open("input.txt/deep/file", "w") as file:
        file.write("in the way")
    os.chmod("input.txt/deep", 0)
    count = len(os.listdir("."))
    with open(f"call{count}", "w") as file:
        file.write("one more")
    with open("output.txt", "w") as file:
        file.write(f"{count // 5},{count % 5}")
