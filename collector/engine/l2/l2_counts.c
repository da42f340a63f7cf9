/* Computes the events of L2 and DRAM from the numbers of sectors that a launch requests, misses and
 * writes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * L2 consists of two partitions. Counters of an H100 (datasets/h100.csv) show that l2_write_sector
 * is (1 + l2_far) times gst_sector. The fraction l2_far of the reads first goes to a second slice,
 * which hits only if a request from its side came before. If r reads access m sectors that miss,
 * each sector is read r / m times. The second slice then misses m (1 - (1 - l2_far)^(r / m)) of the
 * m sectors. Each of these counts as two reads, one in each slice, and both are misses. If each
 * sector is read once, this is 1.5 reads per sector (programs copy, dct8x8, haar1d, aes128). The
 * formula is within 2 % of the measured l2_read_sector for median3x3 and sobel3x3, and within 3 to
 * 6 % for fdtd3d. matmul_tiled and matmul_float4 have fewer reads than the formula says, because
 * requests of neighbouring compute units for the same sector are joined on their way, which is not
 * simulated.
 */
#include "collector/engine/l2/l2_counts.h"

#include <math.h>

/* Scales the number of sectors that the sampled cells requested by one kind of request to all
 * cells. A cell is the work-groups of one wave on one compute unit. If only one cell was sampled,
 * the standard error is assumed to be as large as the estimate. */
static pm_l2_estimate scaled(const pm_l2_launch *l, unsigned kind)
{
    const pm_l2_cells *s = &l->sectors[kind];
    const double n = (double)l->shown, scale = l->cells / l->seen;
    pm_l2_estimate e = {s->sum * scale, 0};

    if (pm_l2_is_sampled(l) && n > 1) {
        const double spread = (s->squares - s->sum * s->sum / n) / (n - 1);
        e.variance = spread > 0 ? scale * scale * n * spread * (1 - 1 / scale) : 0;
    } else if (pm_l2_is_sampled(l)) {
        e.variance = e.value * e.value;
    }
    return e;
}

/* Returns the fraction of the missed sectors that were requested from a second L2 slice first,
 * which missed them, too. far: fraction of the reads that go to a second slice. */
static double asked_twice(double reads, double missed, double far)
{
    return missed > 0 ? 1 - pow(1 - far, reads / missed) : 0;
}

typedef struct {
    /* totals[event], variance[event]: sums and their variances; variance may be NULL */
    double *totals, *variance;
} sums;

static void put(const sums *to, pm_event event, double times, pm_l2_estimate e)
{
    to->totals[event] += times * e.value;
    if (to->variance)
        to->variance[event] += times * times * e.variance;
}

void pm_l2_put_direct(const pm_l2_launch *l, unsigned sector_bytes, double *totals,
                      double *variance)
{
    const sums sum = {totals, variance}, *to = &sum;
    const pm_l2_estimate both = scaled(l, PM_L2_ATOMIC);

    put(to, PM_EVENT_dram_read_bytes, sector_bytes, pm_l2_sum_of(scaled(l, PM_L2_READ), both));
    put(to, PM_EVENT_dram_write_bytes, sector_bytes, pm_l2_sum_of(scaled(l, PM_L2_WRITE), both));
}

/* Returns the number of sectors that L2 reads from memory before it writes them back, because only
 * a part of them was written and no load has fetched the rest. written: number of all sectors that
 * L2 writes back.
 *
 * We assume that a sector that one request writes completely is written back once. The other
 * write-backs (`combined`) share the partial writes evenly. The fraction `part` of a sector is
 * written by one partial write, and the fraction `fill` of it by all of them together. If fill
 * equals part, no partial writes were combined, and all sectors of these other write-backs are
 * incomplete. If fill is 1 or more, all of them are complete. We interpolate linearly between these
 * two cases. */
static double count_filled(const pm_l2_stores *stores, unsigned sector_bytes, double written)
{
    enum { WORD_BYTES = 4 };
    const double complete = stores->words * WORD_BYTES / sector_bytes;
    const double combined = written > stores->whole
                                ? written - stores->whole
                                : written * stores->parts / (stores->whole + stores->parts);
    double part, fill;

    if (!(stores->parts > 0) || !(combined > 0))
        return 0;
    part = complete / stores->parts;
    fill = complete / combined;
    if (fill >= 1)
        return 0;
    return stores->unread * combined * fmin(1, (1 - fill) / (1 - part));
}

/* Numbers of sectors that a launch misses in L2, fetches from memory and writes back. */
typedef struct {
    pm_l2_estimate missed, fetched, written;
} traffic;

/* Returns the numbers of sectors that a launch misses in L2, fetches from memory and writes back.
 * opened: number of sectors that the loads of the launch would fetch if all of them missed. */
static traffic find_traffic(const pm_l2_launch *l, double opened)
{
    traffic t = {l->read, l->read, l->written};

    if (!pm_l2_is_sampled(l)) {
        t.missed.value = (double)l->missed[PM_L2_READ];
        t.fetched.value = (double)(l->missed[PM_L2_READ] + l->missed[PM_L2_ATOMIC]);
        t.written.value = (double)l->written_back;
    } else if (t.missed.value > opened) {
        /* Loads cannot miss more sectors than `opened`. If the estimate is larger, it includes
         * sectors that were fetched for atomics. */
        t.missed.value = opened;
    }
    return t;
}

/* Returns how many rows DRAM opens for each sector, as in the simulated accesses of loads or, if
 * `written`, of stores and atomics. If the launch has no simulated accesses of this kind, its
 * accesses of the other kind are used. */
static double rows_of_sector(const pm_l2_launch *l, bool written)
{
    const pm_dram_accesses *accesses = &l->dram[written], *others = &l->dram[!written];

    if (!(accesses->sectors > 0))
        accesses = others;
    return accesses->sectors > 0 ? accesses->opened / accesses->sectors : 0;
}

void pm_l2_put_cached(const pm_l2_launch *l, const pm_gpu *gpu, unsigned sector_bytes,
                      double *totals, double *variance)
{
    const sums sum = {totals, variance}, *to = &sum;
    const pm_l2_estimate reads = scaled(l, PM_L2_READ), writes = scaled(l, PM_L2_WRITE);
    const double scale = l->cells / l->seen, opened = l->opened * scale;
    /* requested sectors for each sector that L2 fetches */
    const double asked = opened > 0 ? reads.value / opened : 1;
    const traffic t = find_traffic(l, opened);
    const double share =
        asked_twice(fmax(reads.value, t.missed.value), t.missed.value, gpu->l2_far);
    const pm_l2_estimate again = {share * t.missed.value, share * share * t.missed.variance};
    const pm_l2_estimate hit = {-asked * t.missed.value, asked * asked * t.missed.variance};
    const double filled =
        gpu->l2_fills ? scale * count_filled(&l->stores, sector_bytes, t.written.value / scale) : 0;

    put(to, PM_EVENT_l2_read_sector, 1, pm_l2_sum_of(reads, again));
    put(to, PM_EVENT_l2_read_miss, 1 + share, t.missed);
    put(to, PM_EVENT_l2_read_hit, 1, pm_l2_sum_of(reads, hit));
    put(to, PM_EVENT_l2_write_sector, 1 + gpu->l2_far, writes);
    put(to, PM_EVENT_dram_read_bytes, sector_bytes * l->beyond,
        pm_l2_sum_of(t.fetched, (pm_l2_estimate){filled, 0}));
    put(to, PM_EVENT_dram_write_bytes, sector_bytes * l->beyond, t.written);
    put(to, PM_EVENT_dram_read_row, l->beyond * rows_of_sector(l, false), t.fetched);
    put(to, PM_EVENT_dram_read_row, l->beyond * rows_of_sector(l, true),
        (pm_l2_estimate){filled, 0});
    put(to, PM_EVENT_dram_write_row, l->beyond * rows_of_sector(l, true), t.written);
}
