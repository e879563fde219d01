/* The kernel's static bounds against exact values, which a plain search finds that knows neither bounds nor table.
 *
 *     static_bounds SEED NUMBER MOST_LEFT
 *
 * Random positions with 2 to MOST_LEFT plies left, from games of any length, ko and PASS included. Each bound is asked for
 * with every goal. Prints the bounds that are wrong and a summary; exits with 1 if there were any.
 */
#include "../../solver/native/kernel.c"

#include <stdio.h>
#include <stdlib.h>

static u64 state;

static u32 below(u32 number)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(state >> 33) % number;
}

/* The mover's value when it is within alpha .. beta, else a bound. */
static int plain(const Position *position, int alpha, int beta)
{
    if (position->left == 0)
        return popcount(position->me) - popcount(position->opp);
    u32 legal = legal_of(position);
    for (int pass = 0; alpha < beta && (legal || !pass); legal &= legal - 1) {
        int move = legal ? lowest(legal) : PASS;
        pass = move == PASS;
        Position child = position_after(position, move);
        alpha = max(alpha, -plain(&child, -beta, -alpha));
        if (pass)
            break;
    }
    return alpha;
}

static Position random_position(int left)
{
    for (;;) {
        /* A game of n plies is played from the empty board with n plies left. */
        Position position = {.ko = NO_KO, .left = min(24, (left + 8 + (int)below(16)) / 2 * 2)};
        while (position.left > left) {
            u32 legal = legal_of(&position);
            int skip = legal ? (int)below(popcount(legal)) : 0;
            while (skip--)
                legal &= legal - 1;
            position = position_after(&position, legal && below(20) ? lowest(legal) : PASS);
        }
        if (position.left == left)
            return position;
    }
}

enum { UNKNOWN = 99 };

/* Whether a stone that need not be tried for the goal is worth more than the bound that says so.
 * values: of the stones, as far as they are known. */
static bool is_wrong_left_out(const Position *position, const Node *node, u32 empty, int goal, int values[POINTS])
{
    int mine = (position->left + 1) / 2, theirs = position->left / 2, others = -99;
    u32 legal = legal_of(position), out = legal & ~relevant_points(node, empty, legal, mine, theirs, position->left & 1, goal, &others);
    if (out && others >= goal)
        return true;
    for (; out; out &= out - 1) {
        int *value = &values[lowest(out)];
        if (*value == UNKNOWN) {
            Position child = position_after(position, lowest(out));
            *value = -plain(&child, -MOST_VALUE, MOST_VALUE);
        }
        if (*value > others)
            return true;
    }
    return false;
}

/* Whether the straight search of the last plies is wrong; a PASS that decides is looked at before it. */
static bool is_wrong_straight(const Position *position, const Node *node, u32 empty, int value, int goal)
{
    static Kernel kernel;
    bool passed = position->pass_ends;
    if (position->left > 3 || (passed && margin_of(node) >= goal))
        return false;
    int result = position->left == 2 ? decide_last_two(node, empty, passed, goal)
                                     : decide_last_three(&kernel, node, empty, passed, goal);
    return result >= goal ? value < result : value > result;
}

static int wrong(const Position *position)
{
    Node node;
    fill_node(&node, position);
    u32 empty = empty_points(&node);
    int mine = (position->left + 1) / 2, theirs = position->left / 2, odd = position->left & 1;
    int value = plain(position, -MOST_VALUE, MOST_VALUE);
    /* Where a PASS ends the game, the search looks at the board first: a bound may leave that out. */
    bool by_pass = position->pass_ends && value == margin_of(&node);
    int values[POINTS];
    for (int point = 0; point < POINTS; point++)
        values[point] = UNKNOWN;
    for (int goal = -MOST_VALUE; goal <= MOST_VALUE; goal++) {
        if (is_wrong_straight(position, &node, empty, value, goal)) {
            printf("%u %u %d %d %d: the straight search is wrong for goal %d, worth %d\n", position->me, position->opp,
                   position->ko, position->left, position->pass_ends, goal, value);
            return 1;
        }
        if (is_wrong_left_out(position, &node, empty, goal, values)) {
            printf("%u %u %d %d %d: a stone left out for goal %d is worth more than its bound\n", position->me, position->opp,
                   position->ko, position->left, position->pass_ends, goal);
            return 1;
        }
        int taking = lower_bound_by_capture(&node, empty, legal_of(position), mine, theirs, odd, goal);
        if (taking >= goal && taking > value) {
            printf("%u %u %d %d %d: a stone that takes is to be worth %d for goal %d, but the value is %d\n", position->me,
                   position->opp, position->ko, position->left, position->pass_ends, taking, goal, value);
            return 1;
        }
        int hi = upper_bound(node.me.stones, &node.opp, empty, mine, theirs, true, odd, goal);
        int lo = -upper_bound(node.opp.stones, &node.me, empty, theirs, mine, false, !odd, goal);
        if ((hi < value && !by_pass) || lo > value) {
            printf("%u %u %d %d %d: %d to %d for goal %d, but worth %d\n", position->me, position->opp, position->ko,
                   position->left, position->pass_ends, lo, hi, goal, value);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    int number = atoi(argv[2]), most_left = atoi(argv[3]), found = 0;
    for (int i = 0; i < number; i++) {
        Position position = random_position(2 + (int)below(most_left - 1));
        found += wrong(&position);
    }
    printf("%d positions, %d wrong\n", number, found);
    return found != 0;
}
