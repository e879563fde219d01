/* The native search kernel of Little-Go: rules, transposition table, search.
 *
 * A position is seen from the mover: `me` and `opp` are the stones of the mover and of the opponent,
 * and a value is stones me - opp at the end under best play. The colours are symmetric but for komi, and
 * komi is the caller's goal, so nothing here but the keys at the end knows Black from White.
 *
 * A board is a set of bits; bit SIZE * i + j is the point in row i, column j. A move is a point or PASS.
 * SIZE is 5; tests compile the kernel for 3 and 4 too, and compare it with plain minimax.
 *
 * The kernel calls nothing, allocates nothing and has no state but what the caller hands it, so the
 * same file serves Python, sanitizers and WebAssembly. Functions do not check their arguments: positions
 * must be possible ones, with every group on a liberty and `left` within 0 .. MOST_LEFT.
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
    MOST_MOVES = POINTS + 1,  /* of a position, PASS included */
    MOST_VALUE = POINTS - 1,  /* no value is further from 0, and no board has more stones: each group has a liberty */
    GAME_PLIES = POINTS - 1,
    MOST_LEFT = 30,         /* plies left; keys and tables have five bits for them */
    NO_GUESS = 99,
    LINE_BYTES = 64,
    LEAST_LINES = 1 << 18,  /* of a table */
    NEAR_LINES = 1 << 16,   /* of a kernel's own small table */
    BUSY_TAGS = 1 << 14,    /* of a busy array */
    SHAPES = 1 << 8,        /* of the four points around a point: free, me, opp */
};

typedef struct {
    uint32_t me, opp;
    int ko;                 /* the point the mover may not play, or NO_KO */
    int left;               /* plies left */
    bool pass_ends;         /* whether a PASS now ends the game */
} Position;

/* Proven bounds on a value, from the mover's side.
 * best: a move that keeps `lo`; where nothing is proved for the mover, the most promising move;
 * NO_MOVE when the game is over. nodes: positions searched. */
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
 * Several searchers may share a table, in threads or in processes; those that work on one question at the
 * same time should share a busy array too, so that each leaves for later what another is at. */
typedef struct {
    uint64_t *table;
    uint64_t last_line;
    uint32_t *busy;                       /* * BUSY_TAGS tags, or NULL */
    uint64_t nodes;                       /* searched since kernel_open() */
    bool (*interrupted)(void *context);   /* * asked every million nodes whether to stop; or NULL */
    void *context;                        /* * its argument */
    Kept *kept;                           /* * room for results that cost keep_nodes or more; or NULL */
    int kept_room;                        /* * */
    int kept_count;                       /* * set it to 0 when they are fetched: a search stops when there is no room */
    uint64_t keep_nodes;                  /* * */

    /* The search's own. */
    uint64_t node_limit;                  /* 0: none */
    uint64_t next_check;
    bool stopped;
    bool was_interrupted;
    const struct Slot *open[MOST_LEFT + 1]; /* by plies left, the positions this worker is inside of, or NULL */
    int goals[MOST_LEFT + 1];             /* what is asked there */
    int overtaken;                        /* plies left of the one of them that another has decided, until unwound */
    int verdict;                          /* the bound that decides it */
    /* What moves came to of late, by plies left, then by */
    int16_t decided[MOST_LEFT + 1][2][POINTS];       /* whether the mover had to gain, and the point */
    int16_t reply[MOST_LEFT + 1][PASS + 1][POINTS];  /* the move before, and the point */
    int16_t follow[MOST_LEFT + 1][PASS + 1][POINTS]; /* the mover's move before that, and the point */
    int16_t shape[MOST_LEFT + 1][POINTS][SHAPES];    /* the point, and what stands next to it */
    int32_t usual_cost[MOST_LEFT + 1][2];   /* of moves that decided, by plies left and whether the mover had to gain */
    uint64_t *near;                       /* the small table, in near_room, on a line's boundary */
    uint64_t near_room[(NEAR_LINES + 1) * LINE_BYTES / sizeof(uint64_t)];
} Kernel;

/* Set up a zeroed Kernel on a table: `lines` is a power of two, LEAST_LINES or more, and zeroed bytes are an
 * empty table. Another seed gives another order of moves and so another tree; 0 is the plain order. */
void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed);

/* Decide whether the mover's value reaches `goal`. With a node limit other than 0 the search stops after about
 * so many nodes, and the answer may leave the question open. The game must not be over. */
Answer kernel_decide(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);

/* Find the exact value; node_limit as above. The right `guess` takes two questions, another one more for each stone that
 * it is off; with NO_GUESS, shorter games are asked first for one. */
Answer kernel_value(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);

/* Put proven bounds into the table, as if searched. */
void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer);

/* Count the sequences of `depth` plies, 1 or more; a PASS answered by a PASS ends one early. */
uint64_t kernel_perft(const Position *position, int depth, bool count_pass);

/* What is proved of each move of a position, from its mover's side. Any number of kernels may work on one of these at once,
 * while others read it: lo and hi change as one word. */
typedef struct {
    int move;
    Position after;
    int guess;              /* what its value may be */
    uint32_t bounds;        /* move_lo() and move_hi() tell */
    int workers;            /* how many kernels are at it */
    uint64_t nodes;         /* searched for it */
} MoveValue;

typedef struct {
    int count;
    int first;              /* the goal that every move is asked before any other */
    MoveValue moves[MOST_MOVES];   /* points in order, PASS last */
} MoveValues;

/* List a position's legal moves, with nothing proved but what ends the game. */
void kernel_list_moves(MoveValues *values, const Position *position, int first);

int kernel_move_lo(const MoveValue *value);
int kernel_move_hi(const MoveValue *value);

/* Add what is proved of a move's value; whether it agrees with what was known. What contradicts is left out. */
bool kernel_narrow(MoveValue *value, int lo, int hi);

/* Prove the exact value of every move: who wins by `first`, then the best move's value, then the others', the highest goals first,
 * so that all moves are asked the same goal at about the same time and share what the table holds. Return whether all are exact;
 * a node limit, an interrupt or kept results without room may come before. Kernels on one MoveValues need one table. */
bool kernel_moves(Kernel *kernel, MoveValues *values, uint64_t node_limit);

/* A key is a position of the game of GAME_PLIES plies in one integer, as solver/symmetry.py packs it: its stones are
 * Black's and White's, and the mover is Black while an even number of plies has been played. Smaller boards leave the
 * upper bits of each part free.
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

/* The smallest of the keys of the eight images: ko counts first, then white, then black. */
Key kernel_canonical(Key key);

/* The canonical keys after each legal move, points in order and PASS last; return how many. The game that a PASS ends
 * has no plies left, and a finished game no children. moves: what was played, or NULL. */
int kernel_children(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);

#endif
