/* Staging arrays of a source's kernels in local memory: the module's function. See
 * layout/shared.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "share.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "share_emit.h"
#include "share_parts.h"

/* ---- what the parts share ------------------------------------------------------------------- */

void pm_share_no_memory(pm_sharing *s)
{
    if (s->status == PM_OK)
        s->status = pm_fail(s->err, PM_FAILED, "%s: out of memory for staging", s->unit->path);
}

size_t pm_share_atom(pm_sharing *s, const pm_atom *atom)
{
    size_t count = s->index.atom_count;
    pm_atom *grown = realloc(s->index.atoms, (count + 1) * sizeof *grown);

    if (grown)
        s->index.atoms = grown;
    if (!grown || !atom->text) {
        free(atom->text);
        pm_share_no_memory(s);
        return PM_NO_ATOM;
    }
    grown[count] = *atom;
    s->index.atom_count++;
    return count;
}

bool pm_share_varies(const void *sharing, size_t atom)
{
    const pm_sharing *s = sharing;

    return !s->index.atoms[atom].uniform;
}

void pm_share_why(pm_text *why, const pm_node *node, const char *format, ...)
{
    pm_error reason = {0};
    char text[400];
    va_list args;

    if (why->length > 0)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pm_ast_refuse(node, &reason, "%s", text);
    pm_text_add(why, "%s", reason.text);
}

/* ---- first ids ------------------------------------------------------------------------------ */

static void replace_in(pm_poly *poly, size_t atom, const pm_poly *value)
{
    if (pm_poly_has(poly, atom))
        *poly = pm_poly_replace(poly, atom, value);
}

static void replace_everywhere(pm_sharing *s, size_t atom, const pm_poly *value)
{
    for (size_t a = 0; a < s->index.access_count; a++)
        replace_in(&s->index.accesses[a].index, atom, value);
    for (size_t r = 0; r < s->index.root_count; r++)
        replace_in(&s->index.roots[r].offset, atom, value);
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

/* A global id is the group's first one and the local one: group * size + offset in one number. */
static void name_first_ids(pm_sharing *s, pm_names *names)
{
    static const char *const wishes[] = {"x0", "y0", "z0"};
    pm_emit namer = {.s = s, .names = names};

    for (unsigned d = 0; d < 3; d++) {
        size_t group = find_atom(s, PM_ATOM_GROUP, d), offset = find_atom(s, PM_ATOM_OFFSET, d);
        pm_atom first = {.kind = PM_ATOM_VALUE, .dimension = d, .uniform = true, .low_known = true};
        pm_poly value, groups;

        s->first_id[d] = PM_NO_ATOM;
        if (offset == PM_NO_ATOM)
            continue;
        first.text = pm_emit_fresh(&namer, wishes[d]);
        s->first_id[d] = pm_share_atom(s, &first);
        if (s->first_id[d] == PM_NO_ATOM)
            return;
        value = pm_poly_atom(s->first_id[d]);
        if (group != PM_NO_ATOM) {
            groups = pm_poly_atom(group);
            groups = pm_poly_scale(&groups, (long long)s->index.work_group[d]);
            value = pm_poly_subtract(&value, &groups);
        }
        replace_everywhere(s, offset, &value);
    }
}

/* ---- one kernel ----------------------------------------------------------------------------- */

/* The largest group that the kernel is launched with; 0 where none is known. *several: there are
 * others too. */
static void find_group(const pm_share_request *request, const char *name, size_t group[3],
                       bool *several)
{
    size_t most = 0;

    memcpy(group, request->work_group, 3 * sizeof *group);
    *several = false;
    for (size_t l = 0; l < request->launch_count; l++) {
        const pm_share_launch *launch = &request->launches[l];
        size_t size[3] = {1, 1, 1}, items;

        if (strcmp(launch->kernel, name) != 0)
            continue;
        for (unsigned d = 0; d < launch->dimensions && d < 3; d++)
            size[d] = launch->local[d];
        items = size[0] * size[1] * size[2];
        *several |= most > 0 && memcmp(size, group, sizeof size) != 0;
        if (items > most) {
            most = items;
            memcpy(group, size, sizeof size);
        }
    }
}

/* Copies are written for groups of one size. */
static pm_status check_sizes(const pm_sharing *s, const char *name, pm_error *err)
{
    for (size_t i = 0; i < s->chosen_count; i++) {
        const pm_tile *tile = &s->candidates[s->chosen[i]];

        if (tile->box_count + tile->out_count > 0)
            return pm_ast_refuse(s->index.kernel, err,
                                 "kernel %s is launched with work-groups of several sizes; copies "
                                 "to local memory are made for one",
                                 name);
    }
    return PM_OK;
}

/* A declaration in front of the kernel that says the size of its group. */
static const pm_node *sized_before(const pm_unit *unit, const pm_node *kernel, const char *name)
{
    for (const pm_node *node = unit->ast.root->first; node; node = node->next) {
        char *own =
            node->kind == CXCursor_FunctionDecl && node != kernel ? pm_ast_name(node) : NULL;
        size_t begin, end = node->begin, limit = node->next ? node->next->begin : unit->ast.length;
        bool found = false;

        while (own && strcmp(own, name) == 0 && !found &&
               pm_token(unit->ast.text, end, limit, &begin, &end))
            found = pm_token_is(unit->ast.text, begin, end, "reqd_work_group_size");
        free(own);
        if (found)
            return node;
    }
    return NULL;
}

/* Functions that are written into the kernel, which a variable of that name would hide. */
static const char *hidden_function(const pm_sharing *s)
{
    static const char *const used[] = {"min",          "max",           "clamp", "barrier",
                                       "get_local_id", "get_global_id", NULL};

    for (size_t i = 0; used[i]; i++)
        if (pm_share_declares(s, used[i], strlen(used[i])))
            return used[i];
    return NULL;
}

static pm_status read_kernel(pm_sharing *s, pm_node *kernel, const char *name, pm_names *names,
                             pm_error *err)
{
    size_t group[3];
    pm_status status;

    if (sized_before(s->unit, kernel, name))
        return pm_ast_refuse(sized_before(s->unit, kernel, name), err,
                             "say the size of kernel %s's work-group where it is defined", name);
    find_group(s->request, name, group, &s->several);
    status = pm_index_read(&s->unit->ast, kernel, group, &s->index, err);
    if (status != PM_OK)
        return status;
    if (hidden_function(s))
        return pm_ast_refuse(kernel, err,
                             "a variable is called %s, as the function is that staging needs",
                             hidden_function(s));
    s->reasons = calloc(s->index.array_count + 1, sizeof *s->reasons);
    if (!s->reasons)
        return pm_fail(err, PM_FAILED, "%s: out of memory for staging", s->unit->path);
    if (s->index.sized) {
        name_first_ids(s, names);
        pm_share_choose(s);
        if (s->status == PM_OK && s->several)
            s->status = check_sizes(s, name, err);
        return s->status;
    }
    for (size_t a = 0; a < s->index.array_count; a++)
        pm_share_why(&s->reasons[a], kernel,
                     "the size of kernel %s's work-group is not known; give --work-group, or "
                     "__attribute__((reqd_work_group_size(x, y, z)))",
                     s->index.name);
    return PM_OK;
}

static void free_sharing(pm_sharing *s)
{
    for (size_t c = 0; c < s->candidate_count; c++)
        pm_tile_free(&s->candidates[c]);
    for (size_t i = 0; i < s->assumption_count; i++)
        free(s->assumptions[i].text);
    for (size_t a = 0; s->reasons && a < s->index.array_count; a++)
        pm_text_free(&s->reasons[a]);
    free(s->assumptions);
    free(s->candidates);
    free(s->chosen);
    free(s->reasons);
    pm_share_choice_free(&s->choice);
    pm_index_free(&s->index);
}

/* ---- the source ----------------------------------------------------------------------------- */

typedef struct {
    const pm_unit *unit;
    const pm_share_request *request;
    pm_shared *out;
    pm_edits edits;
    pm_names names;
    pm_moved moved;
    bool hidden;
    size_t staged;
    const char **kernels;
    size_t kernel_count;
    pm_text why; /* the first reason why something is not staged */
} sharing_source;

/* An array that is named must be staged, in kernels that have it. */
static pm_status check_asked(const pm_sharing *s, pm_error *err)
{
    for (size_t i = 0; i < s->choice.array_count; i++)
        for (size_t a = 0; a < s->index.array_count; a++) {
            bool staged = false;

            if (strcmp(s->choice.arrays[i], s->index.arrays[a].name) != 0)
                continue;
            for (size_t c = 0; c < s->chosen_count; c++)
                staged |= s->candidates[s->chosen[c]].array == a;
            if (!staged)
                return pm_fail(err, PM_BAD_INPUT, "%s (to stage %s)", pm_text_get(&s->reasons[a]),
                               s->index.arrays[a].name);
        }
    return PM_OK;
}

static pm_status share_kernel(sharing_source *all, pm_node *kernel, const char *name, pm_error *err)
{
    pm_sharing s = {.unit = all->unit, .request = all->request, .err = err};
    pm_status status =
        pm_share_parse(all->request->text, name, all->kernels, all->kernel_count, &s.choice, err);

    if (status == PM_OK && s.choice.asked) {
        status = read_kernel(&s, kernel, name, &all->names, err);
        if (status == PM_OK)
            status = check_asked(&s, err);
        for (size_t i = 0; status == PM_OK && i < s.chosen_count; i++)
            pm_tile_assume(&s, &s.candidates[s.chosen[i]]);
        if (status == PM_OK)
            status = s.status;
        if (status == PM_OK)
            pm_share_drop_proven(&s);
        if (status == PM_OK && s.chosen_count > 0) {
            pm_share_edit(&s, &all->edits, &all->names, &all->moved, &all->hidden);
            status = s.status;
        }
        if (status == PM_OK)
            pm_share_report(&s, all->out);
        status = status == PM_OK ? s.status : status;
        all->staged += s.chosen_count;
        for (size_t a = 0; s.reasons && a < s.index.array_count; a++)
            if (all->why.length == 0 && s.reasons[a].length > 0)
                pm_text_add(&all->why, "%s (to stage %s)", pm_text_get(&s.reasons[a]),
                            s.index.arrays[a].name);
    }
    free_sharing(&s);
    return status;
}

static pm_status apply(sharing_source *all, pm_error *err)
{
    const pm_unit *unit = all->unit;
    pm_text text = {0}, indented = {0};
    pm_status status = PM_OK;

    if (strpbrk(unit->ast.text, "\001\002\003\004"))
        status =
            pm_fail(err, PM_BAD_INPUT, "%s: it has control characters; take them out", unit->path);
    else if (!pm_edits_apply(&all->edits, unit->ast.text, 0, unit->ast.length, &text) ||
             text.failed)
        status = text.failed ? pm_fail(err, PM_FAILED, "%s: out of memory", unit->path)
                             : pm_fail(err, PM_FAILED,
                                       "%s: places that change are within each other", unit->path);
    else if (!pm_share_indent(pm_text_get(&text), &indented))
        status = pm_fail(err, PM_FAILED, "%s: out of memory", unit->path);
    else {
        all->out->edits = all->edits.count;
        all->out->text = pm_text_take(&indented);
    }
    pm_text_free(&text);
    pm_text_free(&indented);
    return status;
}

static pm_status find_kernels(sharing_source *all, pm_error *err)
{
    all->kernel_count = all->unit->info.kernel_count;
    all->kernels = calloc(all->kernel_count + 1, sizeof *all->kernels);
    if (!all->kernels)
        return pm_fail(err, PM_FAILED, "%s: out of memory", all->unit->path);
    for (size_t k = 0; k < all->kernel_count; k++)
        all->kernels[k] = all->unit->info.kernels[k].name;
    if (all->kernel_count == 0)
        return pm_fail(err, PM_BAD_INPUT, "%s: it has no kernel", all->unit->path);
    return PM_OK;
}

static pm_status share_kernels(sharing_source *all, pm_error *err)
{
    pm_status status = PM_OK;

    for (pm_node *node = all->unit->ast.root->first; status == PM_OK && node; node = node->next)
        if (node->kind == CXCursor_FunctionDecl && pm_unit_is_kernel(node) &&
            pm_unit_is_described(all->unit, node)) {
            char *name = pm_ast_name(node);

            status = name ? share_kernel(all, node, name, err)
                          : pm_fail(err, PM_FAILED, "%s: out of memory", all->unit->path);
            free(name);
        }
    return status;
}

/* Names that no kernel has as an array. */
static pm_status check_names(const sharing_source *all, pm_error *err)
{
    pm_share_choice choice = {.asked = false};
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < all->kernel_count; k++) {
        status = pm_share_parse(all->request->text, all->kernels[k], all->kernels,
                                all->kernel_count, &choice, err);
        for (size_t i = 0; status == PM_OK && i < choice.array_count; i++) {
            pm_text list = {0};
            bool found = false;

            for (size_t a = 0; a < all->out->array_count; a++) {
                const pm_share_array *array = &all->out->arrays[a];

                found |= strcmp(array->array, choice.arrays[i]) == 0;
                if (!strstr(pm_text_get(&list), array->array))
                    pm_text_add(&list, "%s%s", list.length ? ", " : "", array->array);
            }
            if (!found)
                status = pm_fail(err, PM_BAD_INPUT,
                                 "%s: no kernel takes an array '%s' in global memory; the arrays "
                                 "are %s",
                                 all->request->text, choice.arrays[i], pm_text_get(&list));
            pm_text_free(&list);
        }
        pm_share_choice_free(&choice);
    }
    return status;
}

pm_status pm_unit_share(const pm_unit *unit, const pm_share_request *request, pm_shared *out,
                        bool *hidden, pm_error *err)
{
    sharing_source all = {.unit = unit, .request = request, .out = out};
    pm_status status = find_kernels(&all, err);

    pm_names_read(&all.names, unit->ast.text);
    if (status == PM_OK)
        status = share_kernels(&all, err);
    if (status == PM_OK)
        status = pm_moved_check(unit, &all.moved, err);
    if (status == PM_OK)
        status = check_names(&all, err);
    if (status == PM_OK && all.staged == 0 && !request->analyse)
        status = pm_fail(err, PM_BAD_INPUT, "nothing to stage: %s",
                         all.why.length ? pm_text_get(&all.why) : "no kernel takes an array");
    if (status == PM_OK && !all.hidden)
        status = apply(&all, err);
    *hidden = status == PM_OK && all.hidden;
    pm_edits_free(&all.edits);
    pm_names_free(&all.names);
    free(all.moved.roots);
    free(all.moved.pointers);
    pm_text_free(&all.why);
    free(all.kernels);
    return status;
}
