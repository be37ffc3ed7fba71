/* The yardstick of `picograve bench`: the uniform Go 9x9 playout of games/go.py in plain C.

   The same algorithm, not a similar one: random numbers, order of draws, swaps in the list of
   empty points and order of captures are those of go.py, so the same seed gives the same games
   and the same sum of results, which the benchmark checks. Written as one would write C: the
   board size is a constant, the fields are arrays of a struct, counters are ints in registers.
   What may be changed: ROW, which changes no result (11 is the least for a padded 9x9 board).

       cc -O2 go_playout.c -o go_playout
       go_playout PLAYOUTS SEED

   prints the CPU seconds of the playouts and black's half points (2 a win), komi 7.5. */

#ifndef GO_PLAYOUT_ONLY /* native/yardstick.py has the rest alone, on a chip */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#endif
#include <stdint.h>

enum {
    SIZE = 9,
    ROW = 11,                    /* a row and its left and right border */
    POINTS = ROW * ROW,
    FIRST = ROW + 1,             /* first and last point of the board */
    LAST = ROW * SIZE + SIZE,
    MOST_MOVES = 3 * SIZE * SIZE,
    KOMI = 15,                   /* half points */
    WARM_UP = 16                 /* draws after seeding, see rng.py */
};
enum { EMPTY, BLACK, WHITE, BORDER };
enum { PASS = 0 };

/* Bytes and the short row, because ints and go.py's row of 14 measured no faster. */
typedef struct {
    uint8_t cell[POINTS];
    uint8_t libs[POINTS];   /* chain's head: pseudo-liberties; empty point: empty neighbours */
    uint8_t head[POINTS];   /* the chain's head; itself for empty and border points */
    uint8_t next[POINTS];   /* circular list of the chain's stones */
    uint8_t stones[POINTS]; /* chain's head: its stones; empty point: scratch of area() */
    uint8_t list[POINTS];   /* the empty points, unordered */
    uint8_t place[POINTS];  /* where an empty point stands in that list */
    int empties;
    int ko;                 /* point forbidden by ko, 0 if none */
} Board;

typedef struct {
    uint32_t z, w;
} Random;

/* Below `n`, which is at most 65536. */
static inline int draw(Random *random, int n)
{
    random->z = 18000 * (random->z & 65535) + (random->z >> 16);
    random->w = 30903 * (random->w & 65535) + (random->w >> 16);
    return (((random->z + random->w) & 65535) * n) >> 16;
}

static Random seeded(uint32_t seed)
{
    Random random = {(seed & 65535) + 65536, (seed >> 16) + 65536};
    for (int i = 0; i < WARM_UP; i++)
        draw(&random, 1);
    return random;
}

static void reset(Board *b)
{
    *b = (Board){0};
    for (int p = 0; p < POINTS; p++) {
        b->cell[p] = BORDER;
        b->head[p] = p;
        b->libs[p] = 4; /* a border never runs out of liberties */
    }
    for (int y = 1; y <= SIZE; y++)
        for (int x = 1; x <= SIZE; x++) {
            int p = ROW * y + x;
            b->cell[p] = EMPTY;
            b->libs[p] = 4 - (x == 1) - (x == SIZE) - (y == 1) - (y == SIZE);
            b->list[b->empties] = p;
            b->place[p] = b->empties++;
        }
}

static inline void put_in_list(Board *b, int place, int p)
{
    b->list[place] = p;
    b->place[p] = place;
}

static inline void change_liberties(Board *b, int p, int change)
{
    b->libs[b->head[p - ROW]] += change;
    b->libs[b->head[p - 1]] += change;
    b->libs[b->head[p + 1]] += change;
    b->libs[b->head[p + ROW]] += change;
}

/* Is the empty point p, no empty point beside it, a one-point eye of colour? */
static int is_eye(const Board *b, int p, int colour)
{
    static const int diagonals[4] = {-ROW - 1, -ROW + 1, ROW - 1, ROW + 1};
    const uint8_t *cell = b->cell + p;
    int other = 3 - colour;
    if (cell[-ROW] == other || cell[-1] == other || cell[1] == other || cell[ROW] == other)
        return 0;
    int held = 0, edge = 0; /* two diagonals in the other's hands, at the edge one: false eye */
    for (int k = 0; k < 4; k++) {
        int diagonal = cell[diagonals[k]];
        held += diagonal == other;
        edge |= diagonal == BORDER;
    }
    return held + edge < 2;
}

/* Does the chain at `side`, beside the empty point p, let colour play there? An own chain does that
   keeps a liberty, and one of the other's that has none but p, which is captured. A chain has p
   as a liberty once for each side that it is on, so more than four are never all p. */
static inline int helps(const Board *b, int p, int side, int colour)
{
    int cell = b->cell[side], head = b->head[side], libs = b->libs[head];
    if (cell == BORDER)
        return 0;
    if (libs > 4)
        return cell == colour;
    libs -= (b->head[p - ROW] == head) + (b->head[p - 1] == head)
        + (b->head[p + 1] == head) + (b->head[p + ROW] == head);
    return (cell == colour) != (libs == 0);
}

/* May colour play the empty point p, no empty point beside it: not ko, not suicide? */
static int breathes(const Board *b, int p, int colour)
{
    return p != b->ko
        && (helps(b, p, p - ROW, colour) || helps(b, p, p - 1, colour)
            || helps(b, p, p + 1, colour) || helps(b, p, p + ROW, colour));
}

/* Join two chains; the shorter one is relabelled. Returns the head. */
static int join(Board *b, int head, int other)
{
    if (b->stones[other] > b->stones[head]) {
        int swap = other;
        other = head;
        head = swap;
    }
    b->stones[head] += b->stones[other];
    b->libs[head] += b->libs[other];
    int q = other;
    do {
        b->head[q] = head;
        q = b->next[q];
    } while (q != other);
    q = b->next[head];
    b->next[head] = b->next[other];
    b->next[other] = q;
    return head;
}

/* Take a chain off the board; its points go to the end of the list. Returns how many. */
static int capture(Board *b, int head)
{
    int before = b->empties, q = head;
    do {
        b->cell[q] = EMPTY;
        b->head[q] = q;
        b->libs[q] = 0;
        put_in_list(b, b->empties++, q);
        q = b->next[q];
    } while (q != head);
    do {
        change_liberties(b, q, 1);
        q = b->next[q];
    } while (q != head);
    return b->empties - before;
}

/* The stone on p meets its neighbours: joins its colour's chains, captures the other's. */
static void meet(Board *b, int p, int colour, int open_sides)
{
    static const int sides[4] = {-ROW, -1, 1, ROW};
    int head = p, captured = 0, joined = 0;
#pragma GCC unroll 4 /* -O2 would not; 7 % more playouts per second */
    for (int k = 0; k < 4; k++) {
        int side = p + sides[k], cell = b->cell[side], h = b->head[side];
        if (cell == colour) {
            joined = 1;
            if (h != head)
                head = join(b, head, h);
        } else if (cell == 3 - colour && b->libs[h] == 0) {
            captured += capture(b, h);
        }
    }
    if (captured == 1 && open_sides == 0 && !joined)
        b->ko = b->list[b->empties - 1];
}

/* A stone of colour on the empty point p, which is legal. */
static void place(Board *b, int p, int colour)
{
    int open_sides = b->libs[p];
    b->ko = 0;
    b->empties--;
    put_in_list(b, b->place[p], b->list[b->empties]);
    b->cell[p] = colour;
    b->next[p] = p;
    b->stones[p] = 1;
    change_liberties(b, p, -1);
    if (open_sides != 4)
        meet(b, p, colour, open_sides);
}

static inline int is_playable(Board *b, int p, int colour)
{
    return b->libs[p] != 0 || (!is_eye(b, p, colour) && breathes(b, p, colour));
}

/* A random playable point, or PASS. What is not playable goes to the end of the list. */
static inline int choose(Board *b, Random *random, int colour)
{
    int left = b->empties;
    while (left > 0) {
        int i = draw(random, left);
        int p = b->list[i];
        if (is_playable(b, p, colour))
            return p;
        left--;
        put_in_list(b, i, b->list[left]);
        put_in_list(b, left, p);
    }
    return PASS;
}

/* To the end of the game from black's turn; the moves go to trace, as go.py writes them. */
static int playout(Board *b, Random *random, uint16_t *trace)
{
    int colour = BLACK, passes = 0, length = 0;
    Random local = *random; /* in registers */
    while (passes < 2 && length < MOST_MOVES) {
        int p = choose(b, &local, colour);
        if (p == PASS) {
            b->ko = 0;
            passes++;
        } else {
            passes = 0;
            place(b, p, colour);
        }
        trace[length++] = p;
        colour = 3 - colour;
    }
    *random = local;
    return length;
}

static inline int colour_bits(int cell)
{
    return cell == BORDER ? 0 : cell;
}

/* What colours each empty point touches, as bits, spread through the empty regions. */
static void spread(Board *b)
{
    uint8_t *touch = b->stones;
    for (int i = 0; i < b->empties; i++) {
        int p = b->list[i];
        touch[p] = colour_bits(b->cell[p - ROW]) | colour_bits(b->cell[p - 1])
            | colour_bits(b->cell[p + 1]) | colour_bits(b->cell[p + ROW]);
    }
    int again = 1;
    while (again) {
        again = 0;
        for (int i = 0; i < b->empties; i++) {
            static const int sides[4] = {-ROW, -1, 1, ROW};
            int p = b->list[i];
            if (b->libs[p] == 0)
                continue;
            int bits = touch[p];
            for (int k = 0; k < 4; k++)
                if (b->cell[p + sides[k]] == EMPTY)
                    bits |= touch[p + sides[k]];
            if (bits != touch[p]) {
                touch[p] = bits;
                again = 1;
            }
        }
    }
}

/* Black's area minus white's: stones, and empty regions that touch one colour only. */
static int area(Board *b)
{
    int total = 0;
    spread(b);
    for (int p = FIRST; p <= LAST; p++) {
        int owner = b->cell[p] == EMPTY ? b->stones[p] : b->cell[p];
        total += (owner == BLACK) - (owner == WHITE);
    }
    return total;
}

/* Black's half points: 2 a win, 1 a draw. */
static int outcome(Board *b)
{
    int lead = 2 * area(b) - KOMI;
    return lead > 0 ? 2 : lead == 0;
}

/* Black's half points in so many playouts from the empty board. */
static long half_points_of(long playouts, uint32_t seed)
{
    uint16_t trace[MOST_MOVES];
    Board start, work;
    Random random = seeded(seed);
    long half_points = 0;
    reset(&start);
    for (long i = 0; i < playouts; i++) {
        work = start;
        playout(&work, &random, trace);
        half_points += outcome(&work);
    }
    return half_points;
}

#ifndef GO_PLAYOUT_ONLY
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: go_playout PLAYOUTS SEED\n");
        return 2;
    }
    double began = cpu_seconds();
    long half_points = half_points_of(atol(arguments[1]), (uint32_t)atol(arguments[2]));
    printf("%.6f %ld\n", cpu_seconds() - began, half_points);
    return 0;
}
#endif
