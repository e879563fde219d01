"""The files of a reviewed game: each line of the picture, and the comments, values and variations of the SGF."""

from dataclasses import replace
from typing import Any

from sgfmill import sgf

from little_go.arena.review.annotated import annotated_sgf, curve_svg
from little_go.arena.review.review import Review
from tests.arena.review.made import ENDED_BY_A_FAULT, PLAYED_OUT

CURVE = """\
<rect class="page" width="320" height="426"/>
<text class="title" x="56" y="26">ann (Black) - bob (White)</text>
<line class="grid" x1="56" y1="380" x2="296" y2="380"/>
<text class="value" x="48" y="380" dy=".35em">-24</text>
<line class="grid" x1="56" y1="338" x2="296" y2="338"/>
<text class="value" x="48" y="338" dy=".35em">-18</text>
<line class="grid" x1="56" y1="296" x2="296" y2="296"/>
<text class="value" x="48" y="296" dy=".35em">-12</text>
<line class="grid" x1="56" y1="254" x2="296" y2="254"/>
<text class="value" x="48" y="254" dy=".35em">-6</text>
<line class="grid" x1="56" y1="212" x2="296" y2="212"/>
<text class="value" x="48" y="212" dy=".35em">+0</text>
<line class="grid" x1="56" y1="170" x2="296" y2="170"/>
<text class="value" x="48" y="170" dy=".35em">+6</text>
<line class="grid" x1="56" y1="128" x2="296" y2="128"/>
<text class="value" x="48" y="128" dy=".35em">+12</text>
<line class="grid" x1="56" y1="86" x2="296" y2="86"/>
<text class="value" x="48" y="86" dy=".35em">+18</text>
<line class="grid" x1="56" y1="44" x2="296" y2="44"/>
<text class="value" x="48" y="44" dy=".35em">+24</text>
<text x="56" y="400">0</text>
<text x="116" y="400">2</text>
<text x="176" y="400">4</text>
<text x="236" y="400">6</text>
<text x="296" y="400">8</text>
<line class="komi" x1="56" y1="208.5" x2="296" y2="208.5"/>
<text x="252" y="54.5" dy=".35em">Black wins</text>
<text x="252" y="369.5" dy=".35em">White wins</text>
<line class="range" x1="146" y1="226" x2="146" y2="198"/>
<line class="range" x1="176" y1="198" x2="176" y2="177"/>
<polyline class="curve" points="56,205 86,205 116,191"/>
<polyline class="curve" points="206,198 236,191 266,191 296,191"/>
<circle class="mistake" cx="116" cy="191" r="6"><title>ply 2, 1,1: B+2.5</title></circle>
<text x="116" y="180">1,1</text>
<circle class="mistake" cx="146" cy="198" r="6"><title>ply 3, 1,2: undecided</title></circle>
<text x="146" y="218">1,2</text>
<circle class="mistake" cx="236" cy="191" r="6"><title>ply 6, 0,0: B+2.5</title></circle>
<text x="236" y="180">0,0</text>
<text x="176" y="418">plies played</text>
"""

FAULT_CURVE = """\
<polyline class="curve" points="56,205 86,205 116,184"/>
<circle class="mistake" cx="116" cy="184" r="6"><title>ply 2, 1,1: B+3.5</title></circle>
<text x="116" y="173">1,1</text>
<circle class="decisive" cx="146" cy="184" r="6"><title>ply 3: DEED</title></circle>
<text x="146" y="204">fault</text>
<text x="176" y="418">plies played</text>
"""


def drawn(review: Review) -> list[str]:
    """Return the lines of the picture after its styles."""
    text = curve_svg(review)
    return text[text.index("</style>") :].splitlines()[1:-1]


def test_the_picture_of_a_game() -> None:
    assert drawn(PLAYED_OUT) == CURVE.splitlines()
    deed = "Black played 2,2, where there is a stone already"
    assert drawn(ENDED_BY_A_FAULT)[-6:] == FAULT_CURVE.replace("DEED", deed).splitlines()


def nodes(node: Any) -> list[Any]:
    """Return the properties of a node and, in lists, of each variation."""
    properties = [tuple(node.get(name) if node.has_property(name) else None for name in ("V", "BM", "C"))]
    return [*properties, *([*map(nodes, node)] if len(node) != 1 else nodes(node[0]))]


def test_the_sgf_of_a_game() -> None:
    game = sgf.Sgf_game.from_bytes(annotated_sgf(PLAYED_OUT))
    root = game.get_root()
    assert (root.get("GN"), root.get("GC"), root.get("RE")) == ("games.jsonl, game 1", "seed 7", "B+0.5")
    reason = "At ply 9 it loses 2,2. 0,1 would take it."
    assert nodes(root)[1:] == [
        (1, None, "Little-Go: B+0.5"),
        [
            (
                3,
                1,
                f"Little-Go: B+2.5\n1,1 costs 2 (misses a cut).\n{reason}\n"
                "The answer: X 0,0  O 0,1  X 0,2  O 0,3  X 0,4  O 1,0",
            ),
            [
                (
                    None,
                    1,
                    f"Little-Go: undecided\n1,2 costs 1 or more (misses a cut).\n{reason}\nThe answer: O 0,4  X 4,0",
                ),
                (None, None, "Little-Go: B+1.5 or more"),
                (2, None, "Little-Go: B+1.5"),
                (3, 1, "Little-Go: B+2.5\n0,0 costs 1."),
                (3, None, "Little-Go: B+2.5"),
                (3, None, "Little-Go: B+2.5\nBlack wins 4 : 3.5 (max)"),
            ],
            [(None, None, "Better: B+2.5."), *[(None, None, None)] * 3],
        ],
        [(None, None, "Better: B+0.5."), *[(None, None, None)] * 8],
    ]


def test_the_comments_of_the_author_come_first() -> None:
    game = PLAYED_OUT.game._replace(comments={0: "start", 1: "first", 8: "last"})
    line = sgf.Sgf_game.from_bytes(annotated_sgf(replace(PLAYED_OUT, game=game))).get_main_sequence()
    firsts = [node.get("C").splitlines()[0] for node in line]
    assert [firsts[at] for at in (0, 1, 8)] == ["start", "first", "last"]
    assert all(text.startswith("Little-Go: ") for text in firsts[2:8])


def test_the_sgf_of_a_fault() -> None:
    root = sgf.Sgf_game.from_bytes(annotated_sgf(ENDED_BY_A_FAULT)).get_root()
    assert (root.get("V"), root.get("LF"), root.get("RE")) == (1, "invalid_occupied 2,2 2,2 is occupied", "W+F")
    assert root.get("C").splitlines()[:2] == [
        "Little-Go: B+0.5",
        "Result: White wins (invalid_occupied: 2,2 is occupied).",
    ]
    assert root[0][0].get("C").splitlines()[-2:] == [
        "Black played 2,2, where there is a stone already. A stone may only be put on an empty point.",
        "White wins (invalid_occupied: 2,2 is occupied)",
    ]
