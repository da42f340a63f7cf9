/* Parses the function names by which the trace engine calls matrix products of tensor cores, such
 * as pm.warp.mma.mMnNkK.D.A.B.C.RULE. See matrix_product.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/matrix_product.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, WORD = 32, MOST_M = 32, MOST_N = 256, MOST_K = 256, PART = 16 };

static const struct {
    const char *name;
    unsigned bits;
} elements[PM_ELEMENT_COUNT] = {
    [PM_ELEMENT_F16] = {"f16", 16},   [PM_ELEMENT_BF16] = {"bf16", 16},
    [PM_ELEMENT_TF32] = {"tf32", 32}, [PM_ELEMENT_F32] = {"f32", 32},
    [PM_ELEMENT_F64] = {"f64", 64},   [PM_ELEMENT_E4M3] = {"e4m3", 8},
    [PM_ELEMENT_E5M2] = {"e5m2", 8},  [PM_ELEMENT_S8] = {"s8", 8},
    [PM_ELEMENT_U8] = {"u8", 8},      [PM_ELEMENT_S4] = {"s4", 4},
    [PM_ELEMENT_U4] = {"u4", 4},      [PM_ELEMENT_B1] = {"b1", 1},
    [PM_ELEMENT_S32] = {"s32", 32},
};

static const char *const rules[PM_PRODUCT_RULES] = {
    [PM_PRODUCT_PLAIN] = "plain",
    [PM_PRODUCT_SATURATES] = "satfinite",
    [PM_PRODUCT_AND] = "and",
    [PM_PRODUCT_XOR] = "xor",
    [PM_PRODUCT_QUADS_ROW_ROW] = "row_row",
    [PM_PRODUCT_QUADS_ROW_COL] = "row_col",
    [PM_PRODUCT_QUADS_COL_ROW] = "col_row",
    [PM_PRODUCT_QUADS_COL_COL] = "col_col",
};

unsigned pm_element_bits(pm_element element)
{
    return elements[element].bits;
}

static bool read_element(const char *name, pm_element *element)
{
    for (int i = 0; i < PM_ELEMENT_COUNT; i++)
        if (strcmp(elements[i].name, name) == 0) {
            *element = (pm_element)i;
            return true;
        }
    return false;
}

static bool read_rule(const char *name, pm_product_rule *rule)
{
    for (int i = 0; i < PM_PRODUCT_RULES; i++)
        if (strcmp(rules[i], name) == 0) {
            *rule = (pm_product_rule)i;
            return true;
        }
    return false;
}

bool pm_product_has_quads(const pm_matrix_product *p)
{
    return p->rule >= PM_PRODUCT_QUADS_ROW_ROW;
}

/* Returns whether the trace engine can compute the product: each work-item holds a whole number of
 * 32-bit words of each matrix, and the shape is within the limits. */
static bool is_whole(const pm_matrix_product *p)
{
    const unsigned each = elements[p->a].bits > WORD ? elements[p->a].bits : WORD;

    if (pm_product_has_quads(p))
        return p->m == 8 && p->n == 8 && p->k == 4 && p->a == PM_ELEMENT_F16 &&
               p->b == PM_ELEMENT_F16 && p->c == p->d && elements[p->c].bits >= 16;
    return p->m % 8 == 0 && p->n % 8 == 0 && p->m > 0 && p->n > 0 && p->m <= MOST_M &&
           p->n <= MOST_N && p->k > 0 && p->k <= MOST_K &&
           p->k * elements[p->a].bits % (4 * each) == 0 &&
           elements[p->a].bits == elements[p->b].bits && elements[p->c].bits >= 16 &&
           elements[p->d].bits >= 16;
}

bool pm_matrix_product_read(const char *name, pm_matrix_product *p)
{
    const size_t prefix = strlen(PM_PRODUCT_PREFIX);
    char d[PART], a[PART], b[PART], c[PART], rule[PART];

    if (strncmp(name, PM_PRODUCT_PREFIX, prefix) != 0)
        return false;
    return sscanf(name + prefix, "m%3un%3uk%3u.%15[^.].%15[^.].%15[^.].%15[^.].%15[^.]", &p->m,
                  &p->n, &p->k, d, a, b, c, rule) == 8 &&
           read_element(d, &p->d) && read_element(a, &p->a) && read_element(b, &p->b) &&
           read_element(c, &p->c) && read_rule(rule, &p->rule) && is_whole(p);
}

static unsigned words(unsigned rows, unsigned columns, pm_element element)
{
    return rows * columns * elements[element].bits / (LANES * WORD);
}

unsigned pm_product_a_words(const pm_matrix_product *p)
{
    return pm_product_has_quads(p) ? 2 : words(p->m, p->k, p->a);
}

unsigned pm_product_b_words(const pm_matrix_product *p)
{
    return pm_product_has_quads(p) ? 2 : words(p->k, p->n, p->b);
}

unsigned pm_product_c_words(const pm_matrix_product *p)
{
    return (pm_product_has_quads(p) ? 4 : 1) * words(p->m, p->n, p->c);
}

unsigned pm_product_d_words(const pm_matrix_product *p)
{
    return (pm_product_has_quads(p) ? 4 : 1) * words(p->m, p->n, p->d);
}

bool pm_group_product_read(const char *name, pm_group_product *g)
{
    enum { ROWS = 64, WARPS = 4, LINE_BITS = 256 };
    const size_t prefix = strlen(PM_GROUP_PRODUCT_PREFIX);
    pm_matrix_product *p = &g->of_warp;
    char d[PART], a[PART], b[PART], flags[6];

    *g = (pm_group_product){.of_warp = {.rule = PM_PRODUCT_PLAIN}};
    if (strncmp(name, PM_GROUP_PRODUCT_PREFIX, prefix) != 0 ||
        sscanf(name + prefix, "m%3un%3uk%3u.%15[^.].%15[^.].%15[^.].%5s", &p->m, &p->n, &p->k, d, a,
               b, flags) != 7 ||
        p->m != ROWS || strlen(flags) != 5 || !read_element(d, &p->d) || !read_element(a, &p->a) ||
        !read_element(b, &p->b) || p->k * elements[p->a].bits != LINE_BITS)
        return false;
    p->m = ROWS / WARPS;
    p->c = p->d;
    g->a_in_registers = flags[0] == 'r';
    g->a_transposed = flags[1] == '1';
    g->b_transposed = flags[2] == '1';
    g->negative = flags[3] != flags[4];
    return elements[p->a].bits >= 8 && is_whole(p);
}
