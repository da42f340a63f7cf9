/* Prints a table on a terminal or as Markdown. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/table/escape.h"
#include "report/table/table.h"

/* SHORT_TEXT and LEAST_TEXT are widths in characters. If a table is too wide for the terminal, its
 * texts are first shortened to SHORT_TEXT, then columns are left out, and then texts are shortened
 * to LEAST_TEXT. LEAST_FOLDED: least width of a column whose texts continue on further lines.
 * MOST_ALL: no limit. */
enum { SHORT_TEXT = 18, LEAST_TEXT = 8, LEAST_FOLDED = 24, MOST_ALL = 1 << 20 };

/* ---- cells as texts ------------------------------------------------------------------------- */

/* State while a table is printed: its columns, and the width that each of them gets. */
typedef struct {
    pm_table *t;
    const pm_screen *screen;
    int indent;
    size_t rows;           /* number of complete rows; notes below rows do not count */
    bool *shown;           /* shown[column]: whether the column is printed */
    int *natural;          /* natural[column]: width of the column's longest text */
    int *widths;           /* widths[column]: width in which the column is printed */
    const char **note;     /* note[row]: text printed below the row; NULL: none */
    pm_table_cell **cells; /* the table's cells by row: cells[row * number of columns + column] */
} printing;

static pm_table_cell *cell_at(const printing *p, size_t row, size_t column)
{
    return p->cells[row * p->t->count + column];
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the unit for all times in the table: the largest unit in which their median is at least
 * 1. */
static pm_time_unit unit_of(const pm_table *t, double *times)
{
    size_t count = 0;

    for (size_t i = 0; i < t->used; i++)
        if (t->cells[i].kind == PM_CELL_TIME && isfinite(t->cells[i].value) &&
            t->cells[i].value > 0)
            times[count++] = t->cells[i].value;
    qsort(times, count, sizeof *times, by_size);
    return pm_time_unit_of(count > 0 ? times[count / 2] : 1);
}

static void write_time(pm_table_cell *cell, pm_time_unit unit)
{
    const int digits = pm_time_digits(cell->value, cell->lo, cell->hi);
    pm_words text;

    if (cell->kind == PM_CELL_TIME)
        text = pm_words_of("%.80s%.8s", pm_time_in(cell->value, unit, digits).s,
                           cell->range ? cell->range : "");
    else if (isfinite(cell->lo) && isfinite(cell->hi))
        text = pm_words_of("%s to %.40s", pm_digits_in(cell->lo, unit, digits).s,
                           pm_time_in(cell->hi, unit, digits).s);
    else
        text = pm_words_of("-");
    cell->text = strdup(text.s);
}

/* Writes the texts of all cells with times. Returns false if memory runs out. */
static bool write_times(pm_table *t)
{
    double *times = calloc(t->used + 1, sizeof *times);
    pm_time_unit unit;
    bool whole = times != NULL;

    if (whole) {
        unit = unit_of(t, times);
        for (size_t i = 0; i < t->used; i++)
            if (t->cells[i].kind != PM_CELL_TEXT) {
                write_time(&t->cells[i], unit);
                whole = whole && t->cells[i].text;
            }
    }
    free(times);
    return whole;
}

/* ---- choice of columns and widths ----------------------------------------------------------- */

static int total_width(const printing *p)
{
    int total = p->indent, first = 1;

    for (size_t c = 0; c < p->t->count; c++)
        if (p->shown[c]) {
            total += p->widths[c] + (first ? 0 : p->t->columns[c].gap);
            first = 0;
        }
    return total;
}

static bool is_folded(const printing *p, size_t column)
{
    return p->t->columns[column].folded && column + 1 == p->t->count;
}

/* Returns the smallest width to which a column may be shortened, at most its natural width. least:
 * lower limit for texts. Numbers are never shortened, and neither is the header. */
static int least_width(const printing *p, size_t column, int least)
{
    const int header = pm_text_columns(p->t->columns[column].name);

    if (p->t->columns[column].number)
        return p->natural[column];
    if (is_folded(p, column))
        least = LEAST_FOLDED;
    least = least < header ? header : least;
    return least < p->natural[column] ? least : p->natural[column];
}

/* Sets the widths of the columns. Shortens the widest texts until a line fits the screen, but not
 * to fewer than `least` characters. Returns false if the line is still too long. */
static bool shorten(printing *p, int least)
{
    for (size_t c = 0; c < p->t->count; c++)
        p->widths[c] = p->natural[c];
    while (total_width(p) > p->screen->width) {
        size_t widest = p->t->count;

        for (size_t c = 0; c < p->t->count; c++)
            if (p->shown[c] && p->widths[c] > least_width(p, c, least) &&
                (widest == p->t->count || p->widths[c] > p->widths[widest]))
                widest = c;
        if (widest == p->t->count)
            return false;
        p->widths[widest]--;
    }
    return true;
}

static bool is_constant(const printing *p, size_t column)
{
    for (size_t row = 1; row < p->rows; row++)
        if (strcmp(cell_at(p, row, column)->text, cell_at(p, 0, column)->text) != 0)
            return false;
    return p->rows > 1;
}

/* Returns the weight of a column in the choice of the columns that are left out: the lowest weight
 * goes first. MOST_ALL: the column must stay, or is left out already. */
static int weight_of(const printing *p, size_t column)
{
    const int weight = p->t->columns[column].weight;

    if (!p->shown[column] || weight == 0)
        return MOST_ALL;
    return is_constant(p, column) ? weight - MOST_ALL / 2 : weight;
}

/* Leaves out all columns with the lowest weight if that is below `most`. Returns false if there was
 * no such column. */
static bool leave_out(printing *p, int most)
{
    int least = most;

    for (size_t c = 0; c < p->t->count; c++)
        least = weight_of(p, c) < least ? weight_of(p, c) : least;
    for (size_t c = 0; c < p->t->count; c++)
        if (least < most && weight_of(p, c) == least)
            p->shown[c] = false;
    return least < most;
}

/* Returns true if the values of a column are unknown in all rows ("-"). */
static bool is_unknown(const printing *p, size_t column)
{
    for (size_t row = 0; row < p->rows; row++)
        if (strcmp(cell_at(p, row, column)->text, "-") != 0)
            return false;
    return p->rows > 0;
}

/* Chooses which columns are printed, and their widths. Returns false if the line is still too long
 * when no more columns can be left out. */
static bool choose(printing *p)
{
    for (size_t c = 0; c < p->t->count; c++)
        p->shown[c] = p->t->columns[c].weight == 0 || !is_unknown(p, c);
    /* First leave out columns whose cells are all equal, because they tell the reader least. */
    while (!shorten(p, MOST_ALL) && leave_out(p, 0))
        ;
    while (!shorten(p, SHORT_TEXT))
        if (!leave_out(p, MOST_ALL))
            return shorten(p, LEAST_TEXT);
    return true;
}

/* ---- printing ------------------------------------------------------------------------------- */

static bool is_last(const printing *p, size_t column)
{
    for (size_t c = column + 1; c < p->t->count; c++)
        if (p->shown[c])
            return false;
    return true;
}

static void put_spaces(const printing *p, int count)
{
    fprintf(p->screen->file, "%*s", count > 0 ? count : 0, "");
}

/* Prints the row with this index on one line. If row is p->rows, prints the header. */
static void put_row(const printing *p, size_t row)
{
    int at = p->indent;
    bool first = true;

    put_spaces(p, at);
    for (size_t c = 0; c < p->t->count; c++) {
        const pm_table_column *column = &p->t->columns[c];
        const char *text = row == p->rows ? column->name : cell_at(p, row, c)->text;
        const int spare = p->widths[c] - pm_text_columns(text);

        if (!p->shown[c])
            continue;
        put_spaces(p, first ? 0 : column->gap);
        at += first ? 0 : column->gap;
        first = false;
        if (column->number)
            put_spaces(p, spare);
        if (is_folded(p, c))
            pm_screen_put_folded(p->screen, text, at, at + p->widths[c]);
        else
            pm_screen_put_short(p->screen, text, p->widths[c]);
        if (!column->number && !is_last(p, c))
            put_spaces(p, spare);
        at += p->widths[c];
    }
    fputc('\n', p->screen->file);
}

static void put_rows(const printing *p)
{
    put_row(p, p->rows);
    for (size_t row = 0; row < p->rows; row++) {
        put_row(p, row);
        if (p->note[row])
            pm_screen_say(p->screen, "%s", p->note[row]);
    }
}

/* Prints a table that is too wide for the screen as several tables below one another. Each repeats
 * the text columns at the left, and has as many of the number columns as fit. */
static void put_parts(printing *p)
{
    const size_t count = p->t->count;
    size_t keys = 0, next;

    while (keys < count && !p->t->columns[keys].number)
        keys++;
    for (next = keys; next < count;) {
        const size_t from = next;

        for (size_t c = keys; c < count; c++)
            p->shown[c] = false;
        do
            p->shown[next++] = true;
        while (next < count && shorten(p, LEAST_TEXT));
        if (!shorten(p, LEAST_TEXT) && next - 1 > from)
            p->shown[--next] = false;
        shorten(p, LEAST_TEXT);
        if (from > keys)
            fputc('\n', p->screen->file);
        put_rows(p);
    }
}

/* Returns true if the text of a printed cell was shortened. */
static bool is_shortened(const printing *p)
{
    for (size_t c = 0; c < p->t->count; c++)
        if (p->shown[c] && !is_folded(p, c) && p->widths[c] < p->natural[c])
            return true;
    return false;
}

/* Returns true if a note must tell the user that the column was not printed. No note is needed if
 * all cells of the column are equal or unknown, or if the note already has the name because of an
 * earlier column. */
static bool is_missed(const printing *p, size_t column)
{
    const char *name = p->t->columns[column].name;

    if (p->shown[column] || p->rows < 2 || is_constant(p, column) || is_unknown(p, column))
        return false;
    for (size_t c = 0; c < column; c++)
        if (!p->shown[c] && strcmp(p->t->columns[c].name, name) == 0)
            return false;
    return true;
}

/* Prints a note if names were shortened, and a note that lists the columns that were left out
 * although their cells differ. */
static void put_left_out(const printing *p)
{
    char list[200] = "";
    size_t used = 0;

    if (is_shortened(p))
        pm_screen_note(p->screen, "Names with %s are shortened; --format csv has them whole.",
                       p->screen->utf8 ? "\xE2\x80\xA6" : "...");

    for (size_t c = 0; c < p->t->count; c++)
        if (is_missed(p, c) && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                     p->t->columns[c].name);
    if (used > 0)
        pm_screen_note(p->screen,
                       "Not shown: %s; a wider terminal and --format csv have more room.", list);
}

/* ---- in Markdown ---------------------------------------------------------------------------- */

static void add_cell(pm_text *out, const pm_table_cell *cell)
{
    pm_escape_add(out, PM_ESCAPE_MARKDOWN, cell->text);
    if (cell->kind != PM_CELL_TEXT || !cell->range || !*cell->range)
        return;
    pm_text_add(out, "%s", *cell->text ? " (" : "(");
    pm_escape_add(out, PM_ESCAPE_MARKDOWN, cell->range);
    pm_text_add(out, ")");
}

void pm_table_markdown(pm_text *out, const pm_table *t)
{
    size_t column = 0;

    for (size_t c = 0; c < t->count; c++) {
        pm_text_add(out, "%s", c ? " | " : "| ");
        pm_escape_add(out, PM_ESCAPE_MARKDOWN, t->columns[c].name);
    }
    pm_text_add(out, " |\n");
    for (size_t c = 0; c < t->count; c++)
        pm_text_add(out, "%s", t->columns[c].number ? "|--:" : "|---");
    pm_text_add(out, "|\n");
    for (size_t i = 0; i < t->used; i++) {
        if (!t->cells[i].text)
            continue;
        pm_text_add(out, "%s", column ? " | " : "| ");
        add_cell(out, &t->cells[i]);
        column = column + 1 < t->count ? column + 1 : 0;
        pm_text_add(out, "%s", column ? "" : " |\n");
    }
}

static void put_markdown(const printing *p)
{
    pm_text text = {0};

    pm_table_markdown(&text, p->t);
    fprintf(p->screen->file, "\n%s\n", pm_text_get(&text));
    pm_text_free(&text);
    for (size_t row = 0; row < p->rows; row++)
        if (p->note[row])
            fprintf(p->screen->file, "- %s: %s\n", cell_at(p, row, 0)->text,
                    p->note[row] + strspn(p->note[row], " "));
}

/* ---- the whole table ------------------------------------------------------------------------ */

/* Arranges the cells of the table in rows, and notes by the row above them. Returns false if memory
 * runs out. */
static bool gather(printing *p)
{
    pm_table *t = p->t;
    size_t column = 0;

    p->shown = calloc(t->count + 1, sizeof *p->shown);
    p->natural = calloc(t->count + 1, sizeof *p->natural);
    p->widths = calloc(t->count + 1, sizeof *p->widths);
    p->cells = calloc(t->used + 1, sizeof *p->cells);
    p->note = calloc(t->used + 1, sizeof *p->note);
    if (!p->shown || !p->natural || !p->widths || !p->cells || !p->note || !write_times(t))
        return false;
    for (size_t c = 0; c < t->count; c++) {
        p->shown[c] = true;
        p->natural[c] = pm_text_columns(t->columns[c].name);
    }
    for (size_t i = 0; i < t->used; i++) {
        pm_table_cell *cell = &t->cells[i];
        int width;

        if (!cell->text) {
            if (p->rows > 0)
                p->note[p->rows - 1] = cell->range;
            continue;
        }
        width = pm_text_columns(cell->text);
        p->cells[p->rows * t->count + column] = cell;
        p->natural[column] = width > p->natural[column] ? width : p->natural[column];
        if (++column == t->count) {
            column = 0;
            p->rows++;
        }
    }
    return true;
}

void pm_table_print(pm_table *t, const pm_screen *screen, int indent)
{
    printing p = {.t = t, .screen = screen, .indent = indent};

    if (t->failed || !gather(&p)) {
        fputs("perfmodel: out of memory for a table\n", stderr);
    } else if (screen->markdown) {
        put_markdown(&p);
    } else if (choose(&p)) {
        put_rows(&p);
        put_left_out(&p);
    } else {
        put_parts(&p);
    }
    free(p.shown);
    free(p.natural);
    free(p.widths);
    free(p.cells);
    free(p.note);
    pm_table_close(t);
}
