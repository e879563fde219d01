/* All words about a mistake. explain.c puts the parts together, and every door shows them as they are here.
 *
 * No guard: a file that includes this defines SENTENCE, THEME and KIND first. A word in braces stands for what a part is about:
 * {stones} and {points} by their names or their number and place, {stand|stands} for one of two words, the first of several
 * stones; put() in explain.c lists the others.
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

/* Stones fall in one line alone: the mover's, or the other side's, or the stone just played. */
SENTENCE(ANSWERS, "{other} answers {answer}")
SENTENCE(CUTTING, " to cut {them|it} off")
SENTENCE(AND, " and ")
SENTENCE(AFTER, "After {first} ")
SENTENCE(AFTER_MOVER, "After {first} {mover} ")
SENTENCE(AT_ONCE, "{first} ")
SENTENCE(TAKES, "takes {stones}")
SENTENCE(TAKES_THEM, "takes {them|it}")
SENTENCE(TAKES_NEW, "takes the new stone {first}")
SENTENCE(LATER, " at ply {ply} with {move}")
SENTENCE(ALSO, " (also ")
SENTENCE(MORE, "; also ")
SENTENCE(FALL_TOO, "{stones}, which {fall|falls} after {against} too")
SENTENCE(STAND_THERE, "{stones}, which {stand|stands} after {against}")
SENTENCE(JUST_PLAYED, "{stones}, the stone just played")
SENTENCE(PLAYED_LATER, "{stones}, played later")
SENTENCE(CLOSE, ")")
SENTENCE(KO, ", and {side} may not take back at once")
SENTENCE(THEY, "{they|it}")
SENTENCE(THEIRS, "{other}'s {stones}")
SENTENCE(STAND_TO_END, " {stand|stands} to the end")
SENTENCE(STAND_UNTIL, " {stand|stands} until ply {ply} at least")
SENTENCE(KEEPS_IT, "{mover} plays {against} at ply {ply} and keeps it")
SENTENCE(NOTHING_LOST, "no stone is lost there")
SENTENCE(OWN_EYE, "; {first} fills an own eye")
SENTENCE(ELSEWHERE, "; elsewhere {mover} has {number} {points|point} more after {against}")

/* A point that both sides want, and what a stone there does at once. */
SENTENCE(BOTH_WANT, "{other} plays {against}, the point that both sides want")
SENTENCE(AND_DOES, ", and ")
SENTENCE(IS_MOVERS, "the point is {mover}'s")
SENTENCE(MOVER, "{mover} ")
SENTENCE(SAVES, "saves {stones}")
SENTENCE(ATARI, "leaves {stones} one liberty")
SENTENCE(JOINS, "joins {stones}")
SENTENCE(CUTS, "keeps {stones} apart")
SENTENCE(CENTRE, "takes the centre")

/* What differs at the end. */
SENTENCE(HAS_POINTS, "{side} has {points}")
SENTENCE(FROM, " from ply {ply} on")
SENTENCE(EMPTY_POINTS, "nothing stands on {points}")
SENTENCE(COMMA_AND, ", and ")
SENTENCE(AT_END, " at the end")
SENTENCE(ALL_ALIKE, ", and all other points end alike")
SENTENCE(NEVER_PASSES, "{side} never passes")
SENTENCE(PASSES, "{side} passes at ply {ply}")
SENTENCE(AND_AT, " and {ply}")
SENTENCE(MIDDLE, "After {first} the nine points in the middle are Black {black} and White {white} at the end")
SENTENCE(HAS_CENTRE, "After {first} {mover} has the centre, and they are Black {black} and White {white}")

/* A PASS that ends the game, and lines that are too short to show more. */
SENTENCE(GAME_ENDS, "After {first} the game ends with {black} black and {white} white stones")
SENTENCE(OTHER_PASSES, "After {first} {other}'s PASS ends the game with {black} black and {white} white stones")
SENTENCE(PASS_ENDS, "PASS ends the game with {black} black and {white} white stones")
SENTENCE(RESULT, ": {result}")
SENTENCE(STOP, ".")

/* What a reason is about: stones fall, stones of the opponent's stay, a PASS ends the game, both sides want a point, the stone
 * just played falls, one side passes more often, points end otherwise, the middle; or the lines are too short to show it. */
THEME(CAPTURE, "capture")
THEME(MISSED, "missed capture")
THEME(ENDS, "pass")
THEME(POINT, "point")
THEME(ADDED, "added stone")
THEME(TEMPO, "tempo")
THEME(AREA, "area")
THEME(CENTRAL, "centre")
THEME(ANSWER, "answer")

/* What a player can learn to look for: the event of the sentence, as a verb without its subject. */
KIND(PASSES, "passes")
KIND(MISSES_CAPTURE, "misses a capture")
KIND(LEAVES_ATARI, "leaves stones in atari")
KIND(SELF_ATARI, "puts itself into atari")
KIND(FILLS_EYE, "fills its own eye")
KIND(MISSES_PASS, "misses a PASS")
KIND(LOSES_LATER, "loses stones later")
KIND(LETS_LIVE, "lets stones live")
KIND(LEAVES_CENTRE, "leaves the centre")
KIND(POINTS_CHANGE, "lets points change sides")
KIND(LEAVES_APART, "leaves groups apart")
KIND(MISSES_CUT, "misses a cut")
KIND(MISSES_ATARI, "misses an atari")
KIND(RUNS_OUT, "runs out of moves")
KIND(LEAVES_MOVES, "leaves the other side moves")
KIND(OTHER, "other")

#undef SENTENCE
#undef THEME
#undef KIND
