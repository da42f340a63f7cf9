/* Shows what is known of the accesses of a source's kernels.
 *
 *     index_dump FILE.cl [--group X,Y,Z] [OPTION]...
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/index_dump.h"

enum { MOST_BYTES = 1 << 24 };

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MOST_BYTES) : NULL;
    size_t length = text ? fread(text, 1, MOST_BYTES - 1, file) : 0;

    if (file)
        fclose(file);
    if (text)
        text[length] = '\0';
    return text;
}

int main(int argc, char **argv)
{
    size_t group[3] = {0};
    const char **options = calloc((size_t)argc + 8, sizeof *options);
    char *text = argc > 1 ? read_file(argv[1]) : NULL;
    size_t count = 0;
    pm_text out = {0};
    bool good = false;

    if (text && options) {
        options[count++] = "-x";
        options[count++] = "cl";
        options[count++] = "--target=nvptx64--";
        options[count++] = "-Wno-everything";
        options[count++] = "-cl-std=CL1.2";
        for (int i = 2; i < argc; i++)
            if (strcmp(argv[i], "--group") == 0 && i + 1 < argc)
                sscanf(argv[++i], "%zu,%zu,%zu", &group[0], &group[1], &group[2]);
            else
                options[count++] = argv[i];
        good = index_dump_source(text, argv[1], options, count, group, &out);
        fputs(pm_text_get(&out), stdout);
    } else
        fprintf(stderr, "give a file of OpenCL C, and clang's options\n");
    pm_text_free(&out);
    free((void *)options);
    free(text);
    return good ? 0 : 1;
}
