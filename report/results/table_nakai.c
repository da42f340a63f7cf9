/* Method nakai as tables on a terminal. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/results/tables.h"
#include "report/table/table.h"

enum { LINE_LENGTH = 100 };

/* Whole numbers as such, others with so many digits. */
static pm_words number(double value, int digits)
{
    bool whole = value == floor(value) && fabs(value) < 1e15;

    return pm_words_of("%.*f", whole ? 0 : digits, value);
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

/* ---- figure 12 ------------------------------------------------------------------------------ */

static void put_row(pm_table *t, const pm_nakai_row *row)
{
    PM_CELLS(t, row->kernel, pm_words_of("%u:%u", row->line, row->column).s, row->kind,
             or_dash(row->field), row->loop ? pm_words_of("%u", row->loop).s : "-",
             or_dash(row->access_class), number(row->executions, 1).s,
             number(row->coalesced_threads, 2).s, number(row->weight, 2).s,
             number(row->corrected, 2).s);
}

static void print_rows(FILE *out, const pm_nakai_struct *a)
{
    static const char *const choices[] = {"neither: the layout stays as it is", "AoS", "SoA"};
    static const pm_table_column columns[] = {{"kernel", false, 0, 0}, {"line:col", false, 8, 1},
                                              {"access", false, 6, 1}, {"field", false, 0, 1},
                                              {"loop", true, 5, 1},    {"class", false, 12, 1},
                                              {"exec.", true, 0, 1},   {"threads", true, 7, 1},
                                              {"weight", true, 7, 1},  {"corrected", true, 0, 1}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    for (size_t i = 0; i < a->row_count; i++)
        put_row(&t, &a->rows[i]);
    if (a->row_count > 0)
        pm_table_print(&t, out, 2, false);
    else
        fputs("  No instruction on it in global memory was traced.\n", out);
    fprintf(out, "  sum of corrected weights %s: %s\n", number(a->sum, 2).s, choices[a->choice]);
}

/* ---- figures 15 to 17 ----------------------------------------------------------------------- */

/* A list that goes on in the next line, indented, where a line is full. */
typedef struct {
    FILE *out;
    int indent, used;
} wrapped;

static void wrap(wrapped *w, const char *text)
{
    int length = (int)strlen(text);

    if (w->used > w->indent && w->used + 1 + length > LINE_LENGTH) {
        fputc('\n', w->out);
        w->used = 0;
    }
    if (w->used == 0)
        w->used = fprintf(w->out, "%*s%s", w->indent, "", text);
    else
        w->used += fprintf(w->out, " %s", text);
}

static void print_fields(FILE *out, const pm_struct *structure, const pm_nakai_node *node)
{
    wrapped w = {.out = out, .indent = 8};
    char bytes[48];

    for (size_t i = 0; i < node->field_count; i++)
        wrap(&w, structure->fields[node->fields[i]].path);
    snprintf(bytes, sizeof bytes, "(%zu bytes)", node->bytes);
    wrap(&w, bytes);
    fputc('\n', out);
}

/* A node's loops and count: "loops 30 41, count 800". kernels: with the name of each. */
static void print_places(FILE *out, const pm_nakai_struct *a, const pm_nakai_node *node,
                         bool kernels)
{
    wrapped w = {.out = out, .indent = kernels ? 4 : 6};
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
    fputc('\n', out);
}

/* By kernel, as long as no node is of several. */
static void print_tree(FILE *out, const pm_nakai_struct *a, const pm_nakai_tree *tree,
                       bool across_kernels)
{
    size_t kernel = a->kernel_count;

    for (size_t n = 0; n < tree->count; n++) {
        const pm_nakai_node *node = &tree->nodes[n];

        if (!across_kernels && node->places[0].kernel != kernel) {
            kernel = node->places[0].kernel;
            fprintf(out, "    %s\n", a->kernels[kernel]);
        }
        print_places(out, a, node, across_kernels);
        print_fields(out, a->structure, node);
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

void pm_table_nakai_struct(FILE *out, const pm_nakai_struct *a)
{
    static const char *const titles[PM_NAKAI_TREES] = {
        "Field access tree", "After merges in kernels", "After merges across kernels"};

    fprintf(out, "struct %s, %zu bytes\n", a->structure->name, a->structure->bytes);
    print_rows(out, a);
    for (size_t t = 0; a->choice == PM_NAKAI_AOS && t < PM_NAKAI_TREES; t++) {
        fprintf(out, "\n  %s\n", titles[t]);
        print_tree(out, a, &a->trees[t], t == PM_NAKAI_ACROSS_KERNELS);
    }
    if (a->definitions)
        fprintf(out, "\n%s", a->definitions);
    fprintf(out, "\n  layout %s\n", a->layout_text);
}

void pm_table_nakai(FILE *out, const pm_nakai *analysis)
{
    fprintf(out, "Method nakai as %s counts, warps of %u %s, %.3g %% of them traced\n",
            analysis->target, analysis->warp_width, analysis->terms->items,
            100 * analysis->sampled);
    for (size_t s = 0; s < analysis->count; s++) {
        fputc('\n', out);
        pm_table_nakai_struct(out, &analysis->structs[s]);
    }
    fprintf(out,
            "\nexec.: executions by warps; threads: %s of a warp within 128 bytes of its\n"
            "first one, itself included; weight: 1, or with Coalesc minus threads by the warp's\n"
            "width; corrected: times executions; loop: line of the innermost one\n",
            analysis->terms->items);
}
