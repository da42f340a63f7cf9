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
#include "collector/engine/memory/l2_counts.h"

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

void pm_l2_put_cached(const pm_l2_launch *l, unsigned sector_bytes, double far, double *totals,
                      double *variance)
{
    const sums sum = {totals, variance}, *to = &sum;
    const pm_l2_estimate reads = scaled(l, PM_L2_READ), writes = scaled(l, PM_L2_WRITE);
    pm_l2_estimate fetched = l->read, missed = l->read, written = l->written;

    if (!pm_l2_is_sampled(l)) {
        missed.value = (double)l->missed[PM_L2_READ];
        fetched.value = (double)(l->missed[PM_L2_READ] + l->missed[PM_L2_ATOMIC]);
        written.value = (double)l->written_back;
    } else if (missed.value > reads.value) {
        /* the missed sectors that exceed the number of read sectors were fetched for atomics */
        missed.value = reads.value;
    }
    const double share = asked_twice(reads.value, missed.value, far);
    const pm_l2_estimate again = {share * missed.value, share * share * missed.variance};
    const pm_l2_estimate hit = {-missed.value, missed.variance};
    put(to, PM_EVENT_l2_read_sector, 1, pm_l2_sum_of(reads, again));
    put(to, PM_EVENT_l2_read_miss, 1 + share, missed);
    put(to, PM_EVENT_l2_read_hit, 1, pm_l2_sum_of(reads, hit));
    put(to, PM_EVENT_l2_write_sector, 1 + far, writes);
    put(to, PM_EVENT_dram_read_bytes, sector_bytes * l->beyond, fetched);
    put(to, PM_EVENT_dram_write_bytes, sector_bytes * l->beyond, written);
}
