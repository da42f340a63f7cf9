/* Rewrites a kernel source so that its arrays of structs have other memory layouts (for example one
 * array for each field): chooses names, starts the walk of the syntax tree, and inserts the
 * generated types and functions. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/clang/rewrite.h"

#include <string.h>

#include "base/error.h"

/* ---- names --------------------------------------------------------------------------------- */

/* Returns the name `wanted`, or wanted_2, wanted_3, ... if the name is already used. */
static const char *fresh_name(pm_rewrite *rw, const char *wanted)
{
    const char *name = wanted;

    for (size_t number = 2; pm_names_has(&rw->source, name) || pm_names_has(&rw->types, name) ||
                            pm_names_has(&rw->fresh, name) || pm_names_is_type(name);
         number++)
        name = pm_format(&rw->memory, "%s_%zu", wanted, number);
    pm_names_add(&rw->fresh, name);
    return name;
}

/* Chooses names for the new variables that replace each array parameter: one for each part (buffer)
 * of the new layout, and one for the number of elements. Variables of two functions may have the
 * same names. */
static void name_parts(pm_rewrite *rw)
{
    const pm_node *function = NULL;

    rw->part_names = pm_take(&rw->memory, rw->unit->variable_count, sizeof *rw->part_names);
    for (size_t v = 0; v < rw->unit->variable_count; v++) {
        const pm_variable *variable = &rw->unit->variables[v];
        const pm_plan *plan = pm_rewrite_plan(rw, variable->to.structure);
        const char **names;

        if (variable->node->kind != CXCursor_ParmDecl || !plan)
            continue;
        if (variable->function != function)
            rw->fresh = (pm_names){.memory = &rw->memory};
        function = variable->function;
        names = rw->part_names[v] = pm_take(&rw->memory, plan->part_count + 1, sizeof *names);
        for (size_t i = 0; i <= plan->part_count; i++)
            /* the name is empty: in the declaration of a function, a parameter may have no name */
            names[i] = *variable->node->name
                           ? fresh_name(rw, pm_format(&rw->memory, "%s_%s", variable->node->name,
                                                      i < plan->part_count ? plan->parts[i].name
                                                                           : "count"))
                           : "";
    }
}

/* Chooses the prefixes of generated names, and the names of generated types, for all structs. Call
 * this function before name_parts(), which must avoid the names chosen here. */
static void name_structs(pm_rewrite *rw, const pm_plan *const *plans, unsigned attempt)
{
    size_t count = rw->unit->info.structs.count;

    rw->structs = pm_take(&rw->memory, count, sizeof *rw->structs);
    rw->active = pm_take(&rw->memory, count, sizeof *rw->active);
    for (size_t s = 0; s < count; s++) {
        const pm_plan *plan = plans[s] && !plans[s]->identity ? plans[s] : NULL;
        const char *name = rw->unit->info.structs.items[s].name;
        const char *prefix = attempt ? pm_format(&rw->memory, "%s_v%u", name, attempt + 1) : name;

        rw->active[s] = plan != NULL;
        rw->structs[s].names = (pm_plan_names){.plan = plan,
                                               .prefix = prefix,
                                               .structure = rw->unit->structs[s].spelling,
                                               .words = rw->words};
        for (size_t i = 0; plan && i < plan->part_count; i++)
            pm_names_add(&rw->types, pm_format(&rw->memory, "%s_%s", prefix, plan->parts[i].name));
        if (plan)
            rw->structs[s].has_words =
                pm_take(&rw->memory, plan->part_count, sizeof *rw->structs[s].has_words);
    }
}

/* Adds all identifiers of the source, and names declared in included files, to `names`, so that
 * generated names can avoid them. */
static void take_names(const pm_source_unit *unit, pm_names *names)
{
    pm_names_read(names, unit->text);
    for (size_t i = 0; i < unit->ast.count; i++)
        if (!unit->ast.nodes[i]->in_main && clang_isDeclaration(unit->ast.nodes[i]->kind))
            pm_names_add(names, unit->ast.nodes[i]->name);
}

/* Returns true if the generated code would declare an identifier that the source already has. Only
 * identifiers that start with the struct's prefix are compared. */
static bool clashes(pm_rewrite *rw, const pm_rewrite_struct *s, const char *text)
{
    size_t length = strlen(text), prefix = strlen(s->names.prefix), begin, end;

    for (size_t at = 0; pm_token(text, at, length, &begin, &end); at = end)
        if (end - begin > prefix + 1 && strncmp(text + begin, s->names.prefix, prefix) == 0 &&
            text[begin + prefix] == '_' &&
            pm_names_has(&rw->source,
                         pm_format(&rw->memory, "%.*s", (int)(end - begin), text + begin)))
            return true;
    return false;
}

/* ---- the whole source ---------------------------------------------------------------------- */

typedef struct {
    pm_rewrite rw;
    const pm_plan *const *plans;
    unsigned number;
    bool clash;
    pm_rewritten *out;
} attempt;

static void rewrite(void *user)
{
    attempt *a = user;
    pm_rewrite *rw = &a->rw;
    const pm_ast *ast = &rw->unit->ast;
    pm_edits edits = {.memory = &rw->memory};
    pm_text text = {.memory = &rw->memory}, parsed = {.memory = &rw->memory};

    rw->words = pm_kernel_words_of(ast->is_cuda);
    rw->source.memory = rw->types.memory = rw->fresh.memory = &rw->memory;
    rw->replace = pm_take(&rw->memory, ast->count, sizeof *rw->replace);
    rw->before = pm_take(&rw->memory, ast->count, sizeof *rw->before);
    take_names(rw->unit, &rw->source);
    name_structs(rw, a->plans, a->number);
    name_parts(rw);
    pm_rewrite_wide(rw);
    for (pm_node *node = ast->root->first; node; node = node->next)
        pm_rewrite_node(rw, &edits, node);
    for (size_t s = 0; s < rw->unit->info.structs.count; s++) {
        char *generated;

        if (!rw->active[s])
            continue;
        generated = pm_generate(rw, s);
        a->clash |= clashes(rw, &rw->structs[s], generated);
        pm_rewrite_insert(rw, &edits, s, generated);
    }
    if (!pm_edits_apply(&edits, ast->text, 0, ast->length, &text))
        pm_leave(&rw->memory, PM_FAILED, "%s: two changes of the source are in each other's way",
                 rw->unit->path);
    pm_edits_apply(&edits, pm_source_unit_parsed(rw->unit), 0, ast->length, &parsed);
    if (a->clash)
        return;
    pm_rewrite_result(rw, &text, a->out);
    a->out->parsed = pm_copy(&a->out->memory, pm_text_get(&parsed));
}

pm_status pm_unit_rewrite(const pm_source_unit *unit, const pm_plan *const *plans,
                          pm_rewritten *out, bool *hidden, pm_error *err)
{
    for (unsigned number = 0; number < 20; number++) {
        attempt a = {.rw = {.unit = unit}, .plans = plans, .number = number, .out = out};
        pm_status status = pm_attempt(&a.rw.memory, rewrite, &a, err);

        *hidden = a.rw.hidden;
        pm_memory_free(&a.rw.memory);
        if (status != PM_OK || !a.clash)
            return status;
    }
    return pm_fail(err, PM_BAD_INPUT, "%s: the source uses all the names that would be generated",
                   unit->path);
}
