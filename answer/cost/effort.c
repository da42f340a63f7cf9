/* Estimates hours of work from the size of a rewrite. See effort.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/cost/effort.h"

#include <stddef.h>

static const pm_effort_rate table[PM_EFFORT_RATES] = {
    {"write", "lines of source that a person writes in an hour, with design, tests and papers",
     "COCOMO II: 2.94 person-months of 152 hours for 1000 lines, all cost drivers nominal (Boehm "
     "et al., Software Cost Estimation with COCOMO II, 2000)",
     2.24, offsetof(pm_effort_rates, write_lines)},
    {"read", "lines that perfmodel transform wrote and a person reads in an hour",
     "the review rate up to which reviews find most defects (Kemerer and Paulk, IEEE Trans. "
     "Software Eng. 35, 2009)",
     200, offsetof(pm_effort_rates, read_lines)},
    {"kernel", "hours for each kernel that changes, to measure and to test it", "assumed", 4,
     offsetof(pm_effort_rates, kernel_hours)},
    {"struct",
     "hours for each struct whose layout changes, to connect the host code and to test it",
     "assumed", 4, offsetof(pm_effort_rates, struct_hours)},
    {"factor", "the 90 % interval of the hours is from 1/factor to factor of them",
     "the better half of programmers outdoes the other half 2:1 (DeMarco and Lister, Peopleware, "
     "1987), taken for the quartiles of a lognormal distribution: 2^(z(0.95) / 2 z(0.75))",
     2.33, offsetof(pm_effort_rates, factor)},
};

const pm_effort_rate *pm_effort_rate_at(size_t i)
{
    return i < PM_EFFORT_RATES ? &table[i] : NULL;
}

double *pm_effort_rate_of(pm_effort_rates *rates, const pm_effort_rate *rate)
{
    return (double *)((char *)rates + rate->offset);
}

pm_effort_rates pm_effort_default(void)
{
    pm_effort_rates rates = {0};

    for (size_t i = 0; i < PM_EFFORT_RATES; i++)
        *pm_effort_rate_of(&rates, &table[i]) = table[i].value;
    return rates;
}

pm_interval pm_effort_hours(const pm_rewrite_size *size, const pm_effort_rates *rates)
{
    double lines = (double)size->source_lines + (double)size->host_lines;
    double hours = (double)size->kernels * rates->kernel_hours +
                   (double)size->structs * rates->struct_hours +
                   lines / (size->by_hand ? rates->write_lines : rates->read_lines);

    return (pm_interval){hours / rates->factor, hours, hours * rates->factor};
}
