/* Stages arrays of a source's kernels in local memory (pm_unit_share). See
 * transform/staging/staging.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/stage.h"

#include <stdlib.h>
#include <string.h>

#include "transform/staging/tile/emit.h"
#include "transform/staging/tile/parts.h"

/* ---- first global ids of groups ------------------------------------------------------------- */

static void replace_in(pm_poly *poly, size_t atom, const pm_poly *value)
{
    if (pm_poly_has(poly, atom))
        *poly = pm_poly_replace(*poly, atom, *value);
}

static void replace_everywhere(pm_sharing *s, size_t atom, const pm_poly *value)
{
    for (size_t a = 0; a < s->index.access_count; a++)
        replace_in(&s->index.accesses[a].index, atom, value);
    for (size_t r = 0; r < s->index.root_count; r++)
        replace_in(&s->index.roots[r].offset, atom, value);
    for (size_t p = 0; p < s->index.pointer_count; p++)
        replace_in(&s->index.pointers[p].offset, atom, value);
    for (size_t l = 0; l < s->index.loop_count; l++) {
        replace_in(&s->index.loops[l].start, atom, value);
        replace_in(&s->index.loops[l].end, atom, value);
    }
    for (size_t g = 0; g < s->index.guard_count; g++) {
        replace_in(&s->index.guards[g].assumed, atom, value);
        for (size_t b = 0; b < s->index.guards[g].bound_count; b++)
            replace_in(&s->index.guards[g].bounds[b], atom, value);
    }
    for (size_t a = 0; a < s->index.atom_count; a++) {
        replace_in(&s->index.atoms[a].inner, atom, value);
        replace_in(&s->index.atoms[a].least, atom, value);
        replace_in(&s->index.atoms[a].most, atom, value);
        replace_in(&s->index.atoms[a].assumed, atom, value);
    }
}

static size_t find_atom(const pm_sharing *s, pm_atom_kind kind, unsigned dimension)
{
    for (size_t a = 0; a < s->index.atom_count; a++)
        if (s->index.atoms[a].kind == kind && s->index.atoms[a].dimension == dimension)
            return a;
    return PM_NO_ATOM;
}

/* Gives names to the first global ids of the work-group. Generated code then has first id + local
 * id for a global id, instead of group id * size + local id + offset. */
static void name_first_ids(pm_sharing *s, pm_names *names)
{
    static const char *const wishes[] = {"x0", "y0", "z0"};
    pm_emit namer = {.s = s,
                     .memory = s->memory,
                     .words = pm_kernel_words_of(s->unit->ast.is_cuda),
                     .names = names};

    for (unsigned d = 0; d < 3; d++) {
        size_t group = find_atom(s, PM_ATOM_GROUP, d), offset = find_atom(s, PM_ATOM_OFFSET, d);
        pm_atom first = {.kind = PM_ATOM_VALUE, .dimension = d, .uniform = true, .low_known = true};
        pm_poly value;

        s->first_id[d] = PM_NO_ATOM;
        if (offset == PM_NO_ATOM)
            continue;
        first.text = pm_emit_fresh(&namer, wishes[d]);
        s->first_id[d] = pm_stage_atom(s, &first);
        value = pm_poly_atom(s->first_id[d]);
        if (group != PM_NO_ATOM) {
            value = pm_poly_subtract(
                value, pm_poly_scale(pm_poly_atom(group), (long long)s->index.work_group[d]));
        }
        replace_everywhere(s, offset, &value);
    }
}

/* ---- one kernel ----------------------------------------------------------------------------- */

/* Finds the known launches of the kernel, and sets `group` to the largest work-group size among
 * them. If there are none, sets it to the size in the request, which is 0 if unknown. */
static void find_group(pm_sharing *s, const char *name, size_t group[3])
{
    size_t most = 0;

    memcpy(group, s->request->work_group, 3 * sizeof *group);
    for (size_t l = 0; l < s->request->launch_count; l++) {
        const pm_stage_launch *launch = &s->request->launches[l];
        size_t size[3] = {1, 1, 1}, items;

        if (strcmp(launch->kernel, name) != 0)
            continue;
        *pm_add(s->memory, s->launches, s->launch_count) = launch;
        for (unsigned d = 0; d < launch->dimensions && d < 3; d++)
            size[d] = launch->local[d];
        items = size[0] * size[1] * size[2];
        s->several |= most > 0 && memcmp(size, group, sizeof size) != 0;
        if (items > most) {
            most = items;
            memcpy(group, size, sizeof size);
        }
    }
}

/* Raises an error for a kernel that has copies to make and whose launches have different work-group
 * sizes, because copies are correct for one size only. */
static void check_sizes(const pm_sharing *s)
{
    for (size_t i = 0; i < s->chosen_count; i++)
        if (pm_stage_chosen(s, i)->box_count + pm_stage_chosen(s, i)->out_count > 0)
            pm_ast_refuse(s->memory, s->index.kernel,
                          "kernel %s is launched with work-groups of several sizes; copies to "
                          "local memory are made for one",
                          s->index.name);
}

/* Returns an earlier declaration of the kernel with the attribute reqd_work_group_size. Returns
 * NULL if there is none. */
static const pm_node *sized_before(const pm_source_unit *unit, const pm_node *kernel)
{
    for (const pm_node *node = unit->ast.root->first; node; node = node->next) {
        size_t begin, end = node->begin, limit = node->next ? node->next->begin : unit->ast.length;

        if (node->kind != CXCursor_FunctionDecl || node == kernel ||
            strcmp(node->name, kernel->name) != 0)
            continue;
        while (pm_token(unit->ast.text, end, limit, &begin, &end))
            if (pm_token_is(unit->ast.text, begin, end, "reqd_work_group_size"))
                return node;
    }
    return NULL;
}

/* Returns the name of a function that the new source calls, if a variable of the kernel has the
 * same name and hides it. Returns NULL if none is hidden. */
static const char *hidden_function(const pm_sharing *s)
{
    static const char *const opencl[] = {"min",          "max",           "clamp", "barrier",
                                         "get_local_id", "get_global_id", NULL};
    static const char *const cuda[] = {"min",       "max",      "__syncthreads",
                                       "threadIdx", "blockIdx", NULL};

    for (const char *const *used = s->unit->ast.is_cuda ? cuda : opencl; *used; used++)
        if (pm_stage_declares(s, *used, strlen(*used)))
            return *used;
    return NULL;
}

static void read_kernel(pm_sharing *s, pm_node *kernel, pm_names *names)
{
    const pm_node *sized = sized_before(s->unit, kernel);
    size_t group[3];

    if (sized)
        pm_ast_refuse(s->memory, sized,
                      "say the size of kernel %s's work-group where it is defined", kernel->name);
    find_group(s, kernel->name, group);
    pm_index_read(&s->unit->ast, kernel, group, &s->index, s->memory);
    if (hidden_function(s))
        pm_ast_refuse(s->memory, kernel,
                      "a variable is called %s, as the function is that staging needs",
                      hidden_function(s));
    s->reasons = pm_take(s->memory, s->index.array_count, sizeof *s->reasons);
    for (size_t a = 0; a < s->index.array_count; a++)
        s->reasons[a].memory = s->memory;
    if (s->index.sized) {
        name_first_ids(s, names);
        pm_stage_choose(s);
        if (s->several)
            check_sizes(s);
        return;
    }
    for (size_t a = 0; a < s->index.array_count; a++)
        pm_stage_why(&s->reasons[a], kernel,
                     s->unit->ast.is_cuda
                         ? "the size of kernel %s's blocks is not known; give --work-group"
                         : "the size of kernel %s's work-group is not known; give --work-group, or "
                           "__attribute__((reqd_work_group_size(x, y, z)))",
                     s->index.name);
}

/* Frees the memory of a pm_sharing that was allocated with malloc. */
static void free_sharing(pm_sharing *s)
{
    while (s->candidate_count > 0)
        pm_tile_free(&s->candidates[--s->candidate_count]);
    free(s->candidates);
    pm_memory_free(&s->index.memory);
    pm_memory_free(&s->scratch);
}

/* ---- staging of a source -------------------------------------------------------------------- */

enum { MOST_REASONS = 3 };

typedef struct {
    const pm_source_unit *unit;
    const pm_stage_request *request;
    pm_memory memory;
    pm_sharing s; /* state of the present kernel */
    pm_staged *out;
    pm_edits edits;
    pm_names names;
    pm_moved moved;
    bool hidden;
    size_t staged;
    const char **kernels;
    size_t kernel_count;
    /* reasons why arrays are not staged: the first one for each array, with the array's name */
    pm_text why;
    size_t reason_count; /* number of reasons in `why`, of all arrays */
} sharing_source;

/* Raises an error if the request names an array and the kernel has no tile for it. */
static void check_asked(const pm_sharing *s)
{
    for (size_t i = 0; i < s->choice.array_count; i++)
        for (size_t a = 0; a < s->index.array_count; a++)
            if (strcmp(s->choice.arrays[i], s->index.arrays[a].name) == 0 &&
                !pm_stage_has_tile(s, a))
                pm_leave(s->memory, PM_BAD_INPUT, "%s (to stage %s)", pm_text_get(&s->reasons[a]),
                         s->index.arrays[a].name);
}

/* Returns the part of the staging request that applies to a kernel. */
static pm_stage_choice read_choice(sharing_source *all, const char *kernel)
{
    return pm_stage_parse(&all->memory, all->request->text, kernel, all->kernels,
                          all->kernel_count);
}

static void share_kernel(sharing_source *all, pm_node *kernel)
{
    pm_sharing *s = &all->s;

    *s = (pm_sharing){.unit = all->unit,
                      .request = all->request,
                      .memory = &all->memory,
                      .scratch = pm_memory_beside(&all->memory)};
    s->choice = read_choice(all, kernel->name);
    if (s->choice.asked) {
        read_kernel(s, kernel, &all->names);
        check_asked(s);
        for (size_t i = 0; i < s->chosen_count; i++)
            pm_tile_assume(s, pm_stage_chosen(s, i));
        if (s->launch_count > 0)
            /* the assumptions need not be reported to the user, because the known launches satisfy
             * them */
            s->assumption_count = 0;
        if (s->chosen_count > 0)
            pm_stage_edit(s, &all->edits, &all->names, &all->moved, &all->hidden);
        pm_stage_report(s, all->out);
        all->staged += s->chosen_count;
        for (size_t a = 0; a < s->index.array_count; a++)
            if (s->reasons[a].length > 0 && all->reason_count++ < MOST_REASONS)
                pm_text_add(&all->why, "%s%s (to stage %s)", all->why.length > 0 ? "; " : "",
                            pm_text_get(&s->reasons[a]), s->index.arrays[a].name);
    }
    free_sharing(s);
    *s = (pm_sharing){.unit = all->unit};
}

/* Returns the source line of the first edit that overlaps the edit before it. The edits must be
 * sorted by offset. */
static unsigned line_of_clash(const pm_edits *edits, const char *text)
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
static char *edited(sharing_source *all, const char *source)
{
    const pm_source_unit *unit = all->unit;
    pm_text text = {.memory = &all->memory}, indented = {.memory = &all->out->memory};

    if (!pm_edits_apply(&all->edits, source, 0, unit->ast.length, &text))
        pm_leave(&all->memory, PM_BAD_INPUT,
                 "%s:%u: two places that staging changes are within each other here: write them in "
                 "statements of their own",
                 unit->path, line_of_clash(&all->edits, unit->ast.text));
    pm_stage_indent(pm_text_get(&text), &indented);
    return pm_text_take(&indented);
}

static void apply(sharing_source *all)
{
    const pm_source_unit *unit = all->unit;

    if (strpbrk(unit->ast.text, "\001\002\003\004"))
        pm_leave(&all->memory, PM_BAD_INPUT, "%s: it has control characters; take them out",
                 unit->path);
    all->out->text = edited(all, unit->ast.text);
    pm_edits_drop_lines(all->out->text);
    all->out->parsed = edited(all, pm_source_unit_parsed(unit));
    all->out->edits = all->edits.count;
}

/* Raises an error if the request names an array that no kernel has. */
static void check_names(sharing_source *all)
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
static _Noreturn void refuse_all(sharing_source *all)
{
    if (all->reason_count == 0)
        pm_text_add(&all->why, "no kernel takes an array");
    if (all->reason_count > MOST_REASONS)
        pm_text_add(&all->why, "; %zu more arrays", all->reason_count - MOST_REASONS);
    pm_leave(&all->memory, PM_BAD_INPUT, "nothing to stage: %s", pm_text_get(&all->why));
}

static void share(void *user)
{
    sharing_source *all = user;
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
            share_kernel(all, node);
    pm_moved_check(all->unit, &all->moved, &all->memory);
    check_names(all);
    if (all->staged == 0 && !all->request->analyse)
        refuse_all(all);
    if (!all->hidden)
        apply(all);
}

pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err)
{
    sharing_source all = {.unit = unit, .request = request, .out = out};
    pm_status status = pm_attempt(&all.memory, share, &all, err);

    *hidden = status == PM_OK && all.hidden;
    free_sharing(&all.s);
    pm_memory_free(&all.memory);
    return status;
}
