#include "explain.h"

/* This file calls static functions of kernel.c, so both files form one compilation unit. If wasm.c includes this file, it has
 * already included kernel.c. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#include "kernel.c"
#endif

enum {
    NEAR = 8,                   /* the number of plies, counted from the mistake, within which most rules look for a cause */
    AT_ONCE = 2,                /* the number of plies that consist of the first move of a line and the answer to this move */
    SOON = 4,                   /* the number of plies that consist of the first two moves of each side */
    LATER = 12,                 /* the index below which a capture can be the result of the first two moves of a line */
    FEW_LIBERTIES = 2,          /* the largest number of liberties of a group in danger */
    LARGE = 3,                  /* the smallest number of stones whose capture can be a cause at any ply */
    LINK_MOVES = 2,             /* the number of moves within which a side cannot join two groups that count as cut off */
    MOST_ELSEWHERE = 3,         /* the largest number of points elsewhere on the board that a reason mentions */
    LISTED = 5,                 /* the largest number of stones, points or moves in a list */
    MOST_EFFECTS = 2,           /* the largest number of effects of a stone that a sentence lists */
    CENTRE_POINT = POINTS / 2,
    MOST_ANSWERS = 2, MOST_BETTER = 3,   /* the largest numbers of answers to a mistake, and of better moves, that are compared */
    NO_RULE = 99,               /* a number that is larger than the number of every rule */
};

/* Some functions with many callers are not inlined. The page contains this file, so the size of the code is more important than its
 * speed. */
#define NOT_INLINE __attribute__((noinline))

#define SENTENCE(name, text) SAYS_##name,
enum {
#include "sentences.h"
    SENTENCES
};

#define SENTENCE(name, text) text,
static const char *const SENTENCE_TEXTS[] = {
#include "sentences.h"
};

#define THEME(name, text) text,
const char *const THEME_TEXTS[] = {
#include "sentences.h"
};

#define KIND(name, text) text,
const char *const KIND_TEXTS[] = {
#include "sentences.h"
};

/* --- what happens in a line ----------------------------------------------------------------- */

/* The two sides. The side OURS makes the first move of both lines. */
enum { OURS, THEIRS };

/* A move of a line that captures stones. */
typedef struct {
    int at;          /* the index of the move in the line */
    u32 stones, old; /* all captured stones, and those captured stones that were on the board before the line */
} Capture;

typedef struct {
    const PlayLine *line;
    Position at[MOST_LEFT + 1];
    Capture captures[2][MOST_LEFT];   /* the captures of the stones of each side, in the order of play */
    int counts[2];                    /* the number of captures of the stones of each side */
    u32 kept[2];                      /* the stones of each side that stay on the board from the beginning of the line to its end */
    int plies, half_points;           /* the length of the game, and White's komi times two */
    bool over;
} Sequel;

NOT_INLINE static u32 held(const Sequel *sequel, int at, int side)
{
    return (at & 1) == side ? sequel->at[at].me : sequel->at[at].opp;
}

static u32 end_held(const Sequel *sequel, int side) { return held(sequel, sequel->line->count, side); }

static u32 point_of(int move) { return move == PASS ? 0 : BIT(move); }

static bool is_legal(const Position *position, int move)
{
    return position->left > 0 && (move == PASS || (move < PASS && legal_of(position) & BIT(move)));
}

static void find_captures(Sequel *sequel, int side)
{
    u32 old = held(sequel, 0, side);
    sequel->counts[side] = 0;
    for (int i = 0; i < sequel->line->count; i++) {
        u32 fallen = held(sequel, i, side) & ~held(sequel, i + 1, side);
        if (fallen)
            sequel->captures[side][sequel->counts[side]++] = (Capture){i, fallen, fallen & old};
        old &= ~fallen;
    }
    sequel->kept[side] = old;
}

static bool replay(Sequel *sequel, const Position *start, const PlayLine *line, int plies, int half_points)
{
    sequel->line = line;
    sequel->plies = plies;
    sequel->half_points = half_points;
    sequel->at[0] = *start;
    for (int i = 0; i < line->count; i++) {
        if (!is_legal(&sequel->at[i], line->moves[i]))
            return false;
        sequel->at[i + 1] = position_after(&sequel->at[i], line->moves[i]);
    }
    sequel->over = sequel->at[line->count].left == 0;
    for (int side = OURS; side <= THEIRS; side++)
        find_captures(sequel, side);
    return line->count >= 2 || (line->count && sequel->over);
}

static int ply_at(const Sequel *sequel, int at) { return sequel->plies - sequel->at[0].left + at + 1; }

/* Return whether the first move, or the answer to it, is a PASS that ends the game before the last ply. */
static bool ends_by_a_pass(const Sequel *sequel)
{
    return sequel->over && sequel->line->count <= 2 && sequel->line->count < sequel->at[0].left;
}

/* Return the smallest index from `from` on at which a side makes this move, or NONE. */
enum { NONE = -1 };

static int next_play(const Sequel *sequel, int side, int move, int from)
{
    for (int i = from; i < sequel->line->count; i++)
        if ((i & 1) == side && sequel->line->moves[i] == move)
            return i;
    return NONE;
}

static int count_passes(const Sequel *sequel, int side)
{
    int count = 0;
    for (int at = next_play(sequel, side, PASS, 0); at != NONE; at = next_play(sequel, side, PASS, at + 1))
        count++;
    return count;
}

/* The line after the mistake, and the line after the better move. */
typedef struct {
    Sequel bad, good;
    bool whole;      /* whether both lines continue to the end of the game */
    bool wasted;     /* whether a PASS is worth at least as much as the mistake */
    int cost;        /* the number of points that the mistake costs; set only if `whole` is true */
} Pair;

/* Return how much better a set of points ends for the mover in the better line. In each line, the balance is the mover's stones
 * minus the other side's stones on these points at the end. The result is the balance of the better line minus the balance of the
 * worse line. */
static int worth_of(const Pair *pair, u32 points)
{
    return popcount(end_held(&pair->good, OURS) & points) - popcount(end_held(&pair->good, THEIRS) & points)
        - popcount(end_held(&pair->bad, OURS) & points) + popcount(end_held(&pair->bad, THEIRS) & points);
}

/* Return the points of a mask that are connected with the points of the seed. */
NOT_INLINE static u32 group_with(u32 mask, u32 seed)
{
    u32 group = 0, grown = seed & mask;
    while (grown != group) {
        group = grown;
        grown = (group | neighbours(group)) & mask;
    }
    return group;
}

static u32 first_group(u32 mask) { return group_with(mask, lowest_bit(mask)); }

/* --- words ---------------------------------------------------------------------------------- */

typedef struct {
    char *bytes;
    int count;
} Text;

/* The values that replace the words in braces in a sentence. */
typedef struct {
    int first, against;        /* the first move of the described line, and the first move of the other line */
    int answer, move, ply;
    int one, two;              /* a point of each of two groups; or the point of an eye in `one` */
    int number, black, white;
    u32 stones;
    bool many;
    bool black_moves;          /* whether Black makes the first move of both lines */
    int side;
    int margin, half_points;
} Slots;

static void put_byte(Text *text, char byte)
{
    if (text->count < TEXT_BYTES - 1)
        text->bytes[text->count++] = byte;
    text->bytes[text->count] = 0;
}

static void put_words(Text *text, const char *words)
{
    while (*words)
        put_byte(text, *words++);
}

static void put_number(Text *text, int number)
{
    if (number >= 10)
        put_number(text, number / 10);
    put_byte(text, (char)('0' + number % 10));
}

static void put_move(Text *text, int move)
{
    if (move == PASS) {
        put_words(text, "PASS");
        return;
    }
    put_number(text, move / SIZE);
    put_byte(text, ',');
    put_number(text, move % SIZE);
}

/* Add words for the place of a set of points, such as "in the upper left". The place is that of the mean of the points. A mean that
 * is half a line or more away from the middle is on a side. */
static void put_place(Text *text, u32 points)
{
    int count = popcount(points), rows = 0, columns = 0;
    for (u32 rest = points; rest; rest &= rest - 1) {
        rows += 2 * (lowest(rest) / SIZE - SIZE / 2);
        columns += 2 * (lowest(rest) % SIZE - SIZE / 2);
    }
    const char *row = rows <= -count ? "upper" : rows >= count ? "lower" : "";
    const char *column = columns <= -count ? "left" : columns >= count ? "right" : "";
    if (!*row && !*column) {
        put_words(text, "around the middle");
        return;
    }
    put_words(text, *row && *column ? "in the " : "on the ");
    put_words(text, row);
    if (*row && *column)
        put_byte(text, ' ');
    put_words(text, column);
    if (!*row || !*column)
        put_words(text, " side");
}

/* Add the names of the points if there are at most LISTED points. Otherwise add the number of points and their place. */
static void put_points(Text *text, u32 points, const char *noun)
{
    int count = popcount(points);
    if (count > LISTED) {
        put_number(text, count);
        put_words(text, noun);
        put_place(text, points);
        return;
    }
    for (u32 rest = points; rest; rest &= rest - 1) {
        put_move(text, lowest(rest));
        if (rest & (rest - 1))
            put_words(text, " and ");
    }
}

static void put_colour(Text *text, const Slots *slots, int side)
{
    put_words(text, slots->black_moves == (side == OURS) ? "Black" : "White");
}

/* Add a result in the notation of Go players, such as B+0.5. */
static void put_result(Text *text, const Slots *slots)
{
    int halves = 2 * slots->margin - slots->half_points;
    put_words(text, halves > 0 ? "B+" : "W+");
    halves = halves > 0 ? halves : -halves;
    put_number(text, halves / 2);
    if (halves % 2)
        put_words(text, ".5");
}

static bool is_word(const char *words, int count, const char *word)
{
    int i = 0;
    for (; i < count && word[i]; i++)
        if (words[i] != word[i])
            return false;
    return i == count && !word[i];
}

/* Add the first of two words for several stones, or the second word for one stone. The parameter `bar` is the index of the sign
 * between the two words. */
static void put_choice(Text *text, const char *words, int count, int bar, bool many)
{
    for (int i = many ? 0 : bar + 1; i < (many ? bar : count); i++)
        put_byte(text, words[i]);
}

static void put_slot(Text *text, const char *name, int count, const Slots *slots)
{
    const struct { const char *name; int value; } moves[] = {
        {"first", slots->first}, {"against", slots->against}, {"answer", slots->answer}, {"move", slots->move},
        {"one", slots->one}, {"two", slots->two},
    }, numbers[] = {
        {"ply", slots->ply}, {"number", slots->number}, {"black", slots->black}, {"white", slots->white},
    }, sides[] = {
        {"mover", OURS}, {"other", THEIRS}, {"side", slots->side},
    };
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (is_word(name, count, moves[i].name))
            put_move(text, moves[i].value);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is_word(name, count, numbers[i].name))
            put_number(text, numbers[i].value);
    for (unsigned i = 0; i < sizeof sides / sizeof *sides; i++)
        if (is_word(name, count, sides[i].name))
            put_colour(text, slots, sides[i].value);
    if (is_word(name, count, "stones"))
        put_points(text, slots->stones, " stones ");
    if (is_word(name, count, "points"))
        put_points(text, slots->stones, " points ");
    if (is_word(name, count, "result"))
        put_result(text, slots);
    for (int bar = 0; bar < count; bar++)
        if (name[bar] == '|')
            put_choice(text, name, count, bar, slots->many);
}

/* Add a part of a sentence, and replace the words in braces with their values. */
static void put(Text *text, int sentence, const Slots *slots)
{
    for (const char *at = SENTENCE_TEXTS[sentence]; *at; at++) {
        if (*at != '{') {
            put_byte(text, *at);
            continue;
        }
        const char *name = at + 1;
        while (*at != '}')
            at++;
        put_slot(text, name, (int)(at - name), slots);
    }
}

/* An unfinished sentence about one of the lines. */
typedef struct {
    Text text;
    Slots slots;
    const Pair *pair;
    const Sequel *line, *against;
} Sentence;

static Sentence begin(char *bytes, const Pair *pair, const Sequel *line)
{
    const Sequel *against = line == &pair->bad ? &pair->good : &pair->bad;
    Sentence sentence = {{bytes, 0}, {0}, pair, line, against};
    sentence.slots.first = line->line->moves[0];
    sentence.slots.against = against->line->moves[0];
    sentence.slots.answer = line->line->count > 1 ? line->line->moves[1] : PASS;
    sentence.slots.black_moves = line->at[0].left % 2 == 0;
    sentence.slots.half_points = line->half_points;
    *bytes = 0;
    return sentence;
}

NOT_INLINE static void add(Sentence *sentence, int part) { put(&sentence->text, part, &sentence->slots); }

NOT_INLINE static void add_of(Sentence *sentence, int part, u32 stones)
{
    sentence->slots.stones = stones;
    sentence->slots.many = !one_bit_at_most(stones);
    add(sentence, part);
}

NOT_INLINE static void add_at(Sentence *sentence, int part, int at)
{
    sentence->slots.ply = ply_at(sentence->line, at);
    add(sentence, part);
}

static void count_colours(Sentence *sentence, u32 points)
{
    u32 ours = end_held(sentence->line, OURS), theirs = end_held(sentence->line, THEIRS);
    bool black = sentence->slots.black_moves;
    sentence->slots.black = popcount((black ? ours : theirs) & points);
    sentence->slots.white = popcount((black ? theirs : ours) & points);
}

/* End a sentence. If the line continues to the end of the game, first add the result. */
static void finish(Sentence *sentence)
{
    if (sentence->line->over) {
        count_colours(sentence, FULL);
        sentence->slots.margin = sentence->slots.black - sentence->slots.white;
        add(sentence, SAYS_RESULT);
    }
    add(sentence, SAYS_STOP);
}

/* If the line continues to the end of the game, add how the game ends. Otherwise add the answer to the first move. */
static void add_ending(Sentence *sentence)
{
    const Sequel *line = sentence->line;
    if (!line->over) {
        add(sentence, SAYS_AFTER);
        add(sentence, SAYS_ANSWERS);
        return;
    }
    count_colours(sentence, FULL);
    add(sentence, !ends_by_a_pass(line) ? SAYS_GAME_ENDS : line->line->count > 1 ? SAYS_OTHER_PASSES : SAYS_PASS_ENDS);
}

/* Add the captured stones that the sentence has not named yet, such as "(also 0,0, captured after 2,2 too)". The parameter `told`
 * is the set of stones that the sentence has already named. */
static void add_also(Sentence *sentence, const Capture *capture, u32 told)
{
    u32 old = capture->old & ~told, later = capture->stones & ~capture->old & ~told;
    u32 kept = old & sentence->against->kept[!(capture->at & 1)], itself = later & point_of(sentence->line->line->moves[0]);
    const struct { int part; u32 stones; } others[] = {
        {SAYS_FALL_TOO, old & ~kept}, {SAYS_STAND_THERE, kept}, {SAYS_JUST_PLAYED, itself}, {SAYS_PLAYED_LATER, later & ~itself},
    };
    bool any = false;
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].stones) {
            add(sentence, any ? SAYS_MORE : SAYS_ALSO);
            add_of(sentence, others[i].part, others[i].stones);
            any = true;
        }
    if (any)
        add(sentence, SAYS_CLOSE);
}

/* Add a capture, such as "captures 0,1 at ply 9 with 1,1". If the capturing move is the first move or the answer, omit the ply and
 * the move, because earlier words of the sentence name the move. The parameter `takes` is the part of a sentence for the capture,
 * and `told` is the set of stones that this part names. */
static void add_taking(Sentence *sentence, int takes, const Capture *capture, u32 told)
{
    const Position *next = &sentence->line->at[capture->at + 1];
    add_of(sentence, takes, told);
    if (capture->at > 1) {
        sentence->slots.move = sentence->line->line->moves[capture->at];
        add_at(sentence, SAYS_LATER, capture->at);
    }
    add_also(sentence, capture, told);
    if (next->ko != NO_KO && next->left) {
        sentence->slots.side = (capture->at + 1) & 1;
        add(sentence, SAYS_KO);
    }
}

/* Add that stones stay on the board to the end of the line. The parameter `named` is the part of a sentence that names the
 * stones. */
static void add_standing(Sentence *sentence, int named, u32 stones)
{
    add_of(sentence, named, stones);
    add_at(sentence, sentence->line->over ? SAYS_STAND_TO_END : SAYS_STAND_UNTIL, sentence->line->line->count - 1);
}

/* If the points are worth more than the mistake costs, add what the mover gains elsewhere on the board. The number of a large gain
 * is omitted, because the difference of two large numbers explains little. If the mistake is a wasted move, or if the mover also
 * plays this move in the better line, the gain is not a result of the mistake. */
static void add_elsewhere(Sentence *sentence, u32 points)
{
    const Pair *pair = sentence->pair;
    int cost = pair->cost, more = pair->whole ? worth_of(pair, points) - cost : 0;
    sentence->slots.number = more > MOST_ELSEWHERE ? cost : more;
    sentence->slots.many = sentence->slots.number > 1;
    if (more <= 0)
        return;
    if (pair->wasted || next_play(&pair->good, OURS, pair->bad.line->moves[0], 0) != NONE)
        add(sentence, more > MOST_ELSEWHERE ? SAYS_OTHER_DIFFERENCE : SAYS_OTHER_WAY);
    else
        add(sentence, more > MOST_ELSEWHERE ? SAYS_DIFFERENCE : SAYS_ELSEWHERE);
}

static bool fills_eye(const Sequel *sequel)
{
    u32 point = point_of(sequel->line->moves[0]);
    return point && !(neighbours(point) & ~held(sequel, 0, OURS));
}

/* If the mistake fills an eye of its own side and the better move does not fill an eye, add this fact and return true. */
static bool add_eye(Sentence *sentence)
{
    bool eye = fills_eye(&sentence->pair->bad) && !fills_eye(&sentence->pair->good);
    if (eye)
        add(sentence, SAYS_OWN_EYE);
    return eye;
}

/* --- the rules: each makes both sentences without their ends and returns true, or returns false -- */

/* An unfinished reason. */
typedef struct {
    Reason *reason;
    Sentence worse, better;
    int at;          /* the index of the described event in its line; among pairs of lines, a small index is preferred */
} Draft;

NOT_INLINE static bool settle(Draft *draft, int theme, int kind, int at)
{
    draft->reason->theme = theme;
    draft->reason->kind = kind;
    draft->at = at;
    return true;
}

static int liberties_of(const Position *position, u32 group)
{
    return popcount(neighbours(group) & FULL & ~(position->me | position->opp));
}

static int horizon_of(const Sequel *sequel) { return min(NEAR, sequel->line->count); }

/* A function that checks a condition on a side and one or two points, in the position before the move with the index `at`. */
typedef bool Condition(const Sequel *sequel, int at, int side, u32 one, u32 two);

static bool has_stone(const Sequel *sequel, int at, int side, u32 one, u32 two)
{
    (void)two;
    return held(sequel, at, side) & one;
}

static bool are_joined(const Sequel *sequel, int at, int side, u32 one, u32 two)
{
    u32 mine = held(sequel, at, side);
    return group_with(mine, one) & group_with(mine, two);
}

/* Return whether a point is an eye of this side: an empty point that has only stones of this side next to it. */
static bool has_eye(const Sequel *sequel, int at, int side, u32 one, u32 two)
{
    u32 mine = held(sequel, at, side);
    (void)two;
    return !((mine | held(sequel, at, !side)) & one) && !(neighbours(one) & ~mine);
}

/* Return the index of the move after which a condition is true up to the eighth ply of the line. If the condition is false there,
 * return NONE. */
static int since(const Sequel *sequel, Condition *holds, int side, u32 one, u32 two)
{
    int at = horizon_of(sequel);
    if (!holds(sequel, at, side, one, two))
        return NONE;
    while (at > 1 && holds(sequel, at - 1, side, one, two))
        at--;
    return at - 1;
}

static bool can_join(const Position *position, u32 one, u32 two, int moves);

/* Return whether, after every move of the side to move, the other side can join two of its groups. */
static bool joins_after_all(const Position *position, u32 one, u32 two, int moves)
{
    for (u32 rest = legal_of(position) | BIT(PASS); rest; rest &= rest - 1) {
        Position next = position_after(position, lowest(rest));
        if (!can_join(&next, one, two, moves))
            return false;
    }
    return true;
}

/* Return whether the side to move can join two of its groups against every defence, with at most `moves` of its own moves. The
 * parameters `one` and `two` contain a stone of each group. */
static bool can_join(const Position *position, u32 one, u32 two, int moves)
{
    for (u32 rest = position->left ? legal_of(position) : 0; rest; rest &= rest - 1) {
        Position next = position_after(position, lowest(rest));
        if (group_with(next.opp, one) & two || (moves > 1 && next.left && joins_after_all(&next, one, two, moves - 1)))
            return true;
    }
    return false;
}

/* Add the move with this index. The words are "2,1 " for the first move, "White answers 1,1" for the answer, and "After 2,1 Black
 * plays 1,1 at ply 9" for a later move. */
static void add_playing(Sentence *sentence, int at)
{
    if (at < 2) {
        add(sentence, at ? SAYS_ANSWERS : SAYS_AT_ONCE);
        return;
    }
    sentence->slots.move = sentence->line->line->moves[at];
    add(sentence, at & 1 ? SAYS_AFTER_OTHER : SAYS_AFTER_MOVER);
    add_at(sentence, SAYS_PLAYS, at);
}

/* --- stones that are captured */

/* A move within eight plies that prepares a later capture, because the move cuts the stones off from another group of their side,
 * or because it takes one of their last liberties. */
typedef struct {
    int at;              /* the index of the move in the line, or NONE */
    int two;             /* a stone of the group from which the stones are cut off, or NONE */
    int number;          /* the number of liberties of the stones after the move */
} Preparation;

/* If a move cuts the stones off from another group, return a stone of this group. Otherwise return NONE. The move must be next to
 * both groups, their side must be unable to join the groups after the move, and the line must not join them up to the position with
 * the index `until`. */
static int cut_off(const Sequel *sequel, int at, u32 stones, int until)
{
    int side = !(at & 1), move = sequel->line->moves[at];
    u32 near = neighbours(point_of(move)), mine = held(sequel, at + 1, side), group = group_with(mine, stones);
    if (!(group & near))
        return NONE;
    for (u32 rest = mine & ~group & near, other; rest; rest &= ~other) {
        bool meet = false;
        other = group_with(mine, lowest_bit(rest));
        for (int i = at + 1; i <= until; i++)
            meet = meet || group_with(held(sequel, i, side), stones) & other;
        if (!meet && !can_join(&sequel->at[at + 1], stones, other, LINK_MOVES))
            return lowest(other & near);
    }
    return NONE;
}

/* Find the first move of the capturing side within eight plies that prepares a capture of some stones. */
static Preparation find_preparation(const Sequel *sequel, const Capture *capture, u32 stones)
{
    int taker = capture->at & 1;
    for (int at = taker; at < NEAR && at < capture->at; at += 2) {
        u32 before = group_with(held(sequel, at, !taker), stones), after = group_with(held(sequel, at + 1, !taker), stones);
        if (after != group_with(after, lowest_bit(stones & after)))
            continue;   /* The stones belong to several groups. */
        int two = sequel->line->moves[at] == PASS ? NONE : cut_off(sequel, at, stones, capture->at);
        int number = liberties_of(&sequel->at[at + 1], after);
        if (two != NONE)
            return (Preparation){at, two, number};
        if (before && after && number <= FEW_LIBERTIES && number < liberties_of(&sequel->at[at], before))
            return (Preparation){at, NONE, number};
    }
    return (Preparation){NONE, NONE, 0};
}

static void add_liberties(Sentence *sentence, int number)
{
    sentence->slots.number = number;
    sentence->slots.many = number > 1;
    add(sentence, SAYS_LIBERTIES);
}

/* Add a preparation, such as "cuts 2,1 off from 2,3" or "leaves 2,1 only 2 liberties". The parameter `named` states whether an
 * earlier sentence has named the stones. */
static void add_preparation(Sentence *sentence, const Preparation *preparation, u32 stones, bool named)
{
    sentence->slots.two = preparation->two;
    if (preparation->two != NONE) {
        add_of(sentence, named ? SAYS_CUTTING_THEM : SAYS_CUTTING, stones);
        return;
    }
    if (preparation->number == 1) {
        add_of(sentence, named ? SAYS_ATARI_THEM : SAYS_ATARI, stones);
        return;
    }
    add_of(sentence, named ? SAYS_LEAVING_THEM : SAYS_LEAVING, stones);
    add_liberties(sentence, preparation->number);
}

/* Add a capture together with the move that prepares the capture, such as "White answers 1,1, which cuts 2,1 off from 2,3, and
 * captures it at ply 20 with 3,3". If there is no such move, use the words `takes`, and name the answer only if it captures or if
 * it is the better move. The parameter `named` has the same meaning as in add_preparation(). */
static void add_capture(Sentence *sentence, const Capture *capture, u32 stones, int takes, bool named)
{
    Preparation preparation = find_preparation(sentence->line, capture, stones);
    bool theirs = capture->at & 1;
    if (preparation.at == NONE) {
        bool first = capture->at < 2 || (theirs && sentence->slots.answer == sentence->slots.against);
        if (first)
            add_playing(sentence, theirs);
        else
            add(sentence, theirs ? SAYS_AFTER_OTHER : SAYS_AFTER_MOVER);
        if (first && theirs)
            add(sentence, SAYS_AND);
        add_taking(sentence, takes, capture, stones);
        return;
    }
    add_playing(sentence, preparation.at);
    if (preparation.at)
        add(sentence, SAYS_WHICH);
    add_preparation(sentence, &preparation, stones, named);
    add(sentence, SAYS_COMMA_AND);
    if (!preparation.at)
        add(sentence, SAYS_MOVER);
    add_taking(sentence, SAYS_TAKES_THEM, capture, stones);
}

/* Add how stones that are captured only in the other line stay on the board in this line. The reason is the first move of their
 * side within `plies` plies that joins the stones to another group or captures stones next to them. */
static void add_rescue(Sentence *sentence, int side, u32 stones, int plies)
{
    const Sequel *line = sentence->line;
    for (int at = side; at < min(plies, line->line->count); at += 2) {
        u32 stone = point_of(line->line->moves[at]), mine = held(line, at + 1, side);
        u32 before = group_with(held(line, at, side), stones), saved = group_with(mine, stone) & stones;
        u32 joined = saved ? group_with(mine, stone) & neighbours(stone) & ~before : 0;
        u32 captured = held(line, at, !side) & ~held(line, at + 1, !side) & neighbours(before);
        if (!joined && !captured)
            continue;
        sentence->slots.move = line->line->moves[at];
        sentence->slots.two = joined ? lowest(joined) : NONE;
        sentence->slots.side = side;
        add(sentence, SAYS_THEN);
        if (at > 1)
            add_at(sentence, SAYS_AT_PLY, at);
        if (joined)
            add_of(sentence, saved == stones ? SAYS_JOINS_THEM_TO : SAYS_JOINS_TO, saved);
        else
            add_of(sentence, SAYS_CAPTURES, captured);
        return;
    }
}

/* Return whether the mover's stones have exactly one liberty before both lines, and at most one liberty after the better move. */
static bool leaves_atari_too(const Pair *pair, u32 stones)
{
    const Position *start = &pair->good.at[0], *next = &pair->good.at[1];
    u32 before = group_with(start->me, stones), after = group_with(next->opp, stones);
    return liberties_of(start, before) == 1 && liberties_of(next, after) <= 1;
}

static int kind_of_loss(const Pair *pair, const Capture *capture, u32 stones, bool eye)
{
    u32 played = point_of(pair->bad.line->moves[0]);
    if (eye)
        return KIND_FILLS_EYE;
    if (capture->at > 1)
        return KIND_LOSES_LATER;
    if (played && group_with(held(&pair->bad, 1, OURS), played) & stones)
        return KIND_SELF_ATARI;
    return leaves_atari_too(pair, stones) ? KIND_OTHER : KIND_LEAVES_ATARI;
}

static bool tell_lost(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    add_capture(worse, capture, stones, SAYS_TAKES, false);
    bool eye = add_eye(worse);
    add(better, SAYS_AFTER);
    add_standing(better, SAYS_THEY, stones);
    add_rescue(better, OURS, stones, AT_ONCE);
    add_elsewhere(better, stones);
    return settle(draft, THEME_CAPTURE, kind_of_loss(pair, capture, stones, eye), capture->at);
}

static bool tell_left(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    (void)pair;
    add(worse, SAYS_AFTER);
    add_standing(worse, SAYS_THEIRS, stones);
    bool eye = add_eye(worse);
    add_rescue(worse, THEIRS, stones, NEAR);
    add_capture(better, capture, stones, SAYS_TAKES_THEM, true);
    add_elsewhere(better, stones);
    return settle(draft, THEME_MISSED, eye ? KIND_FILLS_EYE : capture->at ? KIND_LETS_LIVE : KIND_MISSES_CAPTURE, capture->at);
}

static bool tell_added(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    int move = pair->bad.line->moves[0], later = next_play(&pair->good, OURS, move, 0);
    add_capture(worse, capture, point_of(move), SAYS_TAKES_NEW, false);
    add(better, SAYS_AFTER);
    if (later == NONE)
        add(better, SAYS_NOTHING_LOST);
    else
        add_at(better, SAYS_KEEPS_IT, later);
    add_elsewhere(better, stones);
    return settle(draft, THEME_ADDED, capture->at > 1 ? KIND_LOSES_LATER : KIND_SELF_ATARI, capture->at);
}

/* A function that writes both sentences about a capture in one of the lines. */
typedef bool Teller(Draft *draft, const Pair *pair, const Capture *capture, u32 stones);

/* A capture that can become the reason. */
typedef struct {
    const Capture *capture;
    u32 stones;      /* the captured stones that the reason names */
    int worth;       /* the number of points that the stones are worth to the mover, at most the cost of the mistake */
    Teller *tell;
} Fate;

static bool is_large(u32 stones) { return popcount(stones) >= LARGE; }

/* Return whether a fate is preferred to the other fate. A capture by the first move or the answer is preferred, then a large
 * capture, then the capture with the larger worth, then the earlier capture. */
static bool comes_before(const Fate *fate, const Fate *other)
{
    bool late = fate->capture->at > 1, other_late = other->capture->at > 1;
    if (late != other_late)
        return !late;
    if (is_large(fate->stones) != is_large(other->stones))
        return is_large(fate->stones);
    return fate->worth != other->worth ? fate->worth > other->worth : fate->capture->at < other->capture->at;
}

/* The range of captures that a rule considers. */
typedef struct {
    int begins;      /* the index below which the capture or the move that prepares the capture must be */
    int ends;        /* the index below which the capture must be */
    bool large;      /* whether the rule considers only large captures */
} Window;

/* Return whether the side that loses the stones later captures a larger number of stones next to them. */
static bool is_answered(const Sequel *falls, const Capture *capture)
{
    int taker = capture->at & 1;
    u32 near = capture->stones | neighbours(capture->stones);
    for (int i = 0; i < falls->counts[taker]; i++) {
        const Capture *back = &falls->captures[taker][i];
        if (back->at > capture->at && back->stones & near && popcount(back->stones) > popcount(capture->stones))
            return true;
    }
    return false;
}

/* Return the index of the capture. If a move prepares the capture, and the same side does not make this move in the other line,
 * return the index of this move. */
static int begins_at(const Pair *pair, const Sequel *falls, const Capture *capture, u32 stones)
{
    const Sequel *other = falls == &pair->bad ? &pair->good : &pair->bad;
    int at = find_preparation(falls, capture, stones).at;
    return at == NONE || next_play(other, at & 1, falls->line->moves[at], 0) != NONE ? capture->at : at;
}

static void consider(
    Fate *best, const Pair *pair, const Sequel *falls, const Capture *capture, u32 stones, Window window, Teller *tell)
{
    int worth = pair->whole ? worth_of(pair, stones) : popcount(stones);
    Fate fate = {capture, stones, pair->whole ? min(worth, pair->cost) : 0, tell};
    if (!stones || worth <= 0 || capture->at >= window.ends || (window.large && !is_large(stones))
        || (best->capture && !comes_before(&fate, best)) || is_answered(falls, capture))
        return;
    if (begins_at(pair, falls, capture, stones) < window.begins)
        *best = fate;
}

/* Consider the stones that are on the board before both lines and are captured in only one of the lines. */
static void consider_lost(
    Fate *best, const Pair *pair, const Sequel *falls, const Sequel *stays, int side, Window window, Teller *tell)
{
    for (int i = 0; i < falls->counts[side]; i++) {
        const Capture *capture = &falls->captures[side][i];
        consider(best, pair, falls, capture, capture->old & stays->kept[side], window, tell);
    }
}

/* Return the first capture of a stone on one of these points, or NULL. */
static const Capture *capture_of(const Sequel *sequel, int side, u32 points)
{
    for (int i = 0; i < sequel->counts[side]; i++)
        if (sequel->captures[side][i].stones & points)
            return &sequel->captures[side][i];
    return NULL;
}

/* Describe stones that are captured in only one of the lines, if their capture makes a difference to the mover. The parameters
 * `begins`, `ends` and `large` are the fields of the Window. */
static bool tell_falling(Draft *draft, const Pair *pair, int begins, int ends, bool large)
{
    Window window = {begins, ends, large};
    Fate best = {NULL, 0, 0, NULL};
    u32 played = point_of(pair->bad.line->moves[0]);
    const Capture *capture = capture_of(&pair->bad, OURS, played);
    consider_lost(&best, pair, &pair->bad, &pair->good, OURS, window, tell_lost);
    consider_lost(&best, pair, &pair->good, &pair->bad, THEIRS, window, tell_left);
    if (capture && !capture_of(&pair->good, OURS, played))
        consider(&best, pair, &pair->bad, capture, played | (capture->old & pair->good.kept[OURS]), window, tell_added);
    return best.capture && best.tell(draft, pair, best.capture, best.stones);
}

static int count_captured(const Sequel *sequel, int side)
{
    int count = 0;
    for (int i = 0; i < sequel->counts[side]; i++)
        count += popcount(sequel->captures[side][i].stones);
    return count;
}

/* Describe stones that are played after the first move and captured within eight plies, in the line in which more stones are
 * captured. */
static bool tell_new_captures(Draft *draft, const Pair *pair)
{
    for (int side = OURS; side <= THEIRS; side++) {
        const Sequel *falls = side == OURS ? &pair->bad : &pair->good, *other = side == OURS ? &pair->good : &pair->bad;
        const Capture *capture = falls->counts[side] ? &falls->captures[side][0] : NULL;
        if (!capture || capture->at >= NEAR || capture->old || count_captured(falls, side) <= count_captured(other, side)
            || capture_of(other, side, capture->stones) || (pair->whole && worth_of(pair, capture->stones) <= 0))
            continue;
        Sentence *with = side == OURS ? &draft->worse : &draft->better, *without = side == OURS ? &draft->better : &draft->worse;
        add(with, side == OURS ? SAYS_AFTER_OTHER : SAYS_AFTER_MOVER);
        add_taking(with, SAYS_TAKES, capture, capture->stones);
        add(without, SAYS_AFTER);
        add(without, side == OURS ? SAYS_NOTHING_LOST : SAYS_OTHER_LOSES_NOTHING);
        add_elsewhere(&draft->better, capture->stones);
        if (side == OURS)
            return settle(draft, THEME_CAPTURE, KIND_LOSES_LATER, capture->at);
        return settle(draft, THEME_MISSED, KIND_LETS_LIVE, capture->at);
    }
    return false;
}

/* --- a point that both sides need */

/* An immediate effect of a stone. */
typedef struct {
    int part;        /* the part of a sentence that describes the effect */
    u32 stones;      /* the stones that this part names */
} Effect;

/* Return whether the side to move can join two of the groups that contain these stones. */
static bool can_join_any(const Position *position, u32 stones)
{
    for (u32 rest = stones; rest; rest &= rest - 1)
        if (can_join(position, lowest_bit(rest), rest & (rest - 1), LINK_MOVES))
            return true;
    return false;
}

/* List the effects of a stone, beginning with the most urgent effect. Return the number of listed effects, which is at most
 * MOST_EFFECTS. */
static int list_effects(const Position *position, int point, Effect effects[MOST_EFFECTS])
{
    const Position next = position_after(position, point);
    u32 near = NEIGHBOURS[point], saved = 0, atari = 0, own = 0, others = 0;
    int own_count = 0, other_count = 0, count = 0;
    for (u32 rest = position->me, group; rest; rest ^= group) {
        group = first_group(rest);
        if (!(group & near))
            continue;
        own_count++;
        own |= lowest_bit(group & near);
        if (liberties_of(position, group) == 1 && liberties_of(&next, group_with(next.opp, BIT(point))) > 1)
            saved |= group;
    }
    for (u32 rest = next.me, group; rest; rest ^= group) {
        group = first_group(rest);
        if (!(group & near))
            continue;
        other_count++;
        others |= lowest_bit(group & near);
        if (liberties_of(&next, group) == 1 && liberties_of(position, group) > 1)
            atari |= group;
    }
    const Effect found[] = {
        {SAYS_TAKES, position->opp & ~next.me}, {SAYS_SAVES, saved}, {SAYS_ATARI, atari}, {SAYS_JOINS, own_count > 1 ? own : 0},
        {SAYS_CUTS, other_count > 1 && !can_join_any(&next, others) ? others : 0},
        {SAYS_CENTRE, point == CENTRE_POINT ? BIT(point) : 0},
    };
    for (unsigned i = 0; i < sizeof found / sizeof *found && count < MOST_EFFECTS; i++)
        if (found[i].stones)
            effects[count++] = found[i];
    return count;
}

/* List the effects of a move of a line, and return their number. If the move has no effect, list the stones that it extends or
 * blocks instead. */
static int list_all_effects(const Sequel *sequel, int at, Effect effects[MOST_EFFECTS])
{
    int move = sequel->line->moves[at], side = at & 1, count = list_effects(&sequel->at[at], move, effects);
    u32 blocked = NEIGHBOURS[move] & held(sequel, at, !side), extended = NEIGHBOURS[move] & held(sequel, at, side);
    if (count)
        return count;
    if (extended)
        effects[count++] = (Effect){SAYS_EXTENDS, extended};
    if (blocked)
        effects[count++] = (Effect){SAYS_BLOCKS, blocked};
    return count;
}

static int kind_by_effect(int part)
{
    switch (part) {
    case SAYS_TAKES: return KIND_MISSES_CAPTURE;
    case SAYS_ATARI: return KIND_MISSES_ATARI;
    case SAYS_JOINS: return KIND_LEAVES_APART;
    case SAYS_CUTS: return KIND_MISSES_CUT;
    default: return KIND_GIVES_POINT;
    }
}

/* List the effects of a stone that are not effects of the mistake, and return their number. */
static int list_new_effects(const Pair *pair, int point, Effect effects[MOST_EFFECTS])
{
    Effect same[MOST_EFFECTS];
    const Position *start = &pair->bad.at[0];
    int played = pair->bad.line->moves[0], alike = played == PASS ? 0 : list_effects(start, played, same), count = 0;
    int all = list_effects(start, point, effects);
    for (int i = 0; i < all; i++) {
        bool is_same = false;
        for (int j = 0; j < alike; j++)
            is_same = is_same || (same[j].part == effects[i].part && !(effects[i].stones & ~same[j].stones));
        if (!is_same)
            effects[count++] = effects[i];
    }
    return count;
}

/* Return whether the stone of the move with this index stays on its point to the end of the line. */
static bool stays_on(const Sequel *sequel, int at, u32 point)
{
    for (int side = at & 1; at < sequel->line->count; at++)
        point &= held(sequel, at + 1, side);
    return point;
}

/* Add the effects of the first move or of the answer. If the move puts stones into atari, also add the later capture of these
 * stones, but only if it comes within eight plies and their side does not capture a larger number of stones in return. The
 * parameter `listed` states whether the preceding words are a list. */
NOT_INLINE static void add_first_effects(Sentence *sentence, int at, const Effect effects[], int count, bool listed)
{
    const Sequel *line = sentence->line;
    u32 hit = count && effects[0].part == SAYS_ATARI ? effects[0].stones : 0;
    const Capture *capture = capture_of(line, !(at & 1), hit);
    bool follows = (listed || !at) && capture && capture->at < NEAR && !(hit & ~capture->stones) && !is_answered(line, capture)
        && (capture->stones == hit || !capture_of(sentence->against, !(at & 1), hit));
    for (int i = 0; i < count; i++) {
        if (listed)
            add(sentence, i + 1 < count || follows ? SAYS_COMMA : SAYS_COMMA_AND);
        else if (at || i)
            add(sentence, i ? SAYS_AND : SAYS_WHICH);
        add_of(sentence, effects[i].part, effects[i].stones);
    }
    if (!follows)
        return;
    add(sentence, SAYS_COMMA_AND);
    if (!listed)
        add(sentence, SAYS_MOVER);
    add_taking(sentence, count == 1 ? SAYS_TAKES_THEM : SAYS_TAKES, capture, hit);
}

/* Describe a point that is both the better move and the answer to the mistake, if a stone on this point has an effect. The sentence
 * says that both sides need the point only if the stone stays there to the end of both lines. */
static bool tell_wanted(Draft *draft, const Pair *pair)
{
    int point = pair->good.line->moves[0];
    if (point == PASS || pair->bad.line->count < 2 || pair->bad.line->moves[1] != point)
        return false;
    Effect theirs[MOST_EFFECTS], ours[MOST_EFFECTS];
    int their_count = list_effects(&pair->bad.at[1], point, theirs), our_count = list_new_effects(pair, point, ours);
    if (!their_count && !our_count)
        return false;
    bool known = their_count && our_count;
    int kind = point == CENTRE_POINT ? KIND_LEAVES_CENTRE : our_count ? kind_by_effect(ours[0].part) : KIND_GIVES_POINT;
    if (their_count == 1 && theirs[0].part == SAYS_CENTRE) {
        add(&draft->worse, SAYS_ANSWERS);
        add(&draft->worse, SAYS_AND);
        add(&draft->worse, SAYS_CENTRE_ONLY);
        add(&draft->better, SAYS_AT_ONCE);
        add(&draft->better, SAYS_CENTRE_FIRST);
        return settle(draft, THEME_POINT, kind, 1);
    }
    if (!their_count)
        their_count = list_all_effects(&pair->bad, 1, theirs);
    bool both = !known && stays_on(&pair->bad, 1, BIT(point)) && stays_on(&pair->good, 0, BIT(point));
    add(&draft->worse, both ? SAYS_BOTH_WANT : SAYS_ANSWERS);
    add_first_effects(&draft->worse, 1, theirs, their_count, both);
    u32 hit = their_count && theirs[0].part == SAYS_ATARI ? theirs[0].stones : 0, escaped = hit & pair->good.at[0].me;
    int liberties = liberties_of(&pair->good.at[1], group_with(pair->good.at[1].opp, escaped));
    bool escapes = !our_count && escaped == hit && liberties > 1;
    if (!our_count && !escapes && !both)
        our_count = list_all_effects(&pair->good, 0, ours);
    add(&draft->better, our_count ? SAYS_AT_ONCE : SAYS_AFTER);
    add_first_effects(&draft->better, 0, ours, our_count, false);
    if (escapes) {
        add_of(&draft->better, SAYS_KEEP_LIBERTIES, escaped);
        add_liberties(&draft->better, liberties);
    } else if (!our_count)
        add(&draft->better, SAYS_IS_MOVERS);
    return settle(draft, THEME_POINT, kind, 1);
}

/* --- groups that only one line joins */

/* Two groups of a side that are joined in only one of the lines. */
typedef struct {
    int side, by;    /* the side that owns the groups, and the index of the move that joins the groups */
    int cut;         /* the index of the move that cuts the groups off from each other in the other line, or NONE */
    int one, two;    /* a stone of each of the two groups */
    int until;       /* the index of the last position of the other line that was examined */
} Joint;

static bool are_apart(const Sequel *sequel, int side, u32 one, u32 two, int until)
{
    for (int at = 0; at <= until; at++)
        if (are_joined(sequel, at, side, one, two))
            return false;
    return one & held(sequel, horizon_of(sequel), side) && two & held(sequel, horizon_of(sequel), side);
}

/* Return the index of the move that cuts two groups off from each other, or NONE. This is the first move of the other side within
 * eight plies that is next to both groups and after which their side can no longer join the groups. */
static int cut_by(const Sequel *sequel, int side, u32 one, u32 two)
{
    for (int at = !side; at < horizon_of(sequel); at += 2) {
        u32 near = neighbours(point_of(sequel->line->moves[at])), mine = held(sequel, at + 1, side);
        if (near & group_with(mine, one) && near & group_with(mine, two) && !can_join(&sequel->at[at + 1], one, two, LINK_MOVES))
            return at;
    }
    return NONE;
}

/* Return whether a side could join two groups on its first turn in the line that keeps the groups apart. If this was possible, the
 * line does not show that the groups are cut off. */
static bool may_join(const Sequel *apart, int side, u32 one, u32 two)
{
    int at = side == OURS ? 2 : 1;
    return apart->line->count < at || can_join(&apart->at[at], one, two, LINK_MOVES);
}

/* Find the two groups of a side that are joined earliest in one line and stay apart in the other line. If to_end is true, they must
 * stay apart to the end of this line, and otherwise only to the eighth ply. */
static bool find_joint(Joint *best, const Pair *pair, int side, bool to_end)
{
    const Sequel *joined = side == OURS ? &pair->good : &pair->bad, *apart = side == OURS ? &pair->bad : &pair->good;
    int until = to_end ? apart->line->count : horizon_of(apart), earliest = NEAR;
    for (u32 rest = held(joined, 0, side), one; rest; rest ^= one) {
        one = first_group(rest);
        for (u32 others = rest ^ one, two; others; others ^= two) {
            two = first_group(others);
            int by = since(joined, are_joined, side, one, two);
            if (by == NONE || by >= earliest || !are_apart(apart, side, one, two, until) || may_join(apart, side, one, two))
                continue;
            if (pair->whole && worth_of(pair, one | two) < 0)
                continue;
            int cut = cut_by(apart, side, one, two);
            u32 near = neighbours(point_of(joined->line->moves[by]));
            earliest = by;
            *best = (Joint){side, by, cut, lowest(one & near ? one & near : one), lowest(two & near ? two & near : two), until};
        }
    }
    return earliest < NEAR;
}

/* Add "stay apart to the end". If the line was not examined to the end, add "are still apart at ply 14" with the last examined ply
 * instead. */
static void add_apart(Sentence *sentence, int whole, int part, int until)
{
    bool ends = sentence->line->over && until == sentence->line->line->count;
    add_at(sentence, ends ? whole : part, until - 1);
}

static void add_own_joint(Draft *draft, const Joint *joint)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    if (joint->cut == 1) {
        add(worse, SAYS_ANSWERS);
        add(worse, SAYS_AND);
        add(worse, SAYS_CUTS_FROM);
    } else if (joint->cut != NONE) {
        worse->slots.move = worse->line->line->moves[joint->cut];
        add(worse, SAYS_AFTER_OTHER);
        add(worse, SAYS_CUTS_FROM);
        add_at(worse, SAYS_LATER, joint->cut);
    } else {
        add(worse, SAYS_AFTER);
        add(worse, SAYS_MOVERS);
        add_apart(worse, SAYS_STAY_APART, SAYS_APART_UNTIL, joint->until);
    }
    add(better, joint->by ? SAYS_AFTER_MOVER : SAYS_AT_ONCE);
    add(better, SAYS_JOINS_THEM);
    if (joint->by) {
        better->slots.move = better->line->line->moves[joint->by];
        add_at(better, SAYS_LATER, joint->by);
    }
}

static void add_their_joint(Draft *draft, const Joint *joint)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    worse->slots.move = worse->line->line->moves[joint->by];
    add(worse, joint->by == 1 ? SAYS_ANSWERS : SAYS_AFTER_OTHER);
    if (joint->by == 1)
        add(worse, SAYS_AND);
    add(worse, SAYS_JOINS_TWO);
    if (joint->by > 1)
        add_at(worse, SAYS_LATER, joint->by);
    if (joint->cut == NONE) {
        add(better, SAYS_AFTER);
        add_apart(better, SAYS_THEY_APART, SAYS_THEY_APART_UNTIL, joint->until);
        return;
    }
    add(better, joint->cut ? SAYS_AFTER_MOVER : SAYS_AT_ONCE);
    add(better, SAYS_CUTS_THEM);
    if (joint->cut) {
        better->slots.move = better->line->line->moves[joint->cut];
        add_at(better, SAYS_LATER, joint->cut);
    }
}

/* Describe groups that are joined in only one of the lines. If at_once is true, consider only groups that the first move or the
 * answer joins or cuts off. */
static bool tell_joint(Draft *draft, const Pair *pair, bool to_end, bool at_once)
{
    for (int side = OURS; side <= THEIRS; side++) {
        Joint joint = {0};
        if (!find_joint(&joint, pair, side, to_end) || (at_once && joint.by > 1 && (joint.cut == NONE || joint.cut > 1)))
            continue;
        draft->worse.slots.one = draft->better.slots.one = joint.one;
        draft->worse.slots.two = draft->better.slots.two = joint.two;
        if (side == OURS)
            add_own_joint(draft, &joint);
        else
            add_their_joint(draft, &joint);
        return settle(draft, THEME_GROUPS, side == OURS ? KIND_LEAVES_APART : KIND_MISSES_CUT, joint.by);
    }
    return false;
}

/* --- eyes */

static u32 eyes_at(const Sequel *sequel, int at, int side)
{
    u32 eyes = 0;
    for (u32 rest = FULL; rest; rest &= rest - 1)
        if (has_eye(sequel, at, side, lowest_bit(rest), 0))
            eyes |= lowest_bit(rest);
    return eyes;
}

/* Return all points that are an eye of a side in at least one position of a line. */
static u32 eyes_ever(const Sequel *sequel, int side)
{
    u32 eyes = 0;
    for (int at = 0; at <= sequel->line->count; at++)
        eyes |= eyes_at(sequel, at, side);
    return eyes;
}

/* Return whether the other side has no stone on these points in any position after the move with this index. */
static bool stays_clear(const Sequel *sequel, int at, int side, u32 points)
{
    while (++at <= sequel->line->count)
        if (held(sequel, at, !side) & points)
            return false;
    return true;
}

/* Return whether the other side may not play on an eye directly after the move that makes the eye. A point that only the ko rule
 * forbids does not count. */
static bool is_closed(const Sequel *sequel, int at, u32 eye)
{
    const Position *next = &sequel->at[at + 1];
    return next->left && !(legal_of(next) & eye) && (next->ko == NO_KO || BIT(next->ko) != eye);
}

/* Return whether a side gets compensation, in the line `lacks`, for an eye that it has only in the line `has`. Within two points of
 * the eye, it must capture stones, or have an eye at the end that it never has in the line `has`. */
static bool gets_other_eye(const Sequel *has, const Sequel *lacks, int side, u32 eye)
{
    u32 near = eye | neighbours(eye), area = near | neighbours(near);
    return capture_of(lacks, !side, area) || eyes_at(lacks, lacks->line->count, side) & area & ~eyes_ever(has, side);
}

/* Return the earliest eye that a side makes within `plies` plies of the line `has` and keeps to the end, or 0. In the line `lacks`,
 * this point must never be an eye of the side. The other side must be unable to play on the eye. The eye and the points next to it
 * must be worth something to the mover. */
static u32 first_eye(const Pair *pair, const Sequel *has, const Sequel *lacks, int side, int plies)
{
    u32 best = 0;
    for (u32 rest = eyes_at(has, horizon_of(has), side) & ~eyes_ever(lacks, side); rest; rest &= rest - 1) {
        u32 eye = lowest_bit(rest);
        int at = since(has, has_eye, side, eye, 0);
        if (at < plies && is_closed(has, at, eye) && stays_clear(has, at, side, eye | neighbours(eye))
            && !gets_other_eye(has, lacks, side, eye) && worth_of(pair, eye | neighbours(eye)) > 0) {
            best = eye;
            plies = at;
        }
    }
    return best;
}

/* Describe an eye that a side makes within `plies` plies in only one of the lines. */
static bool tell_eye(Draft *draft, const Pair *pair, int plies)
{
    for (int side = OURS; side <= THEIRS && pair->whole; side++) {
        const Sequel *has = side == OURS ? &pair->good : &pair->bad, *lacks = side == OURS ? &pair->bad : &pair->good;
        u32 eye = first_eye(pair, has, lacks, side, plies);
        if (!eye)
            continue;
        int at = since(has, has_eye, side, eye, 0), taken = next_play(lacks, !side, lowest(eye), 0);
        Sentence *with = side == OURS ? &draft->better : &draft->worse, *without = side == OURS ? &draft->worse : &draft->better;
        with->slots.one = without->slots.one = lowest(eye);
        add_playing(with, at);
        if (at)
            add(with, SAYS_AND);
        with->slots.side = !side;
        add(with, SAYS_MAKES_EYE);
        if (side == OURS && taken == 1) {
            add(without, SAYS_ANSWERS);
            add(without, SAYS_SO_NO_EYE);
        } else {
            add(without, SAYS_AFTER);
            add(without, side == OURS ? SAYS_NO_EYE : SAYS_OTHER_NO_EYE);
        }
        return settle(draft, THEME_EYE, side == OURS ? KIND_MISSES_EYE : KIND_LETS_EYE, at);
    }
    return false;
}

/* --- points that one side gets */

/* Return the points that a side occupies within eight plies and keeps to the end of the line. */
static u32 points_got(const Sequel *sequel, int side)
{
    u32 kept = FULL & ~held(sequel, 0, side);
    for (int at = horizon_of(sequel); at <= sequel->line->count; at++)
        kept &= held(sequel, at, side);
    return kept;
}

/* Return the index of the move that occupies a point. The point must be one of the points that points_got() returns. */
static int got_by(const Sequel *sequel, int side, u32 point) { return since(sequel, has_stone, side, point, 0); }

/* Return the point that the other side occupies first in the worse line. If the other side's answer to the mistake occupies none of
 * the points, prefer the point of the better line's first move. */
static u32 first_got(const Pair *pair, u32 points)
{
    u32 first = points & -points, better = point_of(pair->good.line->moves[0]) & points;
    for (u32 rest = points; rest; rest &= rest - 1)
        if (got_by(&pair->bad, THEIRS, lowest_bit(rest)) < got_by(&pair->bad, THEIRS, first))
            first = lowest_bit(rest);
    return better && got_by(&pair->bad, THEIRS, first) >= AT_ONCE ? better : first;
}

/* Add the effects of a move after the words of add_playing(), and return the number of effects. */
static int add_effects(Sentence *sentence, int at)
{
    Effect effects[MOST_EFFECTS];
    int count = list_all_effects(sentence->line, at, effects);
    for (int i = 0; i < count; i++) {
        if (at || i)
            add(sentence, SAYS_COMMA);
        add_of(sentence, effects[i].part, effects[i].stones);
    }
    return count;
}

/* If a move has no effect, and stones of both sides that were on the board before both lines are next to it, return true and add
 * "The border between Black's 1,1 and White's 2,0 is open at 1,0: Black plays there first". */
static bool add_border(Sentence *sentence, int at)
{
    Effect effects[MOST_EFFECTS];
    const Sequel *line = sentence->line;
    int move = line->line->moves[at];
    u32 ours = NEIGHBOURS[move] & held(line, at, OURS) & held(line, 0, OURS);
    u32 theirs = NEIGHBOURS[move] & held(line, at, THEIRS) & held(line, 0, THEIRS);
    if (!ours || !theirs || list_effects(&line->at[at], move, effects))
        return false;
    sentence->slots.one = lowest(theirs);
    sentence->slots.two = lowest(ours);
    sentence->slots.move = move;
    add(sentence, SAYS_BORDER);
    if (at > 1)
        add_at(sentence, SAYS_AT_PLY, at);
    add(sentence, SAYS_AND_KEEPS);
    return true;
}

/* Add the points that end better for the mover in the better line and are connected with this point. Also add what the mover gains
 * elsewhere by the mistake. A large area that is worth more than the mistake costs is omitted, because it explains little. */
static void add_around(Sentence *sentence, u32 point)
{
    u32 gained = 0, area;
    for (u32 rest = FULL; rest; rest &= rest - 1)
        if (worth_of(sentence->pair, lowest_bit(rest)) > 0)
            gained |= lowest_bit(rest);
    area = group_with(gained, point);
    if (popcount(area) > LISTED && worth_of(sentence->pair, area) > sentence->pair->cost)
        area = point;
    if (area != point)
        add_of(sentence, SAYS_DECIDES, area);
    if (worth_of(sentence->pair, area) == sentence->pair->cost)
        add(sentence, SAYS_REST_EVEN);
    add_elsewhere(sentence, area);
}

/* Add which side gets a point in the better line. The parameter `at` is the index of the mover's move on this point, or NONE. The
 * parameter `border` states whether the first sentence describes a border. */
static void add_getting(Sentence *sentence, int at, bool border)
{
    Effect effects[MOST_EFFECTS];
    int move = sentence->line->line->moves[0];
    if (at <= 0 && !border && move != PASS && list_all_effects(sentence->line, 0, effects)) {
        add(sentence, SAYS_AT_ONCE);
        add_effects(sentence, 0);
        if (at == NONE)
            add(sentence, SAYS_COMMA_AND);
        add(sentence, at == NONE ? SAYS_OTHER_HAS_NOT : SAYS_COMMA_KEEPS);
        return;
    }
    if (at != 0 || !border)
        add(sentence, SAYS_AFTER);
    if (at == NONE)
        add(sentence, SAYS_OTHER_HAS_NOT);
    else if (at == 0)
        add(sentence, border ? SAYS_CLOSES : SAYS_KEEPS_POINT);
    else
        add_at(sentence, border ? SAYS_CLOSES_LATER : SAYS_MOVER_HAS_IT, at);
}

/* Describe a point that the other side occupies within `plies` plies of the worse line and keeps to the end. If `shared` is true,
 * consider only points that the mover occupies within eight plies of the better line and keeps to the end. */
static bool tell_point(Draft *draft, const Pair *pair, bool shared, int plies)
{
    const Sequel *bad = &pair->bad, *good = &pair->good;
    if (!pair->whole)
        return false;
    u32 theirs = points_got(bad, THEIRS) & ~end_held(good, THEIRS), ours = points_got(good, OURS) & ~end_held(bad, OURS);
    u32 points = shared ? theirs & ours : theirs;
    if (!points)
        return false;
    u32 point = first_got(pair, points);
    Sentence *worse = &draft->worse, *better = &draft->better;
    int at = got_by(bad, THEIRS, point);
    if (at >= plies)
        return false;
    bool border = add_border(worse, at);
    if (!border) {
        bool both = at == 1 && point == (point_of(good->line->moves[0]) & ours);
        if (both)
            add(worse, SAYS_BOTH_WANT);
        else
            add_playing(worse, at);
        add(worse, add_effects(worse, at) || both ? SAYS_COMMA_KEEPS : SAYS_AND_KEEPS);
    }
    better->slots.one = lowest(point);
    add_getting(better, ours & point ? got_by(good, OURS, point) : NONE, border);
    add_around(better, point);
    return settle(draft, THEME_AREA, border ? KIND_LEAVES_BORDER : KIND_GIVES_POINT, at);
}

/* Describe the immediate effects of the answer to the mistake and of the better move. If `hard` is true, the better move must
 * capture, save, join or cut off stones, or take the centre, and the mover must not make this move later in the worse line. */
static bool tell_first_moves(Draft *draft, const Pair *pair, bool hard)
{
    const Sequel *bad = &pair->bad, *good = &pair->good;
    int move = good->line->moves[0];
    Effect ours[MOST_EFFECTS], theirs[MOST_EFFECTS];
    if (move == PASS || bad->line->count < 2 || bad->line->moves[1] == PASS)
        return false;
    int our_count = hard ? list_new_effects(pair, move, ours) : list_all_effects(good, 0, ours);
    int their_count = list_all_effects(bad, 1, theirs);
    if (!our_count || (hard ? ours[0].part == SAYS_ATARI || next_play(bad, OURS, move, 0) != NONE : !their_count))
        return false;
    add(&draft->worse, SAYS_ANSWERS);
    add_first_effects(&draft->worse, 1, theirs, their_count, false);
    add(&draft->better, SAYS_AT_ONCE);
    add_first_effects(&draft->better, 0, ours, our_count, false);
    return settle(draft, THEME_POINT, hard ? kind_by_effect(ours[0].part) : KIND_GIVES_POINT, 1);
}

/* --- a side that runs out of moves */

/* Return the index of a side's first PASS in the line `passes`, if this PASS comes within eight plies and the side's move with the
 * same index in the line `plays` is a stone. Otherwise return NONE. */
static int short_of_moves(const Sequel *passes, const Sequel *plays, int side)
{
    int at = next_play(passes, side, PASS, 0);
    return at != NONE && at < NEAR && at < plays->line->count && plays->line->moves[at] != PASS ? at : NONE;
}

static u32 stones_played(const Sequel *sequel, int side)
{
    u32 played = 0;
    for (int i = side; i < sequel->line->count; i += 2)
        played |= point_of(sequel->line->moves[i]);
    return played;
}

/* Add to the sentence `with` that a side can do no better than the PASS with the index `at`, and which stones the side plays in
 * this line. Add to the sentence `without` which stones the side plays in the other line. */
static void add_turns(Sentence *with, Sentence *without, int side, int at)
{
    u32 few = stones_played(with->line, side), many = stones_played(without->line, side);
    bool listed = popcount(few) < popcount(many) && popcount(many) <= LISTED;
    add(with, side == OURS ? SAYS_AFTER_MOVER : SAYS_AFTER_OTHER);
    if (listed && few) {
        add_of(with, SAYS_HAS_ONLY, few);
        add(with, SAYS_COMMA_AND);
    }
    add_at(with, SAYS_ONLY_PASS, at);
    add(without, side == OURS ? SAYS_AFTER_MOVER : SAYS_AFTER_OTHER);
    without->slots.move = without->line->line->moves[at];
    if (listed)
        add_of(without, SAYS_HAS_ALL, many);
    else
        add_at(without, SAYS_STILL_HAS, at);
}

/* Describe that a side passes more often in the line that is worse for it, if its first PASS comes within eight plies. If `whole`
 * is true, the number of additional PASSes must be equal to the cost of the mistake. */
static bool tell_tempo(Draft *draft, const Pair *pair, bool whole)
{
    const Sequel *bad = &pair->bad, *good = &pair->good;
    if (!pair->whole || bad->line->count != good->line->count)
        return false;
    int own = count_passes(bad, OURS) - count_passes(good, OURS), other = count_passes(good, THEIRS) - count_passes(bad, THEIRS);
    if (own + other <= 0 || (whole && own + other != pair->cost))
        return false;
    int at = own > 0 ? short_of_moves(bad, good, OURS) : NONE, side = at == NONE ? THEIRS : OURS;
    if (at == NONE && other > 0)
        at = short_of_moves(good, bad, THEIRS);
    if (at == NONE)
        return false;
    if (side == OURS)
        add_turns(&draft->worse, &draft->better, side, at);
    else
        add_turns(&draft->better, &draft->worse, side, at);
    return settle(draft, THEME_TEMPO, side == OURS ? KIND_RUNS_OUT : KIND_LEAVES_MOVES, at);
}

/* --- no cause */

/* Add the first plies of best play. */
static void add_best_line(Sentence *sentence)
{
    add(sentence, SAYS_AFTER);
    add(sentence, SAYS_BEST_PLAY);
    for (int at = 1; at < min(LISTED + 1, sentence->line->line->count); at++) {
        sentence->slots.move = sentence->line->line->moves[at];
        add(sentence, SAYS_ONE_MOVE);
    }
}

static bool tell_no_cause(Draft *draft, const Pair *pair)
{
    if (!pair->whole)
        return false;
    if (!pair->wasted)
        add(&draft->worse, SAYS_NO_CAUSE);
    add_best_line(&draft->worse);
    add_best_line(&draft->better);
    return settle(draft, THEME_NO_CAUSE, KIND_OTHER, MOST_LEFT);
}

/* Apply the rules in this order until a rule succeeds, and return the number of this rule. If no rule succeeds, return 0. The most
 * instructive rules come first: captures, and immediate effects of the first moves and the answers. */
static int tell(Draft *draft, const Pair *pair)
{
    int rule = 0;
    bool found = (rule++, tell_falling(draft, pair, AT_ONCE, AT_ONCE, false))
        || (rule++, tell_falling(draft, pair, NEAR, MOST_LEFT, true))
        || (rule++, tell_falling(draft, pair, AT_ONCE, NEAR, false))
        || (rule++, tell_tempo(draft, pair, true))
        || (rule++, tell_falling(draft, pair, AT_ONCE, LATER, false))
        || (rule++, tell_falling(draft, pair, MOST_LEFT, MOST_LEFT, true))
        || (rule++, tell_joint(draft, pair, true, true))
        || (rule++, tell_wanted(draft, pair))
        || (rule++, tell_eye(draft, pair, AT_ONCE))
        || (rule++, tell_falling(draft, pair, SOON, NEAR, false))
        || (rule++, tell_point(draft, pair, true, AT_ONCE))
        || (rule++, tell_falling(draft, pair, AT_ONCE, MOST_LEFT, false))
        || (rule++, tell_falling(draft, pair, NEAR, NEAR, false))
        || (rule++, tell_point(draft, pair, false, AT_ONCE))
        || (rule++, tell_first_moves(draft, pair, true))
        || (rule++, tell_tempo(draft, pair, false))
        || (rule++, tell_falling(draft, pair, NEAR, MOST_LEFT, false))
        || (rule++, tell_joint(draft, pair, true, false))
        || (rule++, tell_point(draft, pair, true, NEAR))
        || (rule++, tell_new_captures(draft, pair))
        || (rule++, tell_eye(draft, pair, NEAR))
        || (rule++, tell_joint(draft, pair, false, false))
        || (rule++, tell_point(draft, pair, false, NEAR))
        || (rule++, tell_first_moves(draft, pair, false))
        || (rule++, tell_no_cause(draft, pair));
    return found ? rule : 0;
}

static void tell_endings(Draft *draft, int theme, int kind)
{
    add_ending(&draft->worse);
    add_ending(&draft->better);
    settle(draft, theme, kind, 0);
}

/* A measure of how instructive a reason is. Smaller numbers are better, and `rule` is compared before `at`. */
typedef struct {
    int rule;        /* the number of the rule that made the reason */
    int at;          /* the index of the described event in its line */
} Merit;

/* Return whether a reason explains less than the fact that the move is wasted. The described event has the index `at` in its
 * line. */
static bool is_weak(int kind, int at)
{
    return kind == KIND_GIVES_POINT || kind == KIND_LEAVES_BORDER || kind == KIND_OTHER || at >= SOON;
}

/* Write a reason, and store its merit. Return false if explain_lines() does not accept the lines. */
static bool make_reason(Reason *reason, Merit *merit, const Position *start, const PlayLine *worse, const PlayLine *better,
    int outcome, int plies, int half_points)
{
    Pair pair;
    if (!replay(&pair.bad, start, worse, plies, half_points) || !replay(&pair.good, start, better, plies, half_points))
        return false;
    pair.whole = pair.bad.over && pair.good.over;
    pair.cost = worth_of(&pair, FULL);
    Draft draft = {reason, begin(reason->worse, &pair, &pair.bad), begin(reason->better, &pair, &pair.good), 0};
    pair.wasted = outcome != EXPLAINED && worse->moves[0] != PASS && better->moves[0] != PASS;
    merit->rule = 0;
    if (pair.wasted)
        add(&draft.worse, outcome == LIKE_A_PASS ? SAYS_LIKE_A_PASS : SAYS_BELOW_A_PASS);
    if (ends_by_a_pass(&pair.bad) || ends_by_a_pass(&pair.good))
        tell_endings(&draft, THEME_ENDS, ends_by_a_pass(&pair.good) ? KIND_MISSES_PASS : KIND_OTHER);
    else if (!(merit->rule = tell(&draft, &pair)))
        tell_endings(&draft, THEME_ANSWER, KIND_OTHER);
    merit->at = draft.at;
    if (worse->moves[0] == PASS)
        reason->kind = KIND_PASSES;
    else if (pair.wasted && is_weak(reason->kind, draft.at))
        reason->kind = KIND_WASTES;
    finish(&draft.worse);
    finish(&draft.better);
    return true;
}

bool explain_lines(
    Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int outcome, int plies, int half_points)
{
    Merit merit;
    return make_reason(reason, &merit, start, worse, better, outcome, plies, half_points);
}

/* --- the lines ------------------------------------------------------------------------------ */

/* Return whether an answer contains the exact value or, if there is a goal, decides whether the value reaches the goal. */
static bool is_decided(const Answer *answer, int goal)
{
    return answer->lo == answer->hi || (goal != NO_GUESS && (answer->lo >= goal || answer->hi < goal));
}

/* Decide whether the value of a position reaches a goal, or find the value if the goal is NO_GUESS. If the answer is not in the
 * table, search the position. Return whether the answer was found within the node limit. */
static bool search_within(Searcher *searcher, const Position *position, int goal, Answer *answer)
{
    Kernel *kernel = searcher->kernel;
    u64 rest = searcher->end == UINT64_MAX ? 0 : searcher->end - kernel->nodes;
    *answer = stored_bounds(kernel, position);
    if (is_decided(answer, goal))
        return true;
    if (searcher->end > kernel->nodes)
        *answer = goal == NO_GUESS ? kernel_value(kernel, position, goal, rest) : search_bounds(kernel, position, goal, rest);
    if (is_decided(answer, goal))
        return true;
    searcher->open = *position;
    return false;
}

static bool search_value(void *context, const Position *position, int *value)
{
    Answer answer;
    bool found = search_within(context, position, NO_GUESS, &answer);
    *value = answer.lo;
    return found;
}

static bool search_goal(void *context, const Position *position, int goal, bool *reaches)
{
    Answer answer;
    bool found = search_within(context, position, goal, &answer);
    *reaches = answer.lo >= goal;
    return found;
}

Oracle explain_search(Searcher *searcher) { return (Oracle){search_value, search_goal, searcher}; }

/* Count the points on which at least one of the sides may play. A side without a turn left does not count. */
static int count_open(const Position *position)
{
    Position turned = {position->opp, position->me, NO_KO, position->left - 1, false};
    if (!position->left)
        return 0;
    return popcount(legal_of(position) | (turned.left ? legal_of(&turned) : 0));
}

/* List the legal moves by rank, and return their number. Moves that capture more stones come first, then moves in the mask
 * `preferred`, which can contain PASS, then moves that lead to a smaller result of count_open(), then moves with a smaller
 * number. */
static int list_by_rank(const Position *position, u32 preferred, u8 moves[MOST_MOVES])
{
    int ranks[MOST_MOVES], count = 0;
    for (u32 rest = legal_of(position) | BIT(PASS); rest; rest &= rest - 1) {
        int move = lowest(rest), at = count++;
        Position next = position_after(position, move);
        int taken = popcount(position->opp) - popcount(next.me);
        int rank = (taken << 7) + (preferred & BIT(move) ? 1 << 6 : 0) + POINTS - count_open(&next);
        for (; at && ranks[at - 1] < rank; at--) {
            ranks[at] = ranks[at - 1];
            moves[at] = moves[at - 1];
        }
        ranks[at] = rank;
        moves[at] = (u8)move;
    }
    return count;
}

/* Determine whether the value of a move, for the mover, is at least `value`. Return false if the oracle cannot determine this. */
static bool find_kept(const Oracle *oracle, const Position *position, int move, int value, bool *kept)
{
    Position child = position_after(position, move);
    if (!child.left) {
        *kept = popcount(child.opp) - popcount(child.me) >= value;
        return true;
    }
    bool reaches;
    if (!oracle->reaches(oracle->context, &child, 1 - value, &reaches))
        return false;
    *kept = !reaches;
    return true;
}

/* Add at most `plies` plies of best play to a line. Return false if the oracle cannot determine the moves. */
static bool add_best_play(const Oracle *oracle, Position position, int value, u32 preferred, int plies, PlayLine *line)
{
    for (; position.left && plies; plies--, value = -value) {
        u8 moves[MOST_MOVES];
        int count = list_by_rank(&position, preferred, moves);
        bool kept = false;
        int i = 0;
        for (; i < count && !kept; i++)
            if (!find_kept(oracle, &position, moves[i], value, &kept))
                return false;
        line->moves[line->count++] = moves[i - 1];
        position = position_after(&position, moves[i - 1]);
    }
    return true;
}

bool explain_settle(const Oracle *oracle, const Position *start, int value, PlayLine *line)
{
    line->count = 0;
    return add_best_play(oracle, *start, value, 0, MOST_LEFT, line);
}

static bool find_value(const Oracle *oracle, const Position *position, int *value)
{
    *value = popcount(position->me) - popcount(position->opp);
    return !position->left || oracle->value(oracle->context, position, value);
}

/* List at most `most` moves that keep a value, in the order of list_by_rank(), with the same parameter `preferred`. Return false if
 * the oracle cannot determine the moves. */
static bool list_kept(const Oracle *oracle, const Position *position, int value, u32 preferred, int most, u8 kept[], int *count)
{
    u8 moves[MOST_MOVES];
    int all = list_by_rank(position, preferred, moves);
    *count = 0;
    for (int i = 0; i < all && *count < most; i++) {
        bool keeps;
        if (!find_kept(oracle, position, moves[i], value, &keeps))
            return false;
        if (keeps)
            kept[(*count)++] = moves[i];
    }
    return true;
}

/* The state of the search for the pair of lines with the most instructive reason. */
typedef struct {
    const Oracle *oracle;
    const Position *start;
    int value, next_value;       /* the values of the start and of the position after the mistake, each for the side to move */
    u8 best[MOST_MOVES], answers[MOST_ANSWERS];
    int best_count, answer_count;
    Merit merit;                 /* the merit of the best pair of lines so far */
    PlayLine *worse, *better;
} Choice;

static bool is_better(const Merit *merit, const Merit *other)
{
    return merit->rule != other->rule ? merit->rule < other->rule : merit->at < other->at;
}

/* Add an answer and then best play to a line that begins with the mistake. Return false if the oracle cannot determine the
 * moves. */
static bool follow(const Choice *choice, const Position *next, int answer, PlayLine *worse)
{
    if (!next->left)
        return true;
    worse->moves[worse->count++] = (u8)answer;
    return add_best_play(choice->oracle, position_after(next, answer), -choice->next_value, 0, MOST_LEFT, worse);
}

/* Compare a worse line with the lines that begin with a best move, and store the pair with the most instructive reason. If a best
 * move is also the answer to the mistake, compare its line first. Return false if the oracle cannot determine the moves. */
static bool compare(Choice *choice, const PlayLine *worse)
{
    u32 played = 0;
    u8 firsts[MOST_MOVES];
    int count = 0;
    for (int i = 0; i < worse->count; i++)
        played |= point_of(worse->moves[i]);
    for (int i = 0; i < choice->best_count; i++)
        if (worse->count > 1 && choice->best[i] == worse->moves[1])
            firsts[count++] = choice->best[i];
    for (int i = 0; i < choice->best_count; i++)
        if (!count || choice->best[i] != firsts[0])
            firsts[count++] = choice->best[i];
    for (int i = 0; i < min(count, MOST_BETTER); i++) {
        PlayLine better = {1, {firsts[i]}};
        Reason reason;
        Merit merit;
        if (!add_best_play(choice->oracle, position_after(choice->start, firsts[i]), -choice->value, played, MOST_LEFT, &better))
            return false;
        if (make_reason(&reason, &merit, choice->start, worse, &better, EXPLAINED, MOST_LEFT, 0)
            && is_better(&merit, &choice->merit)) {
            choice->merit = merit;
            *choice->worse = *worse;
            *choice->better = better;
        }
    }
    return true;
}

/* Compare a mistake with a PASS, unless the PASS would end the game. Return the outcome for explain_move(). The parameter `value`
 * is the value of the mistake for the mover. */
static int compare_with_pass(const Oracle *oracle, const Position *start, int move, int value)
{
    bool as_much = false, more = false;
    if (move == PASS || start->pass_ends)
        return EXPLAINED;
    if (!find_kept(oracle, start, PASS, value, &as_much) || (as_much && !find_kept(oracle, start, PASS, value + 1, &more)))
        return UNDECIDED;
    return more ? BELOW_A_PASS : as_much ? LIKE_A_PASS : EXPLAINED;
}

int explain_move(const Oracle *oracle, const Position *start, int move, PlayLine *worse, PlayLine *better)
{
    Position next = position_after(start, move);
    Choice choice = {.oracle = oracle, .start = start, .merit = {NO_RULE, 0}, .worse = worse, .better = better};
    u32 best = 0;
    if (!find_value(oracle, start, &choice.value) || !find_value(oracle, &next, &choice.next_value))
        return UNDECIDED;
    if (choice.value == -choice.next_value)
        return IS_BEST;
    if (!list_kept(oracle, start, choice.value, 0, MOST_MOVES, choice.best, &choice.best_count))
        return UNDECIDED;
    for (int i = 0; i < choice.best_count; i++)
        best |= BIT(choice.best[i]);
    if (next.left && !list_kept(oracle, &next, choice.next_value, best, MOST_ANSWERS, choice.answers, &choice.answer_count))
        return UNDECIDED;
    for (int i = 0; i < (next.left ? choice.answer_count : 1); i++) {
        PlayLine line = {1, {(u8)move}};
        if (!follow(&choice, &next, choice.answers[i], &line) || !compare(&choice, &line))
            return UNDECIDED;
    }
    return compare_with_pass(oracle, start, move, -choice.next_value);
}
