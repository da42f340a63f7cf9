/* A made-up advice with a base variant and one version, for tests about cost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_COST_FIXTURE_H
#define PM_TESTS_COST_FIXTURE_H

#include <math.h>

#include "perfmodel.h"
#include "unit.h"

/* of a month */
static const double DAYS = 365.25 / 12;

typedef struct {
    pm_advice advice;
    pm_choice choices[2]; /* the version, then the base */
    char version[8], base[8], target[8], program[8], size[8];
} made_up;

/* Makes an advice. The base takes `seconds`. The version has this gain over it, and the same
 * relative interval. */
static inline void make_up(made_up *m, const char *target, pm_interval seconds, pm_interval gain)
{
    *m = (made_up){.version = "fast", .base = "plain", .program = "work", .size = "1"};
    for (size_t i = 0; i + 1 < sizeof m->target && target[i]; i++)
        m->target[i] = target[i];
    m->choices[1] = (pm_choice){.variant = m->base,
                                .predicted_s = seconds.mid,
                                .lo_s = seconds.lo,
                                .hi_s = seconds.hi,
                                .gain = 1,
                                .lo = 1,
                                .hi = 1};
    m->choices[0] = (pm_choice){.variant = m->version,
                                .predicted_s = seconds.mid / gain.mid,
                                .lo_s = seconds.lo / gain.mid,
                                .hi_s = seconds.hi / gain.mid,
                                .gain = gain.mid,
                                .lo = gain.lo,
                                .hi = gain.hi};
    m->advice = (pm_advice){.target = m->target,
                            .program = m->program,
                            .size = m->size,
                            .base = m->base,
                            .best = m->version,
                            .n = 2,
                            .choices = m->choices};
}

/* Checks that |a - b| <= share * |b|. */
static inline void assert_near(double a, double b, double share)
{
    if (!(fabs(a - b) <= share * fabs(b)))
        fail_msg("%.10g is not %.10g within %g of it", a, b, share);
}

static inline pm_interval exactly(double value)
{
    return (pm_interval){value, value, value};
}

/* Returns options with 8.4 hours of work, and with prices at which a gain of a third saves about
 * the cost of the work in a year. */
static inline pm_cost_options prices(void)
{
    pm_cost_options o = pm_cost_options_default();

    o.runs_per_month = 2e8;
    return o;
}

#endif
