/* What other GPUs would cost, as a table on a terminal. See choices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/results/choices.h"
#include "report/table/table.h"

static void put_place(pm_table *t, const char *target, const char *note, double gpu_hour,
                      const pm_place_cost *cost)
{
    pm_cell_put(t, "%s%s", target, note);
    pm_cell_put(t, "%.6g", gpu_hour);
    pm_cell_interval(t, PM_MONEY, &cost->base, NULL, 0);
    pm_cell_interval(t, PM_MONEY, &cost->best, NULL, 0);
    pm_cell_number(t, PM_MONEY, cost->base_year);
    pm_cell_number(t, PM_MONEY, cost->best_year);
}

/* The least sum after a year. */
static void print_cheapest(FILE *out, const pm_advice *advice, const pm_table_place *places,
                           size_t count)
{
    const pm_place_cost *here = &places[0].elsewhere.here;
    const char *target = advice->target;
    bool work = here->best_year < here->base_year;
    double least = fmin(here->base_year, here->best_year);

    for (size_t i = 0; i < count; i++) {
        const pm_place_cost *there = &places[i].elsewhere.there;

        if (fmin(there->base_year, there->best_year) < least) {
            least = fmin(there->base_year, there->best_year);
            work = there->best_year < there->base_year;
            target = places[i].advice->target;
        }
    }
    fprintf(out, "Cheapest after a year: %s on %s, %s.\n", work ? "the best version" : "as it is",
            target, pm_short_amount(least).s);
}

static void print_overtaking(FILE *out, const char *here, const pm_table_place *place)
{
    const pm_elsewhere *e = &place->elsewhere;

    fprintf(out,
            "The best version on %s has cost less than the program as it is on %s\n  after: %s",
            here, place->advice->target, pm_short_days(e->overtakes.mid).s);
    if (!isnan(e->overtakes.lo))
        fprintf(out, " (%s..%s); within a year: %s", pm_short_days(e->overtakes.lo).s,
                pm_short_days(e->overtakes.hi).s, pm_short_chance(e->chance_a_year).s);
    fputc('\n', out);
}

void pm_table_elsewhere(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                        const pm_table_place *places, size_t count)
{
    static const pm_table_column columns[] = {{"GPU", false, 18, 0},
                                              {"an hour", true, 8, 1},
                                              {"a month as it is", false, 23, 2},
                                              {"a month, best version", false, 23, 1},
                                              {"a year", true, 8, 1},
                                              {"and best", true, 8, 1}};
    pm_table t = pm_table_open(columns, 6, true);

    put_place(&t, advice->target, " (here)", options->gpu_hour, &places[0].elsewhere.here);
    for (size_t i = 0; i < count; i++)
        put_place(&t, places[i].advice->target, "", places[i].gpu_hour, &places[i].elsewhere.there);
    fputc('\n', out);
    pm_table_print(&t, out, 0, false);
    fputs("A year of the best version has the work for it.\n", out);
    print_cheapest(out, advice, places, count);
    for (size_t i = 0; i < count; i++)
        print_overtaking(out, advice->target, &places[i]);
}
