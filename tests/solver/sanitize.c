/* The kernel, driven for the compiler's sanitizers: questions on standard input, a line each, and an answer line for
 * each on standard output. tests/solver/sanitize.py asks the questions and judges the answers.
 *
 *     open SEED BUSY KEEP_NODES ROOM PATIENCE   a fresh table; PATIENCE: searches end when they asked so often, or -1
 *     decide POSITION GOAL LIMIT                prints LO HI BEST NODES
 *     value POSITION GOAL LIMIT                 the same
 *     both POSITION GOAL LIMIT                  two threads on one table decide at once; prints both answers
 *     moves POSITION FIRST LIMIT                two threads find the values of all moves; prints MOVE LO HI of each
 *     kept                                      prints POSITION LO HI BEST NODES for each result put aside
 *     teach POSITION LO HI BEST NODES           prints nothing but the end of the line
 *     perft POSITION DEPTH COUNT_PASS           prints the number of leaves
 *     reason POSITION LINE LINE OUTCOME         prints whether there is a reason, then THEME KIND and the bytes of both sentences
 *     explain POSITION MOVE                     prints the outcome, 0 if MOVE is a best move, then the two LINEs that show it
 *     children KEY                              prints the canonical key of KEY, then MOVE KEY for each legal move
 *
 * POSITION is ME OPP KO LEFT PASS_ENDS, and LINE a number of moves and the moves. All memory is of the exact size, so that a step too far is seen.
 */
#include "explain.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, COURSE_PLIES = 24, COURSE_HALF_POINTS = 5 };

typedef struct {
    Kernel kernel;
    Position position;
    Answer answer;
    int goal;
    uint64_t node_limit;
    int patience;
} Worker;

static Worker worker[WORKERS];
static MoveValues values;
static void *table;
static uint32_t *busy;

static void fail(const char *what)
{
    fprintf(stderr, "sanitize: %s\n", what);
    exit(2);
}

static long long number(void)
{
    long long read;
    if (scanf("%lld", &read) != 1)
        fail("a number is missing");
    return read;
}

static Position position(void)
{
    Position read;
    read.me = (uint32_t)number();
    read.opp = (uint32_t)number();
    read.ko = (int)number();
    read.left = (int)number();
    read.pass_ends = number() != 0;
    return read;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        fail("no memory");
    return memory;
}

static bool interrupted(void *context)
{
    return ((Worker *)context)->patience-- == 0;
}

static void close_all(void)
{
    for (int i = 0; i < WORKERS; i++)
        free(worker[i].kernel.kept);
    free(table);
    free(busy);
    memset(worker, 0, sizeof worker);
    table = busy = NULL;
}

static void open_all(void)
{
    close_all();
    uint64_t seed = (uint64_t)number();
    if (number())
        busy = zeroed(BUSY_TAGS, sizeof *busy);
    uint64_t keep_nodes = (uint64_t)number();
    int room = (int)number(), patience = (int)number();
    table = zeroed(LEAST_LINES, LINE_BYTES);
    for (int i = 0; i < WORKERS; i++) {
        Kernel *kernel = &worker[i].kernel;
        kernel_open(kernel, table, LEAST_LINES, seed);
        kernel->busy = busy;
        kernel->keep_nodes = keep_nodes;
        kernel->kept_room = room;
        kernel->kept = room ? zeroed((size_t)room, sizeof(Kept)) : NULL;
        kernel->interrupted = patience < 0 ? NULL : interrupted;
        kernel->context = &worker[i];
        worker[i].patience = patience;
    }
}

static void print_answer(const Answer *answer)
{
    printf("%d %d %d %" PRIu64 " ", answer->lo, answer->hi, answer->best, answer->nodes);
}

static void print_kept(void)
{
    for (int i = 0; i < WORKERS; i++) {
        Kernel *kernel = &worker[i].kernel;
        for (int j = 0; j < kernel->kept_count; j++) {
            const Position *seen = &kernel->kept[j].position;
            printf("%" PRIu32 " %" PRIu32 " %d %d %d ", seen->me, seen->opp, seen->ko, seen->left, seen->pass_ends);
            print_answer(&kernel->kept[j].answer);
        }
        kernel->kept_count = 0;
    }
}

static void *decide(void *context)
{
    Worker *one = context;
    one->answer = kernel_decide(&one->kernel, &one->position, one->goal, one->node_limit);
    return NULL;
}

static void read_question(Worker *one)
{
    one->position = position();
    one->goal = (int)number();
    one->node_limit = (uint64_t)number();
}

static void ask_one(bool exact)
{
    Worker *one = &worker[0];
    read_question(one);
    if (exact)
        one->answer = kernel_value(&one->kernel, &one->position, one->goal, one->node_limit);
    else
        decide(one);
    print_answer(&one->answer);
}

/* Let two threads do the same with worker 0's question. */
static void run_both(void *(*search)(void *))
{
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        worker[i].position = worker[0].position;
        worker[i].goal = worker[0].goal;
        worker[i].node_limit = worker[0].node_limit;
        if (pthread_create(&threads[i], NULL, search, &worker[i]))
            fail("no thread");
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

static void ask_both(void)
{
    read_question(&worker[0]);
    run_both(decide);
    for (int i = 0; i < WORKERS; i++)
        print_answer(&worker[i].answer);
}

static void *find_moves(void *context)
{
    Worker *one = context;
    kernel_moves(&one->kernel, &values, one->node_limit);
    return NULL;
}

static void ask_moves(void)
{
    read_question(&worker[0]);
    kernel_list_moves(&values, &worker[0].position, worker[0].goal);
    run_both(find_moves);
    for (int i = 0; i < values.count; i++) {
        const MoveValue *value = &values.moves[i];
        printf("%d %d %d ", value->move, kernel_move_lo(value), kernel_move_hi(value));
    }
}

static void teach(void)
{
    Position known = position();
    Answer answer;
    answer.lo = (int)number();
    answer.hi = (int)number();
    answer.best = (int)number();
    answer.nodes = (uint64_t)number();
    kernel_teach(&worker[0].kernel, &known, &answer);
}

static void perft(void)
{
    Position from = position();
    int depth = (int)number();
    printf("%" PRIu64 " ", kernel_perft(&from, depth, number() != 0));
}

static void children(void)
{
    Key key = (Key)number(), *after = zeroed(MOST_CHILDREN, sizeof *after);
    uint8_t *moves = zeroed(MOST_CHILDREN, sizeof *moves);
    int count = kernel_children(key, after, moves);
    printf("%" PRIu64 " ", kernel_canonical(key));
    for (int i = 0; i < count; i++)
        printf("%d %" PRIu64 " ", moves[i], after[i]);
    free(after);
    free(moves);
}

static PlayLine play_line(void)
{
    PlayLine line = {0};
    int count = (int)number();
    while (line.count < count)
        line.moves[line.count++] = (uint8_t)number();
    return line;
}

static void print_line(const PlayLine *line)
{
    printf("%d ", line->count);
    for (int i = 0; i < line->count; i++)
        printf("%d ", line->moves[i]);
}

static void print_bytes(const char *text)
{
    for (; *text; text++)
        printf("%d ", *text);
}

static void give_reason(void)
{
    Position start = position();
    PlayLine worse = play_line(), better = play_line();
    int outcome = (int)number();
    Reason *reason = zeroed(1, sizeof *reason);
    bool found = explain_lines(reason, &start, &worse, &better, outcome, COURSE_PLIES, COURSE_HALF_POINTS);
    printf("%d ", found);
    if (found) {
        printf("%d %d ", reason->theme, reason->kind);
        print_bytes(reason->worse);
        print_bytes(" ");
        print_bytes(reason->better);
    }
    free(reason);
}

static void explain(void)
{
    Position start = position();
    Searcher searcher = {.kernel = &worker[0].kernel, .end = UINT64_MAX};
    Oracle oracle = explain_search(&searcher);
    PlayLine worse, better;
    int found = explain_move(&oracle, &start, (int)number(), &worse, &better);
    printf("%d ", found);
    if (found >= EXPLAINED) {
        print_line(&worse);
        print_line(&better);
    }
}

int main(void)
{
    char command[16];
    while (scanf("%15s", command) == 1) {
        if (!strcmp(command, "open"))
            open_all();
        else if (!strcmp(command, "perft"))
            perft();
        else if (!strcmp(command, "children"))
            children();
        else if (!strcmp(command, "reason"))
            give_reason();
        else if (!table)
            fail("open a table first");
        else if (!strcmp(command, "decide"))
            ask_one(false);
        else if (!strcmp(command, "value"))
            ask_one(true);
        else if (!strcmp(command, "both"))
            ask_both();
        else if (!strcmp(command, "moves"))
            ask_moves();
        else if (!strcmp(command, "kept"))
            print_kept();
        else if (!strcmp(command, "teach"))
            teach();
        else if (!strcmp(command, "explain"))
            explain();
        else
            fail("an unknown command");
        putchar('\n');
        fflush(stdout);
    }
    close_all();
    return 0;
}
