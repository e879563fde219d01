/* The native search kernel of Little-Go: rules, transposition table, search.
 *
 * A position is seen from the mover: `me` and `opp` are the stones of the mover and of the opponent. Its
 * value is the mover's stones minus the opponent's at the end of the game, if both play best. Komi is part
 * of the caller's goal, and otherwise the colours are symmetric. So only keys distinguish Black and White.
 *
 * A board is a set of bits; bit SIZE * i + j is the point in row i, column j. A move is a point or PASS.
 * SIZE is 5; tests compile the kernel for 3 and 4 too, and compare it with plain minimax.
 *
 * The kernel calls no library, allocates no memory and keeps its state in the caller's structs, so the same
 * files serve Python, the sanitizers and WebAssembly. Functions do not check their arguments: in a position
 * every group must have a liberty, and `left` must be 0 to MOST_LEFT.
 *
 * kernel.c has these functions, and includes the parts: kernel_board.h, kernel_bounds.h (static bounds),
 * kernel_table.h, kernel_workers.h, kernel_last_plies.h, kernel_order.h (order of moves), kernel_search.h.
 * docs/explanation/KERNEL.md explains how they work together.
 */
#ifndef LITTLE_GO_KERNEL_H
#define LITTLE_GO_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 5
#endif
_Static_assert(3 <= SIZE && SIZE <= 5, "the kernel is for boards of 3x3, 4x4 and 5x5");

enum {
    POINTS = SIZE * SIZE,
    PASS = POINTS,
    NO_MOVE = POINTS + 1,
    NO_KO = -1,
    MOST_MOVES = POINTS + 1,  /* the largest number of legal moves of a position, including PASS */
    MOST_VALUE = POINTS - 1,  /* the largest value and number of stones; one point is empty, because a group has a liberty */
    GAME_PLIES = POINTS - 1,
    MOST_LEFT = 30,         /* the largest number of plies left; keys and tables have five bits for it */
    NO_GUESS = 99,          /* the guess of a caller that has none */
    LINE_BYTES = 64,        /* bytes of a line of a table */
    LEAST_LINES = 1 << 18,  /* the smallest number of lines of a table */
    SMALL_LINES = 1 << 16,  /* lines of the small table that each Kernel has */
    BUSY_TAGS = 1 << 14,    /* tags in a busy array */
    SHAPES = 1 << 8,        /* states of the four neighbours of a point, with two bits for each */
};

typedef struct {
    uint32_t me, opp;
    int ko;                 /* the point that the ko rule forbids, or NO_KO */
    int left;               /* plies left */
    bool pass_ends;         /* whether a PASS now ends the game */
} Position;

/* Proven bounds on a value, from the mover's side.
 * best: a move whose value is `lo` or more; the most promising move if lo is -MOST_VALUE; NO_MOVE if the
 * game is over. nodes: positions searched. */
typedef struct {
    int lo, hi;
    int best;
    uint64_t nodes;
} Answer;

/* A proven result that a search stores for its caller. */
typedef struct {
    Position position;
    Answer answer;
} Kept;

struct Slot;

/* The state of one searcher. Fill it with zeros, then call kernel_open(). After that the caller can set only the
 * fields marked *.
 *
 * Several searchers can share a table, in threads or in processes. If they search one position at the same
 * time, they should share a busy array too, so that each postpones the positions that another is searching. */
typedef struct {
    uint64_t *table;
    uint64_t last_line;
    uint32_t *busy;                       /* * BUSY_TAGS tags, or NULL */
    uint64_t nodes;                       /* positions searched since kernel_open() */
    bool (*interrupted)(void *context);   /* * called about every million nodes, returns whether to stop; or NULL */
    void *context;                        /* * argument of interrupted() */
    Kept *kept;                           /* * array for results that cost keep_nodes or more; or NULL */
    int kept_room;                        /* * length of the array `kept` */
    int kept_count;                       /* * results in `kept`; set it to 0 after reading them. A full array stops the search */
    uint64_t keep_nodes;                  /* * least cost of a result for `kept`; if it is 0, no result is stored there */

    /* The search sets all fields from here on. */
    uint64_t node_limit;                  /* the number in `nodes` at which the search stops; 0 if there is no limit */
    uint64_t next_check;                  /* the number in `nodes` at which must_stop() is called next */
    bool stopped;
    bool was_interrupted;
    const struct Slot *open[MOST_LEFT + 1]; /* by plies left: the slot of each position from the root to this node, or NULL */
    int goals[MOST_LEFT + 1];             /* by plies left: the goal of each position in `open` */
    int overtaken;                        /* plies left of the position that another worker has decided, or 0 */
    int verdict;                          /* the bound that decides that position */
    /* The records of moves (kernel_order.h). */
    int16_t by_point[MOST_LEFT + 1][2][POINTS];      /* [plies left][whether the mover must gain stones][point] */
    int16_t reply[MOST_LEFT + 1][PASS + 1][POINTS];  /* [plies left][last move of the opponent][point] */
    int16_t follow[MOST_LEFT + 1][PASS + 1][POINTS]; /* [plies left][last move of the mover][point] */
    int16_t shape[MOST_LEFT + 1][POINTS][SHAPES];    /* [plies left][point][state of its neighbours] */
    int32_t usual_cost[MOST_LEFT + 1][2];   /* log_of() the usual number of nodes for a move that reaches the goal:
                                               [plies left][whether the mover must gain stones] */
    uint64_t *small_table;                /* the part of small_table_room that begins at a multiple of LINE_BYTES */
    uint64_t small_table_room[(SMALL_LINES + 1) * LINE_BYTES / sizeof(uint64_t)];
} Kernel;

/* Prepare a Kernel of zeros for a search with a table. lines: a power of two, LEAST_LINES or more. A table of zeros is empty.
 * seed: 0 for the usual order of moves. Each other seed gives another order, and so another tree with the same results. */
void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed);

/* Decide whether the mover's value reaches `goal`. A node_limit other than 0 stops the search after about
 * that many nodes; then the answer can leave the question open. The game must not be over. */
Answer kernel_decide(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);

/* Find the exact value. node_limit: as in kernel_decide(). If `guess` is the value, two decisions are enough: the value reaches
 * the guess, and it does not reach the guess + 1. Each stone by which the guess is wrong costs one more decision. If `guess` is
 * NO_GUESS, the kernel first searches the same board with fewer plies left, and uses the result as the guess. */
Answer kernel_value(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);

/* Store proven bounds in the table, as a search does. */
void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer);

/* Count the sequences of `depth` plies from a position. A PASS after a PASS ends the game. depth: 1 or more.
 * count_pass: whether to count sequences with a PASS too. */
uint64_t kernel_perft(const Position *position, int depth, bool count_pass);

/* The proven bounds of a move, from the side of the player who makes it. Several kernels can narrow the bounds while others
 * read them, because lo and hi are in one word. */
typedef struct {
    int move;
    Position after;
    int guess;              /* a guess at the value of the move */
    uint32_t bounds;        /* kernel_move_lo() and kernel_move_hi() read it */
    int workers;            /* the number of kernels that are searching this move */
    uint64_t nodes;         /* nodes that all kernels have searched for this move */
} MoveValue;

typedef struct {
    int count;
    int first;              /* the goal that is decided for every move before any other goal */
    MoveValue moves[MOST_MOVES];   /* points in order, PASS last */
} MoveValues;

/* List the legal moves of a position. A move that ends the game gets its exact value; the others get the widest bounds.
 * first: as in MoveValues. */
void kernel_list_moves(MoveValues *values, const Position *position, int first);

int kernel_move_lo(const MoveValue *value);
int kernel_move_hi(const MoveValue *value);

/* Narrow a move's bounds. If the new bounds contradict the old ones, change nothing and return false. */
bool kernel_narrow(MoveValue *value, int lo, int hi);

/* Prove the exact value of every move: first whether it reaches `first`, then always the highest goal that is still open. So
 * all moves are searched for the same goal at about the same time, and one search reads entries of another from the table.
 * Return whether all values are exact. A node limit, an interrupt or a full array of kept results stops the search earlier.
 * Kernels on one MoveValues must share one table. */
bool kernel_moves(Kernel *kernel, MoveValues *values, uint64_t node_limit);

/* A key is a position of the game of GAME_PLIES plies in one integer, packed like the keys of solver/symmetry.py. A key has
 * the stones of Black and White instead of the mover and the opponent. Black is the mover after an even number of plies.
 * Smaller boards do not use the upper bits of each part.
 *
 *     bit  60      59 .. 55      54 .. 50      49 .. 25      24 .. 0
 *          passed  plies left    ko point + 1  white stones  black stones
 *                                (0: no ko)
 */
typedef uint64_t Key;

enum {
    KEY_WHITE = 25,
    KEY_KO = 50,
    KEY_LEFT = 55,
    KEY_PASSED = 60,
    KEY_BITS = 61,
    MOST_CHILDREN = MOST_MOVES,
};

/* Return the smallest key of the eight symmetric images of a position. Plies left and passed are the same in all of them, so
 * the ko point is compared first, then White's stones, then Black's. */
Key kernel_canonical(Key key);

/* Set `children` to the canonical keys after each legal move, points in order and PASS last; return their number, 0 if the game
 * is over. A key after a PASS that ends the game has no plies left. moves: receives the moves in the same order, or NULL. */
int kernel_children(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);

#endif
