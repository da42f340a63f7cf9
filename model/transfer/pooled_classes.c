/* Gives a number to each class (group of similar programs) in the training data of a model of many
 * GPUs. See pooled_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/pooled_parts.h"

void pm_pooled_classify(pm_pooled *p)
{
    p->class = pm_take(&p->memory, p->programs.count, sizeof *p->class);
    for (size_t i = 0; i < p->programs.count; i++)
        p->class[i] =
            pm_numbered_add(&p->memory, &p->kinds, pm_class_of(p->classes, p->programs.items[i]));
}
