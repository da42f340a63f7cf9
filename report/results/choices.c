/* Writes versions of a program, with their predicted times, gains and costs, as rows of tables. See
 * choices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/results/choices.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "answer/cost/cost.h"
#include "report/table/table.h"

/* ---- cells ---------------------------------------------------------------------------------- */

static const pm_choice *choice_of(const pm_shown_choice *row)
{
    return &row->advice->choices[row->number];
}

/* is_base: returns whether the row's variant is the base variant, to which gains are relative.
 * is_best: returns whether it is the variant that the advice proposes. */
static bool is_base(const pm_shown_choice *row)
{
    return strcmp(choice_of(row)->variant, row->advice->base) == 0;
}

static bool is_best(const pm_shown_choice *row)
{
    return strcmp(choice_of(row)->variant, row->advice->best) == 0;
}

static void put_number(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%zu", row->number + 1);
}

static void put_name(pm_table *t, const pm_shown_choice *row)
{
    PM_CELLS(t, choice_of(row)->variant);
}

static void put_candidate(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%s%s", choice_of(row)->variant, is_best(row) ? "" : " (not proposed)");
}

static bool is_nakai(const pm_shown_choice *row)
{
    return row->advice->nakai && strcmp(row->advice->nakai, choice_of(row)->variant) == 0;
}

static void put_version(pm_table *t, const pm_shown_choice *row)
{
    bool best = is_best(row);
    const char *note = is_nakai(row) ? " (by Nakai's method)" : "";

    if (is_base(row))
        note = best ? " (as it is; proposed)" : " (as it is)";
    else if (best)
        note = is_nakai(row) ? " (proposed; by Nakai's method too)" : " (proposed)";
    pm_cell_put(t, "%s%s", choice_of(row)->variant, note);
}

/* Writes the name of a version (variant of the program), and "(proposed)" after the version that
 * the advice proposes. The first row, which is the fastest version, gets no such mark, because the
 * advice normally proposes this version. But the base version always gets the mark if it is
 * proposed, because the advice is then to change nothing. */
static void put_version_short(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%s%s%s%s", choice_of(row)->variant, is_base(row) ? " (as it is)" : "",
                is_nakai(row) ? " (chosen by Nakai's method)" : "",
                (row->number > 0 || is_base(row)) && is_best(row) ? " (proposed)" : "");
}

static pm_words range_text(pm_quantity quantity, double lo, double hi)
{
    return pm_words_of("%.40s to %.40s", pm_format_quantity(quantity, lo, false).s,
                       pm_format_quantity(quantity, hi, false).s);
}

static void put_time_range(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);

    pm_cell_time_interval(t, c->predicted_s, c->lo_s, c->hi_s);
}

static void put_interval(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);
    bool known = !isnan(c->lo) && !isnan(c->hi);

    pm_cell_put(t, known ? "%.2f..%.2f" : "-", c->lo, c->hi);
}

static void put_gain_range(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);
    bool known = !is_base(row) && isfinite(c->lo) && isfinite(c->hi);

    pm_cell_put_range(t, pm_format_gain(c->gain).s,
                      known ? range_text(PM_GAIN, c->lo, c->hi).s : "");
}

/* Writes the gain of a version (variant of the program) with its interval: the measured gain if
 * there is one, else the predicted one. */
static void put_best_gain(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);
    const pm_interval gain = pm_cost_gain_of(c);
    bool known = !is_base(row) && isfinite(gain.lo) && isfinite(gain.hi);

    pm_cell_put_range(t, pm_format_gain(gain.mid).s,
                      !known ? ""
                      : c->measured
                          ? pm_words_of("%s, measured", range_text(PM_GAIN, gain.lo, gain.hi).s).s
                          : range_text(PM_GAIN, gain.lo, gain.hi).s);
}

static void put_chance(pm_table *t, const pm_shown_choice *row)
{
    if (is_base(row) && !t->terminal)
        pm_cell_put(t, "%s", "");
    else
        pm_cell_number(t, PM_CHANCE, choice_of(row)->chance);
}

static void put_bound(pm_table *t, const pm_shown_choice *row)
{
    const pm_explanation *why = &choice_of(row)->why;

    pm_cell_put(t, "%s", why->n && why->bound ? why->bound : t->terminal ? "-" : "unknown");
}

static void put_measured(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);
    pm_words gain = pm_words_of("%s", "");

    if (c->measured)
        gain = pm_words_of("gain %s (%s), measured", pm_format_gain(c->measured_gain).s,
                           range_text(PM_GAIN, c->measured_lo, c->measured_hi).s);
    pm_cell_put_range(t, isnan(c->measured_s) ? "" : pm_format_time(c->measured_s).s,
                      pm_words_of("%s%s%s", gain.s, c->measured && c->missed ? "; " : "",
                                  c->missed ? "the prediction misses it" : "")
                          .s);
}

static void put_predicted_short(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);

    pm_cell_time(t, c->predicted_s, c->lo_s, c->hi_s);
}

/* Writes the measured time of a version (variant of the program) on a terminal. A star after it
 * means that the time is outside of the predicted interval; a line below the table explains it. */
static void put_measured_short(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);

    pm_cell_time(t, c->measured_s, (double)NAN, (double)NAN);
    if (c->missed)
        pm_cell_mark(t, "*");
}

static void put_measured_gain(pm_table *t, const pm_shown_choice *row)
{
    const pm_choice *c = choice_of(row);

    if (c->measured)
        pm_cell_put(t, "%.2fx %.2f..%.2f", c->measured_gain, c->measured_lo, c->measured_hi);
    else
        pm_cell_put(t, "-");
}

/* ---- cells about money ---------------------------------------------------------------------- */

static void put_hours_mid(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%s", is_base(row) ? "" : pm_format_hours(row->cost->hours.mid).s);
}

static void put_cost(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%s", pm_format_money(row->cost->cost.mid).s);
}

static void put_runs(pm_table *t, const pm_shown_choice *row)
{
    pm_cell_put(t, "%s", pm_format_count(row->cost->break_even_runs.mid).s);
}

static void put_days(pm_table *t, const pm_shown_choice *row)
{
    if (!t->terminal && is_base(row))
        pm_cell_put(t, "nothing to write");
    else
        pm_cell_number(t, PM_DAYS, row->cost->break_even_days.mid);
}

static void put_pays(pm_table *t, const pm_shown_choice *row)
{
    if (!t->terminal && is_base(row))
        pm_cell_put(t, "%s", "");
    else
        pm_cell_number(t, PM_CHANCE, row->cost->chance_a_year);
}

/* ---- cells about energy --------------------------------------------------------------------- */

static pm_words energy_words(double value)
{
    return isnan(value) ? pm_words_of("%s", "") : pm_words_of("%.4g", value);
}

static void put_joules(pm_table *t, const pm_shown_choice *row)
{
    PM_CELLS(t, energy_words(row->cost->energy.joules).s);
}

static void put_kwh(pm_table *t, const pm_shown_choice *row)
{
    PM_CELLS(t, energy_words(row->cost->energy.kwh_a_month).s);
}

static void put_energy_money(pm_table *t, const pm_shown_choice *row)
{
    PM_CELLS(t, energy_words(row->cost->energy.money_a_month).s);
}

static void put_co2(pm_table *t, const pm_shown_choice *row)
{
    PM_CELLS(t, energy_words(row->cost->energy.co2_kg_a_month).s);
}

static void put_basis(pm_table *t, const pm_shown_choice *row)
{
    const pm_energy_saving *energy = &row->cost->energy;

    switch (energy->basis) {
    case PM_ENERGY_MEASURED:
        pm_cell_put(t, "measured");
        break;
    case PM_ENERGY_BY_POWER:
        pm_cell_put(t, "by %.0f W", energy->watts);
        break;
    case PM_ENERGY_AT_MOST:
        pm_cell_put(t, "at most %.0f W", energy->watts);
        break;
    case PM_ENERGY_UNKNOWN:
        pm_cell_put(t, "unknown");
        break;
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

typedef struct {
    pm_table_column column;
    /* Function that writes the cell. NULL: put_member writes the member at offset `at`. */
    void (*put)(pm_table *table, const pm_shown_choice *row);
    bool (*known)(const pm_choice *choice); /* NULL: always known */
    /* true: the column is shown only if the rows have a cost */
    bool money;
    size_t at;
    /* Struct that has the member at offset `at`. OF_ADVICE: a text of pm_advice. OF_CHOICE: a
     * number of pm_choice. OF_COST: an interval of pm_payback. */
    enum { OF_ADVICE, OF_CHOICE, OF_COST } of;
    pm_quantity quantity;
} choice_column;
#define TEXT(member) .of = OF_ADVICE, .at = offsetof(pm_advice, member)
#define NUMBER(is, member) .of = OF_CHOICE, .at = offsetof(pm_choice, member), .quantity = is
#define RANGE(is, member) .of = OF_COST, .at = offsetof(pm_payback, member), .quantity = is
enum { MOST_COLUMNS = 10 };

static void put_member(pm_table *t, const choice_column *c, const pm_shown_choice *row)
{
    switch (c->of) {
    case OF_ADVICE:
        PM_CELLS(t, *(char *const *)((const char *)row->advice + c->at));
        break;
    case OF_CHOICE:
        pm_cell_number(t, c->quantity, *(const double *)((const char *)choice_of(row) + c->at));
        break;
    case OF_COST:
        pm_cell_interval(t, c->quantity, (const pm_interval *)((const char *)row->cost + c->at));
        break;
    }
}

static bool is_bound_known(const pm_choice *choice)
{
    return choice->why.n && choice->why.bound;
}

static bool is_measured(const pm_choice *choice)
{
    return !isnan(choice->measured_s);
}

static bool is_gain_measured(const pm_choice *choice)
{
    return choice->measured;
}

static const choice_column best_versions[MOST_COLUMNS] = {
    {PM_WORDS("Program"), TEXT(program)},
    {PM_WORDS("Size"), TEXT(size)},
    {PM_WORDS("GPU"), TEXT(target)},
    {PM_WORDS("Best version"), .put = put_name},
    {PM_NUMBERS("Time"), .put = put_time_range},
    {PM_NUMBERS("Gain"), .put = put_best_gain},
    {PM_NUMBERS("Chance faster"), .put = put_chance},
    {PM_NUMBERS("Has paid after"), .put = put_days, .money = true},
    {PM_NUMBERS("Chance in a year"), .put = put_pays, .money = true}};

static const choice_column break_even[MOST_COLUMNS] = {
    {PM_WORDS("Program"), TEXT(program)},
    {PM_WORDS("GPU"), TEXT(target)},
    {PM_WORDS("Version"), .put = put_candidate},
    {PM_NUMBERS("Hours of work"), RANGE(PM_HOURS, hours)},
    {PM_NUMBERS("Cost"), .put = put_cost},
    {PM_NUMBERS("Saves a month"), RANGE(PM_MONEY, saving)},
    {PM_NUMBERS("Break-even runs"), .put = put_runs},
    {PM_NUMBERS("Has paid after"), RANGE(PM_DAYS, break_even_days)},
    {PM_NUMBERS("Net after a year"), RANGE(PM_MONEY, net)},
    {PM_NUMBERS("Chance in a year"), .put = put_pays}};

static const choice_column energy[MOST_COLUMNS] = {
    {PM_WORDS("Program"), TEXT(program)},
    {PM_WORDS("GPU"), TEXT(target)},
    {PM_WORDS("Version"), .put = put_candidate},
    {PM_NUMBERS("Joules a pass"), .put = put_joules},
    {PM_NUMBERS("kWh a month"), .put = put_kwh},
    {PM_NUMBERS("Money a month"), .put = put_energy_money},
    {PM_NUMBERS("kg CO2 a month"), .put = put_co2},
    {PM_WORDS("How it is known"), .put = put_basis}};

static const choice_column ranking[MOST_COLUMNS] = {
    {PM_WORDS("Version"), .put = put_version},
    {PM_NUMBERS("Predicted"), .put = put_time_range},
    {PM_NUMBERS("Gain"), .put = put_gain_range},
    {PM_NUMBERS("Chance faster"), .put = put_chance},
    {PM_WORDS("Bound by"), .put = put_bound, .known = is_bound_known},
    {PM_NUMBERS("Measured"), .put = put_measured, .known = is_measured},
    {PM_NUMBERS("Hours of work"), .put = put_hours_mid, .money = true}};

static const choice_column of_advice[MOST_COLUMNS] = {
    {{.name = "#", .number = true}, .put = put_number},
    {{.name = "predicted", .number = true, .gap = 2}, .put = put_predicted_short},
    {{.name = "gain", .number = true, .gap = 2}, NUMBER(PM_GAIN, gain)},
    {{.name = "90 %", .number = true, .gap = 1, .weight = 50}, .put = put_interval},
    {{.name = "faster", .number = true, .gap = 1, .weight = 40}, .put = put_chance},
    {{.name = "bound", .gap = 1, .weight = 30}, .put = put_bound},
    {{.name = "measured", .number = true, .gap = 1, .weight = 60},
     .put = put_measured_short,
     .known = is_measured},
    {{.name = "gain by it", .number = true, .gap = 1, .weight = 35},
     .put = put_measured_gain,
     .known = is_gain_measured},
    {{.name = "version", .gap = 2}, .put = put_version_short}};

static const choice_column of_cost[MOST_COLUMNS] = {
    {{.name = "#", .number = true}, .put = put_number},
    {{.name = "hours", .gap = 2, .weight = 50}, RANGE(PM_HOURS, hours)},
    {{.name = "saved a month", .gap = 2, .weight = 40}, RANGE(PM_MONEY, saving)},
    {{.name = "paid after", .gap = 2}, .put = put_days},
    {{.name = "net after a year", .gap = 2, .weight = 60}, RANGE(PM_MONEY, net)},
    {{.name = "pays", .number = true, .gap = 2}, .put = put_pays},
    {{.name = "version", .gap = 2, .weight = 10}, .put = put_name}};

static const choice_column of_energy[MOST_COLUMNS] = {
    {{.name = "#", .number = true}, .put = put_number},
    {{.name = "joules a pass", .number = true, .gap = 2, .weight = 30}, .put = put_joules},
    {{.name = "kWh a month", .number = true, .gap = 2}, .put = put_kwh},
    {{.name = "money", .number = true, .gap = 2, .weight = 50}, .put = put_energy_money},
    {{.name = "kg CO2", .number = true, .gap = 2, .weight = 40}, .put = put_co2},
    {{.name = "known", .gap = 2}, .put = put_basis},
    {{.name = "version", .gap = 2, .weight = 10}, .put = put_name}};

static bool is_shown(const choice_column *column, const pm_shown_choice *rows, size_t count)
{
    bool shown = !column->known;

    if (column->money && count > 0 && !rows[0].cost)
        return false;
    for (size_t i = 0; i < count && !shown; i++)
        shown = column->known(choice_of(&rows[i]));
    return shown;
}

/* Returns a table with those columns of `all` that the rows have values for, and one row for each
 * version (variant of the program). `columns` is memory for MOST_COLUMNS columns. */
static pm_table fill(const choice_column *all, pm_table_column *columns,
                     const pm_shown_choice *rows, size_t count, bool terminal)
{
    const choice_column *shown[MOST_COLUMNS];
    size_t n = 0;
    pm_table t;

    for (size_t c = 0; c < MOST_COLUMNS && all[c].column.name; c++)
        if (is_shown(&all[c], rows, count)) {
            columns[n] = all[c].column;
            shown[n++] = &all[c];
        }
    t = pm_table_open(columns, n, terminal);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < n; c++)
            if (shown[c]->put)
                shown[c]->put(&t, &rows[i]);
            else
                put_member(&t, shown[c], &rows[i]);
    return t;
}

static const choice_column *const tables[] = {[PM_BEST_VERSIONS] = best_versions,
                                              [PM_BREAK_EVEN] = break_even,
                                              [PM_ENERGY] = energy,
                                              [PM_RANKING] = ranking,
                                              [PM_SHORT_ADVICE] = of_advice,
                                              [PM_SHORT_COST] = of_cost,
                                              [PM_SHORT_ENERGY] = of_energy};

void pm_markdown_choices(pm_markdown *md, pm_choice_table which, const pm_shown_choice *rows,
                         size_t count, const char *format, ...)
{
    pm_table_column columns[MOST_COLUMNS];
    pm_table t = fill(tables[which], columns, rows, count, false);
    va_list args;

    va_start(args, format);
    pm_markdown_table_v(md, &t, format, args);
    va_end(args);
}

/* Returns the variants in an advice as rows of a table, which the caller frees. costs: one element
 * for each variant, in which case the base variant is left out; NULL: the rows have no costs. */
static pm_shown_choice *rows_of(const pm_advice *advice, const pm_payback *costs, size_t *count)
{
    pm_shown_choice *rows = calloc(advice->n + 1, sizeof *rows);

    *count = 0;
    for (size_t i = 0; rows && i < advice->n; i++) {
        rows[*count] = (pm_shown_choice){advice, i, costs ? &costs[i] : NULL};
        *count += !costs || !is_base(&rows[*count]);
    }
    return rows;
}

void pm_choices_print(const pm_screen *screen, pm_choice_table which, const pm_advice *advice,
                      const pm_payback *costs)
{
    pm_table_column columns[MOST_COLUMNS];
    size_t count;
    pm_shown_choice *rows = rows_of(advice, costs, &count);
    pm_table t = fill(tables[which], columns, rows, count, true);

    t.failed = t.failed || !rows;
    if (!costs && advice->nakai)
        columns[t.count - 1].name = "layout";
    pm_table_print(&t, screen, 0);
    free(rows);
}
