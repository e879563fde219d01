"""An agent that writes a move followed by 64 MB."""

if __name__ == "__main__":
    with open("output.txt", "w") as file:
        file.write("2,2\n")
        for _ in range(64):
            file.write("x" * 1000000)
