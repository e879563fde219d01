/* Explain why a move is worse than another: find lines of best play after both moves, and make a sentence about each line.
 *
 * The sentences follow from the two lines and the comparison with a PASS, so a reader can check them on a board. Python calls
 * these functions through explain.pyx, and the page through wasm.c. They allocate no memory. Values and goals are from the
 * mover's side.
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

/* theme, kind: indices of THEME_TEXTS and KIND_TEXTS. */
typedef struct {
    int theme, kind;
    char worse[TEXT_BYTES], better[TEXT_BYTES];
} Reason;

extern const char *const THEME_TEXTS[], *const KIND_TEXTS[];

/* Store the reason why the first move of one line is worse than the first move of another line from the same position.
 * outcome: the result of explain_move(), or EXPLAINED if the mistake was not compared with a PASS. plies: the length of the
 * game. half_points: White's komi times two. Return false, and store nothing, if a line has an illegal move, or has only one
 * move and does not end the game. */
bool explain_lines(Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int outcome, int plies,
    int half_points);

/* Functions that determine the value of a position. Each returns false if it cannot; then the search for lines stops. */
typedef struct {
    bool (*value)(void *context, const Position *position, int *value);
    bool (*reaches)(void *context, const Position *position, int goal, bool *reaches);   /* the game is not over */
    void *context;
} Oracle;

/* The context of an oracle that searches. end: the node count of the kernel at which it gives up, or UINT64_MAX. It finds
 * values of the table without nodes. open: the last position whose value it did not find. */
typedef struct {
    Kernel *kernel;
    uint64_t end;
    Position open;
} Searcher;

Oracle explain_search(Searcher *searcher);

/* The outcome of a search for lines. UNDECIDED: the oracle gave up. IS_BEST: no move is better. With the other outcomes lines
 * were found. LIKE_A_PASS: a PASS is worth as much as the move. BELOW_A_PASS: a PASS is worth more than the move. EXPLAINED: a
 * PASS is worth less, or the move is a PASS, or a PASS ends the game. */
enum { UNDECIDED = -1, IS_BEST, EXPLAINED, LIKE_A_PASS, BELOW_A_PASS };

/* Find lines of best play after a legal move and instead of it, to the end of the game. They depend only on the rules.
 *
 * Moves have a rank: moves that capture more stones come first, then moves that leave fewer points on which either side may
 * play. The function compares at most two answers to the move with at most three better moves, and stores the pair of lines
 * whose reason teaches most. Otherwise the better line repeats moves of the worse line if they are as good. */
int explain_move(const Oracle *oracle, const Position *start, int move, PlayLine *worse, PlayLine *better);

/* Find a line of best play to the end, from a position with this value. Each move is the first by rank that keeps the value.
 * Return false if the oracle gave up. */
bool explain_settle(const Oracle *oracle, const Position *start, int value, PlayLine *line);

#endif
