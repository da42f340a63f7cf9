/* Arrays and what staging them in local memory would do, as a terminal table. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "table.h"

enum { NUMBER = 32 };

static int longer(int width, const char *text)
{
    int length = (int)strlen(text);

    return length > width ? length : width;
}

/* 12-19, or 12. */
static const char *lines_text(const pm_share_array *array, char text[NUMBER])
{
    if (array->last_line > array->line)
        snprintf(text, NUMBER, "%u-%u", array->line, array->last_line);
    else
        snprintf(text, NUMBER, "%u", array->line);
    return text;
}

/* "?" where it is unknown. */
static const char *count_text(double count, char text[NUMBER])
{
    if (count > 0)
        snprintf(text, NUMBER, "%.10g", count);
    else
        strcpy(text, "?");
    return text;
}

static const char *use_of(const pm_share_array *array)
{
    return !array->written ? "read" : !array->read ? "write" : "both";
}

static void print_array(FILE *out, const pm_share_array *array, int kernel, int name)
{
    const double elements = (double)array->elements;
    char lines[NUMBER], count[NUMBER], accesses[NUMBER], each[NUMBER], bytes[NUMBER];

    fprintf(out, "%-*s  %-*s  %9s  %-5s  %8s  %8s  %6s  %10s  %-6s  %s\n", kernel, array->kernel,
            name, array->array, lines_text(array, lines), use_of(array),
            count_text(elements, count), count_text(array->accesses, accesses),
            count_text(elements > 0 ? array->accesses / elements : 0, each),
            array->tile_bytes > 0 ? count_text((double)array->tile_bytes, bytes) : "-",
            array->staged ? "yes" : "no", array->range ? array->range : "");
    if (array->reason)
        fprintf(out, "%*s  not staged: %s\n", kernel, "", array->reason);
}

void pm_table_shared(FILE *out, const pm_transformed *transformed)
{
    int kernel = (int)strlen("kernel"), name = (int)strlen("array");

    for (size_t i = 0; i < transformed->array_count; i++) {
        kernel = longer(kernel, transformed->arrays[i].kernel);
        name = longer(name, transformed->arrays[i].array);
    }
    if (transformed->array_count > 0)
        fprintf(out, "%-*s  %-*s  %9s  %-5s  %8s  %8s  %6s  %10s  %-6s  %s\n", kernel, "kernel",
                name, "array", "lines", "use", "elements", "accesses", "each", "tile bytes",
                "staged", "what");
    for (size_t i = 0; i < transformed->array_count; i++)
        print_array(out, &transformed->arrays[i], kernel, name);
    for (size_t i = 0; i < transformed->assumption_count; i++)
        fprintf(out, "assumed: %s\n", transformed->assumptions[i]);
}
