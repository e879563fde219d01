#include "lookahead.h"

#include "kernel_board.h"

enum { ENDLESS = 1 << 27, EXACT = 0, AT_LEAST = 1, AT_MOST = -1, FIRST_RANK = 1 << 20, TAKES_RANK = 1 << 12, MOST_CUTS = 1 << 14 };

#define EDGE_POINTS 0x1F8C63Fu
#define CORNER_POINTS 0x1100011u
#define HAS_EAST (FULL & ~EAST)

static const int CENTRE_RANK[POINTS] = {
    0, 1, 2, 1, 0,
    1, 2, 3, 2, 1,
    2, 3, 4, 3, 2,
    1, 2, 3, 2, 1,
    0, 1, 2, 1, 0,
};

/* Return the Euler number of a set of stones, which is the number of groups minus the number of holes in the groups (Gray 1971).
 * The feature `euler` in generator/opponents/features.py is the same number. */
static int euler_of(u32 stones)
{
    u32 pairs = stones & stones >> 1 & HAS_EAST;
    return popcount(stones) - popcount(pairs) - popcount(stones & stones >> 5) + popcount(pairs & pairs >> 5);
}

static int contacts_of(u32 near, u32 stones)
{
    int contacts = 0;
    for (; near; near &= near - 1)
        contacts += popcount(NEIGHBOURS[lowest(near)] & stones);
    return contacts;
}

/* Return the weighted sum of the features of one side. Call sort_liberties(side) first. */
static int side_score(const Side *side, u32 empty, const Weights *weights)
{
    int liberties = 0, in_atari = 0;
    u32 near = side->in_atari | side->not_in_atari;
    for (int i = 0; i < MAX_GROUPS; i++) {
        int count = popcount(side->liberties.at[i]);
        liberties += count;
        if (count == 1)
            in_atari += popcount(side->group.at[i]);
    }
    int score = weights->stones * popcount(side->stones) + weights->liberties * liberties
        + weights->edge * popcount(side->stones & EDGE_POINTS)
        + weights->corners * popcount(side->stones & CORNER_POINTS) + weights->in_atari * in_atari;
    if (weights->contacts)
        score += weights->contacts * contacts_of(near, side->stones);
    if (weights->reach)
        score += weights->reach * popcount(neighbours(near) & empty & ~near);
    if (weights->euler)
        score += weights->euler * euler_of(side->stones);
    return score;
}

static int evaluate(const Node *node, const Weights *weights)
{
    u32 empty = empty_points(node);
    return side_score(&node->me, empty, weights) - side_score(&node->opp, empty, weights);
}

static Seen *seen_at(Lookahead *lookahead, const Node *node, int left)
{
    u64 mixed = ((u64)node->me.stones << 25 | node->opp.stones) * 0x9E3779B97F4A7C15u;
    mixed ^= (u64)(node->ko + 1) << 40 ^ (u64)left << 50;
    mixed *= 0xD6E8FEB86659FD93u;
    return &lookahead->seen[mixed >> 32 & (SEEN_POSITIONS - 1)];
}

static bool is_same_position(const Seen *seen, const Node *node, int left)
{
    return seen->me == node->me.stones && seen->opp == node->opp.stones && seen->ko == node->ko && seen->left == left;
}

/* Write the legal points into `points`, beginning with the most promising point, and return the number of points. Call
 * sort_liberties() for both sides first. */
static int points_by_rank(const Lookahead *lookahead, const Node *node, int left, int first, u8 points[POINTS])
{
    int ranks[POINTS], count = 0;
    for (u32 legal = legal_points(node, empty_points(node)); legal; legal &= legal - 1) {
        int point = lowest(legal), at = count++;
        int rank = (point == first ? FIRST_RANK : 0) + TAKES_RANK * popcount(captured_by(&node->opp, BIT(point)))
            + 8 * popcount(NEIGHBOURS[point] & (node->me.stones | node->opp.stones)) + CENTRE_RANK[point];
        rank += lookahead->cuts[left & 1][point];
        for (; at && ranks[at - 1] < rank; at--) {
            ranks[at] = ranks[at - 1];
            points[at] = points[at - 1];
        }
        ranks[at] = rank;
        points[at] = (u8)point;
    }
    return count;
}

static int search(Lookahead *lookahead, Node *node, int left, int depth, bool pass_ends, int alpha, int beta);

/* Return the mover's score after a stone. For every move of a node except the first, a search with a window of one point checks
 * whether the score is above alpha, before the full window is searched (principal variation search). */
static int score_after(
    Lookahead *lookahead, const Node *node, int point, int left, int depth, bool first, int alpha, int beta)
{
    Node child;
    play(&child, node, point, captured_by(&node->opp, BIT(point)));
    if (!first && depth > 1 && beta - alpha > 1) {
        int score = -search(lookahead, &child, left - 1, depth - 1, false, -alpha - 1, -alpha);
        if (score <= alpha || score >= beta)
            return score;
    }
    return -search(lookahead, &child, left - 1, depth - 1, false, -beta, -alpha);
}

static int score_after_pass(
    Lookahead *lookahead, const Node *node, int left, int depth, bool pass_ends, int alpha, int beta)
{
    Node child;
    if (pass_ends)
        return evaluate(node, &lookahead->weights);
    play_pass(&child, node);
    return -search(lookahead, &child, left - 1, depth - 1, true, -beta, -alpha);
}

/* Return the mover's score. The result is exact if it is between alpha and beta, and otherwise a bound. */
static int search(Lookahead *lookahead, Node *node, int left, int depth, bool pass_ends, int alpha, int beta)
{
    u32 empty = empty_points(node);
    lookahead->nodes++;
    sort_liberties(&node->me, empty);
    sort_liberties(&node->opp, empty);
    if (depth <= 0 || left <= 0)
        return evaluate(node, &lookahead->weights);
    Seen *seen = seen_at(lookahead, node, left);
    int first = NO_MOVE, best = -ENDLESS, best_point = NO_MOVE, floor = alpha;
    /* The table contains no positions after a PASS, because in such a position another PASS ends the game. */
    if (!pass_ends && is_same_position(seen, node, left)) {
        if (seen->depth == depth
            && (seen->bound == EXACT || (seen->bound == AT_LEAST ? seen->score >= beta : seen->score <= alpha)))
            return seen->score;
        first = seen->move;
    }
    u8 points[POINTS];
    int count = points_by_rank(lookahead, node, left, first, points);
    if (!count)
        return score_after_pass(lookahead, node, left, depth, pass_ends, alpha, beta);
    for (int i = 0; i < count && best < beta; i++) {
        int score = score_after(lookahead, node, points[i], left, depth, !i, max(alpha, best), beta);
        if (score > best) {
            best = score;
            best_point = points[i];
        }
    }
    if (best >= beta) {
        lookahead->cuts[left & 1][best_point] += depth * depth;
        if (lookahead->cuts[left & 1][best_point] > MOST_CUTS)
            for (int i = 0; i < POINTS; i++)
                lookahead->cuts[left & 1][i] /= 2;
    }
    if (!pass_ends)
        *seen = (Seen){node->me.stones, node->opp.stones, best, (int8_t)node->ko, (int8_t)left, (int8_t)depth,
                       best >= beta ? AT_LEAST : best <= floor ? AT_MOST : EXACT, (int8_t)best_point};
    return best;
}

/* Search the points in the given order, and write their scores. Then sort the points by score, and return the best score. */
static int score_points(
    Lookahead *lookahead, const Node *node, const Position *position, int depth, int margin, u8 points[POINTS], int count,
    int scores[PASS + 1])
{
    int best = -ENDLESS;
    for (int i = 0; i < count; i++) {
        int floor = max(best - margin - 1, -ENDLESS), point = points[i], at = i;
        int score = score_after(lookahead, node, point, position->left, depth, !i, floor, ENDLESS);
        scores[point] = score > floor ? score : BELOW;
        best = max(best, score);
        for (; at && scores[points[at - 1]] < scores[point]; at--)
            points[at] = points[at - 1];
        points[at] = (u8)point;
    }
    return best;
}

void lookahead_scores(Lookahead *lookahead, const Position *position, int depth, int margin, int scores[PASS + 1])
{
    Node node;
    u8 points[POINTS];
    int best = -ENDLESS;
    for (int point = 0; point < POINTS; point++)
        lookahead->cuts[0][point] = lookahead->cuts[1][point] = 0;
    fill_node(&node, position);
    for (int move = 0; move <= PASS; move++)
        scores[move] = BELOW;
    int count = points_by_rank(lookahead, &node, position->left, NO_MOVE, points);
    if (!count)
        scores[PASS] = score_after_pass(
            lookahead, &node, position->left, depth, position->pass_ends, -ENDLESS, ENDLESS);
    /* Shallower searches come first, so that deeper searches can begin with the best moves of the shallower searches (iterative
     * deepening). */
    for (int shallow = depth % 2 ? 1 : 2; count && shallow <= depth; shallow += 2)
        best = score_points(lookahead, &node, position, shallow, shallow < depth ? 0 : margin, points, count, scores);
    for (int move = 0; move <= PASS; move++)
        if (scores[move] < best - margin)
            scores[move] = BELOW;
}
