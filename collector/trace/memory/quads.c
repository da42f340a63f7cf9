/* Passes through L1 of a GPU that takes addresses four at a time. See quads.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An address unit takes a quad of four neighbouring work-items a cycle (T. Lottes, Understanding
 * Memory Coalescing on GCN, GPUOpen, 2014), and L1 gives 64 bytes. Four quads whose words lie side
 * by side go together, so that 16 words are one pass. What an MI210 takes for other strides
 * (RRZE-HPC/gpu-benches, gpu-strides) shows the rest, which nobody has published: words of one quad
 * lie in four banks of 4 bytes, in eight of 8 bytes or in four of 16, each of which gives one in a
 * pass; a quad of words in several lines takes two, and one of double words in four. So counted, 57
 * of its 65 strides of words come within 13 %, the others within a factor of 1.5, and those of
 * double words within a factor of 2. Elements of one and two bytes go together likewise: of a
 * tuner's 11,130 dedispersions on an MI250X (AutoTuningAssociation/benchmark_hub) those take half
 * the time whose quads read four bytes in a row, wherever these start.
 */
#include "collector/trace/memory/quads.h"

enum { QUAD = 4, LINE_SHIFT = 6, LINE_BYTES = 1 << LINE_SHIFT, WORD_SHIFT = 2, BANKS = 8 };

static bool takes_part(const pm_warp_access *access, unsigned lane)
{
    return access->mask >> lane & 1;
}

/* Whether one of those seen lies in the same 2^shift places. */
static bool is_known(const uint64_t *seen, unsigned count, uint64_t place, unsigned shift)
{
    for (unsigned k = 0; k < count; k++)
        if (seen[k] >> shift == place >> shift)
            return true;
    return false;
}

/* Passes of a quad by itself: places of one bank come one after the other. */
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
    uint64_t first, end; /* addresses; first == end: empty */
} window;

/* The addresses of a quad. */
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

/* Whether b goes with a: then it is part of a. */
static bool join(window *a, const window *b)
{
    const window both = {b->first < a->first ? b->first : a->first,
                         b->end > a->end ? b->end : a->end};

    if (a->first == a->end || both.end - both.first > LINE_BYTES)
        return false;
    *a = both;
    return true;
}

/* Passes of four quads. */
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
