/* Writes a replay as a workload file. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ini.h"
#include "base/text.h"
#include "capture/folder.h"
#include "capture/loops.h"

typedef struct {
    pm_capture_folder *folder;
    const pm_replay *replay;
    pm_text text;
} writer;

const char *pm_folder_next(const pm_capture_folder *folder)
{
    if (folder->written == 0)
        return "capture";
    return pm_format(folder->memory, "capture_%zu", folder->written + 1);
}

/* ---- the file's own -------------------------------------------------------------------------- */

static bool has_structs(const pm_replay *replay)
{
    for (size_t i = 0; i < replay->buffer_count; i++)
        if (!pm_replay_type_bytes(replay->buffers[i].type))
            return true;
    return false;
}

static void write_head(writer *w, const char *name)
{
    const pm_replay *replay = w->replay;
    const char *options = pm_folder_options(w->folder, replay->process, replay->program, "");

    pm_text_add(&w->text, "# Captured by perfmodel " PM_VERSION);
    if (w->folder->command)
        pm_text_add(&w->text, " from: %s", w->folder->command);
    pm_text_add(
        &w->text,
        "\n# Times are of that run, on %s. Results are held against its own%s;\n"
        "# floats of other devices may need an expected.tolerance, of all here or of a buffer.\n"
        "[workload]\nname = %s\n",
        replay->process->device ? replay->process->device : "an unknown device",
        w->folder->tolerance > 0 ? "" : " bit for bit", name);
    pm_text_add(&w->text, "source = %s.cl\n", pm_folder_next(w->folder));
    if (*options)
        pm_text_add(&w->text, "options = %s\n", options);
    if (has_structs(replay))
        pm_text_add(&w->text, "base = aos\n");
    if (w->folder->tolerance > 0)
        pm_text_add(&w->text, "expected.tolerance = %g\n", w->folder->tolerance);
    pm_text_add(&w->text, "\n[size captured]\n");
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void write_contents(writer *w, const pm_replay_buffer *buffer)
{
    const char *words = NULL;

    if (*buffer->first == '=')
        words = pm_replay_pattern(w->folder->memory, buffer->type, buffer->first);
    if (words)
        pm_text_add(&w->text, "contents = %s\n", words);
    else
        pm_text_add(
            &w->text, "contents = file %s\n",
            pm_folder_contents(w->folder, w->replay->process, buffer->first, buffer->bytes));
}

static void write_buffer(writer *w, const pm_replay_buffer *buffer)
{
    pm_text_add(&w->text, "\n[buffer %s]\ntype = %s\ncount = %zu\n", buffer->name, buffer->type,
                buffer->bytes / buffer->element);
    write_contents(w, buffer);
    if (buffer->written)
        pm_text_add(&w->text, "expected = file %s\noutput = yes\nrestore = yes\n",
                    pm_folder_contents(w->folder, w->replay->process, buffer->last, buffer->bytes));
}

/* ---- launches -------------------------------------------------------------------------------- */

/* A value that is first at i = 0 and second at i = 1. */
static void add_line(writer *w, int64_t first, int64_t second)
{
    const int64_t step = second - first;

    if (step == 0)
        pm_text_add(&w->text, "%" PRId64, first);
    else if (first == 0 && step == 1)
        pm_text_add(&w->text, "i");
    else if (first == 0)
        pm_text_add(&w->text, "%" PRId64 " * i", step);
    else if (step < 0)
        pm_text_add(&w->text, "%" PRId64 " - %" PRId64 " * i", first, -step);
    else if (step == 1)
        pm_text_add(&w->text, "%" PRId64 " + i", first);
    else
        pm_text_add(&w->text, "%" PRId64 " + %" PRId64 " * i", first, step);
}

/* The launch that section s stands for when i is k; the first where it is not repeated. */
static const pm_replay_launch *turn(const writer *w, const pm_replay_section *section, size_t k)
{
    return &w->replay->launches[section->launch + (k < section->count ? k : 0) * section->stride];
}

static void write_extent(writer *w, const char *key, unsigned dimensions, const size_t first[3],
                         const size_t second[3])
{
    pm_text_add(&w->text, "%s = ", key);
    for (unsigned d = 0; d < dimensions; d++) {
        pm_text_add(&w->text, d ? ", " : "");
        add_line(w, (int64_t)first[d], (int64_t)second[d]);
    }
    pm_text_add(&w->text, "\n");
}

static void write_value(writer *w, const pm_replay_arg *first, const pm_replay_arg *second)
{
    int64_t a, b;

    if (memcmp(first->value, second->value, first->bytes) != 0 &&
        pm_replay_integer(first->type, first->value, &a) &&
        pm_replay_integer(first->type, second->value, &b)) {
        pm_text_add(&w->text, "%s ", first->type);
        add_line(w, a, b);
        return;
    }
    pm_text_add(&w->text, "%s",
                pm_replay_value(w->folder->memory, first->type, first->value, first->bytes));
}

static void write_arg(writer *w, const pm_replay_section *section, size_t a)
{
    const pm_replay_arg *first = &turn(w, section, 0)->args[a];
    const pm_replay_arg *second = &turn(w, section, 1)->args[a];

    if (first->kind == PM_REPLAY_BUFFER) {
        const size_t period = pm_replay_period(w->replay, section, a);

        for (size_t k = 0; k < period; k++) {
            const pm_replay_arg *arg = &turn(w, section, k)->args[a];

            pm_text_add(&w->text, "%s%s", k ? "|" : "", w->replay->buffers[arg->buffer].name);
            if (arg->start > 0)
                pm_text_add(&w->text, " + %zu", arg->start);
        }
    } else if (first->kind == PM_REPLAY_LOCAL) {
        pm_text_add(&w->text, "local ");
        add_line(w, (int64_t)first->bytes, (int64_t)second->bytes);
    } else if (first->kind == PM_REPLAY_NULL) {
        pm_text_add(&w->text, "null");
    } else {
        write_value(w, first, second);
    }
}

static void write_times(writer *w, const pm_replay_section *section)
{
    const uint64_t number = turn(w, section, 0)->from->number;
    double ns = 0;

    for (size_t k = 0; k < section->count; k++)
        ns += (double)turn(w, section, k)->from->ns;
    pm_text_add(&w->text, "# number %" PRIu64 " of the program, %.4g us", number,
                ns / 1e3 / (double)section->count);
    pm_text_add(&w->text, section->count > 1 ? " on average\n" : "\n");
}

static void write_section(writer *w, size_t s)
{
    const pm_replay_section *section = &w->replay->sections[s];
    const pm_replay_launch *first = turn(w, section, 0), *second = turn(w, section, 1);
    const unsigned dimensions = first->from->dimensions;
    static const size_t none[3];

    pm_text_add(&w->text, "\n[launch %s]\n", section->section);
    write_times(w, section);
    if (strcmp(section->section, first->kernel) != 0)
        pm_text_add(&w->text, "kernel = %s\n", first->kernel);
    write_extent(w, "global", dimensions, first->from->global, second->from->global);
    if (first->local_chosen)
        pm_text_add(&w->text, "# the program leaves it to the driver\n");
    write_extent(w, "local", dimensions, first->local, second->local);
    if (memcmp(first->from->offset, none, sizeof none) != 0 ||
        memcmp(second->from->offset, none, sizeof none) != 0)
        write_extent(w, "offset", dimensions, first->from->offset, second->from->offset);
    for (size_t a = 0; a < first->arg_count; a++) {
        pm_text_add(&w->text, a ? ", " : "arguments = ");
        write_arg(w, section, a);
    }
    pm_text_add(&w->text, first->arg_count ? "\n" : "");
    if (section->leader != s)
        pm_text_add(&w->text, "repeat = with %s\n", w->replay->sections[section->leader].section);
    else if (section->count > 1)
        pm_text_add(&w->text, "repeat = %zu\n", section->count);
}

void pm_folder_workload(pm_capture_folder *folder, const pm_replay *replay, const char *name)
{
    writer w = {.folder = folder, .replay = replay, .text = {.memory = folder->memory}};
    const char *file = pm_folder_next(folder);
    char *source = pm_folder_text(folder, replay->process, replay->program->contents);
    const char *kept = pm_copy(folder->memory, source);

    free(source);
    write_head(&w, name);
    for (size_t b = 0; b < replay->buffer_count; b++)
        write_buffer(&w, &replay->buffers[b]);
    for (size_t s = 0; s < replay->section_count; s++)
        write_section(&w, s);
    if (w.text.length >= PM_SECTIONS_BYTES)
        pm_leave(folder->memory, PM_BAD_INPUT,
                 "%s: too many launches for a workload file; choose fewer, by --kernel, --first or "
                 "--launches",
                 folder->path);
    pm_folder_write(folder, pm_format(folder->memory, "%s.cl", file), kept);
    pm_folder_write(folder, pm_format(folder->memory, "%s.workload", file), pm_text_get(&w.text));
    folder->written++;
}
