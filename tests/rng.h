/* Makes random number generators of the GSL, which are freed after the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RNG_H
#define PM_TESTS_RNG_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "unit.h"

OWNED(rng, gsl_rng, gsl_rng_free)

static inline gsl_rng *rng_of(unsigned long seed)
{
    gsl_rng *rng = owned_rng(gsl_rng_alloc(gsl_rng_mt19937));

    gsl_rng_set(rng, seed);
    return rng;
}

#endif
