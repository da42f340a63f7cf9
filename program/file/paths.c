/* Checks that files which a workload file and its source name may be read. Files of a capture (a
 * folder that may come from anybody) must lie in its folder. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "program/confine.h"
#include "program/file/from_file.h"
#include "program/headers.h"
#include "program/suite/suite.h"

void pm_file_find_root(pm_from_file *from)
{
    char root[PATH_MAX];

    if (pm_confine_root(from->path, root)) {
        from->root = pm_copy(&from->memory, root);
        /* Do not read a file outside of the capture, because an error message could quote its
         * text. */
        if (!pm_confine_holds(root, from->path))
            pm_leave(&from->memory, PM_BAD_INPUT,
                     "%s: leads out of the capture %.300s: copy the workload file there",
                     from->path, root);
    }
}

void pm_file_path(const pm_file_build *b, const char *path, unsigned line, char *out, size_t size)
{
    const char *folder = *path == '/' ? "" : b->file->folder;
    /* "./" is prepended to a path that starts with '-', because it would look like an option. */
    int length = snprintf(out, size, "%s%s%s", folder, !*folder && *path == '-' ? "./" : "", path);

    if (length < 0 || (size_t)length >= size)
        pm_file_fault(b, line, "the path is too long");
    if (b->from->root && (*path == '/' || !pm_confine_holds(b->from->root, out)))
        pm_file_fault(b, line,
                      "%.300s leads out of the capture %.300s: copy what it names there, and give "
                      "the path as seen from the workload file",
                      path, b->from->root);
}

void pm_file_check_headers(const pm_file_build *b, unsigned line)
{
    const pm_workload *w = b->workload;
    const pm_headers headers = {.text = w->source,
                                .path = w->source_path,
                                .options = w->build_options,
                                .root = b->from->root};
    pm_error why = {0};
    const pm_status status = pm_headers_check(&headers, &why);

    if (status == PM_BAD_INPUT)
        pm_file_fault(b, line, "source %s %s", w->source_path, why.text);
    if (status != PM_OK)
        pm_leave(b->memory, status, "%s", why.text);
}
