/* The workload file that users start from: the shipped one of the example, with the place of its
 * source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "perfmodel.h"

static const char source[] = "source = ";

/* Copies line by line; the source's path, which is seen from the shipped file, becomes one that is
 * right anywhere. */
static bool copy(FILE *from, const char *path, FILE *to)
{
    const int folder = (int)(strrchr(path, '/') - path);
    char line[256];

    while (fgets(line, sizeof line, from))
        if (strncmp(line, source, strlen(source)) == 0)
            fprintf(to, "%s%.*s/%s", source, folder, path, line + strlen(source));
        else
            fputs(line, to);
    return !ferror(from) && !ferror(to);
}

char *pm_workload_template(pm_error *err)
{
    char path[4096], *text = NULL;
    FILE *from, *to;
    size_t size;
    bool copied;

    if (pm_share_path("kernels/example/template.workload", path, sizeof path, err) != PM_OK)
        return NULL;
    from = fopen(path, "r");
    if (!from) {
        pm_fail(err, PM_FAILED, "%s: %s", path, strerror(errno));
        return NULL;
    }
    to = open_memstream(&text, &size);
    copied = to && copy(from, path, to);
    fclose(from);
    if (to && fclose(to) == 0 && copied)
        return text;
    free(text);
    pm_fail(err, PM_FAILED, "%s: it cannot be read, or there is no memory for it", path);
    return NULL;
}
