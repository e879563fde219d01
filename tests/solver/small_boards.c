/* The kernel, compiled for 3x3 or 4x4, against plain minimax.
 *
 *     small_boards REACH                                     3x3: every position of the whole game
 *     small_boards REACH PLIES                               3x3: of a longer game, those before that one
 *     small_boards REACH SEED NUMBER MOST_LEFT MOST_LEAVES   random positions with 1 to MOST_LEFT plies left, whose
 *                                                            trees have about MOST_LEAVES leaves at most
 *
 * A position is a board, the board before the last ply, and the plies left, as the host has it. For each one the
 * kernel lists the moves with the positions and keys after them, finds the canonical key and the value, and decides
 * whether the value reaches a goal, for REACH goals on either side of the value. Prints the positions where it is wrong
 * and a summary; exits with 1 if there were any.
 *
 * Rules (plain_rules.h) and minimax are on strings of '.', 'X' and 'O'. Of the solver only kernel.h is included, and the
 * kernel's functions are linked, so that nothing is shared but the meaning of a question.
 */
#include "kernel.h"
#include "plain_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 22, LENGTHS = MOST_LEFT + 1, TABLE_POSITIONS = 100, KO_EVERY = 16 };

/* --- minimax -------------------------------------------------------------------------------- */

/* The values that are known, by code_of(); an empty place is 0. */
static struct { uint64_t code; int value; } memory[ROOM];
static int remembered;

static uint64_t code_of(const State *state)
{
    uint64_t code = 0;
    for (int i = 0; i < POINTS; i++)
        code = 3 * code + (state->board[i] == 'X') + 2 * (state->board[i] == 'O');
    for (int i = 0; i < POINTS; i++)
        code = 3 * code + (state->before[i] == 'X') + 2 * (state->before[i] == 'O');
    return code * LENGTHS + state->left;
}

static State state_of(uint64_t code)
{
    State state = {.left = (int)(code % LENGTHS)};
    code /= LENGTHS;
    for (int i = POINTS - 1; i >= 0; i--, code /= 3)
        state.before[i] = ".XO"[code % 3];
    for (int i = POINTS - 1; i >= 0; i--, code /= 3)
        state.board[i] = ".XO"[code % 3];
    state.mover = (GAME_PLIES - state.left) % 2 ? 'O' : 'X';
    return state;
}

/* Where a value is, or is to be put. */
static int place_of(uint64_t code)
{
    int place = (int)(code * 0x9E3779B97F4A7C15u >> 42);
    while (memory[place].code && memory[place].code != code)
        place = (place + 1) % ROOM;
    return place;
}

/* Stones X - O at the end under best play. */
static int value_of(const State *state)
{
    int best = state->mover == 'X' ? -POINTS : POINTS, margin = 0;
    uint64_t code = code_of(state);
    State child;
    if (state->left == 0) {
        for (int i = 0; i < POINTS; i++)
            margin += (state->board[i] == 'X') - (state->board[i] == 'O');
        return margin;
    }
    int place = place_of(code);
    if (memory[place].code)
        return memory[place].value;
    for (int move = 0; move <= PASS; move++) {
        if (play(state, move, &child) != LEGAL)
            continue;
        int value = value_of(&child);
        if (state->mover == 'X' ? value > best : value < best)
            best = value;
    }
    place = place_of(code);
    memory[place].code = code;
    memory[place].value = best;
    if (++remembered > ROOM / 4 * 3) {
        fprintf(stderr, "small_boards: too many positions\n");
        exit(2);
    }
    return best;
}

/* --- the kernel ----------------------------------------------------------------------------- */

static Kernel kernel;
static uint64_t table[(LEAST_LINES + 1) * LINE_BYTES / sizeof(uint64_t)];

static void open_kernel(uint64_t seed)
{
    uintptr_t line = ((uintptr_t)table + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    memset(table, 0, sizeof table);
    memset(&kernel, 0, sizeof kernel);
    kernel_open(&kernel, (void *)line, LEAST_LINES, seed);
}

/* The point where a stone would bring the board before back, or NO_KO. */
static int ko_of(const State *state)
{
    State child;
    for (int point = 0; point < POINTS; point++)
        if (play(state, point, &child) == KO)
            return point;
    return NO_KO;
}

static Position position_of(const State *state)
{
    Position position = {.ko = ko_of(state), .left = state->left};
    for (int i = 0; i < POINTS; i++) {
        position.me |= (uint32_t)(state->board[i] == state->mover) << i;
        position.opp |= (uint32_t)(state->board[i] != state->mover && state->board[i] != '.') << i;
    }
    position.pass_ends = !memcmp(state->board, state->before, POINTS);
    return position;
}

/* The key of one of the state's eight images. */
static Key key_of(const State *state, int image)
{
    int ko = ko_of(state);
    bool passed = !memcmp(state->board, state->before, POINTS) && state->left != GAME_PLIES;
    Key key = (Key)state->left << KEY_LEFT | (Key)passed << KEY_PASSED;
    for (int i = 0; i < POINTS; i++) {
        int row = image & 1 ? SIZE - 1 - i / SIZE : i / SIZE, column = image & 2 ? SIZE - 1 - i % SIZE : i % SIZE;
        int point = image & 4 ? SIZE * column + row : SIZE * row + column;
        key |= (Key)(state->board[i] == 'X') << point | (Key)(state->board[i] == 'O') << (KEY_WHITE + point);
        key |= i == ko ? (Key)(point + 1) << KEY_KO : 0;
    }
    return key;
}

static Key least_key(const State *state)
{
    Key least = key_of(state, 0);
    for (int image = 1; image < 8; image++)
        least = key_of(state, image) < least ? key_of(state, image) : least;
    return least;
}

static bool is_same(const Position *one, const Position *other)
{
    return one->me == other->me && one->opp == other->opp && one->ko == other->ko && one->left == other->left
        && one->pass_ends == other->pass_ends;
}

/* Whether the kernel's moves are the legal ones, and the positions and keys after them right. */
static bool are_moves_right(const State *state, const Position *position)
{
    MoveValues values;
    Key children[MOST_CHILDREN];
    uint8_t moves[MOST_CHILDREN];
    State child;
    int legal = 0, count = kernel_children(key_of(state, 0), children, moves);
    kernel_list_moves(&values, position, 0);
    for (int move = 0; move <= PASS; move++) {
        if (play(state, move, &child) != LEGAL)
            continue;
        Position after = position_of(&child);
        if (legal == count || legal == values.count || moves[legal] != move || values.moves[legal].move != move
            || children[legal] != least_key(&child) || !is_same(&values.moves[legal].after, &after))
            return false;
        legal++;
    }
    return legal == count && legal == values.count;
}

/* Whether the kernel finds the canonical key from each image. */
static bool is_canonical_right(const State *state)
{
    for (int image = 0; image < 8; image++)
        if (kernel_canonical(key_of(state, image)) != least_key(state))
            return false;
    return true;
}

/* The value after a move, on the mover's side; less than any if the move is illegal. */
static int value_after(const State *state, int move)
{
    State child;
    if (move < 0 || move > PASS || play(state, move, &child) != LEGAL)
        return -POINTS;
    return state->mover == 'X' ? value_of(&child) : -value_of(&child);
}

static bool is_true(const State *state, const Answer *answer, int value)
{
    return answer->lo <= value && value <= answer->hi && value_after(state, answer->best) >= answer->lo;
}

/* Whether the kernel is wrong about a state; says about what. */
static const char *wrong(const State *state, int reach)
{
    Position position = position_of(state);
    int value = state->mover == 'X' ? value_of(state) : -value_of(state);
    if (!are_moves_right(state, &position))
        return "moves";
    if (!is_canonical_right(state))
        return "key";
    for (int goal = value - reach + 1; goal <= value + reach; goal++) {
        if (goal <= -MOST_VALUE || goal > MOST_VALUE)
            continue;
        Answer answer = kernel_decide(&kernel, &position, goal, 0);
        if (!is_true(state, &answer, value) || (answer.lo < goal && answer.hi >= goal))
            return "decide";
    }
    Answer answer = kernel_value(&kernel, &position, NO_GUESS, 0);
    return is_true(state, &answer, value) && answer.lo == answer.hi ? NULL : "value";
}

/* Compare one state; whether the kernel is wrong about it. */
static bool compare(const State *state, int reach)
{
    const char *what = wrong(state, reach);
    if (what)
        printf("%.*s after %.*s, %c to move, %d left, worth %d: wrong %s\n", POINTS, state->board, POINTS,
               state->before, state->mover, state->left, value_of(state), what);
    return what != NULL;
}

/* --- the positions -------------------------------------------------------------------------- */

static State start(int left)
{
    State state = {.mover = 'X', .left = left};
    memset(state.board, '.', POINTS);
    memset(state.before, '.', POINTS);
    return state;
}

/* Compare what minimax meets in the whole game. Each number of plies left has a table of its own, so that nothing is
 * known of the plies that follow. The keys take GAME_PLIES left for the first ply, so a longer game ends two plies before. */
static int compare_all(int reach, int plies, int *count)
{
    State first = start(plies);
    int found = 0, last = plies > GAME_PLIES ? GAME_PLIES + 2 : 1;
    value_of(&first);
    for (int left = plies; left >= last; left--) {
        open_kernel((uint64_t)left % 3);
        for (int place = 0; place < ROOM; place++) {
            if (!memory[place].code || memory[place].code % LENGTHS != (uint64_t)left)
                continue;
            State state = state_of(memory[place].code);
            found += compare(&state, reach);
            ++*count;
        }
    }
    return found;
}

static uint64_t chance;

static int below(int number)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (int)((chance >> 33) % (uint64_t)number);
}

static int legal_moves(const State *state, int moves[PASS + 1])
{
    State child;
    int count = 0;
    for (int move = 0; move <= PASS; move++)
        if (play(state, move, &child) == LEGAL)
            moves[count++] = move;
    return count;
}

/* Whether the tree of a state has about `most` leaves at most. */
static bool is_small(const State *state, double most)
{
    int moves[PASS + 1], count = legal_moves(state, moves);
    double leaves = 1;
    for (int ply = 0; ply < state->left; ply++)
        leaves *= count;
    return leaves <= most;
}

/* A position with so many plies left, from random play. The game may begin an even number of plies late, so that boards
 * of any fullness occur. Where a move makes a ko, it is mostly the last one: else hardly any position would have one. */
static State random_state(int left)
{
    for (;;) {
        int moves[PASS + 1], late = below((GAME_PLIES - left - 1) / 2 + 1), crowded = below(2);
        State state = start(GAME_PLIES - 2 * late), child;
        while (state.left > left) {
            State before = state;
            int count = legal_moves(&before, moves), move = moves[below(crowded && count > 3 ? 3 : count)];
            play(&before, below(10) ? move : PASS, &state);
            for (int i = 0; i < count && state.left == left; i++)
                if (play(&before, moves[i], &child) == LEGAL && ko_of(&child) != NO_KO && below(4))
                    state = child;
        }
        if (state.left == left)
            return state;
    }
}

/* The same board without its ko, on the same table: no stone brings a full board back. */
static bool compare_without_ko(State state, int reach)
{
    memset(state.before, 'X', POINTS);
    return compare(&state, reach);
}

static int compare_random(int reach, int number, int most_left, double most_leaves)
{
    int found = 0;
    for (int i = 0; i < number; i++) {
        if (i % TABLE_POSITIONS == 0)
            open_kernel((uint64_t)i / TABLE_POSITIONS % 3);
        if (remembered > ROOM / 4) {
            memset(memory, 0, sizeof memory);
            remembered = 0;
        }
        int left = 1 + i % most_left;
        State state = random_state(left);
        while (!is_small(&state, most_leaves) || (i % KO_EVERY == 0 && ko_of(&state) == NO_KO))
            state = random_state(left);
        found += compare(&state, reach) || (ko_of(&state) != NO_KO && compare_without_ko(state, reach));
    }
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3 && argc != 6)
        return 2;
    int reach = atoi(argv[1]), number = 0, found;
    if (argc < 6) {
        found = compare_all(reach, argc == 2 ? GAME_PLIES : atoi(argv[2]), &number);
    } else {
        chance = strtoull(argv[2], NULL, 10);
        number = atoi(argv[3]);
        found = compare_random(reach, number, atoi(argv[4]), atof(argv[5]));
    }
    printf("%d positions, %d wrong\n", number, found);
    return found != 0;
}
