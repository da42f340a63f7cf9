/* Runs the workloads of a check in the trace engine as each target GPU would run them, and stores
 * the counted events. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "answer/check/parts.h"
#include "answer/counts/counts.h"
#include "base/session/session.h"

/* ---- sources -------------------------------------------------------------------------------- */

/* Returns the hash of `length` characters from start, without white space at both ends. */
static uint64_t hash_of(pm_memory *memory, const char *start, size_t length)
{
    char *line;

    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    while (length > 0 && isspace((unsigned char)*start)) {
        start++;
        length--;
    }
    line = pm_take(memory, length + 1, 1);
    memcpy(line, start, length);
    return pm_hash_text(line);
}

static void read_lines(pm_checking *c, const char *text, pm_check_source *source)
{
    pm_memory scratch = pm_memory_beside(&c->memory);

    while (*text) {
        size_t length = strcspn(text, "\n");

        *pm_add(&c->memory, source->lines, source->line_count) = hash_of(&scratch, text, length);
        text += length + (text[length] == '\n');
    }
    pm_memory_free(&scratch);
}

/* Returns the path of the source relative to the workload file, so that it does not depend on the
 * current directory. */
static const char *relative(pm_memory *memory, const char *path, const char *origin)
{
    const char *folder = dirname(pm_copy(memory, origin ? origin : ""));
    const size_t length = strlen(folder);

    if (strncmp(path, folder, length) == 0 && path[length] == '/')
        path += length + 1;
    return pm_copy(memory, path);
}

static size_t add_source(pm_checking *c, const pm_program *program, const char *variant,
                         const pm_workload *workload)
{
    pm_check_state *now = &c->now;
    pm_check_source *source;

    for (size_t i = 0; i < now->source_count; i++)
        if (strcmp(now->sources[i].program, program->info.name) == 0 &&
            strcmp(now->sources[i].variant, variant) == 0)
            return i;
    source = pm_add(&c->memory, now->sources, now->source_count);
    *source = (pm_check_source){.program = program->info.name,
                                .variant = variant,
                                .file = relative(&c->memory, workload->source_path, program->path),
                                .path = pm_copy(&c->kept, workload->source_path)};
    read_lines(c, workload->source, source);
    return now->source_count - 1;
}

/* ---- counts --------------------------------------------------------------------------------- */

void pm_check_note_registers(pm_check_state *state, const char *source)
{
    if (!state->registers_source || strcmp(source, "estimate") == 0)
        state->registers_source = source;
}

/* Collects the distinct names of a kernel's launches. A launch that has no name counts under the
 * name of its kernel. */
static void name_launches(pm_checking *c, pm_check_side *side)
{
    const pm_workload *workload = c->workload;
    const char *kernel = side->sample->kernel;

    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];
        const char *name = launch->label ? launch->label : kernel;
        bool there = strcmp(launch->kernel, kernel) != 0;

        for (size_t i = 0; !there && i < side->launch_count; i++)
            there = strcmp(side->launches[i], name) == 0;
        if (!there)
            *pm_add(&c->memory, side->launches, side->launch_count) = pm_copy(&c->memory, name);
    }
}

static void add_sides(pm_checking *c, const char *target, const pm_counts *counts, size_t source)
{
    pm_check_state *now = &c->now;

    pm_check_note_registers(now, counts->registers_source);
    for (size_t k = 0; k < counts->trace.kernel_count; k++) {
        const pm_trace_kernel *kernel = &counts->trace.kernels[k];

        pm_check_side side = {.target = target,
                              .sample = pm_dataset_sample(counts->rows, k),
                              .access_count = kernel->access_count,
                              .accesses = kernel->accesses,
                              .source = source};

        name_launches(c, &side);
        *pm_add(&c->memory, now->sides, now->side_count) = side;
    }
}

/* Builds a workload into c->workload and counts its events for each target. */
static pm_status count_targets(pm_checking *c, const pm_check_workload *of,
                               const pm_counts **counts, pm_error *err)
{
    pm_counted what = {
        .program = of->program, .variant = of->variant, .size = of->size, .parts = true};
    pm_status status;

    c->workload = pm_program_build(of->program, of->variant, of->size,
                                   pm_session_chosen(c->session)->seed, c->session, err);
    status = c->workload ? PM_OK : err->status;
    for (size_t t = 0; status == PM_OK && t < c->now.target_count; t++) {
        what.target = c->now.targets[t];
        status = pm_counts_find(c->session, &what, c->workload, &counts[t], err);
    }
    return status;
}

static void release_workload(pm_checking *c)
{
    pm_workload_free(c->workload);
    c->workload = NULL;
}

static size_t add_workload(pm_checking *c, const pm_check_workload *of,
                           const pm_counts *const *counts)
{
    const size_t source = add_source(c, of->program, of->variant, c->workload);

    for (size_t t = 0; t < c->now.target_count; t++)
        add_sides(c, c->now.targets[t], counts[t], source);
    release_workload(c);
    return source;
}

size_t pm_check_count_one(pm_checking *c, const pm_check_workload *of)
{
    const pm_counts **counts = pm_take(&c->memory, c->now.target_count, sizeof *counts);

    pm_require(&c->memory, count_targets(c, of, counts, c->memory.err));
    return add_workload(c, of, counts);
}

size_t pm_check_list(pm_checking *c, pm_check_workload **found)
{
    size_t count = 0;

    for (size_t i = 0; i < c->programs->count; i++) {
        const pm_program *program = c->programs->items[i];

        for (const char *const *v = program->info.variants; *v; v++)
            for (const char *const *s = program->info.sizes; *s; s++)
                if (pm_listed(c->options->variants, *v) && pm_listed(c->options->sizes, *s))
                    *pm_add(&c->memory, *found, count) = (pm_check_workload){program, *v, *s};
    }
    return count;
}

void pm_check_show(const pm_checking *c, size_t done, size_t total, const pm_check_workload *of)
{
    char step[256];

    snprintf(step, sizeof step, "%.99s %.99s %.49s", of->program->info.name, of->variant, of->size);
    pm_session_show(c->session, done, total, step);
}

void pm_check_count_all(pm_checking *c)
{
    pm_check_workload *found = NULL;
    const size_t count = pm_check_list(c, &found);
    pm_error first = {0};

    for (size_t i = 0; i < count; i++) {
        const pm_check_workload *of = &found[i];
        const pm_counts **counts = pm_take(&c->memory, c->now.target_count, sizeof *counts);
        pm_error why = {0};

        pm_check_show(c, i, count, of);
        if (count_targets(c, of, counts, &why) == PM_OK) {
            add_workload(c, of, counts);
            continue;
        }
        if (count == 1 || pm_session_is_cancelled(c->session))
            pm_leave(&c->memory, why.status, "%s", why.text);
        first = first.status == PM_OK ? why : first;
        release_workload(c);
        pm_session_leave_out(c->session, "%s %s %s: left out: %s", of->program->info.name,
                             of->variant, of->size, why.text);
        *pm_add(&c->memory, c->left_out, c->left_out_count) = *of;
    }
    if (c->left_out_count == count && count > 0)
        pm_leave(&c->memory, first.status, "%s", first.text);
}
