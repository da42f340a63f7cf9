/* Computes the covariances of the random effects of kernel times (the part of the difference
 * between measured and modelled times that is due to the program). See effects.c and parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "model/hierarchy/parts.h"

double pm_effect_apart(const double *shape_a, const double *shape_b)
{
    double sum = 0;

    for (size_t k = 0; k < PM_UNITS_SHAPE; k++)
        sum += (shape_a[k] - shape_b[k]) * (shape_a[k] - shape_b[k]);
    return sum;
}

double pm_effect_near(const pm_effect_widths *widths, double apart)
{
    return exp(-.5 * apart / (widths->length * widths->length));
}

double pm_effect_on_one(const pm_effect_widths *widths, const pm_hierarchy_row *a,
                        const pm_hierarchy_row *b, double near)
{
    double same = widths->program;

    if (a->program != b->program)
        return 0;
    same += a->variant == b->variant ? widths->variant : 0;
    same += a->config == b->config ? widths->config : 0;
    return same + widths->shape * near;
}

double pm_effect_covariance(const pm_effect_widths *widths, const pm_hierarchy_rows *rows,
                            const pm_hierarchy_row *a, const pm_hierarchy_row *b, double near)
{
    return pm_effect_on_one(widths, a, b, near) * widths->common[a->gpu * rows->gpus + b->gpu];
}

void pm_effect_relate(pm_effect_widths *widths, const pm_hierarchy_rows *rows)
{
    for (size_t a = 0; a < rows->gpus; a++)
        for (size_t b = 0; b < rows->gpus; b++)
            widths->common[a * rows->gpus + b] =
                pm_alike_of(&widths->alike, rows->profile[a], rows->profile[b]);
}

double pm_effect_noise(const pm_effect_widths *widths, const pm_hierarchy_row *row)
{
    return widths->row[row->source == PM_NO_NAME ? 0 : row->source];
}

double pm_effect_common(const pm_hierarchy *h, size_t row, const pm_hierarchy_row *other,
                        const double *shape)
{
    const double *own = h->shape + row * PM_UNITS_SHAPE;

    return pm_effect_on_one(&h->effects, &h->rows->of[row], other,
                            pm_effect_near(&h->effects, pm_effect_apart(own, shape)));
}
