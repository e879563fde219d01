/* Alpha-beta to a fixed depth with a weighted evaluation: the search of a typical agent, in C.
 *
 * A finished game is judged by the same evaluation, without komi, and PASS is tried only if no point is legal. Scores are from
 * the mover's side.
 */
#ifndef LITTLE_GO_LOOKAHEAD_H
#define LITTLE_GO_LOOKAHEAD_H

#include "kernel.h"

/* The weights of the evaluation, in the order of the Python tuple. arena/agents/fixed_depth.py describes the numbers that the
 * weights are multiplied with. The evaluation is the sum of these products for the mover minus the sum for the opponent. */
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
    uint64_t nodes;
    /* For each parity of the plies left and each point: the sum of the squared depths at which a stone there reached beta. Large
     * sums are halved, and each call of lookahead_scores() begins with 0. */
    int cuts[2][25];
    Seen seen[SEEN_POSITIONS];
} Lookahead;

/* Write the score of each move by a search of `depth` plies, 1 or more, including the move. Scores that are at most `margin` below
 * the best are exact. Lower scores and illegal moves are BELOW. PASS has a score only if no point is legal. */
void lookahead_scores(Lookahead *lookahead, const Position *position, int depth, int margin, int scores[PASS + 1]);

#endif
