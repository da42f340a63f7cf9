/* Terminal tables of method nakai. See table_nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "table_nakai.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LENGTH = 100 };

/* Whole numbers as such, others with so many digits. */
static const char *number_text(double value, int digits, char text[32])
{
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, 32, "%.0f", value);
    else
        snprintf(text, 32, "%.*f", digits, value);
    return text;
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

/* ---- figure 12 ------------------------------------------------------------------------------ */

/* Columns whose width goes by what stands in them. */
typedef struct {
    int kernel, field, executions, corrected;
} row_widths;

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);

    *width = length > *width ? length : *width;
}

static row_widths widths_of(const pm_nakai_struct *a)
{
    row_widths widths = {(int)strlen("kernel"), (int)strlen("field"), (int)strlen("exec."),
                         (int)strlen("corrected")};

    for (size_t i = 0; i < a->row_count; i++) {
        char text[32];

        widen(&widths.kernel, a->rows[i].kernel);
        widen(&widths.field, a->rows[i].field);
        widen(&widths.executions, number_text(a->rows[i].executions, 1, text));
        widen(&widths.corrected, number_text(a->rows[i].corrected, 2, text));
    }
    return widths;
}

static void print_row(FILE *out, const pm_nakai_row *row, const row_widths *widths)
{
    char place[32], loop[16] = "-", executions[32], threads[32], weight[32], corrected[32];

    snprintf(place, sizeof place, "%u:%u", row->line, row->column);
    if (row->loop)
        snprintf(loop, sizeof loop, "%u", row->loop);
    fprintf(out, "  %-*s %-8s %-6s %-*s %5s %-12s %*s %7s %7s %*s\n", widths->kernel, row->kernel,
            place, row->kind, widths->field, or_dash(row->field), loop, or_dash(row->access_class),
            widths->executions, number_text(row->executions, 1, executions),
            number_text(row->coalesced_threads, 2, threads), number_text(row->weight, 2, weight),
            widths->corrected, number_text(row->corrected, 2, corrected));
}

static void print_rows(FILE *out, const pm_nakai_struct *a)
{
    static const char *const choices[] = {"neither: the layout stays as it is", "AoS", "SoA"};
    row_widths widths = widths_of(a);
    char sum[32];

    if (a->row_count > 0)
        fprintf(out, "  %-*s %-8s %-6s %-*s %5s %-12s %*s %7s %7s %*s\n", widths.kernel, "kernel",
                "line:col", "access", widths.field, "field", "loop", "class", widths.executions,
                "exec.", "threads", "weight", widths.corrected, "corrected");
    else
        fputs("  No instruction on it in global memory was traced.\n", out);
    for (size_t i = 0; i < a->row_count; i++)
        print_row(out, &a->rows[i], &widths);
    fprintf(out, "  sum of corrected weights %s: %s\n", number_text(a->sum, 2, sum),
            choices[a->choice]);
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
    char text[160], count[32];

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
    snprintf(text, sizeof text, "count %s", number_text(node->count, 1, count));
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
    char *layout = pm_layout_text(&a->layout, a->structure);

    fprintf(out, "struct %s, %zu bytes\n", a->structure->name, a->structure->bytes);
    print_rows(out, a);
    for (size_t t = 0; a->choice == PM_NAKAI_AOS && t < PM_NAKAI_TREES; t++) {
        fprintf(out, "\n  %s\n", titles[t]);
        print_tree(out, a, &a->trees[t], t == PM_NAKAI_ACROSS_KERNELS);
    }
    if (a->definitions)
        fprintf(out, "\n%s", a->definitions);
    fprintf(out, "\n  layout %s\n", layout ? layout : "-");
    free(layout);
}

void pm_table_nakai(FILE *out, const pm_nakai *analysis)
{
    fprintf(out, "Method nakai as %s counts, warps of %u work-items, %.3g %% of them traced\n",
            analysis->target, analysis->warp_width, 100 * analysis->sampled);
    for (size_t s = 0; s < analysis->count; s++) {
        fputc('\n', out);
        pm_table_nakai_struct(out, &analysis->structs[s]);
    }
    fputs("\nexec.: executions by warps; threads: work-items of a warp within 128 bytes of its\n"
          "first one, itself included; weight: 1, or with Coalesc minus threads by the warp's\n"
          "width; corrected: times executions; loop: line of the innermost one\n",
          out);
}
