/* Writes a devices.csv with GPUs that do not exist: rows of the shipped table, but with warps of 64
 * work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_WIDE_H
#define PM_TESTS_TRACE_WIDE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The shipped row from which each row is made. Cells before the last one contain no commas. */
static const struct {
    const char *name, *from;
} wide_gpus[] = {{"wide_sectors", "k20c"}, {"wide_segments", "gtx280"}};

/* Writes a row with another name and another warp_width, which is cell number `column`. */
static inline void write_wide_row(FILE *out, const char *row, const char *name, size_t column)
{
    fputs(name, out);
    row += strcspn(row, ",");
    for (size_t i = 1; i < column; i++)
        row += fprintf(out, "%.*s", (int)(1 + strcspn(row + 1, ",")), row);
    fputs(",64", out);
    fputs(row + 1 + strcspn(row + 1, ","), out);
}

/* Returns the index of the header's cell warp_width; 0: there is none. */
static inline size_t warp_width_column(const char *header)
{
    const char *found = strstr(header, ",warp_width,");
    size_t column = 0;

    for (const char *c = header; found && c <= found; c++)
        column += *c == ',';
    return column;
}

/* Writes a devices.csv with the GPUs of wide_gpus into a new folder. folder: template for mkdtemp;
 * it becomes the name of the new folder. */
static inline bool write_wide_gpus(char *folder)
{
    enum { LINE = 16384, GPUS = sizeof wide_gpus / sizeof *wide_gpus };
    char path[256], *line = malloc(LINE);
    FILE *in = fopen(PM_SOURCE_DIR "/datasets/devices.csv", "r"), *out = NULL;
    size_t column = 0, written = 0;

    if (mkdtemp(folder) && snprintf(path, sizeof path, "%s/devices.csv", folder) > 0)
        out = fopen(path, "w");
    if (line && in && out && fgets(line, LINE, in)) {
        column = warp_width_column(line);
        fputs(line, out);
    }
    while (column && fgets(line, LINE, in))
        for (size_t i = 0; i < GPUS; i++)
            if (strncmp(line, wide_gpus[i].from, strcspn(line, ",")) == 0) {
                write_wide_row(out, line, wide_gpus[i].name, column);
                written++;
            }
    if (in)
        fclose(in);
    free(line);
    return out && fclose(out) == 0 && written == GPUS;
}

static inline void remove_wide_gpus(const char *folder)
{
    char path[256];

    snprintf(path, sizeof path, "%s/devices.csv", folder);
    remove(path);
    rmdir(folder);
}

#endif
