/* One Workload of several. See together.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gen.h"

typedef struct {
    size_t count;
    const pm_workload *workloads[];
} checking;

static pm_status check(const pm_workload *w, const void *const *outputs, pm_error *err)
{
    const checking *c = w->check_context;
    pm_status status = PM_OK;
    size_t first = 0;

    for (size_t i = 0; i < c->count && status == PM_OK; i++) {
        status = c->workloads[i]->check(c->workloads[i], outputs + first, err);
        first += c->workloads[i]->buffer_count;
    }
    return status;
}

static void add_launch(pm_workload *w, const pm_launch *launch, size_t first)
{
    pm_workload_launch(w, launch->kernel, launch->dimensions, launch->global, launch->local);
    pm_workload_offset(w, launch->offset);
    pm_workload_shared(w, launch->shared);
    for (size_t i = 0; i < launch->arg_count; i++) {
        pm_arg arg = launch->args[i];

        if (arg.kind == PM_ARG_BUFFER)
            arg.buffer += first;
        pm_workload_args(w, &arg, 1);
    }
}

/* Line numbers must be those of the joined text, so #line directives become comments. */
static void add_source(pm_text *to, const char *source)
{
    static const char line[] = "#line";
    const char *at;

    for (; (at = strstr(source, line)); source = at + sizeof line - 1) {
        pm_text_put(to, source, (size_t)(at - source));
        pm_text_add(to, "//ine");
    }
    pm_text_add(to, "%s\n", source);
}

static void add(pm_workload *w, const pm_workload *more, pm_text *source)
{
    size_t first = w->buffer_count;

    add_source(source, more->source);
    for (size_t b = 0; b < more->buffer_count; b++)
        pm_workload_share(w, more, b);
    for (size_t l = 0; l < more->launch_count; l++)
        add_launch(w, &more->launches[l], first);
}

pm_workload *rd_together(const pm_workload *const *workloads, size_t count, pm_error *err)
{
    pm_workload *w = rd_need(pm_workload_create("random", "", "1"));
    checking *c = rd_need(malloc(sizeof *c + count * sizeof *workloads));
    pm_text source = {0};

    c->count = count;
    memcpy(c->workloads, workloads, count * sizeof *workloads);
    for (size_t i = 0; i < count; i++)
        add(w, workloads[i], &source);
    w->source = rd_need(strdup(pm_text_get(&source)));
    pm_text_free(&source);
    w->source_path = rd_need(strdup(workloads[0]->source_path));
    pm_workload_options(w, "%s", workloads[0]->build_options);
    pm_workload_check(w, check, c, free);
    return pm_workload_finish(w, err);
}

size_t rd_together_which(const pm_workload *const *workloads, size_t count, const char *error)
{
    const char *path = count > 0 ? workloads[0]->source_path : "", *at = strstr(error, path);
    unsigned long line =
        at && at[strlen(path)] == ':' ? strtoul(at + strlen(path) + 1, NULL, 10) : 0;
    size_t i = 0;

    for (; i < count && line > 0; i++) {
        unsigned long lines = 1; /* includes the newline after the source */

        for (const char *c = workloads[i]->source; *c; c++)
            lines += *c == '\n';
        if (line <= lines)
            return i;
        line -= lines;
    }
    return count;
}
