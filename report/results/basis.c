/* Prints below a table of predictions how wide their 90 % intervals are, and from which GPUs' times
 * the model has learned. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/results/tables.h"

void pm_widths_add(pm_widths *widths, double lo, double hi)
{
    if (isfinite(lo) && isfinite(hi) && lo > 0 && hi >= lo && widths->count < PM_WIDTHS)
        widths->factors[widths->count++] = sqrt(hi / lo);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void pm_table_basis(const pm_screen *screen, pm_widths *widths, const char *const *targets,
                    const char *const *bases, size_t count)
{
    char own[400] = "", others[400] = "";
    pm_words sure = pm_words_of("%s", "");

    qsort(widths->factors, widths->count, sizeof *widths->factors, by_size);
    if (widths->count > 0)
        sure = pm_words_of("90 %% intervals are typically a factor of %.2g either way. ",
                           fmax(widths->factors[widths->count / 2], 1.1));
    for (size_t i = 0; i < count; i++) {
        const bool is_own = strcmp(bases[i], "dataset") == 0;

        pm_list_add(is_own ? own : others, sizeof own, "%s", targets[i]);
    }
    pm_screen_note(screen, "%sBased on%s%s%s%s%s.", sure.s, *own ? " times measured on " : "", own,
                   *own && *others ? ", and" : "",
                   *others ? " times of other GPUs and the specification of " : "", others);
}
