/* `small_boards` prints the values of Little-Go on a small board, for which the kernel is compiled.
 *
 * The program prints a line for each length from 2 plies to n * n - 1. A line contains the plies, the value, the nodes, and the
 * first moves that keep the value, but only one of several symmetric moves. A PASS on the first ply ends the game at every
 * length.
 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1 << 20 };

static Kernel kernel;
static MoveValues values;

/* Return the canonical key after Black's first move. */
static Key key_after(const MoveValue *first)
{
    Key black = first->after.opp, left = (Key)first->after.left << KEY_LEFT;
    return kernel_canonical(black | left | (first->move == PASS ? (Key)1 << KEY_PASSED : 0));
}

static void solve(int plies)
{
    Position start = { 0, 0, NO_KO, plies, true };
    uint64_t before = kernel.nodes;
    kernel_list_moves(&values, &start, 1);
    kernel_moves(&kernel, &values, 0);
    int value = -MOST_VALUE;
    for (int i = 0; i < values.count; i++)
        if (kernel_move_lo(&values.moves[i]) > value)
            value = kernel_move_lo(&values.moves[i]);
    printf("%d,%d,%llu,", plies, value, (unsigned long long)(kernel.nodes - before));
    Key seen[MOST_MOVES];
    int best = 0;
    for (int i = 0; i < values.count; i++) {
        const MoveValue *each = &values.moves[i];
        Key key = key_after(each);
        bool is_known = kernel_move_lo(each) < value;
        for (int j = 0; j < best; j++)
            is_known |= seen[j] == key;
        if (is_known)
            continue;
        if (each->move == PASS)
            printf("%sPASS", best ? " " : "");
        else
            printf("%s%d,%d", best ? " " : "", each->move / SIZE, each->move % SIZE);
        seen[best++] = key;
    }
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    void *table = aligned_alloc(LINE_BYTES, (size_t)LINES * LINE_BYTES);
    if (!table)
        return 1;
    memset(table, 0, (size_t)LINES * LINE_BYTES);
    kernel_open(&kernel, table, LINES, 0);
    for (int plies = 2; plies <= GAME_PLIES; plies += plies + 1 == GAME_PLIES ? 1 : 2)
        solve(plies);
    return 0;
}
