#include "explain.h"

/* The reasons need the kernel's static functions, so they are in one unit with it. wasm.c has included it before. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#include "kernel.c"
#endif

enum {
    NEAR = 8, SOON = 12,        /* a capture within so many plies comes before everything else, or before a large area */
    FEW = 4,                    /* no more points that end otherwise are a small area */
    LISTED = 5,                 /* no more stones or points are listed */
    MOST_EFFECTS = 2,           /* no more is told of what a point does */
    CENTRE_POINT = POINTS / 2,
};

_Static_assert(SIZE == 5, "the middle is that of 5x5");

#define MIDDLE_POINTS (BIT(6) | BIT(7) | BIT(8) | BIT(11) | BIT(12) | BIT(13) | BIT(16) | BIT(17) | BIT(18))

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

/* The points that end otherwise; none where a line does not go to the end. */
static u32 differing(const Pair *pair)
{
    if (!pair->whole)
        return 0;
    return (end_held(&pair->bad, OURS) ^ end_held(&pair->good, OURS))
        | (end_held(&pair->bad, THEIRS) ^ end_held(&pair->good, THEIRS));
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
    int first, against;        /* the first moves of the line that is told of, and of the other one */
    int answer, move, ply;
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

/* Tell what else falls in a capture: "(also 0,0, which falls after 2,2 too)". told: the stones that are told of. */
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

/* The reason that is being made. */
typedef struct {
    Reason *reason;
    Sentence worse, better;
} Draft;

static bool settle(Draft *draft, int theme, int kind)
{
    draft->reason->theme = theme;
    draft->reason->kind = kind;
    return true;
}

/* What makes two sentences of a capture in one of the lines. */
typedef bool Teller(Draft *draft, const Pair *pair, const Capture *capture, u32 stones);

/* Whether the answer keeps stones apart from another group: a stone on its point would join them, or leave one point between. */
static bool cuts(const Sequel *bad, u32 stones)
{
    u32 near = neighbours(point_of(bad->line->moves[1]));
    u32 reached = near | neighbours(near & ~(held(bad, 2, OURS) | held(bad, 2, THEIRS)));
    bool with = false, without = false;
    for (u32 rest = held(bad, 2, OURS); rest;) {
        u32 group = first_group(rest);
        rest ^= group;
        with = with || (group & near && group & stones);
        without = without || (group & reached && !(group & stones));
    }
    return with && without;
}

static bool tell_lost(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    u32 group = held(&pair->bad, 1, OURS), played = point_of(pair->bad.line->moves[0]), grown = played;
    add(worse, SAYS_ANSWERS);
    if (capture->at > 1 && cuts(&pair->bad, stones))
        add_of(worse, SAYS_CUTTING, stones);
    add(worse, SAYS_AND);
    add_taking(worse, SAYS_TAKES, capture, stones);
    bool eye = add_eye(worse);
    add(better, SAYS_AFTER);
    add_standing(better, SAYS_THEY, stones);
    add_elsewhere(better, stones);
    for (u32 before = 0; before != grown;) {
        before = grown;
        grown = (grown | neighbours(grown)) & group;
    }
    return settle(draft, THEME_CAPTURE, eye ? KIND_FILLS_EYE : capture->at > 1 ? KIND_LOSES_LATER
                  : grown & stones ? KIND_SELF_ATARI : KIND_LEAVES_ATARI);
}

static bool tell_left(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    (void)pair;
    add(worse, SAYS_AFTER);
    add_standing(worse, SAYS_THEIRS, stones);
    bool eye = add_eye(worse);
    add(better, capture->at ? SAYS_AFTER_MOVER : SAYS_AT_ONCE);
    add_taking(better, SAYS_TAKES_THEM, capture, stones);
    add_elsewhere(better, stones);
    return settle(draft, THEME_MISSED, eye ? KIND_FILLS_EYE : capture->at ? KIND_LETS_LIVE : KIND_MISSES_CAPTURE);
}

static bool tell_added(Draft *draft, const Pair *pair, const Capture *capture, u32 stones)
{
    Sentence *worse = &draft->worse, *better = &draft->better;
    int move = pair->bad.line->moves[0], later = next_play(&pair->good, OURS, move, 0);
    add(worse, SAYS_ANSWERS);
    add(worse, SAYS_AND);
    add_taking(worse, SAYS_TAKES_NEW, capture, point_of(move));
    add(better, SAYS_AFTER);
    if (later == NONE)
        add(better, SAYS_NOTHING_LOST);
    else
        add_at(better, SAYS_KEEPS_IT, later);
    add_elsewhere(better, stones);
    return settle(draft, THEME_ADDED, capture->at > 1 ? KIND_LOSES_LATER : KIND_SELF_ATARI);
}

/* A capture that may be told of, and the stones of it that are. */
typedef struct {
    const Capture *capture;
    u32 stones;
    int worth;       /* to the mover, up to the cost */
    Teller *tell;
} Fate;

/* Whether a fate is told rather than another: stones taken at once, then those of the most worth, then the earliest. */
static bool comes_before(const Fate *fate, const Fate *other)
{
    bool late = fate->capture->at > 1, other_late = other->capture->at > 1;
    if (late != other_late)
        return !late;
    return fate->worth != other->worth ? fate->worth > other->worth : fate->capture->at < other->capture->at;
}

static void consider(Fate *best, const Pair *pair, const Capture *capture, u32 stones, int plies, Teller *tell)
{
    int worth = pair->whole ? worth_of(pair, stones) : popcount(stones);
    Fate fate = {capture, stones, pair->whole ? min(worth, pair->cost) : 0, tell};
    if (stones && capture->at < plies && worth > 0 && (!best->capture || comes_before(&fate, best)))
        *best = fate;
}

/* Consider the stones that stood before both lines, and fall in one of them alone. */
static void consider_lost(Fate *best, const Pair *pair, const Sequel *falls, const Sequel *stays, int side, int plies, Teller *tell)
{
    for (int i = 0; i < falls->counts[side]; i++) {
        const Capture *capture = &falls->captures[side][i];
        consider(best, pair, capture, capture->old & stays->kept[side], plies, tell);
    }
}

/* The first capture of the stones of a point, or NULL. */
static const Capture *capture_of(const Sequel *sequel, u32 point)
{
    for (int i = 0; i < sequel->counts[OURS]; i++)
        if (sequel->captures[OURS][i].stones & point)
            return &sequel->captures[OURS][i];
    return NULL;
}

/* Stones that fall within so many plies in one line alone, and are worth something to the mover. */
static bool tell_falling(Draft *draft, const Pair *pair, int plies)
{
    Fate best = {NULL, 0, 0, NULL};
    u32 played = point_of(pair->bad.line->moves[0]);
    const Capture *capture = capture_of(&pair->bad, played);
    consider_lost(&best, pair, &pair->bad, &pair->good, OURS, plies, tell_lost);
    consider_lost(&best, pair, &pair->good, &pair->bad, THEIRS, plies, tell_left);
    if (capture && !capture_of(&pair->good, played))
        consider(&best, pair, capture, played | (capture->old & pair->good.kept[OURS]), plies, tell_added);
    return best.capture && best.tell(draft, pair, best.capture, best.stones);
}

/* What a stone does at once. */
typedef struct {
    int part;
    u32 stones;
} Effect;

static int liberties_of(const Position *position, u32 group)
{
    return popcount(neighbours(group) & FULL & ~(position->me | position->opp));
}

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
        if (liberties_of(position, group) == 1 && liberties_of(&next, group | BIT(point)) > 1)
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

static int kind_by_effect(const Effect *effect)
{
    switch (effect->part) {
    case SAYS_TAKES: return KIND_MISSES_CAPTURE;
    case SAYS_ATARI: return KIND_MISSES_ATARI;
    case SAYS_JOINS: return KIND_LEAVES_APART;
    case SAYS_CUTS: return KIND_MISSES_CUT;
    default: return KIND_OTHER;
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

/* A point that is the best move, and the best answer to the move that was played instead; only where it does something. */
static bool tell_wanted(Draft *draft, const Pair *pair)
{
    int point = pair->good.line->moves[0];
    if (point == PASS || pair->bad.line->count < 2 || pair->bad.line->moves[1] != point)
        return false;
    Effect theirs[MOST_EFFECTS], ours[MOST_EFFECTS];
    int their_count = list_effects(&pair->bad.at[1], point, theirs), our_count = list_new_effects(pair, point, ours);
    if (!their_count && !our_count)
        return false;
    add(&draft->worse, SAYS_BOTH_WANT);
    for (int i = 0; i < their_count; i++) {
        add(&draft->worse, SAYS_AND_DOES);
        add_of(&draft->worse, theirs[i].part, theirs[i].stones);
    }
    add(&draft->better, SAYS_AFTER);
    add(&draft->better, our_count ? SAYS_MOVER : SAYS_IS_MOVERS);
    for (int i = 0; i < our_count; i++) {
        if (i)
            add(&draft->better, SAYS_AND);
        add_of(&draft->better, ours[i].part, ours[i].stones);
    }
    return settle(draft, THEME_POINT, point == CENTRE_POINT ? KIND_LEAVES_CENTRE : our_count ? kind_by_effect(&ours[0]) : KIND_OTHER);
}

/* The index of the move from which on a side has some points that it has at the end; NONE where it has them from the beginning. */
static int settled_at(const Sequel *sequel, int side, u32 points)
{
    int at = sequel->line->count;
    while (at && !(points & ~held(sequel, at - 1, side)))
        at--;
    return at - 1;
}

/* Tell whose points are at the end: "Black has 0,1, and nothing stands on 0,2 at the end", or where one side has them all and some
 * plies follow, "Black has 0,1 from ply 9 on". */
static void add_owners(Sentence *sentence, u32 points)
{
    bool any = false, black = sentence->slots.black_moves;
    int last = sentence->line->line->count - 1, at = last;
    u32 empty = points;
    add(sentence, SAYS_AFTER);
    for (int i = 0; i < 2; i++) {
        int side = black ? i : !i;   /* Black first */
        u32 stones = end_held(sentence->line, side) & points;
        empty &= ~stones;
        sentence->slots.side = side;
        if (stones) {
            if (any)
                add(sentence, SAYS_COMMA_AND);
            add_of(sentence, SAYS_HAS_POINTS, stones);
            any = true;
        }
        if (stones == points)
            at = settled_at(sentence->line, side, points);
    }
    if (empty) {
        if (any)
            add(sentence, SAYS_COMMA_AND);
        add_of(sentence, SAYS_EMPTY_POINTS, empty);
    }
    if (at != NONE && at < last)
        add_at(sentence, SAYS_FROM, at);
    else
        add(sentence, SAYS_AT_END);
}

/* All points that end otherwise, where they are few. */
static bool tell_few_points(Draft *draft, const Pair *pair)
{
    u32 points = differing(pair);
    if (!points || popcount(points) > FEW)
        return false;
    add_owners(&draft->worse, points);
    add_owners(&draft->better, points);
    add(&draft->better, SAYS_ALL_ALIKE);
    return settle(draft, THEME_AREA, KIND_POINTS_CHANGE);
}

static void add_passing(Sentence *sentence)
{
    add(sentence, SAYS_AFTER);
    for (int side = OURS; side <= THEIRS; side++) {
        int at = next_play(sentence->line, side, PASS, 0);
        sentence->slots.side = side;
        if (side == THEIRS)
            add(sentence, SAYS_AND);
        if (at == NONE) {
            add(sentence, SAYS_NEVER_PASSES);
            continue;
        }
        for (int part = SAYS_PASSES; at != NONE; part = SAYS_AND_AT, at = next_play(sentence->line, side, PASS, at + 1))
            add_at(sentence, part, at);
    }
}

/* Who passes when, where the whole difference is that, and begins soon. */
static bool tell_tempo(Draft *draft, const Pair *pair)
{
    const Sequel *bad = &pair->bad, *good = &pair->good;
    if (!pair->whole || bad->line->count != good->line->count)
        return false;
    int own = count_passes(bad, OURS) - count_passes(good, OURS), other = count_passes(bad, THEIRS) - count_passes(good, THEIRS);
    if (own - other != pair->cost)
        return false;
    bool soon = false;
    for (int side = OURS; side <= THEIRS; side++) {
        int one = next_play(bad, side, PASS, 0), two = next_play(good, side, PASS, 0);
        soon = soon || (one != NONE && one < NEAR) || (two != NONE && two < NEAR);
    }
    if (!soon)
        return false;
    add_passing(&draft->worse);
    add_passing(&draft->better);
    return settle(draft, THEME_TEMPO, own > 0 ? KIND_RUNS_OUT : KIND_LEAVES_MOVES);
}

/* The centre that the better move takes, and what stands around it at the end. */
static bool tell_middle(Draft *draft, const Pair *pair)
{
    if (pair->good.line->moves[0] != CENTRE_POINT || !pair->whole || worth_of(pair, MIDDLE_POINTS) <= 0)
        return false;
    count_colours(&draft->worse, MIDDLE_POINTS);
    count_colours(&draft->better, MIDDLE_POINTS);
    add(&draft->worse, SAYS_MIDDLE);
    add(&draft->better, SAYS_HAS_CENTRE);
    add_elsewhere(&draft->better, MIDDLE_POINTS);
    return settle(draft, THEME_CENTRAL, KIND_LEAVES_CENTRE);
}

/* How far an area is from the first two moves of either line: a point that the sides play on first is in it, it is beside the stones
 * of these moves; it is such a point alone, which shows little; it is beside the groups that they join or touch; or elsewhere. An
 * area that is worth no more than half of what the mistake costs comes last, wherever it is. */
enum { AT_MOVES, BY_MOVES, MOVE_ALONE, BY_GROUPS, ANYWHERE };

/* The stone of a move of a line, its group, and the groups of the other side that it touches. */
static u32 touched_by(const Sequel *sequel, int at)
{
    u32 stone = at < sequel->line->count ? point_of(sequel->line->moves[at]) : 0, touched = 0;
    for (int side = OURS; stone && side <= THEIRS; side++)
        for (u32 rest = held(sequel, at + 1, side), group; rest; rest ^= group) {
            group = first_group(rest);
            if (group & (stone | neighbours(stone)) && (side != (at & 1) || group & stone))
                touched |= group;
        }
    return touched;
}

static int distance_of(const Pair *pair, u32 area)
{
    u32 wanted = point_of(pair->good.line->moves[0]), stones = wanted | point_of(pair->bad.line->moves[0]), groups = 0;
    wanted |= pair->bad.line->count > 1 ? point_of(pair->bad.line->moves[1]) : 0;
    stones |= wanted | (pair->good.line->count > 1 ? point_of(pair->good.line->moves[1]) : 0);
    for (int at = 0; at < 2; at++)
        groups |= touched_by(&pair->bad, at) | touched_by(&pair->good, at);
    if (2 * worth_of(pair, area) <= pair->cost)
        return ANYWHERE;
    if (!(area & ~stones))
        return MOVE_ALONE;
    return area & wanted ? AT_MOVES : area & (stones | neighbours(stones)) ? BY_MOVES
        : area & (groups | neighbours(groups)) ? BY_GROUPS : ANYWHERE;
}

/* Points beside each other, so far away at most, that the mover has or denies in the better line alone; within: and that are worth
 * no more than the mistake costs. Of several areas the nearest, then that of the most worth, up to the cost; of these the
 * smallest, then the first. */
static bool tell_changing(Draft *draft, const Pair *pair, int most_distance, bool within)
{
    u32 gained = 0, best = 0;
    int nearest = ANYWHERE;
    for (u32 rest = differing(pair); rest; rest &= rest - 1)
        if (worth_of(pair, lowest_bit(rest)) > 0)
            gained |= lowest_bit(rest);
    for (u32 area; gained; gained ^= area) {
        area = first_group(gained);
        int worth = worth_of(pair, area), had = min(worth_of(pair, best), pair->cost), has = min(worth, pair->cost);
        int distance = distance_of(pair, area);
        if (distance > most_distance || (within && worth > pair->cost))
            continue;
        bool same = distance == nearest;
        if (!best || distance < nearest || (same && (has > had || (has == had && popcount(area) < popcount(best))))) {
            best = area;
            nearest = distance;
        }
    }
    if (!best)
        return false;
    add_owners(&draft->worse, best);
    add_owners(&draft->better, best);
    add_elsewhere(&draft->better, best);
    return settle(draft, THEME_AREA, KIND_POINTS_CHANGE);
}

/* The rules in their order; the first that finds something counts. The last one but the answer finds an area for every mistake whose
 * lines are whole: a mistake costs something, so some point ends otherwise, and better for the mover, in the better line. */
static bool tell(Draft *draft, const Pair *pair)
{
    return tell_falling(draft, pair, NEAR) || tell_few_points(draft, pair) || tell_falling(draft, pair, SOON)
        || tell_middle(draft, pair) || tell_changing(draft, pair, BY_MOVES, true) || tell_tempo(draft, pair) || tell_wanted(draft, pair)
        || tell_changing(draft, pair, AT_MOVES, false) || tell_changing(draft, pair, MOVE_ALONE, true)
        || tell_changing(draft, pair, MOVE_ALONE, false) || tell_changing(draft, pair, ANYWHERE, true)
        || tell_changing(draft, pair, ANYWHERE, false);
}

static void tell_endings(Draft *draft, int theme, int kind)
{
    add_ending(&draft->worse);
    add_ending(&draft->better);
    settle(draft, theme, kind);
}

bool explain_lines(
    Reason *reason, const Position *start, const PlayLine *worse, const PlayLine *better, int plies, int half_points)
{
    Pair pair;
    if (!replay(&pair.bad, start, worse, plies, half_points) || !replay(&pair.good, start, better, plies, half_points))
        return false;
    pair.whole = pair.bad.over && pair.good.over;
    pair.cost = worth_of(&pair, FULL);
    Draft draft = {reason, begin(reason->worse, &pair, &pair.bad), begin(reason->better, &pair, &pair.good)};
    if (ends_by_a_pass(&pair.bad) || ends_by_a_pass(&pair.good))
        tell_endings(&draft, THEME_ENDS, ends_by_a_pass(&pair.good) ? KIND_MISSES_PASS : KIND_OTHER);
    else if (!tell(&draft, &pair))
        tell_endings(&draft, THEME_ANSWER, KIND_OTHER);
    if (worse->moves[0] == PASS)
        reason->kind = KIND_PASSES;
    finish(&draft.worse);
    finish(&draft.better);
    return true;
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

/* Find the best moves, as a mask, and the first of them by rank. */
static bool find_best(const Oracle *oracle, const Position *position, int value, u32 *best, int *first)
{
    u8 moves[MOST_MOVES];
    int count = list_by_rank(position, 0, moves);
    *best = 0;
    for (int i = count - 1; i >= 0; i--) {
        bool kept;
        if (!find_kept(oracle, position, moves[i], value, &kept))
            return false;
        if (kept) {
            *best |= BIT(moves[i]);
            *first = moves[i];
        }
    }
    return true;
}

static bool add_worse(const Oracle *oracle, const Position *next, int value, u32 best, PlayLine *worse)
{
    if (!next->left)
        return true;
    if (!add_best_play(oracle, *next, value, best, 1, worse))
        return false;
    return add_best_play(oracle, position_after(next, worse->moves[1]), -value, 0, MOST_LEFT, worse);
}

int explain_move(const Oracle *oracle, const Position *start, int move, PlayLine *worse, PlayLine *better)
{
    Position next = position_after(start, move);
    int value, next_value, first = PASS;
    u32 best, played = 0;
    if (!find_value(oracle, start, &value) || !find_value(oracle, &next, &next_value))
        return UNDECIDED;
    if (value == -next_value)
        return IS_BEST;
    worse->moves[0] = (u8)move;
    worse->count = 1;
    if (!find_best(oracle, start, value, &best, &first) || !add_worse(oracle, &next, next_value, best, worse))
        return UNDECIDED;
    for (int i = 0; i < worse->count; i++)
        played |= point_of(worse->moves[i]);
    if (worse->count > 1 && best & BIT(worse->moves[1]))
        first = worse->moves[1];
    better->moves[0] = (u8)first;
    better->count = 1;
    return add_best_play(oracle, position_after(start, first), -value, played, MOST_LEFT, better) ? EXPLAINED : UNDECIDED;
}
