/* Adds the launches of a workload file. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "compiler/language.h"
#include "program/file/from_file.h"

enum { MOST_LAUNCHES = 10000, MOST_GROUP = 1024, MOST_SHARED = 1 << 20 };

/* Largest number of work-items in one dimension that a workload file may have: 2^41. */
#define MOST_ITEMS (INT64_C(1) << 41)

typedef struct {
    unsigned dimensions;
    size_t values[3];
} extent;

/* Returns the values of the keys of launch number l. Keys that the variant gives replace those of
 * the launch. */
static pm_file_launch_texts texts_of(const pm_file_build *b, size_t l)
{
    pm_file_launch_texts texts = b->file->launches[l].texts;

    if (b->variant) {
        const pm_file_launch_texts *own = &b->variant->launches[l];

        texts.kernel = own->kernel.text ? own->kernel : texts.kernel;
        if (own->global.text || own->local.text)
            texts.grid = texts.block = (pm_file_text){NULL, 0};
        if (own->grid.text || own->block.text)
            texts.global = texts.local = (pm_file_text){NULL, 0};
        texts.global = own->global.text ? own->global : texts.global;
        texts.local = own->local.text ? own->local : texts.local;
        texts.grid = own->grid.text ? own->grid : texts.grid;
        texts.block = own->block.text ? own->block : texts.block;
        texts.shared = own->shared.text ? own->shared : texts.shared;
        texts.offset = own->offset.text ? own->offset : texts.offset;
        texts.arguments = own->arguments.text ? own->arguments : texts.arguments;
        texts.repeat = own->repeat.text ? own->repeat : texts.repeat;
    }
    return texts;
}

/* ---- sizes --------------------------------------------------------------------------------- */

static extent read_extent(const pm_file_build *b, const pm_file_text *text, const char *what,
                          int64_t least)
{
    const char *rest = text->text;
    extent e = {0};

    while (rest) {
        char item[PM_FILE_ITEM];
        int64_t value;

        if (e.dimensions == 3 || !pm_file_item(&rest, item))
            pm_file_fault(b, text->line, "%s \"%.60s\": 1 to 3 expressions with commas", what,
                          text->text);
        value = pm_file_integer(b, &b->counting, item, text->line);
        if (value < least || value > MOST_ITEMS)
            pm_file_fault(b, text->line,
                          "%s \"%.60s\" is %lld in dimension %u in size %s: from "
                          "%lld to %lld is possible",
                          what, text->text, (long long)value, e.dimensions, b->size->name,
                          (long long)least, (long long)MOST_ITEMS);
        e.values[e.dimensions++] = (size_t)value;
    }
    return e;
}

static void compare_dimensions(const pm_file_build *b, const pm_file_text *text, const char *what,
                               const extent *e, const extent *global)
{
    if (e->dimensions != global->dimensions)
        pm_file_fault(b, text->line, "%s has %u dimension%s, global %u: they need as many", what,
                      e->dimensions, e->dimensions == 1 ? "" : "s", global->dimensions);
}

static void check_group(const pm_file_build *b, const pm_file_text *text, const char *what,
                        const extent *local)
{
    size_t items = 1;

    for (unsigned d = 0; d < local->dimensions; d++) {
        const size_t l = local->values[d];

        items = l > MOST_GROUP ? l : items * l;
        if (items > MOST_GROUP)
            pm_file_fault(b, text->line, "%s \"%.60s\": %s of up to %d %s are possible", what,
                          text->text, *what == 'b' ? "blocks" : "work-groups", MOST_GROUP,
                          *what == 'b' ? "threads" : "work-items");
    }
}

static void check_extents(const pm_file_build *b, const pm_file_launch_texts *texts,
                          const extent *global, const extent *local)
{
    compare_dimensions(b, &texts->local, "local", local, global);
    check_group(b, &texts->local, "local", local);
    for (unsigned d = 0; d < local->dimensions; d++) {
        const size_t g = global->values[d], l = local->values[d];

        if (g % l != 0)
            pm_file_fault(b, texts->local.line,
                          "local %zu does not divide global %zu in dimension %u in "
                          "size %s: round global up, as (n + %zu) / %zu * %zu, and "
                          "let the kernel return where it is past the end",
                          l, g, d, b->size->name, l - 1, l, l);
    }
}

/* Sets the sizes of missing dimensions to 1, as CUDA's dim3 does. */
static void pad(extent *e, unsigned dimensions)
{
    while (e->dimensions < dimensions)
        e->values[e->dimensions++] = 1;
}

static void read_blocks(const pm_file_build *b, const pm_file_launch_texts *texts, extent *global,
                        extent *local)
{
    *global = read_extent(b, &texts->grid, "grid", 1);
    *local = read_extent(b, &texts->block, "block", 1);
    pad(global, local->dimensions);
    pad(local, global->dimensions);
    check_group(b, &texts->block, "block", local);
    for (unsigned d = 0; d < global->dimensions; d++) {
        global->values[d] *= local->values[d];
        if (global->values[d] > (size_t)MOST_ITEMS)
            pm_file_fault(b, texts->grid.line,
                          "grid \"%.60s\" makes %zu threads in dimension %u in size %s: up to "
                          "%lld are possible",
                          texts->grid.text, global->values[d], d, b->size->name,
                          (long long)MOST_ITEMS);
    }
}

static void read_sizes(const pm_file_build *b, const pm_file_launch_texts *texts, extent *global,
                       extent *local)
{
    if (texts->grid.text) {
        if (!texts->block.text)
            pm_file_fault(b, texts->grid.line, "grid without block: give the launch both");
        read_blocks(b, texts, global, local);
        return;
    }
    if (!texts->global.text || !texts->local.text)
        pm_file_fault(b, texts->kernel.line, "a launch has global and local, or grid and block");
    *global = read_extent(b, &texts->global, "global", 1);
    if (strcmp(texts->local.text, "null") == 0 || strcmp(texts->local.text, "NULL") == 0) {
        local->dimensions = global->dimensions;
        pm_workload_usual_group(global->dimensions, global->values, local->values);
    } else {
        *local = read_extent(b, &texts->local, "local", 1);
        check_extents(b, texts, global, local);
    }
}

void pm_file_first_range(const pm_file_build *b, pm_launch_range *range)
{
    pm_file_launch_texts texts;
    extent global, local;
    size_t first = 0;

    while (first + 1 < b->file->launch_count && b->file->launches[first].contents)
        first++;
    texts = texts_of(b, first);
    read_sizes(b, &texts, &global, &local);
    pad(&global, 3);
    pad(&local, 3);
    memcpy(range->global, global.values, sizeof range->global);
    memcpy(range->local, local.values, sizeof range->local);
}

/* ---- one launch ---------------------------------------------------------------------------- */

static void add_arguments(pm_file_build *b, const pm_file_launch_texts *texts)
{
    const char *rest = texts->arguments.text;

    while (rest) {
        char item[PM_FILE_ITEM];

        if (!pm_file_item(&rest, item))
            pm_file_fault(b, texts->arguments.line,
                          "an argument is missing beside a comma, or longer than "
                          "%d characters",
                          PM_FILE_ITEM - 1);
        pm_file_add_argument(b, item, texts->arguments.line);
    }
    /* Check the arguments against the kernel's parameters in two cases. First, if the file is only
     * checked (b->dry). Second, if a variant with a source of its own is built to be run, because
     * the check of the file has used the source as it was parsed for the first size. A build that
     * only makes contents needs no check. */
    if (b->dry || (pm_file_has_own_source(b->variant) && !pm_file_is_contents(b)))
        pm_file_check_arguments(b, texts);
}

/* Sets the size of the kernel's extern __shared__ arrays (dynamic shared memory). Does nothing for
 * a variant in OpenCL C, which has no such arrays. */
static void add_shared(const pm_file_build *b, const pm_file_text *shared)
{
    int64_t bytes;

    if (!shared->text)
        return;
    if (b->variant && !pm_is_cuda_launched(b->workload->source_path))
        return;
    bytes = pm_file_integer(b, &b->counting, shared->text, shared->line);
    if (!pm_is_cuda_launched(b->workload->source_path))
        pm_file_fault(b, shared->line,
                      "shared is for CUDA's extern __shared__ arrays; OpenCL C "
                      "takes an argument local BYTES");
    if (bytes < 0 || bytes > MOST_SHARED)
        pm_file_fault(b, shared->line, "shared \"%.60s\" is %lld in size %s: from 0 to %d bytes",
                      shared->text, (long long)bytes, b->size->name, MOST_SHARED);
    pm_workload_shared(b->workload, (size_t)bytes);
}

static void add_launch(pm_file_build *b, const char *label, const pm_file_launch_texts *texts)
{
    /* copy of `texts` in which the expressions in the kernel's name are replaced by their values */
    pm_file_launch_texts named = *texts;
    char kernel[PM_FILE_ITEM];
    extent global, local;

    read_sizes(b, texts, &global, &local);
    pm_file_substitute(b, &texts->kernel, kernel, sizeof kernel);
    named.kernel.text = kernel;
    pm_workload_launch(b->workload, kernel, global.dimensions, global.values, local.values);
    pm_workload_label(b->workload, label);
    if (texts->offset.text) {
        const extent offset = read_extent(b, &texts->offset, "offset", 0);

        compare_dimensions(b, &texts->offset, "offset", &offset, &global);
        pm_workload_offset(b->workload, offset.values);
    }
    add_shared(b, &texts->shared);
    add_arguments(b, &named);
}

/* ---- all launches -------------------------------------------------------------------------- */

static int64_t count_repeats(const pm_file_build *b, const pm_file_text *repeat)
{
    const int64_t count =
        repeat->text ? pm_file_integer(b, &b->numbers, repeat->text, repeat->line) : 1;

    if (count < 0 || count > MOST_LAUNCHES)
        pm_file_fault(b, repeat->line,
                      "repeat \"%.60s\" is %lld in size %s: from 0 to %d is possible", repeat->text,
                      (long long)count, b->size->name, MOST_LAUNCHES);
    return count;
}

/* Adds the launches first ... end - 1 of the file as a group that is repeated: each repeat makes
 * all of them once, in their order. */
static void add_turns(pm_file_build *b, size_t first, size_t end)
{
    const pm_file_launch_texts leader = texts_of(b, first);
    const int64_t count = count_repeats(b, &leader.repeat);

    for (int64_t i = 0; i < count; i++)
        for (size_t l = first; l < end; l++) {
            const pm_file_launch_texts texts = texts_of(b, l);

            if (b->workload->launch_count == MOST_LAUNCHES)
                pm_file_fault(b, b->file->launches[l].line,
                              "more than %d launches in size %s: repeat fewer", MOST_LAUNCHES,
                              b->size->name);
            b->parameters[b->numbers.count].value = i;
            add_launch(b, b->file->launches[l].name, &texts);
        }
}

void pm_file_add_launches(pm_file_build *b)
{
    const size_t count = b->file->launch_count;

    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && b->file->launches[end].with == first)
            end++;
        if (b->file->launches[first].contents == pm_file_is_contents(b))
            add_turns(b, first, end);
    }
    if (b->workload->launch_count == 0 && b->workload->error.status == PM_OK)
        pm_leave(b->memory, PM_BAD_INPUT,
                 "%s: no launch is left in size %s of variant %s, since all repeat 0 times",
                 b->file->path, b->size->name, b->workload->variant);
}
