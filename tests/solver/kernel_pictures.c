/* Print the pictures of docs/explanation/KERNEL.md. Each number comes from the kernel's own functions.
 *
 *     kernel_pictures
 *
 * Each picture begins with a line "== NAME".
 */
#include "../../solver/native/kernel.c"

#include <stdio.h>
#include <stdlib.h>

static Kernel kernel;
static u64 table[LEAST_LINES * LINE];

/* Return the position with X to move. rows: X, O, and any other character for an empty point. */
static Position read_board(const char *rows, int left)
{
    Position position = {.ko = NO_KO, .left = left};
    for (int point = 0; point < POINTS; point++) {
        position.me |= rows[point] == 'X' ? BIT(point) : 0;
        position.opp |= rows[point] == 'O' ? BIT(point) : 0;
    }
    return position;
}

/* Print the rows of a board with a text next to each. */
static void print_board(const char *rows, const char *const texts[SIZE])
{
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++)
            printf(column ? " %c" : "%c", rows[SIZE * row + column]);
        if (texts[row][0])
            printf("    %s", texts[row]);
        printf("\n");
    }
}

/* Return the value by plain minimax; alpha and beta bound the result. */
static int minimax(const Position *position, int alpha, int beta)
{
    if (position->left == 0)
        return popcount(position->me) - popcount(position->opp);
    u32 legal = legal_of(position);
    for (bool more = true; more && alpha < beta; legal &= legal - 1) {
        more = legal != 0;
        Position child = position_after(position, more ? lowest(legal) : PASS);
        alpha = max(alpha, -minimax(&child, -beta, -alpha));
    }
    return alpha;
}

static void print_lanes(const char *name, const Groups *groups)
{
    printf("%-10s", name);
    for (int lane = 0; lane < 3; lane++) {
        char text[80] = "{";
        int used = 1;
        for (u32 points = groups->at[lane]; points; points &= points - 1)
            used += snprintf(text + used, sizeof text - used, used > 1 ? ", %d" : "%d", lowest(points));
        snprintf(text + used, sizeof text - used, "}");
        printf(lane == 2 ? "  %s" : "  %-20s", text);
    }
    printf("\n");
}

static void print_groups(void)
{
    const char *rows = ".XXO." "X...O" "....." "....." ".....";
    Position position = read_board(rows, GAME_PLIES);
    Node node;
    fill_node(&node, &position);
    printf("== groups\n");
    print_board(rows, (const char *const[]){"X's groups, lanes 0 to 2", "", "", "", ""});
    print_lanes("group", &node.me.group);
    print_lanes("around", &node.me.around);
    print_lanes("liberties", &node.me.liberties);
}

static void print_siege(void)
{
    const char *rows = "abcde" "OOOOX" "XXXXX" "OX..." "fX...";
    enum { PLIES = 2, REPLIES = 2 };
    Position position = read_board(rows, PLIES + REPLIES);
    Node node;
    fill_node(&node, &position);
    u32 empty = empty_points(&node);
    Siege siege = {.plies = PLIES, .replies = REPLIES, .first = true, .last = false};
    int at_risk = lay_siege(&siege, node.me.stones, &node.opp, empty);
    find_pairs(&siege, empty);
    int bound = INFINITE;
    for (int goal = -MOST_VALUE; goal <= MOST_VALUE; goal++)
        bound = min(bound, upper_bound(node.me.stones, &node.opp, empty, PLIES, REPLIES, true, false, goal));
    char texts[SIZE][80];
    snprintf(texts[0], sizeof texts[0], "%d standing group with %d liberties; %d is spared, and there is %d pair", siege.standing,
             siege.free, siege.spared, siege.pairs);
    snprintf(texts[1], sizeof texts[1], "%d target with %d stone", siege.targets, at_risk);
    snprintf(texts[2], sizeof texts[2], "growth %d, or %d if X spends a ply elsewhere",
             certain_growth(&siege, REPLIES, true, 0, 0), certain_growth(&siege, REPLIES, true, 1, 0));
    snprintf(texts[3], sizeof texts[3], "net loss %d", net_loss(&siege, REPLIES, true, 0, 0, 0, 0, INFINITE));
    snprintf(texts[4], sizeof texts[4], "upper bound %d, exact value %d", bound, minimax(&position, -MOST_VALUE, MOST_VALUE));
    printf("== siege\n");
    print_board(rows, (const char *const[]){texts[0], texts[1], texts[2], texts[3], texts[4]});
}

static void print_bits(const char *name, u64 value, int at, int bits)
{
    printf("%-12s", name);
    for (int bit = bits - 1; bit >= 0; bit--)
        putchar('0' + (int)(value >> (at + bit) & 1));
    printf("\n");
}

/* Store bounds of a position, and print its entry. */
static void print_entry(void)
{
    const char *rows = "....." "..X.." ".OXO." "..O.." ".....";
    const char *turned = "....." "..O.." ".OXX." "..O.." ".....";
    const char *const texts[SIZE] = {"X to move, 18 plies left", "", "proven: value -2 to 3, found with 5,000 nodes,", "best move c5, point 2", ""};
    Position position = read_board(rows, 18), image = read_board(turned, 18);
    Slot slot = slot_of(&kernel, &position), other = slot_of(&kernel, &image);
    store(&slot, -2, 3, 2, 5000);
    u64 entry = probe(&other);
    printf("== entry\n");
    print_board(rows, texts);
    printf("\nline        %d of %d\n", (int)((slot.line - table) / LINE), LEAST_LINES);
    print_bits("board tag", entry, TAG_AT, 32);
    print_bits("ko + 1", entry, KO_AT, 5);
    print_bits("left", entry, LEFT_AT, 5);
    print_bits("passed", entry, PASSED_AT, 1);
    print_bits("lo + 32", entry, LO_AT, 6);
    print_bits("hi + 32", entry, HI_AT, 6);
    print_bits("move", entry, MOVE_AT, 5);
    print_bits("work", entry, 0, 4);
    printf("\nturned by a quarter: the same line %s, its best move is point %d\n", slot.line == other.line ? "and entry" : "no",
           image_back(other.symmetry, entry_move(entry)));
}

/* Print the rank of each legal stone in its place on the board. */
static void print_ranks(const Position *position, const char *rows, int left, bool gain)
{
    Node node;
    Moves moves;
    fill_node(&node, position);
    u32 empty = empty_points(&node), legal = legal_points(&node, empty);
    list_moves(&moves, &node, legal);
    rank_moves(&moves, &kernel, &node, empty, left, gain);
    for (int row = 0; row < SIZE; row++) {
        for (int point = SIZE * row; point < SIZE * (row + 1); point++)
            printf("%c ", rows[point]);
        printf("   ");
        for (int point = SIZE * row; point < SIZE * (row + 1); point++) {
            int i = 0;
            while (i < moves.count && moves.move[i] != point)
                i++;
            if (i < moves.count)
                printf(" %6d", moves.rank[i]);
            else
                printf("      %c", '-');
        }
        printf("\n");
    }
}

static void print_order(void)
{
    enum { LEFT = 8, COST = 1024 };
    const char *rows = "....." "..X.." ".XOX." "..OX." ".....";
    Position position = read_board(rows, LEFT);
    Node node;
    fill_node(&node, &position);
    bool gain = true;
    printf("== ranks\n");
    print_ranks(&position, rows, LEFT, gain);
    kernel.usual_cost[LEFT][gain] = log_of(COST);
    printf("== records\n");
    for (int i = 1; i <= 3; i++) {
        Records records = records_of(&kernel, &node, LEFT, gain);
        learn_from(&kernel, &node, LEFT, gain, 23, BIT(22), COST);
        printf("%d. d1 reaches the goal: its records become %d. c1 failed before it: its records become %d.\n", i, records.by_point[23], records.by_point[22]);
    }
    printf("== learned\n");
    print_ranks(&position, rows, LEFT, gain);
}

static void print_last_plies(void)
{
    const char *rows = "XX..." "OOa.." "XX..X" "...XO" "....b";
    Position position = read_board(rows, 1);
    Node node;
    fill_node(&node, &position);
    u32 a = BIT(7), b = BIT(24);
    char texts[SIZE][80] = {"one ply left, X to move"};
    snprintf(texts[1], sizeof texts[1], "a captures %d, b captures %d", popcount(captured_by(&node.opp, a)), popcount(captured_by(&node.opp, b)));
    snprintf(texts[2], sizeof texts[2], "the last ply adds %d", gain_of_last_ply(&node, empty_points(&node)));
    snprintf(texts[3], sizeof texts[3], "margin now %d, value %d", margin_of(&node), minimax(&position, -MOST_VALUE, MOST_VALUE));
    printf("== last\n");
    print_board(rows, (const char *const[]){texts[0], texts[1], texts[2], texts[3], texts[4]});
}

int main(void)
{
    kernel_open(&kernel, table, LEAST_LINES, 0);
    print_groups();
    print_siege();
    print_last_plies();
    print_entry();
    print_order();
    return 0;
}
