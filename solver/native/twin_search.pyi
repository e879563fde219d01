class ExactSearch:
    def run(
        self, me: int, opp: int, ko: int, left: int, margin: int, goal: int, limit: int
    ) -> tuple[int, int | None, int, bool]: ...
