/* Fixed-depth alpha-beta with an evaluation by weights: the way the usual agent searches, made fast.
 *
 * It knows nothing of the end of the game: a finished game is judged by the same evaluation, without komi, and a PASS is
 * tried only where no point is legal. `Position` is the kernel's; scores are from the mover's side.
 */
#ifndef LITTLE_GO_LOOKAHEAD_H
#define LITTLE_GO_LOOKAHEAD_H

#include "kernel.h"

/* What one more of each is worth to a side, as arena/agents/fixed_depth.py says; the evaluation is the mover's sum less
 * the opponent's. Their order is that of the Python tuple. */
typedef struct {
    int stones, liberties, contacts, reach, euler, edge, corners, in_atari;
} Weights;

enum { SEEN_POSITIONS = 1 << 17, MOST_DEPTH = 12, BELOW = -(1 << 28) };

/* A position that was searched, and what came out: a bound on its score. */
typedef struct {
    uint32_t me, opp;
    int32_t score;
    int8_t ko, left, depth, bound, move;
} Seen;

typedef struct {
    Weights weights;
    uint64_t nodes;
    /* How often a point has cut a search off, by the parity of the plies left; for one question. */
    int cuts[2][25];
    Seen seen[SEEN_POSITIONS];
} Lookahead;

/* Score each legal move by a search of `depth` plies, 1 or more, in all. Scores no more than `margin` below the best are
 * exact, the others BELOW, as is what is illegal; PASS has a score only without a legal point. */
void lookahead_scores(Lookahead *lookahead, const Position *position, int depth, int margin, int scores[PASS + 1]);

#endif
