/* Plain minimax on 5x5 for a test to ask: `plain`.
 *
 * Each line of standard input is a question, BOARD BEFORE MOVER LEFT GOAL: both boards 25 of '.', 'X' and 'O', the mover X or O,
 * the plies left, and a difference of stones X - O. The answer is a line, 1 or 0: whether X reaches the goal.
 *
 * A search of all moves in their order, which ends where one settles the question, and a memory of settled positions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 5, POINTS = SIZE * SIZE, PASS = POINTS, ROOM = 1 << 22 };

#include "plain_rules.h"

/* Positions of the present goal: the whole of a position, so that none is taken for another. */
static struct { State state; signed char answer; } memory[ROOM];

static uint64_t place_of(const State *state)
{
    uint64_t hash = (uint64_t)state->left * 2 + (state->mover == 'X');
    for (int i = 0; i < POINTS; i++)
        hash = (hash * 9 + 3 * (uint64_t)(state->board[i] % 3) + (uint64_t)(state->before[i] % 3)) * 0x9E3779B97F4A7C15u;
    return hash >> 42;
}

static int margin_of(const State *state)
{
    int margin = 0;
    for (int i = 0; i < POINTS; i++)
        margin += (state->board[i] == 'X') - (state->board[i] == 'O');
    return margin;
}

static bool reaches(const State *state, int goal)
{
    if (state->left == 0)
        return margin_of(state) >= goal;
    uint64_t place = place_of(state);
    if (memory[place].answer && !memcmp(&memory[place].state, state, sizeof *state))
        return memory[place].answer > 0;
    bool wants = state->mover == 'X', found = !wants;
    State child;
    for (int move = 0; move <= PASS && found != wants; move++)
        if (play(state, move, &child) == LEGAL && reaches(&child, goal) == wants)
            found = wants;
    memory[place].state = *state;
    memory[place].answer = found ? 1 : -1;
    return found;
}

int main(void)
{
    char board[POINTS + 1], before[POINTS + 1], mover;
    int left, goal, last = 99;
    while (scanf("%25s %25s %c %d %d", board, before, &mover, &left, &goal) == 5) {
        State state;
        memset(&state, 0, sizeof state);
        memcpy(state.board, board, POINTS);
        memcpy(state.before, before, POINTS);
        state.mover = mover;
        state.left = left;
        if (goal != last)
            memset(memory, 0, sizeof memory);
        last = goal;
        printf("%d\n", reaches(&state, goal));
        fflush(stdout);
    }
    return 0;
}
