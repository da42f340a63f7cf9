/* Prints the steps of method nakai (the layout method of Nakai and Ohno 2017) as tables on a
 * terminal. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/results/tables.h"
#include "report/table/table.h"

/* Formats a number: a whole number without decimals, another one with `digits` decimals. */
static pm_words number(double value, int digits)
{
    bool whole = value == floor(value) && fabs(value) < 1e15;

    return pm_words_of("%.*f", whole ? 0 : digits, value);
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

/* ---- figure 12 of Nakai and Ohno (2017) ----------------------------------------------------- */

static void put_row(pm_table *t, const pm_nakai_row *row)
{
    PM_CELLS(t, row->kernel, pm_words_of("%u:%u", row->line, row->column).s, row->kind,
             or_dash(row->field), row->loop ? pm_words_of("%u", row->loop).s : "-",
             or_dash(row->access_class), number(row->executions, 1).s,
             number(row->coalesced_threads, 2).s, number(row->weight, 2).s,
             number(row->corrected, 2).s);
}

static void print_rows(const pm_screen *screen, const pm_nakai_struct *a)
{
    static const char *const choices[] = {"neither: the layout stays as it is", "AoS", "SoA"};
    static const pm_table_column columns[] = {
        {.name = "kernel", .weight = 80},
        {.name = "line:col", .gap = 1},
        {.name = "access", .gap = 1},
        {.name = "field", .gap = 1},
        {.name = "loop", .number = true, .gap = 1, .weight = 10},
        {.name = "class", .gap = 1, .weight = 20},
        {.name = "exec.", .number = true, .gap = 1, .weight = 50},
        {.name = "threads", .number = true, .gap = 1, .weight = 30},
        {.name = "weight", .number = true, .gap = 1, .weight = 40},
        {.name = "corrected", .number = true, .gap = 1}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    for (size_t i = 0; i < a->row_count; i++)
        put_row(&t, &a->rows[i]);
    if (a->row_count > 0)
        pm_table_print(&t, screen, 2);
    else
        pm_screen_say(screen, "  No instruction on it in global memory was traced.");
    pm_screen_say(screen, "  sum of corrected weights %s: %s", number(a->sum, 2).s,
                  choices[a->choice]);
}

/* ---- figures 15 to 17 of Nakai and Ohno (2017) ---------------------------------------------- */

/* State of printing a list of texts that is wrapped at the width of the screen. indent: spaces
 * before each line. used: characters in the current line. */
typedef struct {
    const pm_screen *screen;
    int indent, used;
} wrapped;

static void wrap(wrapped *w, const char *text)
{
    int length = (int)strlen(text);

    if (w->used > w->indent && w->used + 1 + length > w->screen->width) {
        fputc('\n', w->screen->file);
        w->used = 0;
    }
    if (w->used == 0)
        w->used = fprintf(w->screen->file, "%*s%s", w->indent, "", text);
    else
        w->used += fprintf(w->screen->file, " %s", text);
}

static void print_fields(const pm_screen *screen, const pm_struct *structure,
                         const pm_nakai_node *node)
{
    wrapped w = {.screen = screen, .indent = 8};
    char bytes[48];

    for (size_t i = 0; i < node->field_count; i++)
        wrap(&w, structure->fields[node->fields[i]].path);
    snprintf(bytes, sizeof bytes, "(%zu bytes)", node->bytes);
    wrap(&w, bytes);
    fputc('\n', screen->file);
}

/* Prints a node of a field access tree (Nakai and Ohno): the loops that access its fields, and how
 * often warps execute them, such as "loop 30, loop 41, count 800". kernels: each loop is printed
 * with the name of its kernel. */
static void print_places(const pm_screen *screen, const pm_nakai_struct *a,
                         const pm_nakai_node *node, bool kernels)
{
    wrapped w = {.screen = screen, .indent = kernels ? 4 : 6};
    char text[160];

    if (node->place_count == 0)
        wrap(&w, "in no kernel,");
    for (size_t i = 0; i < node->place_count; i++) {
        const pm_nakai_place *place = &node->places[i];
        char loop[32] = "outside of loops";

        if (place->loop)
            snprintf(loop, sizeof loop, "loop %u", place->loop);
        snprintf(text, sizeof text, "%.100s%s%s,", kernels ? a->kernels[place->kernel] : "",
                 kernels ? " " : "", loop);
        wrap(&w, text);
    }
    snprintf(text, sizeof text, "count %s", number(node->count, 1).s);
    wrap(&w, text);
    fputc('\n', screen->file);
}

/* Prints a field access tree of Nakai and Ohno. across_kernels: a node may belong to several
 * kernels, and names them. Otherwise each node belongs to one kernel, and the nodes are grouped by
 * kernel. */
static void print_tree(const pm_screen *screen, const pm_nakai_struct *a, const pm_nakai_tree *tree,
                       bool across_kernels)
{
    size_t kernel = a->kernel_count;

    for (size_t n = 0; n < tree->count; n++) {
        const pm_nakai_node *node = &tree->nodes[n];

        if (!across_kernels && node->places[0].kernel != kernel) {
            kernel = node->places[0].kernel;
            pm_screen_say(screen, "    %s", a->kernels[kernel]);
        }
        print_places(screen, a, node, across_kernels);
        print_fields(screen, a->structure, node);
    }
}

/* ---- all structs ---------------------------------------------------------------------------- */

void pm_table_nakai_struct(const pm_screen *screen, const pm_nakai_struct *a)
{
    static const char *const titles[PM_NAKAI_TREES] = {
        "Field access tree", "After merges in kernels", "After merges across kernels"};

    pm_screen_say(screen, "struct %s, %zu bytes", a->structure->name, a->structure->bytes);
    print_rows(screen, a);
    for (size_t t = 0; a->choice == PM_NAKAI_AOS && t < PM_NAKAI_TREES; t++) {
        pm_screen_say(screen, "\n  %s", titles[t]);
        print_tree(screen, a, &a->trees[t], t == PM_NAKAI_ACROSS_KERNELS);
    }
    if (a->definitions)
        fprintf(screen->file, "\n%s", a->definitions);
    pm_screen_say(screen, "\n  layout %s", a->layout_text);
}

void pm_table_nakai(const pm_screen *screen, const pm_nakai *analysis)
{
    pm_screen_say(screen, "Method nakai as %s counts, warps of %u %s, %.3g %% of them traced",
                  analysis->target, analysis->warp_width, analysis->terms->items,
                  100 * analysis->sampled);
    for (size_t s = 0; s < analysis->count; s++) {
        fputc('\n', screen->file);
        pm_table_nakai_struct(screen, &analysis->structs[s]);
    }
    pm_screen_gap(screen);
    pm_screen_note(screen,
                   "exec.: executions by warps; threads: %s of a warp within 128 bytes of its "
                   "first one, itself included; weight: 1, or with Coalesc minus threads by the "
                   "warp's width; corrected: times executions; loop: line of the innermost one",
                   analysis->terms->items);
}
