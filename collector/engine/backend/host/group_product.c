/* Computes products of a warp group. See group_product.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layouts of matrices in shared memory are those of the PTX manual ("Asynchronous Warpgroup
 * Level Matrix Shared Memory Layout") and, in closed form, of NVIDIA's CUTLASS
 * (include/cute/arch/mma_sm90_desc.hpp and atom/mma_traits_sm90_gmma.hpp).
 */
#include "collector/engine/backend/host/group_product.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "collector/engine/backend/host/elements.h"

enum { GROUP = 4, TILE = 8, ROWS = 16, WARP = 32, CHUNK = 16, MOST_K = 32 };
enum { ADDRESS_BITS = 18, FIELD_BITS = 14, UNIT_SHIFT = 4 };

/* A matrix in shared memory. A line is a row of A or a column of B; an element of it has the index
 * k. shared, bytes: the work-group's shared memory and its size. start, leading, stride: the fields
 * of wgmma's matrix descriptor, in bytes: start of the matrix in shared memory, and the two
 * distances between blocks of the matrix. */
typedef struct {
    const uint8_t *shared;
    uint64_t bytes;
    uint32_t start, leading, stride; /* in bytes */
    uint32_t width; /* bytes of a row of the swizzle pattern: 32, 64 or 128; 16: no swizzle */
    /* true: neighbouring elements in memory have the same k; false: they are in the same line */
    bool transposed;
    pm_element element;
    uint32_t size; /* bytes of an element */
} matrix;

/* Returns the value in bytes of a field of a wgmma matrix descriptor. The field starts at bit
 * `shift` and is in units of 16 bytes. */
static uint32_t field_of(uint64_t descriptor, unsigned shift)
{
    return (uint32_t)(descriptor >> shift & ((1U << FIELD_BITS) - 1)) << UNIT_SHIFT;
}

/* Reads a wgmma matrix descriptor of two words. Its address field has the low bits of an address on
 * the host, because generated code computes it from such addresses. */
static matrix matrix_of(const uint32_t *words, const uint8_t *shared, uint64_t bytes,
                        pm_element element, bool transposed)
{
    static const uint32_t widths[] = {16, 128, 64, 32};
    const uint64_t descriptor = words[0] | (uint64_t)words[1] << 32;

    return (matrix){.shared = shared,
                    .bytes = bytes,
                    .start = (field_of(descriptor, 0) - (uint32_t)(uintptr_t)shared) &
                             ((1U << ADDRESS_BITS) - 1),
                    .leading = field_of(descriptor, 16),
                    .stride = field_of(descriptor, 32),
                    .width = widths[descriptor >> 62],
                    .transposed = transposed,
                    .element = element,
                    .size = pm_element_bits(element) / 8};
}

/* Returns the offset in bytes of element k of a line from the matrix's start, without the swizzle.
 * The swizzle exchanges 16-byte chunks of rows. */
static uint32_t plain_offset(const matrix *m, unsigned line, unsigned k)
{
    /* number of elements in a row of the swizzle pattern */
    const uint32_t each = m->width / m->size;

    if (!m->transposed && m->width == CHUNK)
        return line % TILE * CHUNK + line / TILE * m->stride + k / each * m->leading +
               k % each * m->size;
    if (!m->transposed)
        return line % TILE * m->width + line / TILE * m->stride + k * m->size;
    if (m->width == CHUNK)
        return line % each * m->size + line / each * m->stride + k % TILE * CHUNK +
               k / TILE * m->leading;
    return line % each * m->size + line / each * m->leading + k % TILE * m->width +
           k / TILE * m->stride;
}

static double element_at(const matrix *m, unsigned line, unsigned k)
{
    const uint32_t plain = m->start + plain_offset(m, line, k);
    /* Bits of the address from bit 7 on choose which 16-byte chunks of a row the swizzle exchanges.
     */
    const uint32_t at = plain ^ ((plain >> 7 & (m->width / CHUNK - 1)) << UNIT_SHIFT);
    uint32_t word = 0;

    if (at + m->size > m->bytes)
        return 0;
    memcpy(&word, m->shared + at, m->size);
    return pm_element_value(m->element, &word, 0);
}

/* Reads the two rows of A that a work-item needs for its elements of D. warp: number of the
 * work-item's warp in the group of four warps. lane: the work-item's number in the warp. The rows
 * come from the operands of the warp's work-items, or from shared memory. */
static void read_rows(const pm_group_product *g, const uint32_t *first, uint64_t stride,
                      const uint32_t *own, unsigned warp, unsigned lane, const uint8_t *shared,
                      uint64_t bytes, double rows[2][MOST_K])
{
    const pm_matrix_product *p = &g->of_warp;
    const unsigned d = pm_product_d_words(p), each = 32 / pm_element_bits(p->a);
    const matrix a = matrix_of(own + d, shared, bytes, p->a, g->a_transposed);

    for (unsigned row = 0; row < 2; row++)
        for (unsigned k = 0; k < p->k; k++) {
            const unsigned at = k / each; /* as in a fragment of mma */
            const uint32_t *word =
                first + (lane / GROUP * GROUP + at % GROUP) * stride + d + at / GROUP * 2 + row;

            rows[row][k] = g->a_in_registers
                               ? pm_element_value(p->a, word, k % each)
                               : element_at(&a, warp * ROWS + row * TILE + lane / GROUP, k);
        }
}

void pm_multiply_group(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                       uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const pm_group_product *g = what;
    const pm_matrix_product *p = &g->of_warp;
    const uint8_t *shared = group->shared;
    const uint64_t bytes = group->shared_bytes;
    const uint32_t *first = given + lane / WARP * WARP * stride, *own = given + lane * stride;
    const unsigned words = pm_product_d_words(p) + (g->a_in_registers ? pm_product_a_words(p) : 2);
    const matrix b = matrix_of(own + words, shared, bytes, p->b, g->b_transposed);
    const unsigned place = (unsigned)lane % WARP, warp = own[words + 3];
    const bool adds = own[words + 2] != 0;
    double rows[2][MOST_K];

    (void)mask;
    read_rows(g, first, stride, own, warp, place, shared, bytes, rows);
    for (unsigned i = 0; i < p->n / TILE * 2; i++) {
        const unsigned column = i / 2 * TILE + place % GROUP * 2 + i % 2;
        double sums[2] = {0, 0};

        for (unsigned k = 0; k < p->k; k++) {
            const double factor = element_at(&b, column, k);

            sums[0] += rows[0][k] * factor;
            sums[1] += rows[1][k] * factor;
        }
        for (unsigned row = 0; row < 2; row++) {
            const unsigned at = (i / 2 * 2 + row) * 2 + i % 2;
            const double sum = g->negative ? -sums[row] : sums[row];

            pm_element_set(p->d, result, at, adds ? pm_element_value(p->c, own, at) + sum : sum,
                           false);
        }
    }
}
