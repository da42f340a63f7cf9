/* Prints a table that compares the cost of optimizing a program with the cost of running it
 * unchanged on other GPUs. See choices.h.
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
    pm_cell_interval(t, PM_MONEY, &cost->base);
    pm_cell_interval(t, PM_MONEY, &cost->best);
    pm_cell_number(t, PM_MONEY, cost->base_year);
    pm_cell_number(t, PM_MONEY, cost->best_year);
}

/* Prints the GPU with the lowest costs after a year. */
static void print_cheapest(const pm_screen *screen, const pm_advice *advice,
                           const pm_table_place *places, size_t count)
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
    pm_screen_say(screen, "Cheapest after a year: %s on %s, %s.",
                  work ? "the best version" : "as it is", target, pm_short_amount(least).s);
}

static void print_overtaking(const pm_screen *screen, const char *here, const pm_table_place *place)
{
    const pm_elsewhere *e = &place->elsewhere;
    pm_words sure = pm_words_of("%s", "");

    if (!isnan(e->overtakes.lo))
        sure =
            pm_words_of(" (%.25s..%.25s); within a year: %.15s", pm_short_days(e->overtakes.lo).s,
                        pm_short_days(e->overtakes.hi).s, pm_short_chance(e->chance_a_year).s);
    pm_screen_say(screen,
                  "The best version on %s has cost less than the program as it is on %s after: "
                  "%s%s",
                  here, place->advice->target, pm_short_days(e->overtakes.mid).s, sure.s);
}

void pm_table_elsewhere(const pm_screen *screen, const pm_advice *advice,
                        const pm_cost_options *options, const pm_table_place *places, size_t count)
{
    static const pm_table_column columns[] = {
        {.name = "GPU"},
        {.name = "an hour", .number = true, .gap = 2, .weight = 10},
        {.name = "a month as it is", .gap = 2, .weight = 20},
        {.name = "a month, best version", .gap = 2, .weight = 20},
        {.name = "a year", .number = true, .gap = 2},
        {.name = "and best", .number = true, .gap = 2}};
    pm_table t = pm_table_open(columns, 6, true);

    put_place(&t, advice->target, " (here)", options->gpu_hour, &places[0].elsewhere.here);
    for (size_t i = 0; i < count; i++)
        put_place(&t, places[i].advice->target, "", places[i].gpu_hour, &places[i].elsewhere.there);
    pm_screen_gap(screen);
    pm_table_print(&t, screen, 0);
    pm_screen_note(screen, "A year of the best version has the work for it.");
    print_cheapest(screen, advice, places, count);
    for (size_t i = 0; i < count; i++)
        print_overtaking(screen, advice->target, &places[i]);
}
