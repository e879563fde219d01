#include "explain.h"

/* The reasons need the kernel's static functions, so they are in one unit with it. wasm.c has included it before. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#include "kernel.c"
#endif

enum {
    NEAR = 8,                   /* plies within which a cause is, counted from the mistake */
    AT_ONCE = 2,                /* plies of the first move and the answer to it */
    FEW_LIBERTIES = 2,          /* a group with more liberties is in no danger */
    LISTED = 5,                 /* the largest number of stones, points or moves in a list */
    MOST_EFFECTS = 2,           /* the largest number of effects of a stone in a sentence */
    CENTRE_POINT = POINTS / 2,
    MOST_ANSWERS = 2, MOST_BETTER = 3,   /* the largest number of answers, and of better moves, whose lines are compared */
    NO_RULE = 99,
};

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

/* The sides: who is to move before both lines, and the other. */
enum { OURS, THEIRS };

/* A move of a line that takes stones. */
typedef struct {
    int at;          /* its index in the line */
    u32 stones, old; /* old: those of them that stood before the line began */
} Capture;

typedef struct {
    const PlayLine *line;
    Position at[MOST_LEFT + 1];
    Capture captures[2][MOST_LEFT];   /* by the side whose stones fall */
    int counts[2];
    u32 kept[2];                      /* what stands from the beginning to the end */
    int plies, half_points;           /* of the game */
    bool over;
} Sequel;

static u32 held(const Sequel *sequel, int at, int side)
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

/* The ply of the move with this index. */
static int ply_at(const Sequel *sequel, int at) { return sequel->plies - sequel->at[0].left + at + 1; }

/* Whether the first move or the answer to it is a PASS that ends the game before the last ply. */
static bool ends_by_a_pass(const Sequel *sequel)
{
    return sequel->over && sequel->line->count <= 2 && sequel->line->count < sequel->at[0].left;
}

/* The index of a side's next move of this kind from an index on, or NONE. */
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

/* Both lines. */
typedef struct {
    Sequel bad, good;
    bool whole;      /* both go to the end */
    int cost;        /* what the mistake costs, if they do */
} Pair;

/* What points are worth to the mover: its own less the other side's at the end, better line less worse. */
static int worth_of(const Pair *pair, u32 points)
{
    return popcount(end_held(&pair->good, OURS) & points) - popcount(end_held(&pair->good, THEIRS) & points)
        - popcount(end_held(&pair->bad, OURS) & points) + popcount(end_held(&pair->bad, THEIRS) & points);
}

/* The connected part of a mask that has its lowest point. */
static u32 first_group(u32 mask)
{
    u32 group = 0, grown = lowest_bit(mask);
    while (grown != group) {
        group = grown;
        grown = (group | neighbours(group)) & mask;
    }
    return group;
}

/* --- words ---------------------------------------------------------------------------------- */

typedef struct {
    char *bytes;
    int count;
} Text;

/* What a part of a sentence is about. */
typedef struct {
    int first, against;        /* the first moves of the line that the sentence describes, and of the other one */
    int answer, move, ply;
    int one, two;              /* points of two groups, or an eye */
    int number, black, white;
    u32 stones;
    bool many;
    bool black_moves;          /* before both lines */
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

/* Where the mean of some points is: half a line or more from the middle is a side. */
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

/* A few stones by their names, or else how many there are, and where. */
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

/* A result as Go players write it: B+0.5. */
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

/* One of two words, the first where the part is about several stones. */
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

/* Add a part of a sentence. */
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

/* A sentence that is being made, about one of the lines. */
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

static void add(Sentence *sentence, int part) { put(&sentence->text, part, &sentence->slots); }

static void add_of(Sentence *sentence, int part, u32 stones)
{
    sentence->slots.stones = stones;
    sentence->slots.many = !one_bit_at_most(stones);
    add(sentence, part);
}

static void add_at(Sentence *sentence, int part, int at)
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

/* End a sentence, with the game's result where the line goes to the end. */
static void finish(Sentence *sentence)
{
    if (sentence->line->over) {
        count_colours(sentence, FULL);
        sentence->slots.margin = sentence->slots.black - sentence->slots.white;
        add(sentence, SAYS_RESULT);
    }
    add(sentence, SAYS_STOP);
}

/* Tell how many stones there are where a PASS ends the game, or else of the answer. */
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

/* Name the other stones that a capture takes: "(also 0,0, which falls after 2,2 too)". told: the stones that the sentence has
 * already named. */
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

/* Tell of a capture, "takes 0,1 at ply 9 with 1,1"; the ply and the move are left out where the words before show them. */
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

/* Tell that stones stand as far as the line goes. */
static void add_standing(Sentence *sentence, int named, u32 stones)
{
    add_of(sentence, named, stones);
    add_at(sentence, sentence->line->over ? SAYS_STAND_TO_END : SAYS_STAND_UNTIL, sentence->line->line->count - 1);
}

/* Tell what the mistake brings elsewhere, where the points told of are worth more than it costs. */
static void add_elsewhere(Sentence *sentence, u32 points)
{
    int more = sentence->pair->whole ? worth_of(sentence->pair, points) - sentence->pair->cost : 0;
    if (more > 0) {
        sentence->slots.number = more;
        sentence->slots.many = more > 1;
        add(sentence, SAYS_ELSEWHERE);
    }
}

static bool fills_eye(const Sequel *sequel)
{
    u32 point = point_of(sequel->line->moves[0]);
    return point && !(neighbours(point) & ~held(sequel, 0, OURS));
}

/* Whether the mistake fills an eye of its own side, and the better move none; told of if so. */
static bool add_eye(Sentence *sentence)
{
    bool eye = fills_eye(&sentence->pair->bad) && !fills_eye(&sentence->pair->good);
    if (eye)
        add(sentence, SAYS_OWN_EYE);
    return eye;
}

/* --- the rules: each makes both sentences without their ends, or returns false ---------------- */

/* The reason that is being made. at: the index of the event that it describes, which the choice between lines compares. */
typedef struct {
    Reason *reason;
    Sentence worse, better;
    int at;
} Draft;

static bool settle(Draft *draft, int theme, int kind, int at)
{
    draft->reason->theme = theme;
    draft->reason->kind = kind;
    draft->at = at;
    return true;
}

/* Return the connected part of a mask that contains a seed. */
static u32 group_with(u32 mask, u32 seed)
{
    u32 group = 0, grown = seed & mask;
    while (grown != group) {
        group = grown;
        grown = (group | neighbours(group)) & mask;
    }
    return group;
}

static int liberties_of(const Position *position, u32 group)
{
    return popcount(neighbours(group) & FULL & ~(position->me | position->opp));
}

static int horizon_of(const Sequel *sequel) { return min(NEAR, sequel->line->count); }

/* Add "White answers 1,1", or for a later index or another side "After 2,1 Black plays 1,1 at ply 9"; at 0, only the move. */
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

/* A move within eight plies that prepares a later capture: it cuts the stones off from a group of their side, or leaves them few
 * liberties. at: the index of the move, or NONE. */
typedef struct {
    int at;
    int two;             /* a stone of the group that they are cut off from, or NONE */
    int number;          /* of their liberties */
} Preparation;

/* Return a stone of another group of this side that a stone on a point cuts off from some stones, or NONE: its own stone would have
 * joined both groups, and they do not meet again before a position of the line. */
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
        if (!meet)
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
            continue;   /* the stones are in several groups */
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

/* Add "cuts 2,1 off from 2,3", or "leaves 2,1 only 2 liberties". named: whether a sentence before has named the stones. */
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

/* Add a capture with the move that prepares it, if there is one: "White answers 1,1, which cuts 2,1 off from 2,3, and captures it at
 * ply 20 with 3,3". takes: the words for a capture without a preparation. named: as in add_preparation(). */
static void add_capture(Sentence *sentence, const Capture *capture, u32 stones, int takes, bool named)
{
    Preparation preparation = find_preparation(sentence->line, capture, stones);
    bool theirs = capture->at & 1;
    if (preparation.at == NONE) {
        add(sentence, theirs ? SAYS_ANSWERS : capture->at ? SAYS_AFTER_MOVER : SAYS_AT_ONCE);
        if (theirs)
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

/* Whether some stones of the mover's have one liberty before both lines, and the better move leaves them no more. */
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

/* What makes two sentences of a capture in one of the lines. */
typedef bool Teller(Draft *draft, const Pair *pair, const Capture *capture, u32 stones);

/* A capture that may be described, and which of its stones are described. */
typedef struct {
    const Capture *capture;
    u32 stones;
    int worth;       /* to the mover, up to the cost */
    Teller *tell;
} Fate;

/* Whether one fate is described in preference to another: stones captured at once come first, then the more valuable, then the
 * earlier. */
static bool comes_before(const Fate *fate, const Fate *other)
{
    bool late = fate->capture->at > 1, other_late = other->capture->at > 1;
    if (late != other_late)
        return !late;
    return fate->worth != other->worth ? fate->worth > other->worth : fate->capture->at < other->capture->at;
}

/* A capture after more than eight plies counts only if a move within eight plies prepares it. near: whether only captures within
 * eight plies count. */
static void consider(Fate *best, const Pair *pair, const Sequel *falls, const Capture *capture, u32 stones, bool near, Teller *tell)
{
    int worth = pair->whole ? worth_of(pair, stones) : popcount(stones);
    Fate fate = {capture, stones, pair->whole ? min(worth, pair->cost) : 0, tell};
    if (!stones || worth <= 0 || (best->capture && !comes_before(&fate, best)))
        return;
    if (capture->at < NEAR || (!near && find_preparation(falls, capture, stones).at != NONE))
        *best = fate;
}

/* Consider the stones that stood before both lines, and are captured in only one of them. */
static void consider_lost(Fate *best, const Pair *pair, const Sequel *falls, const Sequel *stays, int side, bool near, Teller *tell)
{
    for (int i = 0; i < falls->counts[side]; i++) {
        const Capture *capture = &falls->captures[side][i];
        consider(best, pair, falls, capture, capture->old & stays->kept[side], near, tell);
    }
}

/* The first capture of the stones of a point, or NULL. */
static const Capture *capture_of(const Sequel *sequel, int side, u32 points)
{
    for (int i = 0; i < sequel->counts[side]; i++)
        if (sequel->captures[side][i].stones & points)
            return &sequel->captures[side][i];
    return NULL;
}

/* Stones that are captured in only one line, and are worth something to the mover. near: as in consider(). */
static bool tell_falling(Draft *draft, const Pair *pair, bool near)
{
    Fate best = {NULL, 0, 0, NULL};
    u32 played = point_of(pair->bad.line->moves[0]);
    const Capture *capture = capture_of(&pair->bad, OURS, played);
    consider_lost(&best, pair, &pair->bad, &pair->good, OURS, near, tell_lost);
    consider_lost(&best, pair, &pair->good, &pair->bad, THEIRS, near, tell_left);
    if (capture && !capture_of(&pair->good, OURS, played))
        consider(&best, pair, &pair->bad, capture, played | (capture->old & pair->good.kept[OURS]), near, tell_added);
    return best.capture && best.tell(draft, pair, best.capture, best.stones);
}

static int count_captured(const Sequel *sequel, int side)
{
    int count = 0;
    for (int i = 0; i < sequel->counts[side]; i++)
        count += popcount(sequel->captures[side][i].stones);
    return count;
}

/* Stones that were played after the mistake, and are captured within eight plies, in the line that captures more stones. */
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
        return settle(draft, side == OURS ? THEME_CAPTURE : THEME_MISSED, side == OURS ? KIND_LOSES_LATER : KIND_LETS_LIVE, capture->at);
    }
    return false;
}

/* --- a point that both sides need */

/* What a stone does at once. */
typedef struct {
    int part;
    u32 stones;
} Effect;

/* List the effects, the most urgent first; return how many. */
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
        {SAYS_CUTS, other_count > 1 ? others : 0}, {SAYS_CENTRE, point == CENTRE_POINT ? BIT(point) : 0},
    };
    for (unsigned i = 0; i < sizeof found / sizeof *found && count < MOST_EFFECTS; i++)
        if (found[i].stones)
            effects[count++] = found[i];
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

/* List what a stone does that the mistake does not do as well; return how many. */
static int list_new_effects(const Pair *pair, int point, Effect effects[MOST_EFFECTS])
{
    Effect same[MOST_EFFECTS];
    const Position *start = &pair->bad.at[0];
    int played = pair->bad.line->moves[0], alike = played == PASS ? 0 : list_effects(start, played, same), count = 0;
    int all = list_effects(start, point, effects);
    for (int i = 0; i < all; i++) {
        bool is_same = false;
        for (int j = 0; j < alike; j++)
            is_same = is_same || (same[j].part == effects[i].part && same[j].stones == effects[i].stones);
        if (!is_same)
            effects[count++] = effects[i];
    }
    return count;
}

/* A point that is the best move, and the best answer to the move that was played instead; only if it does something. */
static bool tell_wanted(Draft *draft, const Pair *pair)
{
    int point = pair->good.line->moves[0];
    if (point == PASS || pair->bad.line->count < 2 || pair->bad.line->moves[1] != point)
        return false;
    Effect theirs[MOST_EFFECTS], ours[MOST_EFFECTS];
    int their_count = list_effects(&pair->bad.at[1], point, theirs), our_count = list_new_effects(pair, point, ours);
    if (!their_count && !our_count)
        return false;
    if (their_count == 1 && theirs[0].part == SAYS_CENTRE) {
        add(&draft->worse, SAYS_ANSWERS);
        add(&draft->worse, SAYS_AND);
        add(&draft->worse, SAYS_CENTRE_ONLY);
        add(&draft->better, SAYS_AT_ONCE);
        add(&draft->better, SAYS_CENTRE_FIRST);
        return settle(draft, THEME_POINT, KIND_LEAVES_CENTRE, 1);
    }
    add(&draft->worse, SAYS_BOTH_WANT);
    for (int i = 0; i < their_count; i++) {
        add(&draft->worse, i + 1 < their_count ? SAYS_COMMA : SAYS_COMMA_AND);
        add_of(&draft->worse, theirs[i].part, theirs[i].stones);
    }
    u32 escaped = their_count && theirs[0].part == SAYS_ATARI ? theirs[0].stones & pair->good.at[0].me : 0;
    add(&draft->better, our_count ? SAYS_AT_ONCE : SAYS_AFTER);
    if (!our_count && escaped && escaped == theirs[0].stones) {
        add_of(&draft->better, SAYS_KEEP_LIBERTIES, escaped);
        add_liberties(&draft->better, liberties_of(&pair->good.at[1], group_with(pair->good.at[1].opp, escaped)));
    } else if (!our_count)
        add(&draft->better, SAYS_IS_MOVERS);
    for (int i = 0; i < our_count; i++) {
        if (i)
            add(&draft->better, SAYS_AND);
        add_of(&draft->better, ours[i].part, ours[i].stones);
    }
    int kind = point == CENTRE_POINT ? KIND_LEAVES_CENTRE : our_count ? kind_by_effect(ours[0].part) : KIND_GIVES_POINT;
    return settle(draft, THEME_POINT, kind, 1);
}

/* --- groups that are joined in only one line */

/* Two groups of one side before both lines, joined in one of them. by: the index of the move that joins them; cut: of the move in
 * the other line that keeps them apart, or NONE. one, two: a stone of each. until: the last index up to which they are apart. */
typedef struct {
    int side, by, cut, one, two, until;
} Joint;

static bool are_joined(const Sequel *sequel, int at, int side, u32 one, u32 two)
{
    u32 mine = held(sequel, at, side);
    return (group_with(mine, one) & group_with(mine, two)) != 0;
}

/* Return the index of the move within eight plies that joins two groups until the eighth ply at least, or NONE. */
static int joined_by(const Sequel *sequel, int side, u32 one, u32 two)
{
    int at = horizon_of(sequel);
    if (!are_joined(sequel, at, side, one, two))
        return NONE;
    while (at > 1 && are_joined(sequel, at - 1, side, one, two))
        at--;
    return at - 1;
}

static bool are_apart(const Sequel *sequel, int side, u32 one, u32 two, int until)
{
    for (int at = 0; at <= until; at++)
        if (are_joined(sequel, at, side, one, two))
            return false;
    return one & held(sequel, horizon_of(sequel), side) && two & held(sequel, horizon_of(sequel), side);
}

/* Return the index of the other side's first stone within eight plies that is beside both groups, or NONE. */
static int cut_by(const Sequel *sequel, int side, u32 one, u32 two)
{
    for (int at = !side; at < horizon_of(sequel); at += 2) {
        u32 near = neighbours(point_of(sequel->line->moves[at])), mine = held(sequel, at + 1, side);
        if (near & group_with(mine, one) && near & group_with(mine, two))
            return at;
    }
    return NONE;
}

/* Find two groups of a side that are joined in one line, and in the other one apart to its end (to_end) or to the eighth ply: those
 * whose joining or cutting comes first. */
static bool find_joint(Joint *best, const Pair *pair, int side, bool to_end)
{
    const Sequel *joined = side == OURS ? &pair->good : &pair->bad, *apart = side == OURS ? &pair->bad : &pair->good;
    int until = to_end ? apart->line->count : horizon_of(apart), earliest = NEAR;
    for (u32 rest = held(joined, 0, side), one; rest; rest ^= one) {
        one = first_group(rest);
        for (u32 others = rest ^ one, two; others; others ^= two) {
            two = first_group(others);
            int by = joined_by(joined, side, one, two);
            if (by == NONE || by >= earliest || !are_apart(apart, side, one, two, until) || (pair->whole && worth_of(pair, one | two) < 0))
                continue;
            u32 near = neighbours(point_of(joined->line->moves[by]));
            earliest = by;
            *best = (Joint){side, by, cut_by(apart, side, one, two), lowest(one & near ? one & near : one),
                lowest(two & near ? two & near : two), until};
        }
    }
    return earliest < NEAR;
}

/* Add "stay apart to the end", or for a part of the line "are still apart at ply 14". */
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

/* Groups that only one line joins. at_once: the better move or the answer joins or cuts them. */
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

/* The eyes of a side: empty points with only its stones around them. */
static u32 eyes_at(const Sequel *sequel, int at, int side)
{
    u32 mine = held(sequel, at, side), eyes = 0;
    for (u32 rest = FULL & ~mine & ~held(sequel, at, !side); rest; rest &= rest - 1)
        if (!(NEIGHBOURS[lowest(rest)] & ~mine))
            eyes |= lowest_bit(rest);
    return eyes;
}

/* Return the points that are eyes of a side at any time within eight plies. */
static u32 eyes_within(const Sequel *sequel, int side)
{
    u32 eyes = 0;
    for (int at = 0; at <= horizon_of(sequel); at++)
        eyes |= eyes_at(sequel, at, side);
    return eyes;
}

/* Return the index of the move that makes an eye, which is still there at the eighth ply. */
static int eye_made_by(const Sequel *sequel, int side, u32 eye)
{
    int at = horizon_of(sequel);
    while (at > 1 && eyes_at(sequel, at - 1, side) & eye)
        at--;
    return at - 1;
}

/* Whether the other side may not play on an eye after the move that makes it, and not only because of a ko. */
static bool is_closed(const Sequel *sequel, int at, u32 eye)
{
    const Position *next = &sequel->at[at + 1];
    return next->left && !(legal_of(next) & eye) && (next->ko == NO_KO || BIT(next->ko) != eye);
}

/* An eye that a side makes within so many plies in only one line. */
static bool tell_eye(Draft *draft, const Pair *pair, int plies)
{
    for (int side = OURS; side <= THEIRS; side++) {
        const Sequel *has = side == OURS ? &pair->good : &pair->bad, *lacks = side == OURS ? &pair->bad : &pair->good;
        u32 eyes = eyes_at(has, horizon_of(has), side) & ~eyes_within(lacks, side) & ~held(lacks, horizon_of(lacks), side), best = 0;
        for (u32 rest = eyes; rest; rest &= rest - 1)
            if ((!best || eye_made_by(has, side, lowest_bit(rest)) < eye_made_by(has, side, best))
                && (!pair->whole || worth_of(pair, lowest_bit(rest) | neighbours(lowest_bit(rest))) > 0))
                best = lowest_bit(rest);
        if (!best || eye_made_by(has, side, best) >= plies || !is_closed(has, eye_made_by(has, side, best), best))
            continue;
        int at = eye_made_by(has, side, best), taken = next_play(lacks, !side, lowest(best), 0);
        Sentence *with = side == OURS ? &draft->better : &draft->worse, *without = side == OURS ? &draft->worse : &draft->better;
        with->slots.one = without->slots.one = lowest(best);
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

/* Return the points on which a side plays within eight plies and keeps its stones to the end. */
static u32 points_got(const Sequel *sequel, int side)
{
    u32 kept = FULL & ~held(sequel, 0, side);
    for (int at = horizon_of(sequel); at <= sequel->line->count; at++)
        kept &= held(sequel, at, side);
    return kept;
}

/* Return the index of the move within eight plies that puts the stone on a point that stays. */
static int got_by(const Sequel *sequel, int side, u32 point)
{
    int at = horizon_of(sequel);
    while (at > 1 && held(sequel, at - 1, side) & point)
        at--;
    return at - 1;
}

/* Return the first point of the better line if it is among `points`, or else the one of them that the other side gets first in the
 * worse line. */
static u32 first_got(const Pair *pair, u32 points)
{
    u32 best = point_of(pair->good.line->moves[0]) & points;
    for (u32 rest = best ? 0 : points; rest; rest &= rest - 1)
        if (!best || got_by(&pair->bad, THEIRS, lowest_bit(rest)) < got_by(&pair->bad, THEIRS, best))
            best = lowest_bit(rest);
    return best;
}

/* Add what the stone of a move does at once, ", joins 2,1 and 4,1, "; at least which stone it blocks, or extends. */
static void add_effects(Sentence *sentence, int at)
{
    Effect effects[MOST_EFFECTS];
    int move = sentence->line->line->moves[at], side = at & 1;
    int count = list_effects(&sentence->line->at[at], move, effects);
    u32 blocked = NEIGHBOURS[move] & held(sentence->line, at, !side), extended = NEIGHBOURS[move] & held(sentence->line, at, side);
    if (!count && (blocked | extended))
        effects[count++] = (Effect){blocked ? SAYS_BLOCKS : SAYS_EXTENDS, blocked ? blocked : extended};
    for (int i = 0; i < count; i++) {
        add(sentence, SAYS_COMMA);
        add_of(sentence, effects[i].part, effects[i].stones);
    }
    add(sentence, count ? SAYS_COMMA_KEEPS : SAYS_AND_KEEPS);
}

/* Add that the point of a move is empty, and beside stones of both sides, "The border between Black's 1,1 and White's 2,0 is open at
 * 1,0: Black plays there first"; return whether it is. */
static bool add_border(Sentence *sentence, int at)
{
    Effect effects[MOST_EFFECTS];
    int move = sentence->line->line->moves[at];
    u32 ours = NEIGHBOURS[move] & held(sentence->line, at, OURS), theirs = NEIGHBOURS[move] & held(sentence->line, at, THEIRS);
    if (!ours || !theirs || list_effects(&sentence->line->at[at], move, effects))
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

/* Tell what a point is worth with the points beside it that end better for the mover; then what the mistake gains elsewhere. */
static void add_around(Sentence *sentence, u32 point)
{
    u32 gained = 0, area;
    for (u32 rest = FULL; rest; rest &= rest - 1)
        if (worth_of(sentence->pair, lowest_bit(rest)) > 0)
            gained |= lowest_bit(rest);
    area = group_with(gained, point);
    if (area != point) {
        sentence->slots.number = worth_of(sentence->pair, area);
        add(sentence, SAYS_DECIDES);
    }
    add_elsewhere(sentence, area);
}

/* Add who gets a point in the better line. at: the index of the mover's move there, or NONE. */
static void add_getting(Sentence *sentence, int at, bool border)
{
    if (at != 0 || !border)
        add(sentence, SAYS_AFTER);
    if (at == NONE)
        add(sentence, SAYS_OTHER_HAS_NOT);
    else if (at == 0)
        add(sentence, border ? SAYS_CLOSES : SAYS_KEEPS_POINT);
    else
        add_at(sentence, border ? SAYS_CLOSES_LATER : SAYS_MOVER_HAS_IT, at);
}

/* Name a point that the other side gets within `plies` plies in the worse line. shared: only points that the mover also gets,
 * within eight plies, in the better line. */
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
        add_playing(worse, at);
        add_effects(worse, at);
    }
    add_getting(better, ours & point ? got_by(good, OURS, point) : NONE, border);
    add_around(better, point);
    return settle(draft, THEME_AREA, border ? KIND_LEAVES_BORDER : KIND_GIVES_POINT, at);
}

/* --- turns that are left */

/* Return the index of a side's first PASS within eight plies at which it has a stone to play in the other line, or NONE. */
static int short_of_moves(const Sequel *passes, const Sequel *plays, int side)
{
    int at = next_play(passes, side, PASS, 0);
    return at != NONE && at < NEAR && at < plays->line->count && plays->line->moves[at] != PASS ? at : NONE;
}

/* One side passes more often, and first within eight plies. whole: the whole cost is these PASSes. */
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
    Sentence *with = side == OURS ? &draft->worse : &draft->better, *without = side == OURS ? &draft->better : &draft->worse;
    add(with, side == OURS ? SAYS_AFTER_MOVER : SAYS_AFTER_OTHER);
    add_at(with, SAYS_ONLY_PASS, at);
    add(without, side == OURS ? SAYS_AFTER_MOVER : SAYS_AFTER_OTHER);
    without->slots.move = without->line->line->moves[at];
    add_at(without, SAYS_STILL_HAS, at);
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
    add(&draft->worse, SAYS_NO_CAUSE);
    add_best_line(&draft->worse);
    add_best_line(&draft->better);
    return settle(draft, THEME_NO_CAUSE, KIND_OTHER, MOST_LEFT);
}

/* The rules in their order, from the reason that teaches most. Return the number of the first rule that finds something. */
static int tell(Draft *draft, const Pair *pair)
{
    return tell_falling(draft, pair, true) ? 1 : tell_tempo(draft, pair, true) ? 2 : tell_falling(draft, pair, false) ? 3
        : tell_joint(draft, pair, true, true) ? 4 : tell_wanted(draft, pair) ? 5 : tell_eye(draft, pair, AT_ONCE) ? 6
        : tell_joint(draft, pair, true, false) ? 7 : tell_tempo(draft, pair, false) ? 8 : tell_point(draft, pair, true, AT_ONCE) ? 9
        : tell_eye(draft, pair, NEAR) ? 10 : tell_point(draft, pair, true, NEAR) ? 11 : tell_new_captures(draft, pair) ? 12
        : tell_joint(draft, pair, false, false) ? 13 : tell_point(draft, pair, false, NEAR) ? 14 : tell_no_cause(draft, pair) ? 15 : 0;
}

static void tell_endings(Draft *draft, int theme, int kind)
{
    add_ending(&draft->worse);
    add_ending(&draft->better);
    settle(draft, theme, kind, 0);
}

/* How much a reason teaches: the number of the rule that made it, and the index of its event. Fewer is better. */
typedef struct {
    int rule, at;
} Merit;

/* Make a reason; return false for lines that explain_lines() refuses. */
static bool make_reason(Reason *reason, Merit *merit, const Position *start, const PlayLine *worse, const PlayLine *better, int plies,
    int half_points)
{
    Pair pair;
    if (!replay(&pair.bad, start, worse, plies, half_points) || !replay(&pair.good, start, better, plies, half_points))
        return false;
    pair.whole = pair.bad.over && pair.good.over;
    pair.cost = worth_of(&pair, FULL);
    Draft draft = {reason, begin(reason->worse, &pair, &pair.bad), begin(reason->better, &pair, &pair.good), 0};
    merit->rule = 0;
    if (ends_by_a_pass(&pair.bad) || ends_by_a_pass(&pair.good))
        tell_endings(&draft, THEME_ENDS, ends_by_a_pass(&pair.good) ? KIND_MISSES_PASS : KIND_OTHER);
    else if (!(merit->rule = tell(&draft, &pair)))
        tell_endings(&draft, THEME_ANSWER, KIND_OTHER);
    merit->at = draft.at;
    if (worse->moves[0] == PASS)
        reason->kind = KIND_PASSES;
    finish(&draft.worse);
    finish(&draft.better);
    return true;
}

bool explain_lines(
    Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int plies, int half_points)
{
    Merit merit;
    return make_reason(reason, &merit, start, worse, better, plies, half_points);
}

/* --- the lines ------------------------------------------------------------------------------ */

/* Whether an answer has the value, and with a goal whether it is reached or not. */
static bool is_decided(const Answer *answer, int goal)
{
    return answer->lo == answer->hi || (goal != NO_GUESS && (answer->lo >= goal || answer->hi < goal));
}

/* Search a position for a goal, or for its value with NO_GUESS, unless the table has that; return whether it is decided. */
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

/* Count the points that either side may fill, if it has a turn left. */
static int count_open(const Position *position)
{
    Position turned = {position->opp, position->me, NO_KO, position->left - 1, false};
    if (!position->left)
        return 0;
    return popcount(legal_of(position) | (turned.left ? legal_of(&turned) : 0));
}

/* List the legal moves, those first that take the most stones, then the preferred ones, then those that leave the fewest points
 * open, then in order. preferred: a mask of moves, PASS among them. */
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

/* Find out whether a move keeps its mover's value. */
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

/* Add best play to a line, of so many plies at most. */
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

/* List the moves that keep a value, the first by rank, of which there are so many at most. preferred: as in list_by_rank(). */
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

/* The search for the pair of lines whose reason teaches most. */
typedef struct {
    const Oracle *oracle;
    const Position *start;
    int value, next_value;       /* of the start, and after the mistake; from the side of the player who moves there */
    u8 best[MOST_MOVES], answers[MOST_ANSWERS];
    int best_count, answer_count;
    Merit merit;                 /* of the lines found so far */
    PlayLine *worse, *better;
} Choice;

static bool is_better(const Merit *merit, const Merit *other)
{
    return merit->rule != other->rule ? merit->rule < other->rule : merit->at < other->at;
}

/* Follow the mistake and one answer to it by best play. */
static bool follow(const Choice *choice, const Position *next, int answer, PlayLine *worse)
{
    if (!next->left)
        return true;
    worse->moves[worse->count++] = (u8)answer;
    return add_best_play(choice->oracle, position_after(next, answer), -choice->next_value, 0, MOST_LEFT, worse);
}

/* Compare a worse line with the lines that begin with a best move, and keep the pair whose reason teaches most. */
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
        if (make_reason(&reason, &merit, choice->start, worse, &better, MOST_LEFT, 0) && is_better(&merit, &choice->merit)) {
            choice->merit = merit;
            *choice->worse = *worse;
            *choice->better = better;
        }
    }
    return true;
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
    return EXPLAINED;
}
