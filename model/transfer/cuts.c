/* Divides programs, or classes of similar programs, into folds for a cross-validation, in which
 * each fold is left out of the fit in turn. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "model/transfer/parts.h"

typedef struct {
    const char *name;
    size_t group;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Numbers the distinct names in alphabetical order, from 0 on. number[g] gets the number of
 * name[g]; both arrays have `groups` elements. Returns the number of distinct names. */
static size_t number_names(pm_memory *memory, const char *const *name, size_t groups,
                           size_t *number)
{
    named *list = pm_take(memory, groups, sizeof *list);
    size_t count = 0;

    for (size_t g = 0; g < groups; g++)
        list[g] = (named){name[g], g};
    if (groups > 0)
        qsort(list, groups, sizeof *list, by_name);
    for (size_t g = 0; g < groups; g++) {
        count += g == 0 || strcmp(list[g - 1].name, list[g].name) != 0;
        number[list[g].group] = count - 1;
    }
    return count;
}

void pm_transfer_cut_make(pm_memory *memory, const pm_transfer_rows *rows, const char **name,
                          pm_transfer_cut *cut)
{
    const size_t groups = rows->of.groups;
    size_t names;

    *cut = (pm_transfer_cut){.name = name, .fold = pm_take(memory, groups, sizeof *cut->fold)};
    names = number_names(memory, name, groups, cut->fold);
    cut->folds = names > PM_TRANSFER_ALONE ? PM_TRANSFER_FOLDS : names;
    for (size_t g = 0; g < groups; g++)
        cut->fold[g] %= cut->folds;
    cut->sets = pm_take(memory, cut->folds, sizeof(pm_transfer_set *));
}

size_t pm_transfer_fold(const pm_transfer_cut *cut, const pm_transfer_rows *rows, const char *name)
{
    size_t g = 0;

    while (g < rows->of.groups && !pm_are_twins(cut->name[g], name))
        g++;
    return g < rows->of.groups ? cut->fold[g] : cut->folds;
}
