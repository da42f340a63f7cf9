/* Stages arrays of a source's kernels in local memory. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/emit/stage.h"

#include <string.h>

#include "transform/staging/emit/emit.h"
#include "transform/staging/tile/assume.h"
#include "transform/staging/tile/kernel.h"
#include "transform/staging/tile/reason.h"

enum { MOST_REASONS = 3 };

/* State while the kernels of a source are changed so that they copy arrays to local memory
 * (staging). */
typedef struct {
    const pm_source_unit *unit;
    const pm_stage_request *request;
    pm_memory memory; /* owns everything that the result does not own */
    pm_staged *out;
    pm_edits edits;
    pm_names names; /* identifiers of the source, and those that were added */
    pm_moved moved;
    bool hidden;   /* true: code to change is in a macro or in another file */
    size_t staged; /* number of chosen tiles of all kernels */
    const char **kernels;
    size_t kernel_count;
    /* reasons why arrays are not staged: the first one for each array, with the array's name */
    pm_text why;
    size_t reason_count; /* number of reasons of all arrays; `why` has the first of them */
    /* Index and tiles of the kernel that is being staged. They own memory outside of `memory`. */
    pm_index index;
    pm_chosen_tiles chosen;
} staging;

/* ---- one kernel ----------------------------------------------------------------------------- */

/* Raises an error for a kernel that has copies to make and whose launches have different work-group
 * sizes, because copies are correct for one size only. */
static void check_sizes(staging *all)
{
    for (size_t i = 0; i < all->chosen.count; i++)
        if (all->chosen.tiles[i]->copies.in.count + all->chosen.tiles[i]->copies.out.count > 0)
            pm_ast_refuse(&all->memory, all->index.kernel,
                          "kernel %s is launched with work-groups of several sizes; copies to "
                          "local memory are made for one",
                          all->index.name);
}

/* Chooses the tiles of the kernel that is being staged, or gives the reason why none can be
 * chosen. */
static void choose_tiles(staging *all, const pm_kernel_launches *launches,
                         const pm_stage_choice *asked)
{
    pm_index *index = &all->index;
    pm_text *reasons = pm_take(&all->memory, index->array_count, sizeof *reasons);

    for (size_t a = 0; a < index->array_count; a++)
        reasons[a].memory = &all->memory;
    all->chosen.reasons = reasons;
    if (index->sized) {
        const pm_choice_input in = {
            .index = index, .launches = launches, .asked = asked, .memory = &all->memory};

        pm_tiles_choose(&in, &all->chosen);
        if (launches->several)
            check_sizes(all);
        return;
    }
    for (size_t a = 0; a < index->array_count; a++)
        pm_stage_why(&reasons[a], index->kernel,
                     index->ast->is_cuda
                         ? "the size of kernel %s's blocks is not known; give --work-group"
                         : "the size of kernel %s's work-group is not known; give --work-group, or "
                           "__attribute__((reqd_work_group_size(x, y, z)))",
                     index->name);
}

/* Raises an error if the request names an array and the present kernel has no tile for it. */
static void check_asked(const staging *all, const pm_stage_choice *asked)
{
    for (size_t i = 0; i < asked->array_count; i++)
        for (size_t a = 0; a < all->index.array_count; a++)
            if (strcmp(asked->arrays[i], all->index.arrays[a].name) == 0 &&
                !pm_array_has_tile(&all->chosen, a))
                pm_leave(&all->memory, PM_BAD_INPUT, "%s (to stage %s)",
                         pm_text_get(&all->chosen.reasons[a]), all->index.arrays[a].name);
}

/* Adds the assumptions of the present kernel's tiles to the result. If the launches are known,
 * nothing is added, because they satisfy the assumptions. */
static void report_assumptions(staging *all, const pm_kernel_launches *launches)
{
    pm_assumptions assumptions = {.memory = &all->memory};
    pm_staged *out = all->out;

    for (size_t i = 0; launches->count == 0 && i < all->chosen.count; i++)
        pm_tile_assume(&all->index, all->chosen.tiles[i], &assumptions);
    for (size_t i = 0; i < assumptions.count; i++)
        *pm_add(&out->memory, out->assumptions, out->assumption_count) =
            pm_copy(&out->memory, assumptions.items[i].text);
}

/* Adds the reasons why arrays of the present kernel are not staged to all->why. */
static void add_reasons(staging *all)
{
    const pm_text *reasons = all->chosen.reasons;

    for (size_t a = 0; a < all->index.array_count; a++)
        if (reasons[a].length > 0 && all->reason_count++ < MOST_REASONS)
            pm_text_add(&all->why, "%s%s (to stage %s)", all->why.length > 0 ? "; " : "",
                        pm_text_get(&reasons[a]), all->index.arrays[a].name);
}

/* Frees what the present kernel owns outside of all->memory. */
static void free_kernel(staging *all)
{
    pm_tiles_free(&all->chosen.candidates);
    pm_memory_free(&all->index.memory);
    all->chosen = (pm_chosen_tiles){.count = 0};
}

/* Returns the part of the staging request that applies to a kernel. */
static pm_stage_choice read_choice(staging *all, const char *kernel)
{
    return pm_stage_parse(&all->memory, all->request->text, kernel, all->kernels,
                          all->kernel_count);
}

/* Stages arrays of one kernel: analyses the kernel, chooses the tiles, and adds the edits and the
 * results to those of the source. */
static void stage_kernel(staging *all, pm_node *kernel)
{
    const pm_stage_choice asked = read_choice(all, kernel->name);
    pm_kernel_launches launches;

    if (!asked.asked)
        return;
    pm_kernel_read(all->unit, kernel, all->request, &all->names, &all->memory, &all->index,
                   &launches);
    choose_tiles(all, &launches, &asked);
    check_asked(all, &asked);
    report_assumptions(all, &launches);
    if (all->chosen.count > 0)
        all->hidden |= pm_tiles_write(&all->index, &all->chosen, launches.several, &all->names,
                                      &all->memory, &all->edits, &all->moved);
    pm_stage_report(&all->index, &all->chosen, &all->memory, all->out);
    all->staged += all->chosen.count;
    add_reasons(all);
    free_kernel(all);
}

/* ---- all kernels ---------------------------------------------------------------------------- */

/* Returns the source line of the first edit that overlaps the edit before it. The edits must be
 * sorted by offset. */
static unsigned find_clash_line(const pm_edits *edits, const char *text)
{
    size_t at = 0;
    unsigned line = 1;

    for (size_t i = 1; i < edits->count; i++)
        if (edits->items[i].begin < edits->items[i - 1].end) {
            at = edits->items[i].begin;
            break;
        }
    while (at-- > 0)
        line += text[at] == '\n';
    return line;
}

/* Applies all->edits to `source` and returns the result. source: the unit's source, or a text with
 * the same offsets. */
static char *edit_text(staging *all, const char *source)
{
    const pm_source_unit *unit = all->unit;
    pm_text text = {.memory = &all->memory}, indented = {.memory = &all->out->memory};

    if (!pm_edits_apply(&all->edits, source, 0, unit->ast.length, &text))
        pm_leave(&all->memory, PM_BAD_INPUT,
                 "%s:%u: two places that staging changes are within each other here: write them in "
                 "statements of their own",
                 unit->path, find_clash_line(&all->edits, unit->ast.text));
    pm_stage_indent(pm_text_get(&text), &indented);
    return pm_text_take(&indented);
}

/* Sets the texts of the result to the source with all edits. */
static void apply_edits(staging *all)
{
    const pm_source_unit *unit = all->unit;

    if (strpbrk(unit->ast.text, "\001\002\003\004"))
        pm_leave(&all->memory, PM_BAD_INPUT, "%s: it has control characters; take them out",
                 unit->path);
    all->out->text = edit_text(all, unit->ast.text);
    pm_edits_drop_lines(all->out->text);
    all->out->parsed = edit_text(all, pm_source_unit_parsed(unit));
    all->out->edits = all->edits.count;
}

/* Raises an error if the request names an array that no kernel has. */
static void check_names(staging *all)
{
    for (size_t k = 0; k < all->kernel_count; k++) {
        const pm_stage_choice choice = read_choice(all, all->kernels[k]);

        for (size_t i = 0; i < choice.array_count; i++) {
            const char *list = "";
            bool found = false;

            for (size_t a = 0; a < all->out->array_count; a++) {
                const char *array = all->out->arrays[a].array;

                found |= strcmp(array, choice.arrays[i]) == 0;
                if (!strstr(list, array))
                    list = pm_format(&all->memory, "%s%s%s", list, *list ? ", " : "", array);
            }
            if (!found)
                pm_leave(&all->memory, PM_BAD_INPUT,
                         "%s: no kernel takes an array '%s' in global memory; the arrays are %s",
                         all->request->text, choice.arrays[i], list);
        }
    }
}

/* Raises an error because no array is staged. The message lists the reasons. */
static _Noreturn void refuse_all(staging *all)
{
    if (all->reason_count == 0)
        pm_text_add(&all->why, "no kernel takes an array");
    if (all->reason_count > MOST_REASONS)
        pm_text_add(&all->why, "; %zu more arrays", all->reason_count - MOST_REASONS);
    pm_leave(&all->memory, PM_BAD_INPUT, "nothing to stage: %s", pm_text_get(&all->why));
}

static void stage_all(void *user)
{
    staging *all = user;
    const pm_source_info *info = &all->unit->info;

    all->edits.memory = all->names.memory = all->why.memory = &all->memory;
    all->out->memory = pm_memory_beside(&all->memory);
    all->kernel_count = info->kernel_count;
    all->kernels = pm_take(&all->memory, info->kernel_count, sizeof *all->kernels);
    for (size_t k = 0; k < info->kernel_count; k++)
        all->kernels[k] = info->kernels[k].name;
    if (info->kernel_count == 0)
        pm_leave(&all->memory, PM_BAD_INPUT, "%s: it has no kernel%s", all->unit->path,
                 all->unit->ast.is_cuda
                     ? " that is no template; name an instance, as in --kernel 'sum<float>'"
                     : "");
    pm_names_read(&all->names, all->unit->ast.text);
    for (pm_node *node = all->unit->ast.root->first; node; node = node->next)
        if (node->is_kernel && pm_unit_is_described(all->unit, node))
            stage_kernel(all, node);
    pm_moved_check(&all->unit->ast, &all->moved, &all->memory);
    check_names(all);
    if (all->staged == 0 && !all->request->analyse)
        refuse_all(all);
    if (!all->hidden)
        apply_edits(all);
}

pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err)
{
    staging all = {.unit = unit, .request = request, .out = out};
    pm_status status = pm_attempt(&all.memory, stage_all, &all, err);

    *hidden = status == PM_OK && all.hidden;
    free_kernel(&all);
    pm_memory_free(&all.memory);
    return status;
}
