/* The ranking of versions as a terminal table. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "table.h"

static const char *interval_text(double lo, double hi, char text[48])
{
    if (isnan(lo) || isnan(hi))
        snprintf(text, 48, "-");
    else
        snprintf(text, 48, "%.2f..%.2f", lo, hi);
    return text;
}

const char *pm_chance_text(double chance, char text[32])
{
    if (isnan(chance))
        snprintf(text, 32, "-");
    else if (chance > 0.99)
        snprintf(text, 32, ">99 %%");
    else if (chance < 0.01)
        snprintf(text, 32, "<1 %%");
    else
        snprintf(text, 32, "%.0f %%", 100 * chance);
    return text;
}

static void print_choice(FILE *out, const pm_advice *advice, const pm_choice *choice, bool measured)
{
    char predicted[32], real[32], interval[48], chance[32];

    fprintf(out, "%3zu %11s %6.2fx %12s %6s %-8s", (size_t)(choice - advice->choices) + 1,
            pm_time_text(choice->predicted_s, predicted), choice->gain,
            interval_text(choice->lo, choice->hi, interval), pm_chance_text(choice->chance, chance),
            choice->why.bound ? choice->why.bound : "-");
    if (measured)
        fprintf(out, " %11s", pm_time_text(choice->measured_s, real));
    fprintf(out, "  %s%s%s%s\n", choice->variant,
            strcmp(choice->variant, advice->base) == 0 ? " (as it is)" : "",
            advice->nakai && strcmp(choice->variant, advice->nakai) == 0
                ? " (chosen by Nakai's method)"
                : "",
            choice != advice->choices && strcmp(choice->variant, advice->best) == 0 ? " (proposed)"
                                                                                    : "");
}

void pm_table_advice(FILE *out, const pm_advice *advice)
{
    bool measured = false;

    for (size_t i = 0; i < advice->n; i++)
        measured = measured || !isnan(advice->choices[i].measured_s);
    fprintf(out, "%s %s on %s: ", advice->program, advice->size, advice->target);
    if (advice->nakai)
        fprintf(out, "%zu layouts ranked, %zu traced\n\n", advice->examined, advice->n);
    else
        fprintf(out, "%zu versions traced\n\n", advice->n);
    fprintf(out, "%3s %11s %7s %12s %6s %-8s%s  %s\n", "#", "predicted", "gain", "90 %", "faster",
            "bound", measured ? "    measured" : "", advice->nakai ? "layout" : "version");
    for (size_t i = 0; i < advice->n; i++)
        print_choice(out, advice, &advice->choices[i], measured);
}
