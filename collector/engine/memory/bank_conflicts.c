/* Counts passes through the banks of shared memory. L1's data are in the same banks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each bank delivers one word per pass, to every work-item that accesses this word. An access of
 * more bytes than a word is split into parts, whose work-items together access one word of each
 * bank: half-warps for 8 bytes, quarter-warps for 16 (CUDA C Programming Guide 3.2, G.3.3.4 and
 * G.4.3). Since compute capability 3.0, shared memory processes two neighbouring parts in one pass
 * if each work-item of both has the address of its neighbour (lane ^ 1), or each has the address of
 * lane ^ 2. It never joins more than two parts. Counters of programs in datasets/h100.csv show it.
 * A load of 16 bytes from shared memory takes 2.0 wavefronts if all work-items have one address
 * (nbody, variant local) or two addresses (matmul_tiled, local). It takes 4 wavefronts for four
 * addresses that share banks (matmul_float4, local). From global memory a load of 16 bytes at one
 * address takes 4.0 (nbody, variant nolocal).
 *
 * Banks of compute capability 3.x are 64 bits wide, twice the size of a word. Two words 32 apart in
 * one segment of 64 words are delivered in one pass (CUDA C Programming Guide, shared memory of
 * compute capability 3.x, 32-bit mode). Published counters of a GTX 680, a K20c and a K40c show it
 * (docs/results.md): 16 passes for a stride of 32 words.
 */
#include "collector/engine/memory/bank_conflicts.h"

#include "collector/engine/memory/address_pattern.h"

enum { PLANES = 8 }; /* number of bits of a count of up to PM_MAX_PIECES rows */

/* Counts the accessed words of all 32 banks in parallel by bitwise addition. Bit k of bank b's
 * count is bit b of plane[k]. Each iteration adds the words of two rows. */
unsigned pm_bank_depth(const pm_line_sectors *rows, unsigned count)
{
    uint32_t plane[PLANES] = {0}, deepest = UINT32_MAX;
    const unsigned planes = count ? 32U - (unsigned)__builtin_clz(count) : 0;
    unsigned depth = 0;

    for (unsigned i = 0; i < count; i += 2) {
        const uint32_t one = rows[i].sectors, two = i + 1 < count ? rows[i + 1].sectors : 0;
        const uint32_t differ = one ^ two;
        uint32_t carry = (one & two) | (differ & plane[0]);

        plane[0] ^= differ;
        for (unsigned k = 1; k < planes; k++) {
            const uint32_t sum = plane[k] ^ carry;
            carry &= plane[k];
            plane[k] = sum;
        }
    }
    for (unsigned k = planes; k-- > 0;)
        if (plane[k] & deepest) {
            deepest &= plane[k];
            depth |= 1U << k;
        }
    return depth;
}

/* A row of shared memory is one word of each bank. Merges rows 2 k and 2 k + 1 into one, because on
 * GPUs with 64-bit banks a bank delivers a word of each in one pass. Returns the number of rows
 * after merging. */
static unsigned join_twins(pm_line_sectors *rows, unsigned count)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;

        while (k < kept && rows[k].line != rows[i].line >> 1)
            k++;
        if (k == kept)
            rows[kept++] = (pm_line_sectors){.line = rows[i].line >> 1, .sectors = rows[i].sectors};
        else
            rows[k].sectors |= rows[i].sectors;
    }
    return kept;
}

/* Returns the number of wavefronts for the accesses of the work-items in the mask `lanes`, at least
 * one. */
static unsigned passes(const pm_bank_rule *rule, const pm_warp_access *access, uint64_t lanes)
{
    pm_line_sectors rows[PM_MAX_PIECES];
    unsigned count = pm_coalesce_lines(access, lanes, rule->row_shift, rule->word_shift, rows);

    if (rule->twins)
        count = join_twins(rows, count);
    const unsigned depth = pm_bank_depth(rows, count);

    return depth ? depth : 1;
}

/* A work-item and the one of lane (lane ^ neighbour) are partners. Returns whether every work-item
 * in the mask `lanes` has the same address as its partner. Work-items whose partner does not take
 * part in the access are ignored. */
static bool paired(const uint64_t *address, uint64_t lanes, unsigned neighbour)
{
    for (uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left), other = lane ^ neighbour;
        if (lanes >> other & 1 && address[lane] != address[other])
            return false;
    }
    return true;
}

static uint64_t lane_bits(unsigned first, unsigned count)
{
    return (count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1) << first;
}

/* Counts the wavefronts of an access in parts of `lanes` work-items, which together access one word
 * of each bank. */
static pm_bank_cost by_parts(const pm_bank_rule *rule, const pm_warp_access *access, unsigned lanes)
{
    pm_bank_cost cost = {0, 0};

    const unsigned banks = 1U << (rule->row_shift - rule->word_shift);

    for (unsigned lane = 0; lane < rule->width;) {
        const unsigned two = 2 * lanes;
        uint64_t part = access->mask & lane_bits(lane, two);
        unsigned step = lanes;

        if (rule->pairs && lanes < banks && lane % two == 0 && lane + two <= rule->width &&
            (paired(access->address, part, 1) || paired(access->address, part, 2)))
            step = two;
        else
            part = access->mask & lane_bits(lane, lanes);
        lane += step;
        if (!part && access->mask)
            continue;
        const unsigned wavefronts = passes(rule, access, part);
        cost.wavefronts += wavefronts;
        cost.conflicts += wavefronts - 1;
    }
    return cost;
}

/* The rule for atomics on shared memory was measured. An atomic addition whose result is unused
 * takes one wavefront for each work-item with the same address (program kmeans_fixed in
 * datasets/h200-corpus.csv). Adding the constant 1 takes one wavefront for all work-items with the
 * same address (luma_hist). An atomic whose result is used also takes one wavefront for all
 * work-items with the same address, and a compare-and-swap takes two
 * (tests/bench/terms/local_atomics_returned and local_atomics_float). */
pm_bank_cost pm_bank_turns(const pm_bank_rule *rule, const pm_warp_access *access)
{
    const unsigned banks = 1U << (rule->row_shift - rule->word_shift);
    const unsigned words =
        access->bytes >> rule->word_shift ? access->bytes >> rule->word_shift : 1;
    unsigned turns[PM_MAX_PIECES] = {0}, most = 1;

    for (uint64_t left = access->mask; left; left &= left - 1) {
        const uint64_t first = access->address[__builtin_ctzll(left)] >> rule->word_shift;

        for (unsigned w = 0; w < words; w++) {
            unsigned *bank = &turns[(first + w) & (banks - 1)];

            ++*bank;
            most = *bank > most ? *bank : most;
        }
    }
    return (pm_bank_cost){most * access->turn_wavefronts, most - 1};
}

/* Returns a / b. It uses a shift, which is faster than a division, if b is a power of two, as it
 * mostly is. */
static inline unsigned quotient(unsigned a, unsigned b)
{
    return (b & (b - 1)) == 0 ? a >> __builtin_ctz(b) : a / b;
}

static inline bool is_aligned(uint64_t address, unsigned bytes)
{
    return (bytes & (bytes - 1)) == 0 ? (address & (bytes - 1)) == 0 : address % bytes == 0;
}

pm_bank_cost pm_bank_passes(const pm_bank_rule *rule, const pm_warp_access *access)
{
    const unsigned word = 1U << rule->word_shift;
    const unsigned share = access->bytes > word ? access->bytes >> rule->word_shift : 1;
    const unsigned banks = 1U << (rule->row_shift - rule->word_shift);
    const unsigned lanes = share < banks ? quotient(banks, share) : 1;
    const unsigned parts = quotient(rule->width + lanes - 1, lanes);
    const pm_shape shape = pm_access_shape(access);

    if (shape == PM_SHAPE_SAME && is_aligned(access->address[0], access->bytes))
        return (pm_bank_cost){rule->pairs && share > 1 ? (parts + 1) / 2 : parts, 0};
    if (shape == PM_SHAPE_CONSECUTIVE && is_aligned(access->address[0], access->bytes))
        return (pm_bank_cost){parts, 0};
    return by_parts(rule, access, lanes);
}
