/* Reads CUDA sources that were already preprocessed. See preprocessed.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/preprocessed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Sets p->toolkit, the folder of the CUDA toolkit's headers, if `path` is cuda_runtime.h. nvcc
 * includes this header first, and all headers of the CUDA toolkit are in its folder. */
static void note_toolkit(pm_preprocessed *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!*p->toolkit && slash && strcmp(slash, "/cuda_runtime.h") == 0)
        snprintf(p->toolkit, sizeof p->toolkit, "%.*s", (int)(slash - path) + 1, path);
}

static bool is_left_out(const pm_preprocessed *p, const char *path, const char *flags)
{
    /* A header is left out if it is a system header (flag 3 after the path of a line marker), or if
     * it is in the folder of the toolkit. <built-in> and <command-line>, which are not files, are
     * also left out. */
    return strchr(flags, '3') || path[0] == '<' || starts(path, "/usr/") ||
           (*p->toolkit && starts(path, p->toolkit));
}

bool pm_preprocessed_marker(pm_preprocessed *p, const char *line, size_t length, unsigned *number,
                            char *path, size_t size)
{
    char flags[16], *behind;
    size_t begin, end;
    unsigned long found;

    if (length < 5 || line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    found = strtoul(line + 2, &behind, 10);
    if (behind[0] != ' ' || behind[1] != '"')
        return false;
    begin = (size_t)(behind + 2 - line);
    end = begin + strcspn(line + begin, "\"\n");
    if (end >= length || end - begin >= size)
        return false;
    *number = (unsigned)found;
    snprintf(path, size, "%.*s", (int)(end - begin), line + begin);
    snprintf(flags, sizeof flags, "%.*s", (int)(length - end - 1), line + end + 1);
    note_toolkit(p, path);
    p->is = true;
    p->leaves_out = is_left_out(p, path, flags);
    return true;
}

void pm_preprocessed_line(pm_text *out, const char *line, size_t length)
{
    static const char *const words[] = {"global", "device", "host", "shared", "constant"};
    const char *const end = line + length;

    for (const char *at = line; at < end;) {
        size_t skipped = 0;

        for (size_t i = 0; *at == '_' && !skipped && i < sizeof words / sizeof *words; i++) {
            char attribute[48];

            snprintf(attribute, sizeof attribute, "__attribute__((%s))", words[i]);
            if ((size_t)(end - at) >= strlen(attribute) && starts(at, attribute)) {
                pm_text_add(out, "__%s__", words[i]);
                skipped = strlen(attribute);
            }
        }
        if (!skipped)
            pm_text_put(out, at, 1);
        at += skipped ? skipped : 1;
    }
}

/* Adds a directive for a line marker: line `number` of `path` follows. Adds #line if the file is a
 * file of the user. If it is a header of the toolkit that is left out, adds #include <HEADER> if
 * is_kept(HEADER), else nothing. */
static void add_directive(const pm_preprocessed *p, unsigned number, const char *path,
                          bool (*is_kept)(const char *name), pm_text *out)
{
    const size_t folder = strlen(p->toolkit);

    if (!p->leaves_out)
        pm_text_add(out, "#line %u \"%s\"\n", number, path);
    else if (folder > 0 && strncmp(path, p->toolkit, folder) == 0 && is_kept(path + folder))
        pm_text_add(out, "#include <%s>\n", path + folder);
}

bool pm_preprocessed_text(const char *text, bool (*is_kept)(const char *name), pm_text *out)
{
    pm_preprocessed p = {.is = false};
    char path[PATH_MAX];
    unsigned number;

    while (*text) {
        const size_t length = strcspn(text, "\n");

        if (pm_preprocessed_marker(&p, text, length, &number, path, sizeof path)) {
            add_directive(&p, number, path, is_kept, out);
        } else if (!p.leaves_out) {
            pm_preprocessed_line(out, text, length);
            pm_text_put(out, "\n", 1);
        }
        text += length + (text[length] == '\n');
    }
    return p.is;
}
