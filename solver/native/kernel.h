/* The native search kernel of Little-Go: rules, transposition table, search.
 *
 * A position is described from the mover's point of view: `me` and `opp` are the stones of the mover and of the opponent. The
 * value of a position is the number of the mover's stones minus the number of the opponent's stones at the end of the game, if
 * both sides play best. Callers include the komi in the goal. Otherwise the colours are symmetric, so only keys distinguish Black
 * and White.
 *
 * A board is a set of bits; bit SIZE * i + j is the point in row i, column j. A move is a point or PASS.
 * The game is played with SIZE 5. Tests also compile the kernel for sizes 3 and 4, and compare its results with plain minimax.
 *
 * The kernel calls no library, allocates no memory, and keeps its state in structs of the caller. So the same files can be
 * compiled for Python, for WebAssembly, and with sanitizers. The functions do not check their arguments: every group of a
 * position must have a liberty, and `left` must be 0 to MOST_LEFT.
 *
 * The file kernel.c defines the functions of this header. It includes kernel_board.h, kernel_bounds.h (static bounds),
 * kernel_table.h, kernel_workers.h, kernel_last_plies.h, kernel_order.h (order of moves) and kernel_search.h. The document
 * docs/explanation/KERNEL.md explains how these files work together.
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
    MOST_VALUE = POINTS - 1,  /* the largest number of stones, and so the largest value; each group needs an empty point */
    GAME_PLIES = POINTS - 1,
    MOST_LEFT = 30,         /* the largest supported number of plies left; keys and table entries store the number in five bits */
    NO_GUESS = 99,          /* the argument of kernel_value() that means that the caller has no guess */
    LINE_BYTES = 64,        /* the size of a line of a transposition table, in bytes */
    LEAST_LINES = 1 << 18,  /* the smallest number of lines of a shared transposition table */
    SMALL_LINES = 1 << 16,  /* the number of lines of the small table in each Kernel */
    BUSY_TAGS = 1 << 14,    /* the number of cells of a busy array */
    SHAPES = 1 << 8,        /* the number of states of a point's four neighbours; each neighbour has two bits */
};

typedef struct {
    uint32_t me, opp;
    int ko;                 /* the point that the ko rule forbids, or NO_KO */
    int left;               /* the number of plies left, 0 to MOST_LEFT */
    bool pass_ends;         /* whether a PASS of the mover ends the game */
} Position;

typedef struct {
    int lo, hi;             /* proven bounds on a position's value, from the mover's point of view; both are inclusive */
    int best;               /* a move whose value is at least `lo`; the most promising move if `lo` is -MOST_VALUE; NO_MOVE if the
                               game is over */
    uint64_t nodes;         /* the number of positions that the search entered */
} Answer;

/* A proven result that a search stores for its caller. */
typedef struct {
    Position position;
    Answer answer;
} Kept;

struct Slot;

/* The state of one searcher. The caller fills the struct with zeros, and then calls kernel_open(). After this call the caller may
 * set only the fields that are marked with *.
 *
 * Several searchers, in threads or in processes, can share a table. If several searchers search the same position at the same
 * time, they should also share a busy array, so that each of them postpones the positions that another one is searching. */
typedef struct {
    uint64_t *table;
    uint64_t last_line;
    uint32_t *busy;                       /* * the array of BUSY_TAGS cells in which workers mark positions, or NULL */
    uint64_t nodes;                       /* the number of positions searched since kernel_open() */
    bool (*interrupted)(void *context);   /* * a function that returns whether the search must stop, called at least once for
                                             about every million nodes; or NULL */
    void *context;                        /* * the argument of interrupted() */
    Kept *kept;                           /* * the caller's array for expensive results, or NULL */
    int kept_room;                        /* * the length of the array `kept` */
    int kept_count;                       /* * the number of results in `kept`; a full array stops the search. The caller resets
                                             this number to 0 after reading the results */
    uint64_t keep_nodes;                  /* * the smallest cost of a result in `kept`, in nodes; 0 to store no result there */

    /* Only the search sets the fields below. */
    uint64_t node_limit;                  /* the value of `nodes` at which the search stops; 0 if there is no limit */
    uint64_t next_check;                  /* the value of `nodes` at which must_stop() is called next */
    bool stopped;
    bool was_interrupted;
    const struct Slot *open[MOST_LEFT + 1]; /* the slots of the positions from the root to the current node, indexed by plies
                                             left; NULL if no such position has that number of plies left */
    int goals[MOST_LEFT + 1];             /* the goals of the positions in `open`, indexed by plies left */
    int overtaken;                        /* the plies left in the position that another worker has decided; 0 if there is none */
    int verdict;                          /* the other worker's bound, which decides the position of `overtaken` */
    /* The records of the moves (kernel_order.h). `gain` is 1 if the mover must gain stones, and otherwise 0. */
    int16_t by_point[MOST_LEFT + 1][2][POINTS];      /* records indexed by plies left, `gain`, and point */
    int16_t reply[MOST_LEFT + 1][PASS + 1][POINTS];  /* records indexed by plies left, the opponent's last move, and point */
    int16_t follow[MOST_LEFT + 1][PASS + 1][POINTS]; /* records indexed by plies left, the mover's own last move, and point */
    int16_t shape[MOST_LEFT + 1][POINTS][SHAPES];    /* records indexed by plies left, point, and the point's neighbours */
    int32_t usual_cost[MOST_LEFT + 1][2];  /* log_of() the usual number of nodes of a move that reaches the goal; indexed by
                                              plies left and `gain` */
    uint64_t *small_table;                /* the first address in `small_table_room` that is a multiple of LINE_BYTES */
    uint64_t small_table_room[(SMALL_LINES + 1) * LINE_BYTES / sizeof(uint64_t)];
} Kernel;

/* Prepare a Kernel of zeros for searches that use a table. A table of zeros is empty. The number of lines must be a power of two,
 * and at least LEAST_LINES. With the seed 0 the moves have their usual order. Each other seed leads to a different order of
 * moves, and so to a different search tree with the same results. */
void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed);

/* Decide whether the mover's value reaches `goal`. If node_limit is not 0, the search stops after about that many nodes, and the
 * answer can leave the question open. The game must not be over. */
Answer kernel_decide(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);

/* Find the exact value of a position. The parameter node_limit has the same meaning as in kernel_decide(). If the guess is right,
 * two decisions are enough: the value reaches the guess, and it does not reach the guess + 1. Each stone by which the guess is
 * wrong costs one more decision. If `guess` is NO_GUESS, the kernel first searches the same board with fewer plies left, and uses
 * the result as the guess. */
Answer kernel_value(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);

/* Store proven bounds of a position in the table, as a search does. */
void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer);

/* Count the sequences of `depth` legal plies that begin at a position. The depth must be at least 1. A PASS after a PASS ends the
 * game. Sequences that contain a PASS are counted only if count_pass is true. */
uint64_t kernel_perft(const Position *position, int depth, bool count_pass);

/* The proven bounds on the value of a move, from the point of view of the player who makes the move. One word contains both
 * bounds, so several kernels can narrow the bounds while other kernels read them. */
typedef struct {
    int move;
    Position after;         /* the position after the move */
    int guess;              /* a guess at the value of the move */
    uint32_t bounds;        /* both bounds in one word; kernel_move_lo() and kernel_move_hi() return one bound each */
    int workers;            /* the number of kernels that are searching this move */
    uint64_t nodes;         /* the number of nodes that all kernels together have searched for this move */
} MoveValue;

typedef struct {
    int count;
    int first;              /* the goal that is decided for every move before any other goal */
    MoveValue moves[MOST_MOVES];   /* the legal moves: points in ascending order, then PASS */
} MoveValues;

/* List the legal moves of a position. If a move ends the game, both of its bounds are its exact value. Every other move gets the
 * widest bounds. */
void kernel_list_moves(MoveValues *values, const Position *position, int first);

int kernel_move_lo(const MoveValue *value);
int kernel_move_hi(const MoveValue *value);

/* Narrow a move's bounds. If the new bounds contradict the old bounds, change nothing and return false. */
bool kernel_narrow(MoveValue *value, int lo, int hi);

/* Prove the exact value of every move. Decide for each move whether its value reaches values->first. After that, always decide
 * the highest goal that is still open. In this way all moves are searched for the same goal at about the same time, and each
 * search can use table entries that another search has stored. Return whether all values are exact. A node limit, an interrupt,
 * or a full array of kept results can stop the search before that. Kernels that share a MoveValues must also share a table. */
bool kernel_moves(Kernel *kernel, MoveValues *values, uint64_t node_limit);

/* A key is an integer that contains a position of the game of GAME_PLIES plies, in the same format as the keys of
 * solver/symmetry.py. A key contains the stones of Black and White instead of the stones of the mover and the opponent. Black is
 * the mover after an even number of plies. On boards smaller than 5x5 the upper bits of each field are 0.
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

/* Return the smallest key of the eight symmetric images of a position. The images differ only in the ko point and in the stones,
 * so the ko point is compared first, then White's stones, and then Black's stones. */
Key kernel_canonical(Key key);

/* Store the canonical key of the position after each legal move in `children`: points in ascending order, then PASS. Return the
 * number of keys, which is 0 if the game is over. If a PASS ends the game, the key after it has 0 plies left. If `moves` is not
 * NULL, store the moves there in the same order. */
int kernel_children(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);

#endif
