"""Read the facts in a text by the forms of ``forms.toml``, in Python and in the page.

The command ``python -m tools.reading_js`` translates this file into the page's ``reading.js``. Therefore the file uses
a small subset of Python: functions that process texts, numbers, lists and dictionaries, without exceptions. Each
condition is a truth value, and never a text or a list.

The answer depends on the stones, the side to move, the ply, the ko point, a PASS, the size, the komi and the length. If
such a part of a text cannot be parsed, the text is refused. Other parts are skipped. The list ``taken`` contains the
spans of the parsed parts.

The parameter ``p`` contains the functions that are different in the two languages (``ports.py`` and ``ports.js``):
regular expressions, numbers, and exceptions.
"""

from typing import Any

Found = dict[str, Any]

#: The number of the move PASS. The points have the numbers 0 to 24.
STOP = 25


def has(found: Found, name: str) -> bool:
    """Return whether a dictionary contains a value for this name."""
    return name in found and found[name] is not None


def side_of(found: Found, dark: str, light: str) -> int:
    """Return the side that a form states, or -1 if the form states no side."""
    if has(found, dark):
        return 0
    if has(found, light):
        return 1
    return -1


def move_of(p: Any, word: str, at: int) -> int:
    """Return the move of a word, which is a PASS, a pair or a vertex. Refuse a point that is off the board."""
    if p.match("pass", word) is not None:
        return STOP
    if p.holds(",", word):
        digits = p.digits(word)
        place = [p.number(digits[0:1]), p.number(digits[1:2])]
    else:
        place = [5 - p.number(word[1:]), "abcdefghjklmnopqrstuvwxyz".find(word[0:1])]
    move: int = p.point(place[0], place[1], at)
    return move


# --- the facts of a line


def facts_of(p: Any, found: Found, line: str, at: int) -> Found:
    """Return the facts that a line with a known form states."""
    facts: Found = {}
    for name in ["ply", "plies", "blacks", "whites", "on_black", "on_white"]:
        if has(found, name):
            facts[name] = p.number(found[name])
    if has(found, "ply2"):
        facts["ply"] = p.number(found["ply2"])
    if has(found, "plies2"):
        facts["plies"] = p.number(found["plies2"])
    if has(found, "next"):
        facts["ply"] = p.number(found["next"]) - 1
    mover = max(side_of(found, "dark", "light"), side_of(found, "dark2", "light2"))
    if mover >= 0:
        facts["mover"] = mover
    for name in ["komi", "komi2"]:
        if has(found, name):
            if has(facts, "komi") and facts["komi"] != p.decimal(found[name]):
                p.refuse("komi-twice", at, [])
            facts["komi"] = p.decimal(found[name])
    for name in ["size", "size2", "size3"]:
        if has(found, name) and p.number(found[name]) != 5:
            p.refuse("other-size", at, [p.original(at, len(line))])
    for name in ["heading", "printed"]:
        if name in found:
            facts[name] = True
    last = side_of(found, "last_dark", "last_light")
    if last >= 0:
        if mover == last:
            p.refuse("moves-twice", at, [p.original(at, len(line))])
        facts["mover"] = 1 - last
        if has(found, "point"):
            facts["last"] = 2 * move_of(p, found["point"], at) + last
    if has(found, "ko"):
        facts["ko"] = move_of(p, found["ko"], at)
    if "over" in found:
        facts["over"] = True
    elif "alone" in found:
        facts["passed"] = has(found, "passed") or has(found, "stop")
    elif has(found, "passed"):
        facts["passed"] = True
    return facts


def add_facts(p: Any, facts: Found, more: Found, line: str, at: int) -> None:
    """Add the facts of a line. Refuse the text if another line contradicts one of these facts."""
    for name in p.names(more):
        if has(facts, name) and facts[name] != more[name]:
            p.refuse("contradicts", at, [p.original(at, len(line))])
        facts[name] = more[name]


def form_of(p: Any, line: str, where: str) -> Found | None:
    """Return the groups of the first form that matches the whole line, or None if no form matches it."""
    forms = p.table["line"]
    if len(line) > p.table["most"]["form"] and not p.holds("--moves", line):
        return None
    for number in range(len(forms)):
        if "where" not in forms[number] or forms[number]["where"] == where:
            found: Found | None = p.match(f"line{number}", line)
            if found is not None:
                return found
    return None


def refuse_deciding(p: Any, line: str, at: int) -> None:
    """Refuse a line without a known form if the answer could depend on the line."""
    decides = p.table["decides"]
    if len(line) > p.table["most"]["line"]:
        p.refuse("long-line", at, [line, len(line)])
    single = p.single_blanks(line)
    for number in range(len(decides)):
        place = p.search(f"decides{number}", single)
        if place >= 0:
            one = decides[number]
            p.refuse("decides", at, [p.original(at, len(line)), one["what"], one["remedy"]])


# --- lines


def lines_of(p: Any, folded: str, begin: int) -> list[Found]:
    """Return the lines of a text with their places, without the `>` that mail programs put before a quotation."""
    lines: list[Found] = []
    at = begin
    pieces = folded.split("\n")
    if len(pieces) > p.table["most"]["lines"]:
        p.refuse("many-lines", -1, [len(pieces)])
    for piece in pieces:
        skip = p.begins("prefix", piece)
        lines.append({"begin": at + skip, "text": p.trim_end(piece[skip:]), "whole": piece, "at": at})
        at += len(piece) + 1
    return lines


def said(p: Any) -> Found:
    """Return a new result of a reader without any facts. It contains all the names that every result has."""
    return {
        "form": "",
        "moves": None,
        "places": [],
        "black": 0,
        "white": 0,
        "ko": None,
        "facts": {},
        "taken": [],
        "left": [],
        "notes": [],
    }


def read_text(p: Any, text: str) -> Found:
    """Return the facts that a text states. The text must not be SGF, JSON, a link or a key."""
    folded = p.fold(text)
    lines = lines_of(p, folded, 0)
    if is_script(p, lines):
        return read_script(p, lines)
    for read in [read_shown, read_review]:
        found = read(p, lines)
        if found is not None:
            return found
    board = rows_of(p, lines)
    if len(board["rows"]) > 0:
        return read_drawn(p, lines, board)
    log = read_log(p, lines)
    if log is not None:
        return log
    return read_moves_in(p, lines, folded)


def read_around(p: Any, text: str) -> Found:
    """Return the facts of the text around a link or a game. Refuse the text if it could contain another position."""
    folded = p.fold(text)
    lines = lines_of(p, folded, 0)
    if len(rows_of(p, lines)["rows"]) > 0:
        p.refuse("board-beside", -1, [])
    answer = said(p)
    for line in lines:
        blanks = p.begins("blanks", line["text"])
        read_beside(p, answer, line["text"][blanks:], line["begin"] + blanks, "board")
    return answer


def read_mover(p: Any, text: str) -> Any:
    """Return the side to move that a comment on a position states: 0 for Black, 1 for White, or None.

    A line that names a side and a turn in an unknown form is refused.
    """
    folded = p.fold(text)
    answer = said(p)
    for line in lines_of(p, folded, 0):
        blanks = p.begins("blanks", line["text"])
        rest = line["text"][blanks:]
        at = line["begin"] + blanks
        found = form_of(p, rest, "board")
        if found is not None:
            facts = facts_of(p, found, rest, at)
            if has(facts, "mover"):
                add_facts(p, answer["facts"], {"mover": facts["mover"]}, rest, at)
        elif p.search("decides0", rest) >= 0 and p.search("decides1", p.single_blanks(rest)) >= 0:
            one = p.table["decides"][0]
            p.refuse("decides", at, [p.original(at, len(rest)), one["what"], one["remedy"]])
    if has(answer["facts"], "mover"):
        return answer["facts"]["mover"]
    return None


def read_beside(p: Any, answer: Found, line: str, at: int, where: str) -> None:
    """Read a line near a position: add its facts, skip the line, or refuse the text."""
    if p.match("blank", line) is not None:
        return
    found = form_of(p, line, where)
    is_printed = "heading" in answer["facts"] or "printed" in answer["facts"]
    if found is not None and "ours" in found and not is_printed:
        found = None
    if found is None:
        skip = p.begins("name", line)
        inner = form_of(p, line[skip:], where) if skip > 0 else None
        if inner is not None and "heading" in inner:
            p.refuse("before-ours", at, [p.original(at, skip)])
    if found is not None and (has(found, "moves") or has(found, "moves2") or has(found, "moves3")):
        p.refuse("moves-beside", at, [p.original(at, len(line))])
    if found is not None:
        answer["taken"].append([at, at + len(line)])
        add_facts(p, answer["facts"], facts_of(p, found, line, at), line, at)
        answer["is_ours"] = (is_printed and "ours" in found) or "heading" in found
        return
    if has_moves(p, line, at):
        p.refuse("moves-beside", at, [p.original(at, len(line))])
    refuse_deciding(p, line, at)


# --- drawn boards


def rows_of(p: Any, lines: list[Found]) -> Found:
    """Return the rows of the board in a text. Refuse the text if it contains two boards or an incomplete board."""
    choices: list[Found] = []
    schemes = p.table["rows"]
    for number in range(len(schemes)):
        signs = schemes[number]["signs"]
        rows: list[Found] = []
        for line in lines:
            for row in rows_in(p, line, number):
                rows.append(row)
        empties = False
        stones = False
        for row in rows:
            empties = empties or p.any_of(signs[0] + signs[3], row["signs"])
            stones = stones or p.any_of(signs[1] + signs[2] + signs[3], row["signs"])
        # Numbers and moves such as "2,2" may look like one or two rows of digits.
        if (number < 3 or len(rows) > 2) and (
            (len(rows) == 5 and (empties or number == 0))
            or (empties and stones)
            or (len(rows) > 5 and number != 1 and empties)
        ):
            choices.append({"signs": signs, "rows": rows})
    if len(choices) == 0:
        for line in lines:
            if p.holds(".", line["text"]) and p.match("part", line["text"]) is not None:
                p.refuse("few-rows", line["begin"], [0])
        return {"signs": [], "rows": []}
    first = choices[0]
    for choice in choices:
        if len(choice["rows"]) == 5 and len(first["rows"]) < 5:
            first = choice
    places = [row["begin"] for row in first["rows"]]
    for choice in choices:
        for row in choice["rows"]:
            if row["begin"] not in places:
                places.append(row["begin"])
    if len(places) != 5:
        p.refuse("two-boards" if len(places) > 5 else "few-rows", -1, [len(places)])
    return first


def rows_in(p: Any, line: Found, number: int) -> list[Found]:
    """Return the rows of a board in a line: a single row, or several rows separated by slashes or brackets."""
    rows: list[Found] = []
    text = line["text"]
    if len(text) > p.table["most"]["line"]:
        return rows
    pieces = p.pieces(text)
    for index in range(len(pieces)):
        piece = pieces[index][1]
        is_last = index == len(pieces) - 1
        found = None
        if len(piece) <= p.table["most"]["form"]:
            found = p.match(f"row{number}", piece)
            if found is None and is_last and len(rows) > 0 and p.holds(" ", piece):
                found = p.match(f"row{number}", piece[0 : piece.find(" ") + 1])
        if found is not None and has(found, "number") and has(found, "number2") and found["number"] != found["number2"]:
            # The line has different numbers on its two sides, so it has six columns and is not a row.
            found = None
        if found is not None:
            begin = line["begin"] + pieces[index][0]
            row_number = found["number"] if has(found, "number") else None
            rows.append(
                {
                    "begin": begin,
                    "end": begin + found["end"],
                    "signs": p.signs(found["points"], number),
                    "number": row_number,
                }
            )
        elif p.match("blank", piece) is None:
            return rows if is_last else []
    return rows


def read_drawn(p: Any, lines: list[Found], board: Found) -> Found:
    """Return the facts of the five rows of a board and of the lines around these rows."""
    answer = said(p)
    answer["form"] = "board"
    has_letters = False
    for line in lines:
        text = line["text"]
        begin = line["begin"]
        end = -1
        for row in board["rows"]:
            if begin <= row["begin"] and row["begin"] <= begin + len(text):
                end = max(end, row["end"])
                answer["taken"].append([row["begin"], row["end"]])
        if end >= 0:
            text = text[end - begin :]
            begin = end
        else:
            head = p.match("head", text)
            skip = p.begins("sensei", text)
            if skip > 0:
                add_facts(p, answer["facts"], facts_of(p, p.match("sensei", text[0:skip]), text, begin), text, begin)
            elif head is not None:
                has_letters = has_letters or not has(head, "ours")
                skip = len(text) - (len(head["rest"]) if has(head, "rest") else 0)
            if skip > 0:
                answer["taken"].append([begin, begin + skip])
                text = text[skip:]
                begin += skip
        blanks = p.begins("blanks", text)
        text = text[blanks:]
        begin += blanks
        mover = p.match("mover", text) if end >= 0 else None
        if mover is not None:
            answer["taken"].append([begin, begin + len(text)])
            add_facts(p, answer["facts"], facts_of(p, mover, text, begin), text, begin)
        elif (
            "is_ours" in answer and answer["is_ours"] and begin - line["at"] >= 2 and form_of(p, text, "board") is None
        ):
            answer["taken"].append([begin, begin + len(text)])
        else:
            answer["is_ours"] = False
            read_beside(p, answer, text, begin, "board")
    take_stones(p, answer, board, has_letters)
    return answer


def take_stones(p: Any, answer: Found, board: Found, has_letters: bool) -> None:
    """Add the stones of five rows to a result, and check that they agree with the facts of the other lines."""
    rows = board["rows"]
    numbers = [p.number(row["number"]) for row in rows if row["number"] is not None]
    if len(numbers) > 0:
        step = numbers[-1] - numbers[0]
        for index in range(len(numbers)):
            if len(numbers) != 5 or (step != 4 and step != -4) or numbers[index] != numbers[0] + index * step // 4:
                names = ", ".join([str(one) for one in numbers])
                p.refuse("row-numbers", rows[0]["begin"], [names])
    signs = "".join([row["signs"] for row in rows])
    stones = [0, 0]
    plus: list[int] = []
    for point in range(25):
        for side in range(2):
            if p.holds(signs[point], board["signs"][1 + side]):
                stones[side] = stones[side] | 1 << point
        if board["signs"][3] != "" and signs[point] == board["signs"][3]:
            plus.append(point)
    for side in range(2):
        used = p.signs_used(
            [p.original(row["begin"], row["end"] - row["begin"]) for row in rows], board["signs"][1 + side]
        )
        if len(used) > 1:
            p.refuse("two-signs", rows[0]["begin"], [used[0], used[1]])
    answer["black"] = stones[0]
    answer["white"] = stones[1]
    facts = answer["facts"]
    if len(plus) == 1 and not has(facts, "ko"):
        # A board with letters for its columns is from another program, in which + is an ordinary empty point.
        if has_letters and "heading" not in facts:
            answer["notes"].append("a + of another program's board is read as an empty point")
        else:
            answer["ko"] = plus[0]
    check_stones(p, answer)


def check_stones(p: Any, answer: Found) -> None:
    """Check that the stones agree with the counts and with the last move in the lines around the board."""
    facts = answer["facts"]
    for side in range(2):
        count = p.count(answer["white"] if side == 1 else answer["black"])
        named = "on_white" if side == 1 else "on_black"
        if has(facts, named) and facts[named] != count:
            p.refuse("stones-counted", -1, [facts[named], count])
    if has(facts, "last"):
        stones = answer["white"] if facts["last"] % 2 == 1 else answer["black"]
        if (stones >> (facts["last"] // 2)) & 1 == 0:
            p.refuse("last-stone", -1, [])
    if has(facts, "ko"):
        answer["ko"] = facts["ko"]


# --- the log of the course's host


def read_shown(p: Any, lines: list[Found]) -> Found | None:
    """Return the last board of the host's log and the game that leads to it, or None if the text is not such a log."""
    answer = said(p)
    boards: list[Found] = []
    items: list[Found] = []
    # The side whose move was announced; -1 if no move was announced, and 2 if the board after the move has followed.
    mark = -1
    begins = False
    index = 0
    while index < len(lines):
        line = lines[index]
        text = p.trim(line["text"])
        block = shown_at(p, lines, index) if index + 6 < len(lines) else None
        at = line["begin"] + line["text"].find(text)
        if block is not None:
            boards.append(block)
            last = lines[index + 6]
            answer["taken"].append([line["at"], last["at"] + len(last["whole"])])
            answer["facts"]["mover"] = 1 - mark if mark >= 0 else 0
            mark = 2 if mark >= 0 else -1
            index += 7
            continue
        index += 1
        makes = p.match("makes", text) if len(text) <= p.table["most"]["form"] else None
        found = p.match("log_move", text) if len(text) <= p.table["most"]["form"] else None
        if makes is not None:
            mark = side_of(makes, "dark", "light")
            begins = begins or (mark == 0 and len(boards) == 0)
            answer["facts"]["mover"] = mark
            answer["taken"].append([line["begin"], line["begin"] + len(line["text"])])
        elif found is not None and (mark == 0 or mark == 1):
            items.append(item_of(move_of(p, found["point"], at), at, mark, None))
            answer["taken"].append([at, at + len(text)])
        elif (text != "" and len(boards) == 0 and index + 6 < len(lines)) or (
            text != "" and p.match("dashes", text) is None
        ):
            answer["left"].append([text, at])
    if len(boards) == 0:
        return None
    mover = answer["facts"]["mover"]
    has_makes = mark >= 0
    if not has_makes:
        p.drop(answer["facts"], "mover")
    for pair in answer["left"]:
        read_beside(p, answer, pair[0], pair[1], "board")
    answer["black"] = boards[-1]["black"]
    answer["white"] = boards[-1]["white"]
    answer["form"] = "board"
    first = boards[0]
    has_first = begins and first["white"] == 0 and p.count(first["black"]) == 1
    is_whole = has_first or (first["black"] | first["white"] == 0 and len(boards) > 1)
    if len(items) > 0 and is_whole:
        take_line(p, answer, items, 0)
        answer["shown"] = True
    elif is_whole and has_makes:
        add_facts(p, answer["facts"], {"ply": len(boards) - (0 if has_first else 1)}, "its number of boards", -1)
    elif has_makes:
        answer["facts"]["mover"] = mover
    if has_makes and len(boards) > 1 and len(items) == 0:
        same = boards[-1]["black"] == boards[-2]["black"] and boards[-1]["white"] == boards[-2]["white"]
        add_facts(p, answer["facts"], {"passed": same}, "its last boards", -1)
        if not same:
            answer["before"] = [boards[-2]["black"], boards[-2]["white"]]
    answer["taken"] = p.in_order(answer["taken"])
    check_stones(p, answer)
    return answer


def shown_at(p: Any, lines: list[Found], index: int) -> Found | None:
    """Return the board between two lines of dashes, or None if no such board begins at this line."""
    if p.match("dashes", lines[index]["text"]) is None or p.match("dashes", lines[index + 6]["text"]) is None:
        return None
    board = {"black": 0, "white": 0}
    for row in range(5):
        text = lines[index + 1 + row]["whole"]
        if p.match("shown", text) is None:
            return None
        for column in range(5):
            sign = text[2 * column : 2 * column + 1]
            if sign == "x":
                board["black"] = board["black"] | 1 << (5 * row + column)
            elif sign == "o":
                board["white"] = board["white"] | 1 << (5 * row + column)
    return board


# --- logs of moves, and logs of the Go Text Protocol


def read_log(p: Any, lines: list[Found]) -> Found | None:
    """Return the moves of a log with lines such as ``Player 1 move: (2, 2)``, or None if no line is a move."""
    is_log = False
    for line in lines:
        if len(line["text"]) <= p.table["most"]["form"]:
            is_log = is_log or p.match("named", p.trim(line["text"])) is not None
    if not is_log:
        return None
    answer = said(p)
    answer["form"] = "moves"
    items: list[Found] = []
    for line in lines:
        text = p.trim(line["text"])
        if text == "":
            continue
        at = line["begin"] + line["text"].find(text)
        found = p.match("log_move", text) if len(text) <= p.table["most"]["form"] else None
        if found is None:
            read_beside(p, answer, text, at, "board")
        else:
            mark = side_of(found, "dark", "light")
            number = None
            for name in ["number", "number2"]:
                if has(found, name):
                    number = p.number(found[name])
            move = move_of(p, found["point"], at)
            items.append(item_of(move, at, None if mark < 0 else mark, number))
            answer["taken"].append([at, at + len(text)])
    take_line(p, answer, items, 0)
    return answer


def read_review(p: Any, lines: list[Found]) -> Found | None:
    """Return the moves in the list of a review, or None for other texts. Boards after the list are ignored."""
    answer = said(p)
    items: list[Found] = []
    begun = False
    for line in lines:
        text = p.trim(line["text"])
        if len(text) > p.table["most"]["form"]:
            continue
        found = p.match("listed", text) if begun else None
        if p.match("start", text) is not None:
            begun = True
        elif found is not None:
            move = move_of(p, found["point"], line["begin"])
            items.append(item_of(move, line["begin"], side_of(found, "dark", "light"), p.number(found["number"])))
    if len(items) == 0:
        return None
    answer["taken"].append([0, lines[-1]["at"] + len(lines[-1]["whole"])])
    take_line(p, answer, items, 0)
    return answer


def item_of(move: int, at: int, mark: int | None, number: int | None) -> Found:
    """Return a record of a move in a text, with the side and the number of the move."""
    return {
        "move": move,
        "at": at,
        "mark": mark,
        "number": number,
        "half": False,
        "colon": False,
        "own": False,
        "depth": 0,
    }


def is_script(p: Any, lines: list[Found]) -> bool:
    """Return whether at least one line is a command to a Go program that plays a move."""
    for line in lines:
        if len(line["text"]) <= p.table["most"]["form"] and p.match("script", p.trim(line["text"])) is not None:
            return True
    return False


def read_script(p: Any, lines: list[Found]) -> Found:
    """Return the moves of commands to a Go program, including moves in the answers of the program."""
    answer = said(p)
    answer["form"] = "moves"
    items: list[Found] = []
    # The side and the place of a genmove that has no answer yet, and whether the current lines belong to an answer.
    asked: Found | None = None
    is_answer = False
    for line in lines:
        text = p.trim(line["text"])
        at = line["begin"] + line["text"].find(text)
        if text == "":
            is_answer = False
            continue
        command = command_of(p, text)
        if command is not None:
            is_answer = False
            answer["taken"].append([at, at + len(text)])
            if asked is not None:
                p.refuse("no-answer", asked["at"], [])
            if has(command, "point"):
                items.append(item_of(move_of(p, command["point"], at), at, side_of(command, "dark", "light"), None))
            elif side_of(command, "dark", "light") >= 0:
                asked = {"mark": side_of(command, "dark", "light"), "at": at}
            else:
                items = after_other(p, answer, items, command, at)
            continue
        reply = p.match("answer", text)
        if p.match("failed", text) is not None:
            p.refuse("command-failed", at, [text])
        if reply is not None:
            is_answer = True
            answer["taken"].append([at, at + len(text)])
            if asked is not None:
                played = p.match("played", p.trim(reply["said"]))
                if played is None:
                    p.refuse("no-answer-move", at, [text])
                items.append(item_of(move_of(p, played["point"], at), at, asked["mark"], None))
                asked = None
        elif p.match("comment", text) is None and not is_answer:
            if p.match("anyplay", text) is not None:
                p.refuse("plays-no-move", at, [text])
            refuse_command(p, answer, text, at)
    if asked is not None:
        p.refuse("no-answer", asked["at"], [])
    take_line(p, answer, items, 0)
    return answer


def refuse_command(p: Any, answer: Found, text: str, at: int) -> None:
    """Refuse a line between commands if it is not a known command and has no known form."""
    found = form_of(p, text, "board")
    if found is None or has(found, "moves"):
        p.refuse("unknown-command", at, [text])
    else:
        read_beside(p, answer, text, at, "board")


def command_of(p: Any, text: str) -> Found | None:
    """Return the groups of a known command, or None for another text."""
    if len(text) > p.table["most"]["form"]:
        return None
    for name in ["play", "genmove", "other"]:
        found: Found | None = p.match(name, text)
        if found is not None:
            return found
    return None


def after_other(p: Any, answer: Found, items: list[Found], command: Found, at: int) -> list[Found]:
    """Return the moves that remain after a command that does not play a move, such as undo."""
    if has(command, "undo"):
        return items[0 : len(items) - 1]
    if has(command, "clear"):
        return []
    if has(command, "size") and p.number(command["size"]) != 5:
        p.refuse("size", at, [command["size"]])
    if has(command, "size") and len(items) > 0:
        p.refuse("resized", at, [])
    if has(command, "other_komi"):
        answer["other_komi"] = p.decimal(command["other_komi"])
    return items


# --- moves in text, and lists of stones by colour


def read_moves_in(p: Any, lines: list[Found], folded: str) -> Found:
    """Return the facts of a text with moves: one line of moves with a label, or moves between lines with facts."""
    answer = said(p)
    bodies: list[Found] = []
    left: list[Found] = []
    labels: list[Found] = []
    columns: list[str] = []
    for line in lines:
        blanks = p.begins("blanks", line["text"])
        text = line["text"][blanks:]
        at = line["begin"] + blanks
        if text == "":
            continue
        found = form_of(p, text, "moves")
        if found is not None and has(found, "columns"):
            columns = columns_of(p, found["columns"]) if len(left) == 0 else []
            if len(columns) == 0:
                found = None
        if found is None:
            left.append({"at": at, "text": text})
            continue
        begin = at
        if has(found, "label"):
            labels.append({"at": at, "text": found["label"]})
            begin = at + len(found["label"]) + 1
        answer["taken"].append([begin, at + len(text)])
        add_facts(p, answer["facts"], facts_of(p, found, text, at), text, at)
        if has(found, "stop_ply"):
            answer["stop"] = p.number(found["stop_ply"])
        for name in ["moves", "moves2", "moves3"]:
            if has(found, name) and (found[name] != "" or p.holds("--moves", text)):
                start = text.find(": ") + 1 if has(found, "label") else 0
                bodies.append({"at": at + start + text[start:].find(found[name]), "text": found[name]})
    if len(labels) > 1:
        p.refuse("two-lines", labels[1]["at"], [labels[1]["text"], labels[0]["text"]])
    for one in labels:
        refuse_deciding(p, one["text"], one["at"])
    if len(bodies) > 0:
        if len(bodies) > 1 or len(left) > 0:
            other = left[0] if len(left) > 0 else bodies[1]
            p.refuse("words-beside", other["at"], [other["text"]])
        left = bodies
    if len(left) == 0 and len(bodies) == 0:
        p.refuse("no-move", -1, [])
    items = tuple_items(p, left)
    if len(columns) > 0:
        items = table_items(p, left, columns)
    elif len(items) == 0:
        items = items_of(p, joined(p, left, folded), 0)
    if len(items) == 0 and len(bodies) == 0:
        p.refuse("no-move", -1, [])
    for one in left:
        if len(bodies) == 0:
            answer["taken"].append([one["at"], one["at"] + len(one["text"])])
    answer["taken"] = p.in_order(answer["taken"])
    take_items(p, answer, items, 0)
    return answer


def joined(p: Any, pieces: list[Found], folded: str) -> str:
    """Return a text of the same length that keeps the pieces, and has blanks and line ends in all other places."""
    text = ""
    for one in pieces:
        text += p.blanks(one["at"] - len(text)) + one["text"]
        if len(text) < len(folded):
            text += "\n"
    return text


def columns_of(p: Any, line: str) -> list[str]:
    """Return the meaning of each column of a table, or [] if the name of a column is unknown."""
    roles: list[str] = []
    for name in p.cells(line):
        role = p.role("columns", name)
        if role == "move" and "move" in roles and roles[0] == "move" and len(roles) < 3:
            # If another column contains the points, the column "move" contains the numbers of the moves.
            roles[0] = "number"
        if role == "" or role in roles:
            return []
        roles.append(role)
    if "row" in roles and "column" in roles:
        if "move" in roles and "number" not in roles:
            roles[p.index_of(roles, "move")] = "number"
        return roles
    return roles if "move" in roles else []


def table_items(p: Any, lines: list[Found], columns: list[str]) -> list[Found]:
    """Return the moves of a table that has one row per line."""
    items: list[Found] = []
    for line in lines:
        cells = p.cells(line["text"])
        if "move" in columns and len(cells) == len(columns) + 1:
            # The comma within a pair also separates cells.
            index = p.index_of(columns, "move")
            merged: list[str] = []
            for number in range(len(columns)):
                behind = cells[number] if number < index else cells[number + 1]
                merged.append(f"{cells[index]},{behind}" if number == index else behind)
            cells = merged
        row = p.original(line["at"], len(line["text"]))
        if len(cells) != len(columns):
            p.refuse("table-columns", line["at"], [row, len(cells), len(columns)])
        text = ""
        for name in ["number", "side", "row", "column", "move"]:
            for index in range(len(columns)):
                if columns[index] == name:
                    cell = cells[index]
                    if name == "side" and (cell == "1" or cell == "2"):
                        cell = "b" if cell == "1" else "w"
                    text += f"{cell}." if name == "number" else f",{cell}" if name == "column" else f" {cell}"
        # The messages of items_of() would quote a wrong part of the row, because the cells are in another order.
        tried = p.outcome(items_of, text, line["at"])
        if tried["fault"] == "off-board":
            p.refuse("off-board", line["at"], [row])
        if len(tried["items"]) != 1:
            p.refuse("table-row", line["at"], [row])
        tried["items"][0]["at"] = line["at"]
        items.append(tried["items"][0])
    return items


def tuple_items(p: Any, lines: list[Found]) -> list[Found]:
    """Return the moves of tuples of three numbers if one number of each tuple must be a ply or a side, otherwise []."""
    rows: list[list[list[int]]] = p.tuples("\n".join([line["text"] for line in lines]))
    counts = len(rows) >= 5
    sides = [len(rows) >= 6, len(rows) >= 6]
    for index in range(len(rows)):
        row = [number[0] for number in rows[index]]
        counts = counts and row[0] == index + 1
        sides = [sides[0] and row[0] == 1 + index % 2, sides[1] and row[2] == 1 + index % 2]
    if len([one for one in [counts, sides[0], sides[1]] if one]) != 1:
        return []
    first = 0 if sides[1] else 1
    items: list[Found] = []
    for numbers in rows:
        at = place_of(lines, numbers[first][1])
        items.append(item_of(p.point(numbers[first][0], numbers[first + 1][0], at), at, None, None))
    return items


def place_of(lines: list[Found], offset: int) -> int:
    """Return the place in the whole text of an offset in the joined lines."""
    index = 0
    while offset > len(lines[index]["text"]):
        offset -= len(lines[index]["text"]) + 1
        index += 1
    place: int = lines[index]["at"] + offset
    return place


def has_moves(p: Any, body: str, begin: int) -> bool:
    """Return whether a text consists of moves, of which one may be off the board."""
    tried = p.outcome(items_of, body, begin)
    found: bool = len(tried["items"]) > 0 or tried["fault"] == "off-board"
    return found


def items_of(p: Any, body: str, begin: int) -> list[Found]:
    """Return the moves of a text, each with its side, number and brackets. Refuse a word that is not a move.

    The parameter ``begin`` is the place of this text in the whole text, which messages contain.
    """
    states = p.table["state"]
    items: list[Found] = []
    state = "S"
    item = item_of(0, 0, None, None)
    row = 0
    begun = 0
    depth = 0
    count = 0
    at = 0
    while at < len(body):
        token = p.token(body, at)
        kind = token[0]
        word = token[1]
        where = begin + at
        if depth > 0 and kind == "/" and p.holds("\n", word):
            # The list continues in the next line.
            kind = "_"
        if not p.holds(kind, "_/"):
            count += 1
            if count > p.table["most"]["words"]:
                p.refuse("many-words", where, [p.table["most"]["words"]])
        after = states[state]["next"][kind] if kind in states[state]["next"] else ""
        if word == "null" and depth == 0:
            after = ""
        if after == "":
            name = "no-word" if kind == "?" else "word"
            p.refuse(name, where, [p.original(where, len(word)), states[state]["wanted"]])
        if kind == "(":
            depth += 1
        elif kind == ")":
            depth -= 1
            if depth < 0:
                p.refuse("brackets", where, [])
        elif kind == "n" or kind == "e":
            item["number"] = p.number(word)
            item["half"] = kind == "e"
        elif kind == "B" or kind == "W":
            if item["mark"] is not None:
                p.refuse("word", where, [word, states["M"]["wanted"]])
            if state == "R":
                item["number"] = row
            item["mark"] = 0 if kind == "B" else 1
            item["colon"] = p.holds(":", word)
            item["list"] = p.holds("a", word[0:1])
        elif kind == "d" and after == "R":
            if state == "R":
                if item["number"] is not None:
                    p.refuse("word", where, [word, states["R"]["wanted"]])
                item["number"] = row
            row = p.number(word)
            begun = at
        elif kind == "d" or kind == "v" or kind == "P":
            if kind != "d":
                if state == "R":
                    item["number"] = row
                begun = at
            if kind == "v":
                item["move"] = move_of(p, word, where)
            elif kind == "d":
                item["move"] = p.point(row, p.number(word), begin + begun)
            else:
                item["move"] = STOP
            item["at"] = begin + begun
            item["own"] = p.is_between(body, begun, at + len(word))
            item["round"] = item["own"] and p.holds(p.before(body, begun), "(")
            item["depth"] = depth - (1 if item["own"] and p.holds(p.before(body, begun), "([{") else 0)
            items.append(item)
            item = item_of(0, 0, None, None)
        state = after
        at += len(word)
    if depth > 0:
        p.refuse("brackets", begin + len(body), [])
    if not p.holds(state, "SAZYCDF") or item["number"] is not None or item["mark"] is not None:
        p.refuse("text-ends", begin + len(body), [states[state]["wanted"]])
    return items


def take_items(p: Any, answer: Found, items: list[Found], first: int) -> None:
    """Add moves to a result, or add the stones of lists that are sorted by colour."""
    check_brackets(p, items)
    marks = [item["mark"] for item in items if item["mark"] is not None]
    lists = [item for item in items if item["mark"] is not None and "list" in item and item["list"]]
    if len(lists) == 0 and (len(marks) == 0 or (len(marks) == len(items) and not is_by_colour(p, items))):
        take_line(p, answer, items, first)
        return
    if first > 0 or not are_lists(p, items):
        p.refuse("half-marked", items[0]["at"], [p.side_name(marks[0])])
    answer["form"] = "board"
    stones = [0, 0]
    side = 0
    for item in items:
        if item["mark"] is not None:
            side = item["mark"]
        if item["move"] == STOP or item["number"] is not None or ((stones[0] | stones[1]) >> item["move"]) & 1 == 1:
            p.refuse("stone-twice", item["at"], [])
        stones[side] = stones[side] | 1 << item["move"]
    answer["black"] = stones[0]
    answer["white"] = stones[1]
    answer["notes"].append("read as stones on the board, listed by colour, and not as moves")
    check_stones(p, answer)


def is_by_colour(p: Any, items: list[Found]) -> bool:
    """Return whether there are two moves with marks and colons, of which the first is White's.

    No game begins in this way, so such moves are stones by colour.
    """
    return (
        len(items) == 2 and items[0]["mark"] == 1 and items[1]["mark"] == 0 and items[0]["colon"] and items[1]["colon"]
    )


def are_lists(p: Any, items: list[Found]) -> bool:
    """Return whether each side is named once, before a list of its stones.

    There must be colons, or at least two stones of each side.
    """
    if items[0]["mark"] is None:
        return False
    counts = [0, 0]
    side = -1
    colons = True
    for item in items:
        if item["mark"] is not None:
            side = item["mark"]
            if counts[side] > 0:
                return False
            colons = colons and item["colon"]
        counts[side] += 1
    return colons or (counts[0] >= 2 and counts[1] >= 2)


def check_brackets(p: Any, items: list[Found]) -> None:
    """Refuse a single move in brackets between moves without brackets, because it may be a variation."""
    for item in items:
        first = items[0]
        other = items[-1] if first["move"] == STOP else first
        if item["depth"] != first["depth"] or (
            item["move"] != STOP and other["move"] != STOP and item["own"] != other["own"]
        ):
            p.refuse("variation", item["at"], [])


def take_line(p: Any, answer: Found, items: list[Found], first: int) -> None:
    """Add moves that the sides play alternately to a result. The first move is played after ``first`` plies.

    Refuse the text if the sides or the numbers of the moves do not match the order of the moves.
    """
    check_brackets(p, items)
    plies = True
    pairs = True
    numbered = False
    for index in range(len(items)):
        item = items[index]
        ply = first + index
        if item["mark"] is not None and item["mark"] != ply % 2:
            name = p.side_name(item["mark"])
            p.refuse("wrong-colour", item["at"], [name, ply + 1, p.side_name(1 - item["mark"])])
        numbered = numbered or item["number"] is not None
        if item["number"] != ply + 1 or item["half"]:
            plies = False
        is_pair = item["number"] == ply // 2 + 1 and item["half"] == (ply % 2 == 1)
        if not is_pair and not (ply % 2 == 1 and item["number"] is None):
            pairs = False
    if numbered and not plies and not pairs:
        p.refuse("numbers", items[0]["at"], [])
    answer["form"] = "moves"
    answer["moves"] = [item["move"] for item in items]
    answer["places"] = [item["at"] for item in items]


def read_line_of_moves(p: Any, text: str, first: int, lists: bool) -> Found:
    """Return the facts of a text that contains only moves, as in a link.

    If ``lists`` is true, the text may also list stones by colour.
    """
    answer = said(p)
    items = items_of(p, p.fold(text), 0)
    if lists:
        take_items(p, answer, items, first)
    else:
        if len([item for item in items if item["mark"] is not None]) not in [0, len(items)]:
            p.refuse("half-marked-line", -1, [text])
        take_line(p, answer, items, first)
    return answer


# --- JSON


def read_json(p: Any, text: str) -> Found:
    """Return the facts of a JSON object. Refuse the object if it contains a field that is unknown."""
    value = value_at(p, tokens_of(p, text), 0, 0)
    if value["next"] < len(tokens_of(p, text)):
        p.refuse("json-more", value["end"], [])
    if value["kind"] != "object":
        p.refuse("json-object", -1, [value["kind"]])
    return read_object(p, value)


def read_record(p: Any, text: str) -> Found:
    """Return the facts of a game's record and the parsed spans. The caller reads the moves and the stones."""
    value = value_at(p, tokens_of(p, text), 0, 0)
    answer = said(p)
    if value["kind"] == "object":
        take_facts(p, answer, roles_of(p, answer, value))
    return answer


def tokens_of(p: Any, text: str) -> list[Any]:
    """Return the tokens of a JSON text, each as [kind, text, place]. Refuse a text with an invalid token."""
    tokens: list[Any] = p.json_tokens(text)
    end = 0
    for token in tokens:
        if token[2] != end and not p.is_blank(text, end, token[2]):
            p.refuse("json-word", end, [text[end : token[2]]])
        end = token[2] + len(token[1])
    if not p.is_blank(text, end, len(text)):
        p.refuse("json-word", end, [text[end:]])
    return tokens


def value_at(p: Any, tokens: list[Any], index: int, depth: int) -> Found:
    """Return the JSON value that begins with this token: its kind, begin, end, next token and content."""
    if index >= len(tokens):
        p.refuse("json-early", len(p.text), [])
    if depth > p.table["most"]["depth"]:
        p.refuse("json-deep", tokens[index][2], [p.table["most"]["depth"]])
    kind = tokens[index][0]
    begin = tokens[index][2]
    if kind != "{" and kind != "[":
        if kind == "," or kind == ":" or kind == "}" or kind == "]":
            p.refuse("json-sign", begin, [kind])
        word = tokens[index][1]
        text = p.unquoted(word, begin) if kind == "text" else word
        found = {"kind": kind, "begin": begin, "end": begin + len(word), "next": index + 1, "items": []}
        found["text"] = text
        found["word"] = word
        return found
    close = "}" if kind == "{" else "]"
    made = "object" if kind == "{" else "list"
    items: list[Found] = []
    names: list[str] = []
    at = index + 1
    while at >= len(tokens) or tokens[at][0] != close:
        if len(items) > 0:
            if at >= len(tokens) or tokens[at][0] != ",":
                p.refuse("json-comma", tokens[at][2] if at < len(tokens) else len(p.text), [])
            at += 1
        start = tokens[at][2] if at < len(tokens) else len(p.text)
        if kind == "{":
            if at + 1 >= len(tokens) or tokens[at][0] != "text" or tokens[at + 1][0] != ":":
                p.refuse("json-name", start, [])
            names.append(p.unquoted(tokens[at][1], start))
            at += 2
        value = value_at(p, tokens, at, depth + 1)
        value["pair"] = start
        items.append(value)
        at = value["next"]
    return {
        "kind": made,
        "begin": begin,
        "end": tokens[at][2] + 1,
        "next": at + 1,
        "items": items,
        "names": names,
        "text": "",
        "word": "",
    }


def read_object(p: Any, value: Found) -> Found:
    """Return all facts of an object, which include its stones, its moves or its key."""
    answer = said(p)
    roles = roles_of(p, answer, value)
    take_facts(p, answer, roles)
    read_position_in(p, answer, roles)
    return answer


def roles_of(p: Any, answer: Found, value: Found) -> Found:
    """Return the values of an object, indexed by their role. Refuse a name that is not in the table of names."""
    roles: Found = {}
    answer["taken"].append([value["begin"], value["begin"] + 1])
    end = value["begin"] + 1
    for index in range(len(value["items"])):
        name = value["names"][index]
        one = value["items"][index]
        role = p.role("keys", p.simple(name))
        if role == "":
            p.refuse("unknown-key", one["pair"], [name])
        answer["taken"].append([end, one["pair"]])
        end = one["end"]
        if role != "harmless":
            answer["taken"].append([one["pair"], one["end"]])
        if role == "moves" and one["kind"] == "object":
            continue
        if role == "size" or role == "xy" or role == "nothing":
            check_nothing(p, role, name, one)
            roles[role] = one
        elif role == "harmless" or role == "ours":
            for inner in one["names"] if one["kind"] == "object" else []:
                if p.role("keys", p.simple(inner)) in [
                    "komi",
                    "plies",
                    "size",
                    "nothing",
                    "mover",
                    "turn",
                    "first",
                    "initial",
                    "ply",
                ]:
                    p.refuse("other-rules", one["pair"], [name])
            continue
        elif role in roles:
            p.refuse("twice", one["pair"], [name])
        else:
            roles[role] = one
    answer["taken"].append([end, value["end"]])
    return roles


def check_nothing(p: Any, role: str, name: str, one: Found) -> None:
    """Refuse a size other than 5x5, and stones that are set up before the first move."""
    word = p.trim(one["text"])
    if role != "nothing":
        sizes = [part["word"] for part in one["items"]] if one["kind"] == "list" else [word]
        for size in sizes:
            if size != "5":
                p.refuse("size-of", one["pair"], [name, size])
    elif not (
        (one["kind"] == "list" and len(one["items"]) == 0)
        or (word in ["", "0", "null", "false"] and one["kind"] != "object" and one["kind"] != "list")
    ):
        p.refuse("setup", one["pair"], [name])


def take_facts(p: Any, answer: Found, roles: Found) -> None:
    """Add the length, the komi and the side to move that an object states."""
    facts = answer["facts"]
    for name in ["plies", "komi"]:
        if name in roles:
            word = roles[name]["word"]
            if roles[name]["kind"] != "number" or (name == "plies" and not p.is_whole(word)):
                p.refuse("plies-komi", roles[name]["pair"], [word])
            facts[name] = p.number_of(word) if name == "plies" else p.decimal(word)
            facts["heading"] = True
    if "turn" in roles and roles["turn"]["kind"] == "number":
        p.refuse("unknown-key", roles["turn"]["pair"], ["turn"])
    for name in ["mover", "turn", "first", "initial"]:
        if name in roles and roles[name]["word"] != "null":
            word = p.simple(roles[name]["text"])
            found = p.match("json_side", word)
            if found is None:
                p.refuse("no-side", roles[name]["pair"], [roles[name]["text"]])
            side = side_of(found, "dark", "light")
            if name in ["mover", "turn"] or (name == "initial" and "moves" not in roles):
                add_facts(p, facts, {"mover": side}, roles[name]["text"], roles[name]["pair"])
            elif side == 1:
                p.refuse("white-first", roles[name]["pair"], [])


def read_position_in(p: Any, answer: Found, roles: Found) -> None:
    """Add the position of an object, which is given by sets or lists of stones, a drawn board, moves or a key."""
    answers: list[str] = []
    black = roles["black"] if "black" in roles else None
    is_listed = black is not None and (black["kind"] == "list" or are_stones(p, black))
    is_position = ("ply" in roles and roles["ply"]["kind"] == "number") or (
        black is not None and black["kind"] != "text"
    )
    if is_listed and black is not None:
        answers.append("stones")
        for name in ["black", "white"]:
            answer[name] = stones_listed(p, roles[name]) if name in roles else 0
        if answer["black"] & answer["white"] != 0:
            p.refuse("both-colours", black["pair"], [])
        take_numbers(p, answer, roles, ["ply"])
        answer["form"] = "board"
    elif is_position:
        answers.append("position")
        take_numbers(p, answer, roles, ["black", "white", "ply"])
    elif "position" in roles and roles["position"]["kind"] == "object":
        inner = read_object(p, roles["position"])
        if inner["form"] != "position" and inner["form"] != "board":
            p.refuse("position-kind", roles["position"]["pair"], [])
        answers.append("position")
        for name in ["black", "white", "ko", "form"]:
            answer[name] = inner[name]
        add_facts(p, answer["facts"], inner["facts"], "position", roles["position"]["pair"])
    if "position" in roles and roles["position"]["kind"] != "object":
        p.refuse("unknown-key", roles["position"]["pair"], ["position"])
    if "rows" in roles:
        answers.append("rows")
        read_rows_in(p, answer, roles["rows"])
    is_empty = "moves" in roles and p.trim(p.fold(roles["moves"]["text"])) == "" and len(roles["moves"]["items"]) == 0
    if "moves" in roles and not (is_empty and len(answers) > 0):
        read_moves_value(p, answer, roles["moves"], len(answers) > 0, "xy" in roles)
    if "key" in roles:
        key = roles["key"]
        if key["kind"] == "number" and not p.is_whole(key["word"]):
            p.refuse("key-digits", key["pair"], [key["word"]])
        if key["kind"] != "number" and key["kind"] != "text":
            p.refuse("key-kind", key["pair"], [])
        if key["kind"] == "number" and p.is_rounded(key["word"]):
            p.refuse("key-digits", key["pair"], [key["word"]])
        answer["key"] = key["text"]
        if answer["form"] == "":
            answer["form"] = "key"
    for name in ["ko", "passed"]:
        is_read = name not in roles or answer["form"] == "position" or "stones" in answers
        if not is_read and roles[name]["word"] not in ["null", "false"]:
            p.refuse("unknown-key", roles[name]["pair"], [name])
    if len(answers) > 1:
        p.refuse("two-in-json", -1, [answers[0], answers[1]])
    if answer["form"] == "":
        p.refuse("no-position", -1, [])


def take_numbers(p: Any, answer: Found, roles: Found, wanted: list[str]) -> None:
    """Add the numbers of a position that we have written. The numbers must be whole and exact."""
    for name in wanted:
        if name not in roles:
            if name == "ply" and "white" in roles:
                continue
            if len(wanted) > 1:
                p.refuse("missing", -1, [name])
            continue
        one = roles[name]
        # Other programs write a large number as a text of digits. Only sets of points are such large numbers.
        word = one["text"] if name != "ply" and p.match("hex", one["text"]) is not None else one["word"]
        if word == one["word"] and (one["kind"] != "number" or not p.is_whole(word)):
            p.refuse("integer", one["pair"], [name, one["word"]])
        if name == "ply":
            answer["facts"]["ply"] = p.number_of(word)
        else:
            answer[name] = p.number_of(word)
    if "ko" in roles and roles["ko"]["word"] != "null":
        if roles["ko"]["kind"] != "number" or not p.is_whole(roles["ko"]["word"]):
            p.refuse("ko-number", roles["ko"]["pair"], [roles["ko"]["word"]])
        answer["ko"] = p.number_of(roles["ko"]["word"])
    if "passed" in roles:
        if roles["passed"]["word"] not in ["true", "false"]:
            p.refuse("passed-value", roles["passed"]["pair"], [roles["passed"]["word"]])
        answer["facts"]["passed"] = roles["passed"]["word"] == "true"
    answer["form"] = "position"
    if not has(answer["facts"], "ply"):
        answer["form"] = "board"


def are_stones(p: Any, one: Found) -> bool:
    """Return whether a value is a list of points, and not the name of a player."""
    found: bool = one["kind"] == "text" and has_moves(p, p.fold(one["text"]), one["begin"])
    return found


def stones_listed(p: Any, one: Found) -> int:
    """Return the bit set of a list of points."""
    if one["kind"] == "text" and p.trim(one["text"]) == "":
        return 0
    if one["kind"] != "list" and not are_stones(p, one):
        p.refuse("list-of-points", one["pair"], [])
    stones = 0
    items = items_of(p, p.fold(p.original(one["begin"], one["end"] - one["begin"])), one["begin"])
    for item in items:
        if item["move"] == STOP or item["mark"] is not None or (stones >> item["move"]) & 1 == 1:
            p.refuse("stone-twice", item["at"], [])
        stones = stones | 1 << item["move"]
    return stones


def read_rows_in(p: Any, answer: Found, one: Found) -> None:
    """Add a drawn board, which is a text or a list in JSON."""
    text = p.original(one["begin"], one["end"] - one["begin"])
    begin = one["begin"]
    is_text = one["kind"] == "text"
    if is_text:
        text = one["text"]
    elif one["kind"] == "list" and len(one["items"]) == 5 and one["items"][0]["kind"] == "text":
        is_text = True
        text = "\n".join([item["text"] for item in one["items"]])
    folded = p.fold(text)
    lines = lines_of(p, folded, begin)
    board = rows_of(p, lines)
    if is_text or len(board["rows"]) == 0:
        p.within(text)
        lines = lines_of(p, folded, 0)
        board = rows_of(p, lines)
    if len(board["rows"]) == 0:
        p.refuse("json-board", one["pair"], [])
    for line in lines:
        rest = line["text"]
        for row in board["rows"]:
            if line["begin"] <= row["begin"] and row["begin"] <= line["begin"] + len(line["text"]):
                rest = line["text"][row["end"] - line["begin"] :]
        if p.match("blank", rest) is None:
            p.refuse("rows-beside", one["pair"], [p.trim(rest)])
    take_stones(p, answer, board, False)
    answer["form"] = "board"
    p.within("")


def read_moves_value(p: Any, answer: Found, one: Found, is_beside: bool, is_xy: bool) -> None:
    """Add the moves of an object, which are a text, or a list of texts and pairs of numbers."""
    if one["kind"] != "text" and one["kind"] != "list":
        p.refuse("moves-kind", one["pair"], [])
    for item in one["items"] if one["kind"] == "list" else []:
        if item["kind"] == "text" and p.trim(item["text"]) == "":
            p.refuse("json-move", item["begin"], [item["word"]])
        if item["kind"] == "number":
            p.refuse("flat-numbers", item["begin"], [item["word"]])
        if item["kind"] == "object" or item["word"] == "true" or item["word"] == "false":
            p.refuse("json-move", item["begin"], [item["word"]])
    for item in one["items"] if one["kind"] == "list" and is_xy else []:
        if item["kind"] == "list" and len(item["items"]) > 0 and item["items"][0]["kind"] == "number":
            p.refuse("column-row", item["begin"], [])
    if one["kind"] == "text":
        body = one["text"]
        p.within(body)
        inner = read_line_of_moves(p, body, 0, not is_beside)
        p.within("")
    else:
        body = p.original(one["begin"], one["end"] - one["begin"])
        items = items_of(p, p.fold(body), one["begin"])
        inner = said(p)
        take_items(p, inner, items, 0)
    if is_beside and inner["form"] != "moves":
        p.refuse("stones-and-lists", one["pair"], [])
    if is_beside:
        answer["beside"] = inner["moves"]
        return
    answer["form"] = inner["form"]
    for name in ["moves", "places", "black", "white"]:
        answer[name] = inner[name]
    for note in inner["notes"]:
        answer["notes"].append(note)
