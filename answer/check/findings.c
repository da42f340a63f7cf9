/* Finds event counts of kernels that became worse since the baseline was written, whatever their
 * predicted times are. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Some changes rarely pay off, whatever the model predicts: spilled registers, double-precision
 * arithmetic, more sectors per access, more waits per load, more barriers. ptxas warns about the
 * first two (--warn-on-spills and --warn-on-double-precision-use); the counts show all of them. If
 * the kernel is predicted to be faster, they are no finding.
 */
#include <math.h>

#include "answer/check/parts.h"
#include "model/samples/dataset.h"

/* A kind of finding: a property of a kernel that became worse since the baseline, although no
 * longer time is predicted. The finding is reported if this ratio grows: the sum of the counters
 * `counted`, divided by the sum of the counters `each`. */
typedef struct {
    pm_check_finding finding;
    /* names of one or two counters; the second is NULL if there is one. each[0] NULL: the sum of
     * `counted` is not divided. */
    const char *counted[2], *each[2];
} kind;

static const kind kinds[] = {
    {PM_CHECK_SPILLS, {"local_load", "local_store"}, {NULL}},
    {PM_CHECK_DOUBLES, {"inst_fp64"}, {NULL}},
    {PM_CHECK_SECTORS, {"gld_sector", "gst_sector"}, {"gld_request", "gst_request"}},
    {PM_CHECK_WAITS, {"load_wait"}, {"gld_request"}},
    {PM_CHECK_BARRIERS, {"barrier"}, {NULL}},
};

/* Returns the sum of one or two counters of a kernel; NaN if one is unknown. */
static double sum_of(const pm_checking *c, const pm_check_side *side, const char *const names[2])
{
    double sum = 0;

    for (size_t i = 0; i < 2 && names[i]; i++)
        sum += pm_dataset_counter(c->columns, side->sample, names[i]);
    return sum;
}

/* Returns the ratio of a finding's counters in a kernel. NaN if a counter is unknown or the divisor
 * is 0. */
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
