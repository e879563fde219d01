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
    MOST_MOVES = POINTS + 1,  /* of a position, including PASS */
    MOST_VALUE = POINTS - 1,  /* no value is further from 0, and no board has more stones: each group has a liberty */
    GAME_PLIES = POINTS - 1,
    MOST_LEFT = 30,         /* plies left; keys and tables have five bits for them */
    NO_GUESS = 99,          /* in place of a value */
    LINE_BYTES = 64,
    LEAST_LINES = 1 << 18,  /* of a table */
    NEAR_LINES = 1 << 16,   /* of a kernel's own small table */
    BUSY_TAGS = 1 << 14,    /* of a busy array */
    SHAPES = 1 << 8,        /* of the four points around a point, two bits each: empty, me, opp */
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

typedef struct {
    Position position;
    Answer answer;
} Kept;

struct Slot;

/* One searcher. Zero it, then kernel_open(); after that only the fields marked * are the caller's to set.
 *
 * Several searchers can share a table, in threads or in processes. If they search one position at the same
 * time, they should share a busy array too, so that each postpones what another is searching. */
typedef struct {
    uint64_t *table;
    uint64_t last_line;
    uint32_t *busy;                       /* * BUSY_TAGS tags, or NULL */
    uint64_t nodes;                       /* searched since kernel_open() */
    bool (*interrupted)(void *context);   /* * called about every million nodes, returns whether to stop; or NULL */
    void *context;                        /* * its argument */
    Kept *kept;                           /* * array for results that cost keep_nodes or more; or NULL */
    int kept_room;                        /* * its length */
    int kept_count;                       /* * its results; set it to 0 after reading them. A search stops if it is full */
    uint64_t keep_nodes;                  /* * 0: keep no results */

    /* The search's own. */
    uint64_t node_limit;                  /* 0: none */
    uint64_t next_check;
    bool stopped;
    bool was_interrupted;
    const struct Slot *open[MOST_LEFT + 1]; /* by plies left, the positions between the root and here, or NULL */
    int goals[MOST_LEFT + 1];             /* by plies left, their goals */
    int overtaken;                        /* plies left of the position that another worker has decided; 0: none */
    int verdict;                          /* the bound that decides that position */
    /* Records of moves, by plies left and then as follows (kernel_order.h). */
    int16_t decided[MOST_LEFT + 1][2][POINTS];       /* whether the mover must gain stones, and the point */
    int16_t reply[MOST_LEFT + 1][PASS + 1][POINTS];  /* the opponent's last move, and the point */
    int16_t follow[MOST_LEFT + 1][PASS + 1][POINTS]; /* the mover's last move, and the point */
    int16_t shape[MOST_LEFT + 1][POINTS][SHAPES];    /* the point, and its neighbours */
    int32_t usual_cost[MOST_LEFT + 1][2];   /* of moves that reach the goal, as a logarithm; by the same two as `decided` */
    uint64_t *near;                       /* the small table: near_room from the first boundary of a line */
    uint64_t near_room[(NEAR_LINES + 1) * LINE_BYTES / sizeof(uint64_t)];
} Kernel;

/* Set up a zeroed Kernel on a table. lines: a power of two, LEAST_LINES or more; zeroed bytes are an empty table.
 * seed: each seed gives another order of moves and so another tree with the same results; 0 is the plain order. */
void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed);

/* Decide whether the mover's value reaches `goal`. A node_limit other than 0 stops the search after about
 * that many nodes; then the answer may leave the question open. The game must not be over. */
Answer kernel_decide(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);

/* Find the exact value; node_limit as above. With the right `guess` that takes two decisions, and one more for each stone by
 * which the guess is wrong. With NO_GUESS, the values of shorter games give a guess. */
Answer kernel_value(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);

/* Store proven bounds in the table, as a search does. */
void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer);

/* Count the sequences of `depth` plies, 1 or more. A PASS after a PASS ends the game.
 * count_pass: whether a PASS is a ply; otherwise only stones are. */
uint64_t kernel_perft(const Position *position, int depth, bool count_pass);

/* The proven bounds of a move, from the side of the player who makes it. Several kernels can work on it while others read it,
 * because lo and hi are in one word. */
typedef struct {
    int move;
    Position after;
    int guess;              /* of its value */
    uint32_t bounds;        /* read it with kernel_move_lo() and kernel_move_hi() */
    int workers;            /* the number of kernels that are searching it */
    uint64_t nodes;         /* searched for it by all kernels */
} MoveValue;

typedef struct {
    int count;
    int first;              /* the goal that is decided for every move before any other goal */
    MoveValue moves[MOST_MOVES];   /* points in order, PASS last */
} MoveValues;

/* List a position's legal moves. Only moves that end the game have bounds already. */
void kernel_list_moves(MoveValues *values, const Position *position, int first);

int kernel_move_lo(const MoveValue *value);
int kernel_move_hi(const MoveValue *value);

/* Narrow a move's bounds. If the new bounds contradict the old ones, change nothing and return false. */
bool kernel_narrow(MoveValue *value, int lo, int hi);

/* Prove the exact value of every move: first whether it reaches `first`, then always the highest open goal. So all moves are
 * searched for the same goal at about the same time, and one search reads entries of another from the table. Return whether all
 * values are exact; a node limit, an interrupt or a full array of kept results stops earlier. Kernels on one MoveValues must
 * share one table. */
bool kernel_moves(Kernel *kernel, MoveValues *values, uint64_t node_limit);

/* A key is a position of the game of GAME_PLIES plies in one integer, as solver/symmetry.py packs it: its stones are
 * Black's and White's, and Black is the mover after an even number of plies. Smaller boards do not use the upper bits of
 * each part.
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

/* Return the smallest key of the eight images: ko is the most significant part, then white, then black. */
Key kernel_canonical(Key key);

/* Set `children` to the canonical keys after each legal move, points in order and PASS last; return their number, 0 if the game
 * is over. A PASS that ends the game leaves no plies. moves: the moves in the same order, or NULL. */
int kernel_children(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);

#endif
