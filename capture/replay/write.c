/* Writes the text of a workload file for the captured launches of a program (a replay). See
 * replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "capture/replay/loops.h"
#include "capture/replay/replay.h"

typedef struct {
    pm_memory *memory;
    const pm_replay *replay;
    const pm_replay_words *words;
    pm_text text;
} writer;

/* ---- head of the file ------------------------------------------------------------------------ */

static bool has_structs(const pm_replay *replay)
{
    for (size_t i = 0; i < replay->buffer_count; i++)
        if (!pm_replay_type_bytes(replay->buffers[i].type))
            return true;
    return false;
}

static void write_head(writer *w)
{
    pm_text_add(&w->text, "%s[workload]\nname = %s\nsource = %s\n", w->words->head, w->words->name,
                w->words->source);
    if (*w->words->options)
        pm_text_add(&w->text, "options = %s\n", w->words->options);
    if (has_structs(w->replay))
        pm_text_add(&w->text, "base = aos\n");
    if (w->words->tolerance > 0)
        pm_text_add(&w->text, "expected.tolerance = %g\n", w->words->tolerance);
    pm_text_add(&w->text, "\n[size captured]\n");
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Returns the number of pages of the buffer whose initial contents are needed by the launches. */
static size_t needed_pages(const pm_replay_buffer *buffer)
{
    size_t needed = 0;

    for (size_t page = 0; page < pm_use_pages(buffer->bytes); page++)
        needed += buffer->use[page] == PM_PAGE_NEEDED;
    return needed;
}

/* Writes the contents of a buffer whose contents were not stored: values of its type that a program
 * may have. */
static void write_any(writer *w, const pm_replay_buffer *buffer)
{
    static const char *const reals[] = {"half", "float", "double"};
    const char *words = pm_replay_type_bytes(buffer->type) ? "random 0, 100" : "zeros";

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (strncmp(buffer->type, reals[i], strlen(reals[i])) == 0)
            words = "random 0, 1";
    pm_text_add(&w->text,
                "# the program's contents were not stored: they change no address and no branch\n"
                "contents = %s\n",
                words);
}

static void write_contents(writer *w, const pm_replay_buffer *buffer)
{
    const size_t pages = pm_use_pages(buffer->bytes),
                 needed = buffer->use ? needed_pages(buffer) : pages;
    const char *words = NULL;

    if (strcmp(buffer->first, PM_CAPTURED_ANY) == 0) {
        write_any(w, buffer);
        return;
    }
    if (*buffer->first == '=')
        words = pm_replay_pattern(w->memory, buffer->type, buffer->first);
    else if (needed == 0 || !w->words->has_contents)
        words = "zeros";
    if (needed < pages)
        pm_text_add(&w->text,
                    "# launches read %zu of %zu pages of 4096 bytes; the others are zeros here\n",
                    needed, pages);
    if (words)
        pm_text_add(&w->text, "contents = %s\n", words);
    else
        pm_text_add(&w->text, "contents = file %s\n",
                    w->words->place(w->words->user, buffer->first, buffer->bytes, buffer->use,
                                    PM_PAGE_NEEDED));
}

/* longest list of pointers, in characters, that is written into the workload file; a longer list
 * becomes a file of its own */
enum { LONGEST_LIST = 16000 };

static void write_pointers(writer *w, const pm_replay_buffer *buffer)
{
    const char *text = pm_replay_pointer_text(w->memory, w->replay, &buffer->pointers, ", ");

    if (buffer->pointers.count == 0)
        return;
    if (strlen(text) > LONGEST_LIST) {
        text = pm_replay_pointer_text(w->memory, w->replay, &buffer->pointers, "\n");
        pm_text_add(&w->text, "pointers = file %s\n",
                    w->words->keep(w->words->user,
                                   pm_format(w->memory, "%s.pointers", buffer->name), text));
    } else {
        pm_text_add(&w->text, "pointers = %s\n", text);
    }
}

static void write_buffer(writer *w, const pm_replay_buffer *buffer)
{
    pm_text_add(&w->text, "\n[buffer %s]\ntype = %s\ncount = %zu\n", buffer->name, buffer->type,
                buffer->bytes / buffer->element);
    write_contents(w, buffer);
    write_pointers(w, buffer);
    if (buffer->written && !buffer->unknown && w->words->has_expected) {
        pm_text_add(&w->text, "expected = file %s\n",
                    w->words->place(w->words->user, buffer->last, buffer->bytes, buffer->use,
                                    PM_PAGE_WRITTEN));
    }
    if (buffer->written)
        pm_text_add(&w->text, "output = yes\nrestore = yes\n");
}

static void write_symbol(writer *w, const pm_captured_symbol *symbol)
{
    const char *words = NULL;

    if (*symbol->contents == '=')
        words = pm_replay_pattern(w->memory, "uchar", symbol->contents);
    pm_text_add(&w->text, "\n[symbol %s]\ntype = uchar\ncount = %zu\ncontents = ", symbol->name,
                symbol->bytes);
    if (words)
        pm_text_add(&w->text, "%s\n", words);
    else
        pm_text_add(
            &w->text, "file %s\n",
            w->words->place(w->words->user, symbol->contents, symbol->bytes, NULL, PM_PAGE_NEEDED));
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Adds a linear expression in the repetition's index i, with the values `first` at i = 0 and
 * `second` at i = 1. */
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

/* Returns the captured launch that a section of the workload file describes in iteration k of its
 * loop. Returns the first launch if the section is no loop or has fewer iterations. */
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

/* Writes the size of a CUDA launch: its blocks (grid) and the threads of a block. first, second:
 * the launches of the first two iterations of a loop, from which sizes that depend on i are
 * found. */
static void write_grid(writer *w, unsigned dimensions, const pm_replay_launch *first,
                       const pm_replay_launch *second)
{
    size_t grids[2][3];

    for (unsigned d = 0; d < dimensions; d++) {
        grids[0][d] = first->from->global[d] / first->local[d];
        grids[1][d] = second->from->global[d] / second->local[d];
    }
    write_extent(w, "grid", dimensions, grids[0], grids[1]);
    write_extent(w, "block", dimensions, first->local, first->local);
}

static void write_global(writer *w, unsigned dimensions, const pm_replay_launch *first,
                         const pm_replay_launch *second)
{
    write_extent(w, "global", dimensions, first->from->global, second->from->global);
    if (first->local_chosen)
        pm_text_add(&w->text, "# the program leaves it to the driver\n");
    write_extent(w, "local", dimensions, first->local, second->local);
}

/* Writes a struct argument with pointers: its bytes with zeros in place of the pointers, and then
 * the pointers. */
static void write_struct(writer *w, const pm_replay_arg *arg)
{
    unsigned char *bytes = pm_take(w->memory, arg->bytes + 1, 1);

    memcpy(bytes, arg->value, arg->bytes);
    for (size_t i = 0; i < arg->pointers.count; i++)
        memset(bytes + arg->pointers.items[i].at, 0, sizeof(uint64_t));
    pm_text_add(&w->text, "%s (%s)", pm_replay_value(w->memory, "", bytes, arg->bytes),
                pm_replay_pointer_text(w->memory, w->replay, &arg->pointers, ", "));
}

static void write_value(writer *w, const pm_replay_arg *first, const pm_replay_arg *second)
{
    int64_t a, b;

    if (first->pointers.count > 0) {
        write_struct(w, first);
        return;
    }
    if (memcmp(first->value, second->value, first->bytes) != 0 &&
        pm_replay_integer(first->type, first->value, &a) &&
        pm_replay_integer(first->type, second->value, &b)) {
        pm_text_add(&w->text, "%s ", first->type);
        add_line(w, a, b);
        return;
    }
    pm_text_add(&w->text, "%s",
                pm_replay_value(w->memory, first->type, first->value, first->bytes));
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
    pm_text_add(&w->text, "# number %" PRIu64 " of the program", number);
    if (ns > 0)
        pm_text_add(&w->text, ", %.4g us%s", ns / 1e3 / (double)section->count,
                    section->count > 1 ? " on average" : "");
    pm_text_add(&w->text, "\n");
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
    if (w->replay->program->cuda && memcmp(first->local, second->local, sizeof first->local) == 0)
        write_grid(w, dimensions, first, second);
    else
        write_global(w, dimensions, first, second);
    if (first->from->shared > 0)
        pm_text_add(&w->text, "shared = %zu\n", first->from->shared);
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

const pm_text *pm_replay_write(pm_memory *memory, const pm_replay *replay,
                               const pm_replay_words *words)
{
    writer *w = pm_take(memory, 1, sizeof *w);

    *w = (writer){.memory = memory, .replay = replay, .words = words, .text = {.memory = memory}};
    write_head(w);
    for (size_t b = 0; b < replay->buffer_count; b++)
        write_buffer(w, &replay->buffers[b]);
    for (size_t s = 0; s < replay->symbol_count; s++)
        write_symbol(w, &replay->symbols[s]);
    for (size_t s = 0; s < replay->section_count; s++)
        write_section(w, s);
    return &w->text;
}
