/* Prints counters that were imported from a profiler, next to those that the trace engine counted,
 * on a terminal. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/results/tables.h"
#include "report/table/table.h"

static void print_kernel(const pm_screen *screen, const pm_imported *imported, size_t first,
                         size_t end)
{
    const pm_table_column columns[] = {{.name = "counter"},
                                       {.name = imported->tool, .number = true, .gap = 2},
                                       {.name = "traced", .number = true, .gap = 2},
                                       {.name = "traced / profiled", .number = true, .gap = 2},
                                       {.name = "name in the profiler", .gap = 2, .weight = 10}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    for (size_t i = first; i < end; i++) {
        const pm_import_compared *c = &imported->compared[i];

        PM_CELLS(&t, c->counter, pm_short_count(c->profiled).s, pm_short_count(c->traced).s,
                 c->profiled > 0 ? pm_words_of("%.3f", c->traced / c->profiled).s : "-",
                 c->profiler_name);
    }
    pm_table_print(&t, screen, 2);
}

void pm_table_imported(const pm_screen *screen, const pm_imported *imported)
{
    const pm_import_compared *list = imported->compared;

    pm_screen_say(screen, "%s: %zu imported, %zu there already, %zu left out", imported->path,
                  imported->rows, imported->kept, imported->left_out);
    if (imported->disturbed)
        pm_screen_note(screen, "The times are Nsight Compute's, which lowers the GPU's clock and "
                               "empties its caches unless it runs with --clock-control none "
                               "--cache-control none.");
    for (size_t first = 0, end; first < imported->compared_count; first = end) {
        for (end = first;
             end < imported->compared_count && strcmp(list[end].kernel, list[first].kernel) == 0;)
            end++;
        pm_screen_gap(screen);
        pm_screen_say(screen, "kernel %s: counters of a run by %s, and as perfmodel traces them",
                      list[first].kernel, imported->tool);
        print_kernel(screen, imported, first, end);
    }
}
