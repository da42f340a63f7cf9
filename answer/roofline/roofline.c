/* Computes the roofs of a GPU and the points of kernels in the roofline model. See roofline.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/roofline/roofline.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/devices_table.h"
#include "machine/profile.h"
#include "machine/rules.h"

static const char *const level_names[PM_ROOF_LEVELS] = {
    [PM_ROOF_DRAM] = "dram", [PM_ROOF_L2] = "l2", [PM_ROOF_L1] = "l1", [PM_ROOF_SHARED] = "shared"};

const char *pm_roof_level_name(pm_roof_level level)
{
    return level_names[level];
}

/* ---- roofs ---------------------------------------------------------------------------------- */

static double known(double rate)
{
    return rate > 0 ? rate : (double)NAN;
}

/* Returns the peak rate of integer instructions of a compute unit, in warp instructions per cycle.
 * If the GPU has separate pipes, integer instructions use the ALU pipe and the multiply-add pipe
 * that can also multiply integers, up to the issue rate of the schedulers. If all kinds of
 * instructions share the same lanes, the ALU rate is the peak. */
static double integers_per_cycle(const pm_profile *p)
{
    const double heavy = p->fmaheavy_per_cycle > 0 ? p->fmaheavy_per_cycle : p->fma_per_cycle;

    return p->pipes == PM_PIPES_APART ? fmin(p->issue_per_cycle, p->alu_per_cycle + heavy)
                                      : p->alu_per_cycle;
}

static void fill_roofs(const pm_profile *p, const pm_gpu *gpu, pm_roof_units *u)
{
    const double cycles = p->clock_mhz * 1e6, units = p->compute_units * cycles;
    const double passes = p->l1_wavefronts_per_cycle * units;
    pm_roofs *roofs = &u->roofs;

    u->l1_sector = fmin(gpu->l1_sector, gpu->l2_sector);
    u->l2_sector = gpu->l2_sector;
    u->warp_bytes = 4.0 * gpu->warp_width;
    u->wavefront_bytes = (double)gpu->shared_banks * gpu->shared_bank_bytes;
    roofs->fp32_per_s = known(pm_profile_peak_flops(p));
    roofs->fp64_per_s = known(2 * p->fp64_per_cycle * gpu->warp_width * units);
    roofs->int_per_s = known(integers_per_cycle(p) * gpu->warp_width * units);
    roofs->bytes_per_s[PM_ROOF_DRAM] = known(p->dram_gb_s * 1e9);
    roofs->bytes_per_s[PM_ROOF_L2] = known(p->l2_bytes_per_cycle * cycles);
    roofs->bytes_per_s[PM_ROOF_L1] = known(passes * u->wavefront_bytes);
    roofs->bytes_per_s[PM_ROOF_SHARED] = roofs->bytes_per_s[PM_ROOF_L1];
    u->power_limit_w = known(p->tdp_w);
    roofs->dram_in_practice = known(p->dram_gb_s * 1e9 * p->dram_share);
}

pm_status pm_roof_units_find(const char *target, const char *folder, pm_roof_units *units,
                             pm_error *err)
{
    const double unknown = (double)NAN;
    pm_device_row *row = NULL;
    pm_profile profile;
    pm_gpu gpu;
    pm_status status = pm_device_row_read(target, folder, &row, err);
    const bool has_row = status == PM_OK && row->line > 0;

    pm_device_row_free(row);
    *units = (pm_roof_units){
        .roofs = {unknown, unknown, unknown, {unknown, unknown, unknown, unknown}, unknown},
        .power_limit_w = unknown};
    if (!has_row)
        return status;
    status = pm_profile_find(target, folder, &profile, err);
    if (status != PM_OK || !profile.present)
        return status;
    status = pm_gpu_find(target, folder, &gpu, err);
    if (status == PM_OK)
        fill_roofs(&profile, &gpu, units);
    return status;
}

/* ---- work ----------------------------------------------------------------------------------- */

pm_roof_work pm_roof_work_of(const pm_roof_units *u, pm_counter_fn counter, const void *user)
{
    const double private = counter(user, "local_load") + counter(user, "local_store");
    const double passes = u->wavefront_bytes * counter(user, "global_wavefront");
    pm_roof_work work = {
        .fp32 = counter(user, "flop_fp32"),
        .fp64 = counter(user, "flop_fp64"),
        .integer = counter(user, "inst_int"),
        .bytes = {
            [PM_ROOF_DRAM] = counter(user, "dram_read_bytes") + counter(user, "dram_write_bytes"),
            [PM_ROOF_L2] =
                u->l2_sector * (counter(user, "l2_read_sector") + counter(user, "l2_write_sector")),
            [PM_ROOF_L1] =
                u->l1_sector * (counter(user, "gld_sector") + counter(user, "gst_sector")) +
                u->warp_bytes * private,
            [PM_ROOF_SHARED] = u->wavefront_bytes * counter(user, "shared_wavefront")}};

    memcpy(work.moved, work.bytes, sizeof work.moved);
    work.moved[PM_ROOF_L1] = fmin(work.bytes[PM_ROOF_L1], passes); /* fmin ignores a NaN */
    work.moved[PM_ROOF_L2] =
        u->l2_sector * fmax(counter(user, "l2_read_sector"), counter(user, "l2_write_sector"));
    return work;
}

void pm_roof_work_add(pm_roof_work *sum, const pm_roof_work *of)
{
    sum->fp32 += of->fp32;
    sum->fp64 += of->fp64;
    sum->integer += of->integer;
    for (int level = 0; level < PM_ROOF_LEVELS; level++) {
        sum->bytes[level] += of->bytes[level];
        sum->moved[level] += of->moved[level];
    }
}

/* ---- points --------------------------------------------------------------------------------- */

/* Updates the kernel's point with one roof (peak rate of a level of memory or of arithmetic).
 * `seconds` is the least time that the kernel needs by this roof. If it is the longest so far, the
 * roof becomes the one that bounds the kernel. NaN: the time is unknown and the roof is ignored. */
static void apply_roof(pm_roofline *point, const char *roof, double seconds)
{
    if (seconds > point->least_s) {
        point->least_s = seconds;
        point->bound = roof;
    }
}

/* Updates the kernel's point with the peak rates of arithmetic. FP32 and FP64 instructions have
 * separate pipes that work at the same time, so the slower one of both is the bound. Integer
 * instructions are used only if there are none of these. */
static void apply_operation_roofs(const pm_roofs *roofs, const pm_roof_work *work,
                                  pm_roofline *point)
{
    if (isnan(work->fp32) || isnan(work->fp64))
        return;
    if (work->fp32 + work->fp64 > 0) {
        point->count = work->fp32 + work->fp64;
        point->operations = work->fp64 <= 0 ? "fp32" : work->fp32 <= 0 ? "fp64" : "fp32+fp64";
        apply_roof(point, "fp32", work->fp32 / roofs->fp32_per_s);
        apply_roof(point, "fp64", work->fp64 / roofs->fp64_per_s);
    } else if (!isnan(work->integer)) {
        point->count = work->integer;
        point->operations = "int";
        apply_roof(point, "int", work->integer / roofs->int_per_s);
    }
}

pm_roofline pm_roofline_of(const pm_roofs *roofs, const pm_roof_work *work, double time_s,
                           bool measured)
{
    pm_roofline point = {.count = (double)NAN, .time_s = time_s, .measured = measured};

    apply_operation_roofs(roofs, work, &point);
    for (int level = 0; level < PM_ROOF_LEVELS; level++) {
        point.bytes[level] = work->bytes[level];
        point.intensity[level] =
            work->bytes[level] > 0 ? point.count / work->bytes[level] : (double)NAN;
        apply_roof(&point, level_names[level], work->moved[level] / roofs->bytes_per_s[level]);
    }
    point.per_s = point.count / time_s;
    point.roof_per_s = point.bound ? point.count / point.least_s : (double)NAN;
    point.share = point.bound ? point.least_s / time_s : (double)NAN;
    return point;
}
