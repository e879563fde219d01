/* The parts of all sentences about a mistake. The code in explain.c joins the parts, and every interface prints the sentences
 * without changes.
 *
 * This file has no include guard, because explain.c includes the file several times, each time with different definitions of
 * SENTENCE, THEME and KIND. Words in braces are replaced. The words {stones} and {points} become the names of points, or a number
 * and a place. Alternatives such as {stay|stays} become the first word for several stones, and the second word for one stone. The
 * function put_slot() in explain.c lists the other words.
 */
#ifndef SENTENCE
#define SENTENCE(name, text)
#endif
#ifndef THEME
#define THEME(name, text)
#endif
#ifndef KIND
#define KIND(name, text)
#endif

/* The parts with which sentences begin. */
SENTENCE(ANSWERS, "{other} answers {answer}")
SENTENCE(AFTER, "After {first} ")
SENTENCE(AFTER_MOVER, "After {first} {mover} ")
SENTENCE(AFTER_OTHER, "After {first} {other} ")
SENTENCE(AT_ONCE, "{first} ")
SENTENCE(PLAYS, "plays {move} at ply {ply}")

/* If a move is wasted, one of these sentences comes first. */
SENTENCE(LIKE_A_PASS, "{first} is worth no more than a PASS. ")
SENTENCE(BELOW_A_PASS, "{first} is worse than a PASS. ")

/* These parts describe stones that are captured in only one line: stones of the mover, stones of the other side, or the stone of
 * the mistake. */
SENTENCE(AND, " and ")
SENTENCE(TAKES, "captures {stones}")
SENTENCE(TAKES_THEM, "captures {them|it}")
SENTENCE(TAKES_NEW, "captures the new stone {first}")
SENTENCE(LATER, " at ply {ply} with {move}")
SENTENCE(ALSO, " (also ")
SENTENCE(MORE, "; also ")
SENTENCE(FALL_TOO, "{stones}, captured after {against} too")
SENTENCE(STAND_THERE, "{stones}, not captured after {against}")
SENTENCE(JUST_PLAYED, "{stones}, the stone just played")
SENTENCE(PLAYED_LATER, "{stones}, played later")
SENTENCE(CLOSE, ")")
SENTENCE(KO, ", and {side} may not recapture at once")
SENTENCE(THEY, "{they|it}")
SENTENCE(THEIRS, "{other}'s {stones}")
SENTENCE(STAND_TO_END, " {stay|stays} on the board to the end")
SENTENCE(STAND_UNTIL, " {stay|stays} on the board until ply {ply} at least")
SENTENCE(KEEPS_IT, "{mover} plays {against} at ply {ply} and keeps it")
SENTENCE(NOTHING_LOST, "{mover} loses no stone there")
SENTENCE(OTHER_LOSES_NOTHING, "{other} loses no stone there")
SENTENCE(OWN_EYE, "; {first} fills an own eye")
SENTENCE(ELSEWHERE, "; but {against} gains {number} {points|point} elsewhere")
SENTENCE(DIFFERENCE, "; but {against} gains points elsewhere, so the difference is {number} {points|point}")
SENTENCE(OTHER_WAY, "; but {number} {points|point} elsewhere {go|goes} the other way")
SENTENCE(OTHER_DIFFERENCE, "; but points elsewhere go the other way, so the difference is {number} {points|point}")
SENTENCE(THEN, "; {side}'s {move}")
SENTENCE(JOINS_THEM_TO, " joins {them|it} to {two}")
SENTENCE(JOINS_TO, " joins {stones} to {two}")
SENTENCE(CAPTURES, " captures {stones}")

/* These parts describe a move that prepares a later capture. */
SENTENCE(WHICH, ", which ")
SENTENCE(CUTTING, "cuts {stones} off from {two}")
SENTENCE(CUTTING_THEM, "cuts {them|it} off from {two}")
SENTENCE(LEAVING, "leaves {stones} only ")
SENTENCE(LEAVING_THEM, "leaves {them|it} only ")
SENTENCE(LIBERTIES, "{number} {liberties|liberty}")
SENTENCE(COMMA_AND, ", and ")

/* These parts describe a point that both sides need, and the effects of a stone on this point. */
SENTENCE(BOTH_WANT, "{other} takes {against}, the point that both sides need")
SENTENCE(COMMA, ", ")
SENTENCE(IS_MOVERS, "the point is {mover}'s")
SENTENCE(KEEP_LIBERTIES, "{they have|it has} ")
SENTENCE(MOVER, "{mover} ")
SENTENCE(SAVES, "saves {stones} from capture")
SENTENCE(ATARI, "puts {stones} into atari")
SENTENCE(ATARI_THEM, "puts {them|it} into atari")
SENTENCE(JOINS, "joins {stones}")
SENTENCE(CUTS, "keeps {stones} apart")
SENTENCE(CENTRE, "takes the centre")
SENTENCE(CENTRE_ONLY, "takes the centre, the only point equally near to all four sides")
SENTENCE(CENTRE_FIRST, "takes the centre first")

/* These parts describe groups that are joined in one line and stay apart in the other line. */
SENTENCE(CUTS_FROM, "cuts {one} off from {two}")
SENTENCE(STAY_APART, "{one} and {two} stay apart to the end")
SENTENCE(APART_UNTIL, "{one} and {two} are still apart at ply {ply}")
SENTENCE(MOVERS, "{mover}'s ")
SENTENCE(JOINS_TWO, "joins {one} and {two}")
SENTENCE(JOINS_THEM, "joins them")
SENTENCE(CUTS_THEM, "cuts them apart")
SENTENCE(THEY_APART, "they stay apart to the end")
SENTENCE(THEY_APART_UNTIL, "they are still apart at ply {ply}")

/* These parts describe an eye, which is an empty point with stones of only one side next to it. */
SENTENCE(MAKES_EYE, "makes an eye at {one}, where {side} may not play")
SENTENCE(NO_EYE, "{mover} never has an eye at {one}")
SENTENCE(OTHER_NO_EYE, "{other} never has an eye there")
SENTENCE(SO_NO_EYE, ", so {mover} gets no eye there")

/* These parts describe a point that one side gets and keeps. */
SENTENCE(AND_KEEPS, " and keeps the point to the end")
SENTENCE(COMMA_KEEPS, ", and keeps the point to the end")
SENTENCE(BORDER, "The border between {other}'s {one} and {mover}'s {two} is open at {move}: {other} plays there first")
SENTENCE(AT_PLY, " at ply {ply}")
SENTENCE(CLOSES, "{first} closes it for {mover}")
SENTENCE(CLOSES_LATER, "{mover} closes it at ply {ply}")
SENTENCE(BLOCKS, "blocks {stones}")
SENTENCE(EXTENDS, "extends {stones}")
SENTENCE(KEEPS_POINT, "the point is {mover}'s to the end")
SENTENCE(MOVER_HAS_IT, "{mover} plays {one} at ply {ply} and keeps the point to the end")
SENTENCE(OTHER_HAS_NOT, "{other} has no stone on {one} at the end")
SENTENCE(REST_EVEN, "; the rest of the board comes out even")
SENTENCE(DECIDES, "; this decides who gets {points}")

/* These parts describe that one side passes more often than in the other line. */
SENTENCE(HAS_ONLY, "has only {points} left to play")
SENTENCE(HAS_ALL, "still has {points} to play")
SENTENCE(ONLY_PASS, "can do no better than PASS at ply {ply}")
SENTENCE(STILL_HAS, "still has {move} to play at ply {ply}")

/* These parts are used if no event within eight plies explains the mistake. */
SENTENCE(NO_CAUSE, "No event within eight plies explains this. ")
SENTENCE(BEST_PLAY, "best play is")
SENTENCE(ONE_MOVE, " {move}")

/* These parts describe a PASS that ends the game, and the end of lines that are too short for other reasons. */
SENTENCE(GAME_ENDS, "After {first} the game ends with {black} black and {white} white stones")
SENTENCE(OTHER_PASSES, "After {first} {other}'s PASS ends the game with {black} black and {white} white stones")
SENTENCE(PASS_ENDS, "PASS ends the game with {black} black and {white} white stones")
SENTENCE(RESULT, ": {result}")
SENTENCE(STOP, ".")

/* The theme of a reason is the event that the reason describes. The themes mean, in this order: stones of the mover are captured in
 * only one line; stones of the other side are captured in only one line; a PASS ends the game; both sides need a point; the stone
 * of the mistake is captured; one side passes more often; groups are joined in only one line; only one line has an eye; one side
 * gets a point; there is no event within eight plies; the lines are too short to show an event. */
THEME(CAPTURE, "capture")
THEME(MISSED, "missed capture")
THEME(ENDS, "pass")
THEME(POINT, "point")
THEME(ADDED, "added stone")
THEME(TEMPO, "tempo")
THEME(GROUPS, "connection")
THEME(EYE, "eye")
THEME(AREA, "area")
THEME(NO_CAUSE, "no cause")
THEME(ANSWER, "answer")

/* The kind of a mistake states what the player does wrong. */
KIND(PASSES, "passes")
KIND(MISSES_CAPTURE, "misses a capture")
KIND(LEAVES_ATARI, "leaves stones in atari")
KIND(SELF_ATARI, "puts itself into atari")
KIND(FILLS_EYE, "fills its own eye")
KIND(MISSES_PASS, "misses a PASS")
KIND(LOSES_LATER, "loses stones later")
KIND(LETS_LIVE, "lets stones live")
KIND(LEAVES_CENTRE, "leaves the centre")
KIND(GIVES_POINT, "gives up a point")
KIND(LEAVES_BORDER, "leaves a border open")
KIND(LEAVES_APART, "leaves groups apart")
KIND(MISSES_CUT, "misses a cut")
KIND(MISSES_EYE, "misses an eye")
KIND(LETS_EYE, "lets the other side make an eye")
KIND(MISSES_ATARI, "misses an atari")
KIND(RUNS_OUT, "runs out of moves")
KIND(LEAVES_MOVES, "leaves the other side moves")
KIND(WASTES, "wastes a move")
KIND(OTHER, "other")

#undef SENTENCE
#undef THEME
#undef KIND
