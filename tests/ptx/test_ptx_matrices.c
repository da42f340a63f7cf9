/* Matrix instructions of PTX compute what plain loops compute, and count what the GPU executes.
 * The expected positions of elements in fragments are those of the PTX manual.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "kernel_run.h"

#define WMMA PM_SOURCE_DIR "/tests/ptx/wmma.ptx"

enum { WARP = 32, MOST = 64 * 256 };

/* ---- elements ------------------------------------------------------------------------------- */

/* A type of elements: its bits, and the bits of its exponent and fraction if it is no integer. */
typedef struct {
    const char *name;
    unsigned bits, exponent, fraction;
    int least, most; /* range of test values */
} element;

static const element types[] = {
    {"f16", 16, 5, 10, -4, 4},  {"bf16", 16, 8, 7, -4, 4},  {"tf32", 32, 8, 23, -4, 4},
    {"f32", 32, 8, 23, -9, 9},  {"f64", 64, 11, 52, -9, 9}, {"e4m3", 8, 4, 3, -3, 3},
    {"e5m2", 8, 5, 2, -3, 3},   {"s8", 8, 0, 0, -100, 100}, {"u8", 8, 0, 0, 0, 200},
    {"s4", 4, 0, 0, -8, 7},     {"u4", 4, 0, 0, 0, 15},     {"b1", 1, 0, 0, 0, 1},
    {"s32", 32, 0, 0, -99, 99},
};

static const element *type_of(const char *name)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, name) == 0)
            return &types[k];
    fail_msg("no type %s", name);
    return NULL;
}

/* Returns the bits of a whole number that the type can represent. */
static uint64_t encode(const element *type, int64_t value)
{
    const uint64_t sign = value < 0 ? UINT64_C(1) << (type->bits - 1) : 0;
    int exponent;
    double part;

    if (type->exponent == 0)
        return (uint64_t)value & (UINT64_MAX >> (64 - type->bits));
    if (value == 0)
        return 0;
    part = frexp(fabs((double)value), &exponent);
    return sign | (uint64_t)(exponent - 1 + (1 << (type->exponent - 1)) - 1) << type->fraction |
           (uint64_t)ldexp(2 * part - 1, (int)type->fraction);
}

static void put(const element *type, uint32_t *words, size_t index, int64_t value)
{
    const uint64_t bits = encode(type, value);
    const size_t at = index * type->bits;

    words[at / 32] |= (uint32_t)(bits << at % 32);
    if (type->bits == 64)
        words[at / 32 + 1] = (uint32_t)(bits >> 32);
}

static int64_t draw(const element *type, uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return type->least + (int64_t)((*seed >> 8) % (unsigned)(type->most - type->least + 1));
}

/* ---- mma ------------------------------------------------------------------------------------- */

typedef struct {
    unsigned m, n, k;
    const char *d, *a, *b, *operation;
} product;

static const product products[] = {
    {16, 8, 8, "f16", "f16", "f16", ""},    {16, 8, 16, "f16", "f16", "f16", ""},
    {16, 8, 8, "f32", "f16", "f16", ""},    {16, 8, 16, "f32", "f16", "f16", ""},
    {16, 8, 8, "f32", "bf16", "bf16", ""},  {16, 8, 16, "f32", "bf16", "bf16", ""},
    {16, 8, 4, "f32", "tf32", "tf32", ""},  {16, 8, 8, "f32", "tf32", "tf32", ""},
    {8, 8, 4, "f64", "f64", "f64", ""},     {16, 8, 4, "f64", "f64", "f64", ""},
    {16, 8, 8, "f64", "f64", "f64", ""},    {16, 8, 16, "f64", "f64", "f64", ""},
    {16, 8, 32, "f32", "e4m3", "e5m2", ""}, {16, 8, 32, "f32", "e5m2", "e4m3", ""},
    {8, 8, 16, "s32", "s8", "u8", ""},      {16, 8, 16, "s32", "u8", "s8", ""},
    {16, 8, 32, "s32", "s8", "s8", ""},     {8, 8, 32, "s32", "s4", "u4", ""},
    {16, 8, 32, "s32", "u4", "s4", ""},     {16, 8, 64, "s32", "s4", "s4", ""},
    {8, 8, 128, "s32", "b1", "b1", "xor"},  {16, 8, 128, "s32", "b1", "b1", "and"},
    {16, 8, 256, "s32", "b1", "b1", "xor"},
};

/* The part of a thread in a matrix: `lines` is 8 or 16; element i is at line *line, place *at. */
static void place_of(const element *type, unsigned lines, unsigned lane, unsigned i, unsigned *line,
                     unsigned *at)
{
    const unsigned w = type->bits < 32 ? 32 / type->bits : 1, halves = lines / 8;

    *line = lane / 4 + i / w % halves * 8;
    *at = lane % 4 * w + i % w + i / (w * halves) * 4 * w;
}

static void add_list(pm_text *text, const element *type, unsigned first, unsigned words)
{
    const bool is_wide = type->bits == 64;

    pm_text_add(text, " {");
    for (unsigned k = 0; k < words; k += is_wide ? 2 : 1)
        pm_text_add(text, "%s%%%s%u", k ? "," : "", is_wide ? "e" : "r",
                    is_wide ? (first + k) / 2 : first + k);
    pm_text_add(text, "}");
}

/* Writes the code of a product whose operands have `words[0..3]` words: A, B, C and D. */
static char *product_code(const product *p, const unsigned words[4])
{
    const element *a = type_of(p->a), *d = type_of(p->d);
    const unsigned in = words[0] + words[1] + words[2];
    const bool is_wide = d->bits == 64;
    pm_text code = {0};
    char *text, *ptx;

    for (unsigned k = 0; k < in; k += is_wide ? 2 : 1)
        pm_text_add(&code, "ld.global.%s %%%s%u, [%%p+%u];\n", is_wide ? "f64" : "b32",
                    is_wide ? "e" : "r", is_wide ? k / 2 : k, 4 * k);
    pm_text_add(&code, "mma.sync.aligned.m%un%uk%u.row.col.%s.%s.%s.%s%s%s%s", p->m, p->n, p->k,
                p->d, p->a, p->b, p->d, *p->operation ? "." : "", p->operation,
                *p->operation ? ".popc" : "");
    add_list(&code, d, in, words[3]);
    pm_text_add(&code, ",");
    add_list(&code, a, 0, words[0]);
    pm_text_add(&code, ",");
    add_list(&code, a, words[0], words[1]);
    pm_text_add(&code, ",");
    add_list(&code, d, words[0] + words[1], words[2]);
    pm_text_add(&code, ";\n");
    for (unsigned k = 0; k < words[3]; k += is_wide ? 2 : 1)
        pm_text_add(&code, "st.global.%s [%%q+%u], %%%s%u;\n", is_wide ? "f64" : "b32", 4 * k,
                    is_wide ? "e" : "r", is_wide ? (in + k) / 2 : in + k);
    text = pm_text_take(&code);
    ptx = kernel_of(text, (size_t)4 * in, (size_t)4 * words[3]);
    free(text);
    return ptx;
}

static int64_t sum_of(const product *p, const int64_t *a, const int64_t *b, int64_t sum,
                      unsigned row, unsigned column)
{
    for (unsigned k = 0; k < p->k; k++) {
        const int64_t x = a[row * p->k + k], y = b[column * p->k + k];

        sum += strcmp(p->operation, "xor") == 0 ? (x ^ y) : x * y;
    }
    return sum;
}

static void check_product(const pm_counter_table *table, const product *p)
{
    const element *ta = type_of(p->a), *tb = type_of(p->b), *td = type_of(p->d);
    const unsigned parts[] = {p->m * p->k / WARP, p->k * p->n / WARP, p->m * p->n / WARP};
    const unsigned words[] = {parts[0] * ta->bits / 32, parts[1] * tb->bits / 32,
                              parts[2] * td->bits / 32, parts[2] * td->bits / 32};
    const unsigned in = words[0] + words[1] + words[2];
    int64_t *a = room(MOST, sizeof *a), *b = room(MOST, sizeof *b), *c = room(MOST, sizeof *c);
    uint32_t *given = room((size_t)WARP * in, sizeof *given), *found;
    uint32_t *wanted = room((size_t)WARP * words[3], sizeof *wanted), seed = p->m * p->k;
    unsigned line, at;

    for (unsigned k = 0; k < p->m * p->k; k++)
        a[k] = draw(ta, &seed);
    for (unsigned k = 0; k < p->k * p->n; k++)
        b[k] = draw(tb, &seed);
    for (unsigned k = 0; k < p->m * p->n; k++)
        c[k] = draw(td, &seed);
    for (unsigned lane = 0; lane < WARP; lane++) {
        uint32_t *part = given + (size_t)lane * in;

        for (unsigned i = 0; i < parts[0]; i++) {
            place_of(ta, p->m, lane, i, &line, &at);
            put(ta, part, i, a[line * p->k + at]);
        }
        for (unsigned i = 0; i < parts[1]; i++) {
            place_of(tb, p->n, lane, i, &line, &at);
            put(tb, part + words[0], i, b[line * p->k + at]);
        }
        for (unsigned i = 0; i < parts[2]; i++) {
            line = lane / 4 + i / 2 * 8;
            at = lane % 4 * 2 + i % 2;
            put(td, part + words[0] + words[1], i, c[line * p->n + at]);
            put(td, wanted + (size_t)lane * words[3], i,
                sum_of(p, a, b, c[line * p->n + at], line, at));
        }
    }
    found = run_text(table, product_code(p, words), WARP,
                     (input[]){{given, (size_t)WARP * in * 4}, {NULL, (size_t)WARP * words[3] * 4}},
                     2, NULL);
    for (unsigned k = 0; k < WARP * words[3]; k++)
        if (found[k] != wanted[k])
            fail_msg("m%un%uk%u %s %s: word %u is %x, not %x", p->m, p->n, p->k, p->a, p->b, k,
                     found[k], wanted[k]);
}

TEST(products_are_those_of_plain_loops)
{
    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof products / sizeof *products; k++)
        check_product(*state, &products[k]);
}

/* ---- ldmatrix, stmatrix, movmatrix ----------------------------------------------------------- */

/* Element of matrix j. */
static uint32_t value_at(unsigned j, unsigned row, unsigned column)
{
    return 0x700 + j * 64 + row * 8 + column;
}

/* The two elements that a thread holds of matrix j, or of its transpose. */
static uint32_t part_of(unsigned j, unsigned lane, bool transposed)
{
    const unsigned quad = lane / 4, pair = lane % 4 * 2;

    return transposed ? value_at(j, pair, quad) | value_at(j, pair + 1, quad) << 16
                      : value_at(j, quad, pair) | value_at(j, quad, pair + 1) << 16;
}

static const uint32_t *all_rows(void)
{
    uint32_t *rows = room((size_t)WARP * 4, sizeof *rows);

    for (unsigned k = 0; k < WARP * 4; k++)
        rows[k] = value_at(k / 32, k / 4 % 8, k % 4 * 2) |
                  value_at(k / 32, k / 4 % 8, k % 4 * 2 + 1) << 16;
    return rows;
}

static const char *register_list(unsigned count)
{
    return count == 4 ? "{%r4,%r5,%r6,%r7}" : count == 2 ? "{%r4,%r5}" : "{%r4}";
}

#define LOAD "ld.global.v4.b32 {%%r%u,%%r%u,%%r%u,%%r%u}, [%%p];\n"
#define PUT "st.shared.v4.b32 [%%at], {%%r%u,%%r%u,%%r%u,%%r%u};\nbar.warp.sync 0xffffffff;\n"

static void check_load(const pm_counter_table *table, unsigned matrices, bool transposed)
{
    char code[600];
    const uint32_t *found;
    suite_counts counts;

    snprintf(code, sizeof code,
             LOAD PUT "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [%%at];\n"
                      "st.global.v4.b32 [%%q], {%%r4,%%r5,%%r6,%%r7};\n",
             0, 1, 2, 3, 0, 1, 2, 3, matrices, transposed ? ".trans" : "", register_list(matrices));
    found = run_text(table, kernel_of(code, 16, 16), WARP,
                     (input[]){{all_rows(), 512}, {NULL, 512}}, 2, &counts);
    for (unsigned k = 0; k < WARP * 4; k++)
        if (k % 4 < matrices)
            assert_int_equal(found[k], part_of(k % 4, k / 4, transposed));
    assert_int_equal(counter(table, &counts, "shared_load"), 1);
    assert_int_equal(counter(table, &counts, "shared_wavefront"),
                     4 + matrices); /* 4 of the store */
}

static void check_store(const pm_counter_table *table, unsigned matrices, bool transposed)
{
    uint32_t *given = room((size_t)WARP * 4, sizeof *given);
    const uint32_t *found, *wanted = all_rows();
    char code[700];

    for (unsigned k = 0; k < WARP * 4; k++)
        given[k] = part_of(k % 4, k / 4, transposed);
    snprintf(code, sizeof code,
             "mov.b32 %%r0, 0;\n" PUT LOAD "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16 [%%at], "
             "%s;\nbar.warp.sync 0xffffffff;\nld.shared.v4.b32 {%%r8,%%r9,%%r10,%%r11}, [%%at];\n"
             "st.global.v4.b32 [%%q], {%%r8,%%r9,%%r10,%%r11};\n",
             0, 0, 0, 0, 4, 5, 6, 7, matrices, transposed ? ".trans" : "", register_list(matrices));
    found = run_text(table, kernel_of(code, 16, 16), WARP, (input[]){{given, 512}, {NULL, 512}}, 2,
                     NULL);
    for (unsigned k = 0; k < WARP * 4; k++)
        assert_int_equal(found[k], k / 32 < matrices ? wanted[k] : 0);
}

TEST(matrices_move_between_shared_memory_and_registers)
{
    if (!engine_is_there())
        skip();
    for (unsigned k = 0; k < 6; k++) {
        check_load(*state, 1U << k / 2, k % 2);
        check_store(*state, 1U << k / 2, k % 2);
    }
}

TEST(a_matrix_is_transposed)
{
    static const char code[] = "ld.global.b32 %r0, [%p];\n"
                               "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n"
                               "st.global.b32 [%q], %r1;\n";
    uint32_t given[WARP];
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    for (unsigned lane = 0; lane < WARP; lane++)
        given[lane] = part_of(0, lane, false);
    found = run_text(*state, kernel_of(code, 4, 4), WARP,
                     (input[]){{given, sizeof given}, {NULL, sizeof given}}, 2, NULL);
    for (unsigned lane = 0; lane < WARP; lane++)
        assert_int_equal(found[lane], part_of(0, lane, true));
}

/* ---- wmma ------------------------------------------------------------------------------------ */

typedef struct {
    const char *kernel;
    unsigned m, n, k;
    const char *a, *c;
    bool a_by_column, b_by_column, c_by_column;
    double loads; /* requests to global memory of a warp, as ptxas makes them; 0: not checked */
} tile;

static const tile tiles[] = {
    /* 4 words of A, 4 words of B (that MOVM transposes), and 4 pairs of words of C */
    {"f16_rows", 16, 16, 16, "f16", "f32", false, false, false, 12},
    {"f16_columns", 32, 8, 16, "f16", "f16", true, true, true, 0},
    {"s8_wide", 8, 32, 16, "s8", "s32", false, true, false, 0},
    {"u8_rows", 16, 16, 16, "u8", "s32", true, false, false, 0},
    {"tf32_rows", 16, 16, 8, "tf32", "f32", false, false, true, 0},
    {"f64_rows", 8, 8, 4, "f64", "f64", false, true, false, 0},
};

/* Returns a matrix with random values, also as bytes in memory. */
static int64_t *draw_matrix(const element *type, unsigned rows, unsigned columns, bool by_column,
                            uint32_t *seed, input *in)
{
    int64_t *values = room((size_t)rows * columns, sizeof *values);
    uint32_t *words = room((size_t)rows * columns * type->bits / 32, sizeof *words);

    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < columns; column++) {
            values[row * columns + column] = draw(type, seed);
            put(type, words, by_column ? column * rows + row : row * columns + column,
                values[row * columns + column]);
        }
    *in = (input){words, (size_t)rows * columns * type->bits / 8};
    return values;
}

static void check_tile(const pm_counter_table *table, const tile *t)
{
    const element *ta = type_of(t->a), *tc = type_of(t->c);
    uint32_t seed = t->m + t->k;
    input in[4];
    const int64_t *a = draw_matrix(ta, t->m, t->k, t->a_by_column, &seed, &in[0]);
    const int64_t *b = draw_matrix(ta, t->k, t->n, t->b_by_column, &seed, &in[1]);
    const int64_t *c = draw_matrix(tc, t->m, t->n, t->c_by_column, &seed, &in[2]);
    uint32_t *wanted = room(in[2].bytes, 1);
    suite_counts counts;
    const void *found;

    for (unsigned row = 0; row < t->m; row++)
        for (unsigned column = 0; column < t->n; column++) {
            int64_t sum = c[row * t->n + column];

            for (unsigned k = 0; k < t->k; k++)
                sum += a[row * t->k + k] * b[k * t->n + column];
            put(tc, wanted, t->c_by_column ? column * t->m + row : row * t->n + column, sum);
        }
    in[3] = (input){NULL, in[2].bytes};
    found = run_kernel(table, WMMA, t->kernel, WARP, in, 4, &counts);
    if (t->loads > 0)
        assert_float_equal(counter(table, &counts, "gld_request"), t->loads, 0);
    if (memcmp(found, wanted, in[2].bytes) != 0)
        fail_msg("%s: wrong product", t->kernel);
}

TEST(wmma_multiplies_matrices_in_memory)
{
    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++)
        check_tile(*state, &tiles[k]);
}

TEST(wmma_multiplies_matrices_in_shared_memory)
{
    enum { SIDE = 32 };
    const element *f16 = type_of("f16"), *f32 = type_of("f32");
    uint32_t seed = 1, *wanted;
    const uint32_t *found;
    suite_counts counts;
    input in[3];
    const int64_t *a, *b;

    if (!engine_is_there())
        skip();
    a = draw_matrix(f16, SIDE, SIDE, false, &seed, &in[0]);
    b = draw_matrix(f16, SIDE, SIDE, false, &seed, &in[1]);
    in[2] = (input){NULL, (size_t)SIDE * SIDE * 4};
    wanted = room(in[2].bytes, 1);
    for (unsigned at = 0; at < SIDE * SIDE; at++) {
        int64_t sum = 0;

        for (unsigned k = 0; k < SIDE; k++)
            sum += a[at / SIDE * SIDE + k] * b[k * SIDE + at % SIDE];
        put(f32, wanted, at, 2 * sum);
    }
    found = run_kernel(*state, WMMA, "shared_tiles", 128, in, 3, &counts);
    assert_memory_equal(found, wanted, in[2].bytes);
    /* four warps with two products each */
    assert_int_equal(counter(*state, &counts, "inst_tensor"), 8);
    assert_int_equal(counter(*state, &counts, "tensor_f16"), 8 * 16 * 16 * 16);
    assert_int_equal(counter(*state, &counts, "tensor_warp"), 8 * 16 * 16 * 16);
}

TEST_MAIN(open_table, close_table)
