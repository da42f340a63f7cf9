/* Builds tables of texts and numbers cell by cell. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

pm_table pm_table_open(const pm_table_column *columns, size_t count, bool terminal)
{
    return (pm_table){.columns = columns, .count = count, .terminal = terminal};
}

void pm_table_close(pm_table *t)
{
    for (size_t i = 0; i < t->used; i++) {
        free(t->cells[i].text);
        free(t->cells[i].range);
    }
    free(t->cells);
    *t = (pm_table){.failed = t->failed};
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* Appends a cell to the table, which then owns the cell's texts and frees them. If memory runs out,
 * frees them and sets failed. */
static void add(pm_table *t, pm_table_cell cell)
{
    if (t->used == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        pm_table_cell *grown = reallocarray(t->cells, room, sizeof *grown);

        if (grown) {
            t->cells = grown;
            t->room = room;
        }
    }
    t->failed =
        t->failed || t->used == t->room || (cell.kind == PM_CELL_TEXT && !cell.text && !cell.range);
    if (t->used < t->room) {
        t->cells[t->used++] = cell;
    } else {
        free(cell.text);
        free(cell.range);
    }
}

void pm_cell_put_range(pm_table *t, const char *text, const char *range)
{
    char *copy = range ? strdup(range) : NULL;

    t->failed = t->failed || (range && !copy);
    add(t, (pm_table_cell){.text = strdup(text), .range = copy});
}

static char *text_of(const char *format, va_list args)
{
    char *text;

    return vasprintf(&text, format, args) < 0 ? NULL : text;
}

void pm_cell_put(pm_table *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(t, (pm_table_cell){.text = text_of(format, args)});
    va_end(args);
}

void pm_cells_put(pm_table *t, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pm_cell_put_range(t, texts[i], NULL);
}

void pm_table_note(pm_table *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(t, (pm_table_cell){.range = text_of(format, args)});
    va_end(args);
}

void pm_cell_time(pm_table *t, double value, double lo, double hi)
{
    add(t, (pm_table_cell){.kind = PM_CELL_TIME, .value = value, .lo = lo, .hi = hi});
}

void pm_cell_mark(pm_table *t, const char *mark)
{
    pm_table_cell *cell = t->used > 0 ? &t->cells[t->used - 1] : NULL;

    if (!cell || cell->range)
        return;
    cell->range = strdup(mark);
    t->failed = t->failed || !cell->range;
}

void pm_cell_time_range(pm_table *t, double value, double lo, double hi)
{
    add(t, (pm_table_cell){.kind = PM_CELL_TIME_RANGE, .value = value, .lo = lo, .hi = hi});
}

void pm_cell_number(pm_table *t, pm_quantity quantity, double value)
{
    pm_cell_put(t, "%s", pm_format_quantity(quantity, value, t->terminal).s);
}

void pm_cell_interval(pm_table *t, pm_quantity quantity, const pm_interval *value)
{
    const pm_words lo = pm_format_quantity(quantity, value->lo, t->terminal),
                   mid = pm_format_quantity(quantity, value->mid, t->terminal),
                   hi = pm_format_quantity(quantity, value->hi, t->terminal);
    bool known = !isnan(value->lo) && !isnan(value->hi);
    char range[2 * sizeof lo.s + 8];

    if (t->terminal && known)
        pm_cell_put(t, "%s (%s..%s)", mid.s, lo.s, hi.s);
    else if (t->terminal)
        pm_cell_put(t, "%s", mid.s);
    else if (!known)
        pm_cell_put_range(t, mid.s, "unknown");
    else if (strcmp(lo.s, hi.s) == 0) /* both ends are equal after rounding */
        pm_cell_put_range(t, mid.s, lo.s);
    else {
        snprintf(range, sizeof range, "%s to %s", lo.s, hi.s);
        pm_cell_put_range(t, mid.s, range);
    }
}

void pm_cell_time_interval(pm_table *t, double value, double lo, double hi)
{
    if (!(lo > 0))
        lo = (double)NAN;
    pm_cell_put_range(t, isfinite(value) ? pm_time_words(value, lo, hi).s : "unknown",
                      pm_time_interval_words(value, lo, hi).s);
}
