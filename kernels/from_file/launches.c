/* The launches of a workload file. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "collector/error.h"
#include "from_file.h"

enum { MOST_LAUNCHES = 10000, MOST_GROUP = 1024 };

/* Of a dimension; a product of three and an element's size are far below 2^64. */
#define MOST_ITEMS (INT64_C(1) << 41)

typedef struct {
    unsigned dimensions;
    size_t values[3];
} extent;

/* What the variant says of a launch, else what the launch says. */
static pm_file_launch_texts texts_of(const pm_file_build *b, size_t l)
{
    pm_file_launch_texts texts = b->file->launches[l].texts;

    if (b->variant) {
        const pm_file_launch_texts *own = &b->variant->launches[l];

        texts.kernel = own->kernel.text ? own->kernel : texts.kernel;
        texts.global = own->global.text ? own->global : texts.global;
        texts.local = own->local.text ? own->local : texts.local;
        texts.offset = own->offset.text ? own->offset : texts.offset;
        texts.arguments = own->arguments.text ? own->arguments : texts.arguments;
        texts.repeat = own->repeat.text ? own->repeat : texts.repeat;
    }
    return texts;
}

/* ---- sizes --------------------------------------------------------------------------------- */

static pm_status read_extent(const pm_file_build *b, const pm_text *text, const char *what,
                             int64_t least, extent *e)
{
    const char *rest = text->text;

    *e = (extent){0};
    while (rest) {
        char item[PM_FILE_ITEM];
        int64_t value;

        if (e->dimensions == 3 || !pm_file_item(&rest, item))
            return pm_workload_file_fault(b->file, text->line, b->err,
                                          "%s \"%.60s\": 1 to 3 expressions with commas", what,
                                          text->text);
        if (pm_file_integer(b, &b->counting, item, text->line, &value) != PM_OK)
            return b->err->status;
        if (value < least || value > MOST_ITEMS)
            return pm_workload_file_fault(b->file, text->line, b->err,
                                          "%s \"%.60s\" is %lld in dimension %u in size %s: from "
                                          "%lld to %lld is possible",
                                          what, text->text, (long long)value, e->dimensions,
                                          b->size->name, (long long)least, (long long)MOST_ITEMS);
        e->values[e->dimensions++] = (size_t)value;
    }
    return PM_OK;
}

static pm_status dimensions_differ(const pm_file_build *b, const pm_text *text, const char *what,
                                   const extent *e, const extent *global)
{
    return pm_workload_file_fault(b->file, text->line, b->err,
                                  "%s has %u dimension%s, global %u: they need as many", what,
                                  e->dimensions, e->dimensions == 1 ? "" : "s", global->dimensions);
}

static pm_status check_extents(const pm_file_build *b, const pm_file_launch_texts *texts,
                               const extent *global, const extent *local)
{
    size_t items = 1;

    if (local->dimensions != global->dimensions)
        return dimensions_differ(b, &texts->local, "local", local, global);
    for (unsigned d = 0; d < local->dimensions; d++) {
        const size_t g = global->values[d], l = local->values[d];

        items = l > MOST_GROUP ? l : items * l;
        if (items > MOST_GROUP)
            return pm_workload_file_fault(b->file, texts->local.line, b->err,
                                          "local \"%.60s\": work-groups of up to %d work-items are "
                                          "possible",
                                          texts->local.text, MOST_GROUP);
        if (g % l != 0)
            return pm_workload_file_fault(b->file, texts->local.line, b->err,
                                          "local %zu does not divide global %zu in dimension %u in "
                                          "size %s: round global up, as (n + %zu) / %zu * %zu, and "
                                          "let the kernel return where it is past the end",
                                          l, g, d, b->size->name, l - 1, l, l);
    }
    return PM_OK;
}

/* ---- a launch ------------------------------------------------------------------------------ */

static pm_status add_arguments(const pm_file_build *b, const pm_file_launch_texts *texts)
{
    const char *rest = texts->arguments.text;
    pm_status status = PM_OK;

    while (status == PM_OK && rest) {
        char item[PM_FILE_ITEM];

        if (!pm_file_item(&rest, item))
            return pm_workload_file_fault(b->file, texts->arguments.line, b->err,
                                          "an argument is missing beside a comma, or longer than "
                                          "%d characters",
                                          PM_FILE_ITEM - 1);
        status = pm_file_add_argument(b, item, texts->arguments.line);
    }
    return status == PM_OK ? pm_file_check_arguments(b, texts) : status;
}

static pm_status add_launch(const pm_file_build *b, const pm_file_launch_texts *texts)
{
    extent global, local, offset;
    pm_status status = read_extent(b, &texts->global, "global", 1, &global);

    if (status == PM_OK)
        status = read_extent(b, &texts->local, "local", 1, &local);
    if (status == PM_OK)
        status = check_extents(b, texts, &global, &local);
    if (status != PM_OK)
        return status;
    pm_workload_launch(b->workload, texts->kernel.text, global.dimensions, global.values,
                       local.values);
    if (texts->offset.text) {
        status = read_extent(b, &texts->offset, "offset", 0, &offset);
        if (status == PM_OK && offset.dimensions != global.dimensions)
            status = dimensions_differ(b, &texts->offset, "offset", &offset, &global);
        if (status != PM_OK)
            return status;
        pm_workload_offset(b->workload, offset.values);
    }
    return add_arguments(b, texts);
}

/* ---- all of them --------------------------------------------------------------------------- */

static pm_status count_repeats(const pm_file_build *b, const pm_text *repeat, int64_t *count)
{
    pm_status status;

    *count = 1;
    if (!repeat->text)
        return PM_OK;
    status = pm_file_integer(b, &b->numbers, repeat->text, repeat->line, count);
    if (status == PM_OK && (*count < 0 || *count > MOST_LAUNCHES))
        return pm_workload_file_fault(b->file, repeat->line, b->err,
                                      "repeat \"%.60s\" is %lld in size %s: from 0 to %d is "
                                      "possible",
                                      repeat->text, (long long)*count, b->size->name,
                                      MOST_LAUNCHES);
    return status;
}

/* The launches from first to before end take turns. */
static pm_status add_turns(pm_file_build *b, size_t first, size_t end)
{
    const pm_file_launch_texts leader = texts_of(b, first);
    int64_t count;
    pm_status status = count_repeats(b, &leader.repeat, &count);

    for (int64_t i = 0; status == PM_OK && i < count; i++)
        for (size_t l = first; status == PM_OK && l < end; l++) {
            const pm_file_launch_texts texts = texts_of(b, l);

            if (b->workload->launch_count == MOST_LAUNCHES)
                return pm_workload_file_fault(b->file, b->file->launches[l].line, b->err,
                                              "more than %d launches in size %s: repeat fewer",
                                              MOST_LAUNCHES, b->size->name);
            b->parameters[b->file->parameter_count].value = i;
            status = add_launch(b, &texts);
        }
    return status;
}

pm_status pm_file_add_launches(pm_file_build *b)
{
    const size_t count = b->file->launch_count;
    pm_status status = PM_OK;

    for (size_t first = 0, end; status == PM_OK && first < count; first = end) {
        end = first + 1;
        while (end < count && b->file->launches[end].with == first)
            end++;
        status = add_turns(b, first, end);
    }
    if (status == PM_OK && b->workload->launch_count == 0 && b->workload->error.status == PM_OK)
        return pm_fail(b->err, PM_BAD_INPUT,
                       "%s: no launch is left in size %s of variant %s, since all repeat 0 times",
                       b->file->path, b->size->name, b->workload->variant);
    return status;
}
