/* The memory unit of the trace engine against a slow and obvious implementation, on random
 * accesses: all widths, any mask, warps of 32 and 64 work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_unit_fixture.h"

static unsigned number = 1;

static unsigned up_to(unsigned limit)
{
    number = number * 1103515245 + 12345;
    return (number >> 12) % limit;
}

static uint64_t random_mask(unsigned width)
{
    uint64_t mask = 0;

    for (unsigned lane = 0; lane < width; lane++)
        mask |= (uint64_t)up_to(2) << lane;
    switch (up_to(4)) {
    case 0:
        return mask;
    case 1:
        return mask & (mask >> 1) & 0xF0F0F0F0F0F0F0F0;
    default:
        return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    }
}

static void random_addresses(fixture *f, unsigned bytes)
{
    static const unsigned spans[] = {64, 512, 4096, 1 << 20};
    const unsigned span = spans[up_to(4)], way = up_to(4);
    const uint64_t first = up_to(span / bytes) * (uint64_t)bytes;
    const uint64_t step = up_to(20) * (uint64_t)bytes;

    for (unsigned lane = 0; lane < PM_MAX_WARP; lane++)
        f->address[lane] = way == 0   ? up_to(span / bytes) * (uint64_t)bytes
                           : way == 1 ? first + lane * step
                           : way == 2 ? first + lane / 4 * step
                                      : first + (lane ^ 5) * step;
}

/* Returns the number of distinct values of address / unit over the work-items in mask. */
static unsigned distinct(const fixture *f, uint64_t mask, unsigned bytes, uint64_t unit)
{
    uint64_t found[PM_MAX_WARP];
    unsigned count = 0;

    for (unsigned lane = 0; lane < f->gpu.warp_width; lane++) {
        unsigned i = 0;
        if (!(mask >> lane & 1))
            continue;
        assert_int_equal(f->address[lane] / unit, (f->address[lane] + bytes - 1) / unit);
        while (i < count && found[i] != f->address[lane] / unit)
            i++;
        found[i] = f->address[lane] / unit;
        count += i == count;
    }
    return count;
}

/* Returns the largest number of 4-byte words that one bank has to deliver. */
static unsigned deepest(const fixture *f, uint64_t mask, unsigned bytes)
{
    unsigned most = 1;

    for (unsigned bank = 0; bank < f->gpu.shared_banks; bank++) {
        uint64_t found[PM_MAX_WARP * 4];
        unsigned count = 0;
        for (unsigned lane = 0; lane < f->gpu.warp_width; lane++)
            for (unsigned at = 0; mask >> lane & 1 && at < bytes; at += 4) {
                const uint64_t word = (f->address[lane] + at) / 4;
                unsigned i = 0;
                while (i < count && found[i] != word)
                    i++;
                found[i] = word;
                count += i == count && word % f->gpu.shared_banks == bank;
            }
        most = count > most ? count : most;
    }
    return most;
}

static bool neighbours_agree(const fixture *f, uint64_t mask, unsigned from, unsigned lanes,
                             unsigned apart)
{
    for (unsigned lane = from; lane < from + lanes; lane++)
        if (mask >> lane & 1 && mask >> (lane ^ apart) & 1 &&
            f->address[lane] != f->address[lane ^ apart])
            return false;
    return true;
}

static unsigned slow_wavefronts(const fixture *f, uint64_t mask, unsigned bytes, bool pairs)
{
    const unsigned part = bytes > 4 ? f->gpu.shared_banks * 4 / bytes : f->gpu.shared_banks;
    const uint64_t lanes = part == 64 ? UINT64_MAX : (UINT64_C(1) << part) - 1;
    unsigned sum = 0;

    for (unsigned lane = 0; lane < f->gpu.warp_width; lane += part) {
        const uint64_t both = part < 32 ? mask & (lanes | lanes << part) << lane : 0;
        if (pairs && part < 32 && lane % (2 * part) == 0 &&
            (neighbours_agree(f, both, lane, 2 * part, 1) ||
             neighbours_agree(f, both, lane, 2 * part, 2))) {
            sum += both || !mask ? deepest(f, both, bytes) : 0;
            lane += part;
        } else {
            sum += !mask || mask & lanes << lane ? deepest(f, mask & lanes << lane, bytes) : 0;
        }
    }
    return sum;
}

static void against_the_obvious(unsigned width)
{
    enum { ROUNDS = 20000 };
    pm_gpu gpu = sector_gpu();
    fixture *f;
    size_t count;

    gpu.warp_width = width;
    f = begin(gpu);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned bytes = 1U << up_to(5);
        const uint64_t mask = random_mask(width);
        random_addresses(f, bytes);
        pm_unit_reset(f->unit);
        once(f, PM_SPACE_GLOBAL, PM_ACCESS_LOAD, bytes, mask);
        const unsigned sectors = distinct(f, mask, bytes, 32);
        assert_int_equal(got(f, PM_EVENT_gld_request), mask != 0);
        assert_int_equal(got(f, PM_EVENT_gld_sector), sectors);
        assert_int_equal(got(f, PM_EVENT_gld_tag), distinct(f, mask, bytes, 128));
        assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), sectors);
        assert_int_equal(got(f, PM_EVENT_global_wavefront),
                         mask ? slow_wavefronts(f, mask, bytes, false) : 0);
        unsigned asked = 0;
        const pm_l2_request *queue = pm_unit_queue(f->unit, &count);
        for (size_t i = 0; i < count; i++)
            asked += (unsigned)__builtin_popcount(queue[i].sectors);
        assert_int_equal(asked, sectors);
        once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, bytes, mask);
        assert_int_equal(got(f, PM_EVENT_gst_sector), sectors);
        once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, bytes, mask);
        assert_int_equal(got(f, PM_EVENT_shared_wavefront), slow_wavefronts(f, mask, bytes, true));
    }
}

TEST(obvious_32)
{
    against_the_obvious(32);
}

TEST(obvious_64)
{
    against_the_obvious(64);
}
