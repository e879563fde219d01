/* The search of a typical agent: alpha-beta to a fixed depth with a weighted evaluation.
 *
 * The same evaluation, which ignores komi, also judges finished games. PASS is tried only if no point is legal. Scores are from the
 * mover's point of view.
 */
#ifndef LITTLE_GO_LOOKAHEAD_H
#define LITTLE_GO_LOOKAHEAD_H

#include "kernel.h"

/* The weights of the evaluation, in the same order as in the Python tuple. Each weight is multiplied by a feature of a side, which
 * arena/agents/fixed_depth.py describes. The evaluation is the sum of these products for the mover minus the sum for the
 * opponent. */
typedef struct {
    int stones, liberties, contacts, reach, euler, edge, corners, in_atari;
} Weights;

enum { SEEN_POSITIONS = 1 << 17, MOST_DEPTH = 12, BELOW = -(1 << 28) };

/* A position that was searched, with a bound on its score. */
typedef struct {
    uint32_t me, opp;
    int32_t score;
    int8_t ko, left, depth, bound, move;
} Seen;

typedef struct {
    Weights weights;
    uint64_t nodes;          /* the number of nodes that all calls have searched */
    /* The sum of the squared depths of all nodes at which a stone on a point reached beta, indexed by the parity of the plies left
     * and by the point. All sums are halved if a sum becomes too large, and each call of lookahead_scores() begins with 0. */
    int cuts[2][25];
    Seen seen[SEEN_POSITIONS];
} Lookahead;

/* Search `depth` plies, including the move itself, and write the score of each move to `scores`. The depth must be at least 1.
 * Scores that are at most `margin` below the best score are exact. Moves with a lower score and illegal moves get BELOW. PASS gets
 * a score only if no point is legal. */
void lookahead_scores(Lookahead *lookahead, const Position *position, int depth, int margin, int scores[PASS + 1]);

#endif
