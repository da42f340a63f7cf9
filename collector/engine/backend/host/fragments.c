/* Computes with matrices whose elements are distributed over a warp. See fragments.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/fragments.h"

#include <math.h>
#include <string.h>

#include "base/strings.h"
#include "collector/engine/backend/host/barriers.h"
#include "collector/engine/backend/host/bulk_copies.h"
#include "collector/engine/backend/host/elements.h"
#include "collector/engine/backend/host/group_product.h"
#include "machine/bulk_copy.h"

/* A matrix fragment consists of blocks of TILE (8) rows. A group of GROUP (4) neighbouring
 * work-items holds one row of each block. */
enum { GROUP = 4, TILE = 8, MOST_K = 256, MOST_TILES = 4, WARP = 32 };

/* The operands of a warp's work-items: one vector of 32-bit words for each. words: vector of the
 * first work-item. stride: number of words from one work-item's vector to the next. */
typedef struct {
    const uint32_t *words;
    size_t stride;
} vectors;

/* Returns the operands of the 32 work-items with which work-item `lane` exchanges data. A warp of
 * 64 work-items acts like two of CUDA's warps. */
static vectors of_warp(const uint32_t *given, uint64_t stride, uint64_t lane)
{
    return (vectors){given + lane / WARP * WARP * stride, stride};
}

static const uint32_t *of_lane(const vectors *v, unsigned lane)
{
    return v->words + lane * v->stride;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Reads `count` elements of a line, which is a row of A or a column of B. The line's 32-bit words
 * are distributed in turn over the four neighbouring work-items with the numbers 4 * group to 4 *
 * group + 3. first: index of the line's first word in the vector of a work-item. step: distance in
 * the vector between two words of the line, in words (in elements if an element has 64 bits). */
static void read_line(const vectors *v, pm_element element, unsigned group, unsigned first,
                      unsigned step, unsigned count, double *line)
{
    const unsigned bits = pm_element_bits(element), words = bits > 32 ? bits / 32 : 1;
    const unsigned each = bits > 32 ? 1 : 32 / bits;

    for (unsigned at = 0; at < count; at += each) {
        const uint32_t *from = of_lane(v, group * GROUP + at / each % GROUP) + first +
                               (size_t)(at / (each * GROUP)) * step * words;

        for (unsigned i = 0; i < each; i++)
            line[at + i] = pm_element_value(element, from, i);
    }
}

static double sum_of(const pm_matrix_product *p, const double *a, const double *b, double sum)
{
    if (p->rule == PM_PRODUCT_XOR)
        for (unsigned k = 0; k < p->k; k++)
            sum += fabs(a[k] - b[k]);
    else if (p->a == PM_ELEMENT_F64)
        for (unsigned k = 0; k < p->k; k++)
            sum = fma(a[k], b[k], sum);
    else /* products are exact */
        for (unsigned k = 0; k < p->k; k++)
            sum += a[k] * b[k];
    return sum;
}

/* Computes the elements of D that a work-item has in a block of 8 columns: two in each block of 8 x
 * 8 elements. block: number of the block. a: the rows of A that it needs, one for each 8 rows of D.
 * result: receives the elements. */
static void multiply_columns(const pm_matrix_product *p, const vectors *v, unsigned lane,
                             unsigned block, double a[][MOST_K], uint32_t *result)
{
    const unsigned rows = p->m / TILE, c_words = pm_product_c_words(p);
    const unsigned b_step = pm_product_b_words(p) / (p->n / TILE);
    const uint32_t *c = of_lane(v, lane);
    double b[2][MOST_K];

    for (unsigned j = 0; j < 2; j++)
        read_line(v, p->b, lane % GROUP * 2 + j, c_words + block * b_step, 1, p->k, b[j]);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned j = 0; j < 2; j++) {
            const unsigned at = (block * rows + row) * 2 + j;

            pm_element_set(p->d, result, at, sum_of(p, a[row], b[j], pm_element_value(p->c, c, at)),
                           p->rule == PM_PRODUCT_SATURATES);
        }
}

static void multiply(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                     uint32_t *result)
{
    const pm_matrix_product *p = what;
    const vectors v = of_warp(given, stride, lane);
    const unsigned rows = p->m / TILE, words = pm_element_bits(p->a) > 32 ? 2 : 1;
    const unsigned first = pm_product_c_words(p) + pm_product_b_words(p);
    double a[MOST_TILES][MOST_K];

    lane %= WARP;
    for (unsigned row = 0; row < rows; row++)
        read_line(&v, p->a, (unsigned)lane / GROUP, first + row * words, rows, p->k, a[row]);
    for (unsigned block = 0; block < p->n / TILE; block++)
        multiply_columns(p, &v, (unsigned)lane, block, a, result);
}

/* ---- products of four work-items and the four that are 16 further ---------------------------- */

enum { QUAD_K = 4 };

/* Returns an element of A or of the transposed B for the product of mma.m8n8k4, which eight
 * work-items compute together: a quad (four neighbouring work-items) and the quad whose numbers are
 * higher by 16. line: row of A, or column of B. k: index in this line. first: index of the
 * operand's first word in a work-item's vector. is_line: true if each work-item holds one line;
 * false if it holds the elements of four lines at one k. */
static double quad_element(const vectors *v, unsigned quad, unsigned first, bool is_line,
                           unsigned line, unsigned k)
{
    const unsigned half = line / 4 * 16;
    const unsigned lane = quad * 4 + half + (is_line ? line % 4 : k);

    return pm_element_value(PM_ELEMENT_F16, of_lane(v, lane) + first, is_line ? k : line % 4);
}

static void multiply_quads(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                           uint32_t *result)
{
    const pm_matrix_product *p = what;
    const vectors v = of_warp(given, stride, lane);
    const bool a_rows = p->rule <= PM_PRODUCT_QUADS_ROW_COL;
    const bool b_columns =
        p->rule == PM_PRODUCT_QUADS_ROW_COL || p->rule == PM_PRODUCT_QUADS_COL_COL;
    const unsigned place = (unsigned)lane % WARP, quad = place % 16 / 4, half = place / 16 * 4;
    const uint32_t *c = of_lane(&v, place);
    const unsigned first = pm_product_c_words(p);

    for (unsigned i = 0; i < TILE; i++) {
        const bool is_wide = p->d == PM_ELEMENT_F32;
        const unsigned row = half + (is_wide ? (place & 1) + (i & 2) : place % 4);
        const unsigned column = is_wide ? (i & 4) + (place & 2) + (i & 1) : i;
        double sum = pm_element_value(p->c, c, i);

        for (unsigned k = 0; k < QUAD_K; k++)
            sum += quad_element(&v, quad, first + 2, a_rows, row, k) *
                   quad_element(&v, quad, first, b_columns, column, k);
        pm_element_set(p->d, result, i, sum, false);
    }
}

/* ---- movements of 8 x 8 matrices of 16-bit elements ------------------------------------------ */

enum { MATRICES = 4 };

static uint32_t half_of(uint32_t word, unsigned index)
{
    return word >> index % 2 * 16 & 0xffff;
}

/* ldmatrix: distributes four 8 x 8 matrices of 16-bit elements. Work-item 8 j + r has loaded row r
 * of matrix j, which is four words. Each work-item gets one word, two elements of a row, of each
 * matrix. */
static void spread_rows(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                        uint32_t *result)
{
    const vectors v = of_warp(given, stride, lane);

    (void)what;
    for (unsigned j = 0; j < MATRICES; j++)
        result[j] = of_lane(&v, TILE * j + (unsigned)lane % WARP / GROUP)[lane % GROUP];
}

static void spread_columns(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                           uint32_t *result)
{
    const vectors v = of_warp(given, stride, lane);
    const unsigned column = (unsigned)lane % WARP / GROUP;

    (void)what;
    for (unsigned j = 0; j < MATRICES; j++) {
        const unsigned row = TILE * j + (unsigned)lane % GROUP * 2;

        result[j] = half_of(of_lane(&v, row)[column / 2], column) |
                    half_of(of_lane(&v, row + 1)[column / 2], column) << 16;
    }
}

/* stmatrix: collects the rows of four 8 x 8 matrices of 16-bit elements. Each work-item has one
 * word, two elements of a row, of each matrix. Work-item 8 j + r gets row r of matrix j. */
static void gather_rows(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                        uint32_t *result)
{
    const vectors v = of_warp(given, stride, lane);
    const unsigned j = (unsigned)lane % WARP / TILE, row = (unsigned)lane % TILE;

    (void)what;
    for (unsigned k = 0; k < 4; k++)
        result[k] = of_lane(&v, row * GROUP + k)[j];
}

static void gather_columns(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                           uint32_t *result)
{
    const vectors v = of_warp(given, stride, lane);
    const unsigned j = (unsigned)lane % WARP / TILE, row = (unsigned)lane % TILE;

    (void)what;
    for (unsigned k = 0; k < 4; k++)
        result[k] = half_of(of_lane(&v, 2 * k * GROUP + row / 2)[j], row) |
                    half_of(of_lane(&v, (2 * k + 1) * GROUP + row / 2)[j], row) << 16;
}

/* movmatrix: transposes an 8 x 8 matrix of 16-bit elements, of which each work-item has two. */
static void transpose(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                      uint32_t *result)
{
    const vectors v = of_warp(given, stride, lane);
    const unsigned column = (unsigned)lane % WARP / GROUP, row = (unsigned)lane % GROUP * 2;

    (void)what;
    *result = half_of(of_lane(&v, row * GROUP + column / 2)[0], column) |
              half_of(of_lane(&v, (row + 1) * GROUP + column / 2)[0], column) << 16;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const void *keep(pm_memory *kept, const void *what, size_t bytes)
{
    return memcpy(pm_take(kept, 1, bytes), what, bytes);
}

pm_fragment_function pm_fragment_function_of(const char *name, bool is_slice, pm_memory *kept)
{
    static const struct {
        const char *name;
        pm_fragment_code code;
    } moves[] = {{"pm.warp.ldmatrix.trans", spread_columns},
                 {"pm.warp.ldmatrix", spread_rows},
                 {"pm.warp.stmatrix.trans", gather_columns},
                 {"pm.warp.stmatrix", gather_rows},
                 {"pm.warp.movmatrix", transpose}};
    pm_matrix_product product;
    pm_group_product group;

    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (strcmp(name, moves[i].name) == 0)
            return (pm_fragment_function){.code = moves[i].code};
    if (pm_barrier_function_of(name))
        return (pm_fragment_function){.group_code = pm_barrier_function_of(name)};
    if (pm_starts(name, PM_BULK_PREFIX))
        return pm_bulk_function_of(name, is_slice, kept);
    if (pm_group_product_read(name, &group))
        return (pm_fragment_function){.group_code = pm_multiply_group,
                                      .what = keep(kept, &group, sizeof group)};
    if (!pm_matrix_product_read(name, &product))
        return (pm_fragment_function){.code = NULL};
    return (pm_fragment_function){.code =
                                      pm_product_has_quads(&product) ? multiply_quads : multiply,
                                  .what = keep(kept, &product, sizeof product)};
}
