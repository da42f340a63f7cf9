/* Returns templates of workload files for users: installed examples, in which the path of the
 * source is absolute.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "perfmodel.h"

static char *with_its_source(const char *name, pm_error *err)
{
    static const char source[] = "\nsource = ";
    char path[4096], *text, *at, *whole;
    pm_text changed = {0};

    if (pm_share_path(name, path, sizeof path, err) != PM_OK ||
        pm_file_read(path, 1 << 20, "the shipped one", &text, err) != PM_OK)
        return NULL;
    at = strstr(text, source);
    if (at) { /* the template names its source by a relative path; make it absolute */
        at += strlen(source);
        pm_text_put(&changed, text, (size_t)(at - text));
        pm_text_add(&changed, "%.*s/%s", (int)(strrchr(path, '/') - path), path, at);
    } else {
        pm_text_add(&changed, "%s", text);
    }
    free(text);
    whole = pm_text_take(&changed);
    if (!whole)
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
    return whole;
}

char *pm_workload_template(pm_error *err)
{
    return with_its_source("kernels/example/template.workload", err);
}

char *pm_workload_template_cuda(pm_error *err)
{
    return with_its_source("kernels/example/template_cuda.workload", err);
}
