/* Why a move is worse than another: the lines of best play that show it, and two sentences about them.
 *
 * A sentence is made by rule of the two lines, so anybody can play them through and check it. The same file serves Python, by
 * explain.pyx, and the page, by wasm.c. It allocates nothing. Values and goals are from the mover's side.
 */
#ifndef LITTLE_GO_EXPLAIN_H
#define LITTLE_GO_EXPLAIN_H

#include "kernel.h"

enum { TEXT_BYTES = 640 };

typedef struct {
    int count;
    uint8_t moves[MOST_LEFT];
} PlayLine;

#define THEME(name, text) THEME_##name,
enum {
#include "sentences.h"
    THEMES
};

#define KIND(name, text) KIND_##name,
enum {
#include "sentences.h"
    KINDS
};

/* theme, kind: numbers in the order of sentences.h. */
typedef struct {
    int theme, kind;
    char worse[TEXT_BYTES], better[TEXT_BYTES];
} Reason;

extern const char *const THEME_TEXTS[], *const KIND_TEXTS[];

/* Give the reason why the first move of one line is worse than that of another, from one position. plies: the length of the game.
 * half_points: White's komi, times two. Return false, without a reason, for a line with an illegal move, and for one that has
 * neither two moves nor the end of the game. */
bool explain_lines(
    Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int plies, int half_points);

/* What decides values. Each returns whether it has: nothing is chosen once it has not. */
typedef struct {
    bool (*value)(void *context, const Position *position, int *value);
    bool (*reaches)(void *context, const Position *position, int goal, bool *reaches);   /* in a game that is not over */
    void *context;
} Oracle;

/* An oracle that searches, until its kernel has searched so many nodes; UINT64_MAX: until it knows. What the table holds it answers
 * without nodes. open: the position that it was last asked about in vain. */
typedef struct {
    Kernel *kernel;
    uint64_t end;
    Position open;
} Searcher;

Oracle explain_search(Searcher *searcher);

/* Moves are ranked: those that take the most stones now come first, then those that leave the fewest points that either side may
 * fill, then in order. */

/* How a question to an oracle ends: it has not decided all; the move is as good as any; there are lines. */
enum { UNDECIDED = -1, IS_BEST = 0, EXPLAINED = 1 };

/* Find the lines of best play after a legal move and instead of it, to the end of the game. They depend on the rules alone.
 *
 * The answer to the move is a best one: one that takes stones now, or else one that the mover would have played, or else the first
 * by rank. Where that answer is a best move for the mover, the better line begins with it. The rest of the better line
 * has the moves of the worse one wherever they are as good. */
int explain_move(const Oracle *oracle, const Position *start, int move, PlayLine *worse, PlayLine *better);

/* Find a line of best play to the end, from a position with this value: of the moves that keep it each is the first by
 * rank. Return whether it is whole. */
bool explain_settle(const Oracle *oracle, const Position *start, int value, PlayLine *line);

#endif
