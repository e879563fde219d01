/* Explain why a move is worse than another move. The functions find a line of best play after each of the two moves, and write a
 * sentence about each line.
 *
 * The sentences describe only the two lines and the comparison with a PASS, so a reader can check the sentences on a board. Python
 * calls these functions through explain.pyx, and the page calls them through wasm.c. The functions allocate no memory. All values
 * and goals are from the mover's point of view.
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

typedef struct {
    int theme, kind;         /* the index of the theme in THEME_TEXTS, and the index of the kind of mistake in KIND_TEXTS */
    char worse[TEXT_BYTES], better[TEXT_BYTES];
} Reason;

extern const char *const THEME_TEXTS[], *const KIND_TEXTS[];

/* Store the reason why the first move of the worse line is worse than the first move of the better line. Both lines begin at the
 * same position. The parameter `outcome` is the result of explain_move(), or EXPLAINED if the mistake was not compared with a PASS.
 * The game has `plies` plies, and `half_points` is White's komi times two. If a line contains an illegal move, or consists of a
 * single move that does not end the game, return false and store nothing. */
bool explain_lines(Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int outcome, int plies,
    int half_points);

/* Functions that determine values of positions. A function returns false if it cannot determine the value; then the search for
 * lines stops. */
typedef struct {
    bool (*value)(void *context, const Position *position, int *value);
    bool (*reaches)(void *context, const Position *position, int goal, bool *reaches);   /* only for games that are not over */
    void *context;           /* the first argument of both functions */
} Oracle;

/* The context of an oracle that searches positions with a kernel. A value that is already in the kernel's table costs no nodes. */
typedef struct {
    Kernel *kernel;
    uint64_t end;            /* the value of kernel->nodes at which the oracle stops searching; UINT64_MAX if there is no limit */
    Position open;           /* the last position whose value the oracle did not find */
} Searcher;

Oracle explain_search(Searcher *searcher);

/* The outcome of a search for lines. UNDECIDED and IS_BEST mean that the function stored no lines. */
enum {
    UNDECIDED = -1,          /* the oracle could not determine a value */
    IS_BEST,                 /* no move is better than the given move */
    EXPLAINED,               /* the value of a PASS is lower, or the move is a PASS, or a PASS ends the game */
    LIKE_A_PASS,             /* the value of a PASS is equal to the value of the move */
    BELOW_A_PASS,            /* the value of a PASS is higher than the value of the move */
};

/* Find two lines of best play to the end of the game: a line that begins with a legal move, and a line that begins with a better
 * move. The two lines depend only on the rules of the game.
 *
 * If several moves are equally good, a line continues with a move that captures the most stones. Among such moves, the better line
 * prefers a move that the worse line also contains. After that, both lines prefer moves that leave fewer points on which either
 * side may play. The function compares at most two answers to the move with at most three better moves, and stores the pair of
 * lines with the most instructive reason. */
int explain_move(const Oracle *oracle, const Position *start, int move, PlayLine *worse, PlayLine *better);

/* Find a line of best play from a position with this value to the end of the game. Each move is the first move, in the order
 * described at explain_move(), that keeps the value. Return false if the oracle cannot determine the moves. */
bool explain_settle(const Oracle *oracle, const Position *start, int value, PlayLine *line);

#endif
