/* Tables of texts, and how a terminal shows them. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LENGTH = 100, LEAST_CUT = 8 };

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

/* Takes the texts. */
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
    t->failed = t->failed || t->used == t->room || (!cell.text && !cell.range);
    if (t->used < t->room) {
        t->cells[t->used++] = cell;
    } else {
        free(cell.text);
        free(cell.range);
    }
}

void pm_cell_put_live(pm_table *t, const char *key, size_t index, const char *text,
                      const char *range)
{
    char *copy = range ? strdup(range) : NULL;

    t->failed = t->failed || (range && !copy);
    add(t, (pm_table_cell){strdup(text), copy, key, index});
}

void pm_cell_put_range(pm_table *t, const char *text, const char *range)
{
    pm_cell_put_live(t, NULL, 0, text, range);
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

void pm_cell_number(pm_table *t, pm_quantity quantity, double value)
{
    pm_cell_put(t, "%s", pm_format_quantity(quantity, value, t->terminal).s);
}

void pm_cell_interval(pm_table *t, pm_quantity quantity, const pm_interval *value, const char *key,
                      size_t index)
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
        pm_cell_put_live(t, key, index, mid.s, "unknown");
    else if (strcmp(lo.s, hi.s) == 0) /* as far as is told */
        pm_cell_put_live(t, key, index, mid.s, lo.s);
    else {
        snprintf(range, sizeof range, "%s to %s", lo.s, hi.s);
        pm_cell_put_live(t, key, index, mid.s, range);
    }
}

/* ---- on a terminal -------------------------------------------------------------------------- */

static int width_of(const pm_table *t, size_t column)
{
    int width = t->columns[column].width, length = (int)strlen(t->columns[column].name);
    size_t at = 0;

    if (width > 0)
        return width;
    width = length;
    for (size_t i = 0; i < t->used; i++) {
        if (!t->cells[i].text)
            continue;
        length = (int)strlen(t->cells[i].text);
        if (at++ % t->count == column && length > width)
            width = length;
    }
    return width;
}

/* The last column, if it is no number, needs no spaces behind it. */
static void print_cell(const pm_table *t, FILE *out, size_t column, int width, const char *text,
                       int *used)
{
    const pm_table_column *c = &t->columns[column];
    bool last = column + 1 == t->count;

    *used += fprintf(out, "%*s%*s", c->gap, "", c->number ? width : last ? 0 : -width, text);
}

/* In at most so many columns, its middle left out. */
static void print_short(const pm_table *t, FILE *out, int columns, const char *text)
{
    int length = (int)strlen(text), head = (columns - 2) / 2;

    fprintf(out, "%*s", t->columns[t->count - 1].gap, "");
    if (length <= columns)
        fputs(text, out);
    else
        fprintf(out, "%.*s..%s", head, text, text + length - (columns - 2 - head));
}

static void print_row(const pm_table *t, FILE *out, int indent, bool cut, const int *widths,
                      const pm_table_cell *cells)
{
    int used = fprintf(out, "%*s", indent, "");

    for (size_t c = 0; c < t->count; c++) {
        const char *text = cells ? cells[c].text : t->columns[c].name;
        int left = LINE_LENGTH - used - t->columns[c].gap;

        if (cut && cells && c + 1 == t->count)
            print_short(t, out, left > LEAST_CUT ? left : LEAST_CUT, text);
        else
            print_cell(t, out, c, widths[c], text, &used);
    }
    fputc('\n', out);
}

void pm_table_print(pm_table *t, FILE *out, int indent, bool cut)
{
    int *widths = calloc(t->count + 1, sizeof *widths);

    if (t->failed || !widths) {
        fputs("perfmodel: out of memory for a table\n", stderr);
    } else {
        for (size_t c = 0; c < t->count; c++)
            widths[c] = width_of(t, c);
        print_row(t, out, indent, cut, widths, NULL);
        for (size_t i = 0; i < t->used;)
            if (t->cells[i].text) {
                print_row(t, out, indent, cut, widths, &t->cells[i]);
                i += t->count;
            } else {
                fprintf(out, "%s\n", t->cells[i++].range);
            }
    }
    free(widths);
    pm_table_close(t);
}
