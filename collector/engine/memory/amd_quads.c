/* Counts L1 passes on AMD GPUs, which process the addresses of four work-items at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An address unit processes a quad of four neighbouring work-items per cycle (T. Lottes,
 * Understanding Memory Coalescing on GCN, GPUOpen, 2014), and L1 delivers 64 bytes. Four quads with
 * adjacent words are processed together, so that 16 words take one pass.
 *
 * The rules for other addresses are not published. We derived them from published times of an MI210
 * for loads with different strides (RRZE-HPC/gpu-benches, gpu-strides). The words of one quad are
 * in four banks of 4 bytes, in eight banks of 8 bytes or in four banks of 16 bytes, and each bank
 * delivers one word per pass. A quad of words in several lines takes at least two passes. A quad of
 * double words in four lines also takes at least two. These rules predict 57 of 65 strides of words
 * within 13 %, the other strides of words within a factor of 1.5, and strides of double words
 * within a factor of 2.
 *
 * Elements of one and two bytes are combined in the same way. Published times of 11,130 versions of
 * a dedispersion kernel on an MI250X (AutoTuningAssociation/benchmark_hub) show it: versions whose
 * quads read four adjacent bytes, at any alignment, take half the time.
 */
#include "collector/engine/memory/amd_quads.h"

enum { QUAD = 4, LINE_SHIFT = 6, LINE_BYTES = 1 << LINE_SHIFT, WORD_SHIFT = 2, BANKS = 8 };

static bool takes_part(const pm_warp_access *access, unsigned lane)
{
    return access->mask >> lane & 1;
}

/* Returns whether one of the first `count` addresses in `seen` is in the same aligned block of
 * 2^shift bytes as `place`. */
static bool is_known(const uint64_t *seen, unsigned count, uint64_t place, unsigned shift)
{
    for (unsigned k = 0; k < count; k++)
        if (seen[k] >> shift == place >> shift)
            return true;
    return false;
}

/* Returns the number of L1 passes of a quad (four work-items) that is not combined with other
 * quads. Different words of the same bank take one pass each. */
static unsigned quad_alone(const pm_warp_access *access, unsigned first)
{
    const unsigned word_shift = access->bytes <= 1U << WORD_SHIFT   ? WORD_SHIFT
                                : access->bytes <= 2U << WORD_SHIFT ? WORD_SHIFT + 1
                                                                    : WORD_SHIFT + 2;
    const unsigned banks = word_shift == WORD_SHIFT + 1 ? BANKS : BANKS / 2;
    uint64_t seen[QUAD];
    unsigned in_bank[BANKS] = {0}, count = 0, lines = 0, most = 0;

    for (unsigned lane = first; lane < first + QUAD; lane++) {
        const uint64_t place = access->address[lane] >> word_shift;

        if (!takes_part(access, lane) || is_known(seen, count, place, 0))
            continue;
        lines += !is_known(seen, count, place, LINE_SHIFT - word_shift);
        seen[count++] = place;
        if (++in_bank[place & (banks - 1)] > most)
            most = in_bank[place & (banks - 1)];
    }
    return lines >= (word_shift == WORD_SHIFT ? 2 : QUAD) && most < 2 ? 2 : most;
}

typedef struct {
    uint64_t first, end; /* address range [first, end); first == end: empty */
} window;

/* Returns the smallest address range that contains the accesses of a quad (four work-items). */
static window window_of(const pm_warp_access *access, unsigned first)
{
    window w = {0, 0};

    for (unsigned lane = first; lane < first + QUAD; lane++) {
        const uint64_t at = access->address[lane], end = at + access->bytes;

        if (!takes_part(access, lane))
            continue;
        if (w.first == w.end)
            w = (window){at, end};
        w.first = at < w.first ? at : w.first;
        w.end = end > w.end ? end : w.end;
    }
    return w;
}

/* If the address ranges `a` and `b` together are not longer than a cache line, extends `a` to
 * contain both and returns true. */
static bool join(window *a, const window *b)
{
    const window both = {b->first < a->first ? b->first : a->first,
                         b->end > a->end ? b->end : a->end};

    if (a->first == a->end || both.end - both.first > LINE_BYTES)
        return false;
    *a = both;
    return true;
}

/* Returns the number of L1 passes of four quads of work-items, 16 work-items from `first` on. */
static unsigned group_passes(const pm_warp_access *access, unsigned first)
{
    window together = {0, 0};
    unsigned windows = 0, alone = 0;
    bool dense = access->bytes <= 1U << WORD_SHIFT;

    for (unsigned quad = first; dense && quad < first + PM_QUADS; quad += QUAD) {
        const window own = window_of(access, quad);

        if (own.first == own.end)
            continue;
        dense = own.end - own.first <= (uint64_t)QUAD * access->bytes;
        if (!join(&together, &own)) {
            together = own;
            windows++;
        }
    }
    for (unsigned quad = first; !dense && quad < first + PM_QUADS; quad += QUAD)
        alone += quad_alone(access, quad);
    return dense ? windows : alone;
}

unsigned pm_quad_passes(const pm_warp_access *access, unsigned width)
{
    unsigned passes = 0;

    for (unsigned first = 0; first < width; first += PM_QUADS)
        passes += group_passes(access, first);
    return passes ? passes : 1;
}
