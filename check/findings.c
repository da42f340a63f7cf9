/* What got worse by the counts alone. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Some changes hardly ever pay, whatever the model makes of them: registers that spill, arithmetic
 * in double precision, accesses that take more sectors each, loads that are waited for one by one,
 * barriers more. Compilers warn of the first two (ptxas --warn-on-spills and
 * --warn-on-double-precision-use); counts tell of all. Where they bought something the kernel is
 * predicted to be faster, and that is no finding.
 */
#include <math.h>

#include "check/parts.h"
#include "samples/dataset.h"

/* Counters, summed, for each of others. */
typedef struct {
    pm_check_finding finding;
    const char *counted[2], *each[2]; /* NULL: one less, or for the kernel as a whole */
} kind;

static const kind kinds[] = {
    {PM_CHECK_SPILLS, {"local_load", "local_store"}, {NULL}},
    {PM_CHECK_DOUBLES, {"inst_fp64"}, {NULL}},
    {PM_CHECK_SECTORS, {"gld_sector", "gst_sector"}, {"gld_request", "gst_request"}},
    {PM_CHECK_WAITS, {"load_wait"}, {"gld_request"}},
    {PM_CHECK_BARRIERS, {"barrier"}, {NULL}},
};

/* Unknown ones make an unknown sum. */
static double sum_of(const pm_checking *c, const pm_check_side *side, const char *const names[2])
{
    double sum = 0;

    for (size_t i = 0; i < 2 && names[i]; i++)
        sum += pm_dataset_counter(c->columns, side->sample, names[i]);
    return sum;
}

/* NaN: unknown, or for each of nothing. */
static double value_of(const pm_checking *c, const pm_check_side *side, const kind *k)
{
    const double sum = sum_of(c, side, k->counted);
    const double each = k->each[0] ? sum_of(c, side, k->each) : 1;

    return each > 0 ? sum / each : (double)NAN;
}

unsigned pm_check_findings(const pm_checking *c, const pm_check_side *before,
                           const pm_check_side *after, const pm_check_kernel *kernel)
{
    unsigned found = 0;

    if (!(kernel->ratio >= 1))
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double most = value_of(c, before, &kinds[i]) * (1 + c->options->tolerance);

        if (value_of(c, after, &kinds[i]) > most)
            found |= kinds[i].finding;
    }
    return found;
}
