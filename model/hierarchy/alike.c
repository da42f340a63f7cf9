/* Computes how strongly the random effects (residuals) of a program on two GPUs are correlated. The
 * correlation is a sum of components: one common to all GPUs, one for GPUs of the same
 * architecture, and one that decreases with their difference of age. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "model/hierarchy/parts.h"

double pm_alike_of(const pm_alike *alike, const pm_profile *a, const pm_profile *b)
{
    const bool known = a->year > 0 && b->year > 0;
    const double years = known ? fabs(a->year - b->year) : PM_FAR_YEARS;
    const bool same = *a->architecture && strcmp(a->architecture, b->architecture) == 0;

    if (a == b)
        return 1;
    return alike->all + (same ? alike->architecture : 0) + alike->age * exp(-years / alike->years);
}
