/* The rules on strings of '.', 'X' and 'O', for second opinions: nothing here comes from the solver.
 *
 * SIZE, POINTS and PASS are the includer's. Ko is the host's rule: a stone may not recreate the board before the last ply.
 */
#include <stdbool.h>
#include <string.h>

typedef struct {
    char board[POINTS], before[POINTS];  /* equal where a PASS ends the game: after a PASS, and on the first ply */
    char mover;
    int left;
} State;

typedef enum { LEGAL, OCCUPIED, SUICIDE, KO } Verdict;

static int adjacent(int point, int near[4])
{
    int row = point / SIZE, column = point % SIZE, count = 0;
    if (row > 0)
        near[count++] = point - SIZE;
    if (row < SIZE - 1)
        near[count++] = point + SIZE;
    if (column > 0)
        near[count++] = point - 1;
    if (column < SIZE - 1)
        near[count++] = point + 1;
    return count;
}

/* Mark the stones connected to the one at `point`; whether they have a liberty. */
static bool has_liberty(const char board[POINTS], int point, bool group[POINTS])
{
    int near[4], count = adjacent(point, near);
    bool found = false;
    group[point] = true;
    for (int i = 0; i < count; i++) {
        if (board[near[i]] == '.')
            found = true;
        else if (board[near[i]] == board[point] && !group[near[i]])
            found |= has_liberty(board, near[i], group);
    }
    return found;
}

static void take_if_dead(char board[POINTS], int point)
{
    bool group[POINTS] = {false};
    if (has_liberty(board, point, group))
        return;
    for (int i = 0; i < POINTS; i++)
        if (group[i])
            board[i] = '.';
}

/* Make `child` the state after a move, if that is legal. */
static Verdict play(const State *state, int move, State *child)
{
    int near[4], count;
    bool group[POINTS] = {false};
    *child = *state;
    memcpy(child->before, state->board, POINTS);
    child->mover = state->mover == 'X' ? 'O' : 'X';
    child->left = state->left - 1;
    if (move == PASS) {
        if (!memcmp(state->board, state->before, POINTS))
            child->left = 0;
        return LEGAL;
    }
    if (state->board[move] != '.')
        return OCCUPIED;
    child->board[move] = state->mover;
    count = adjacent(move, near);
    for (int i = 0; i < count; i++)
        if (child->board[near[i]] == child->mover)
            take_if_dead(child->board, near[i]);
    if (!has_liberty(child->board, move, group))
        return SUICIDE;
    return memcmp(child->board, state->before, POINTS) ? LEGAL : KO;
}
