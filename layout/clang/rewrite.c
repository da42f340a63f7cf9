/* The same source for other layouts. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rewrite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

/* ---- what the parts share ------------------------------------------------------------------ */

bool pm_rewrite_active(const pm_rewrite *rw, size_t structure)
{
    return rw->structs[structure].names.plan != NULL;
}

bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to)
{
    return pm_unit_points(rw->unit, node, to) && pm_rewrite_active(rw, to->structure);
}

bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain)
{
    return pm_chain_of(rw->unit, node, chain) && pm_rewrite_active(rw, chain->to.structure);
}

void pm_rewrite_refuse(pm_rewrite *rw, const pm_node *node, const char *format, ...)
{
    char reason[600];
    va_list args;

    if (rw->status != PM_OK)
        return;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    rw->status = pm_ast_refuse(node, rw->err, "%s", reason);
}

void pm_rewrite_no_memory(pm_rewrite *rw)
{
    if (rw->status == PM_OK)
        rw->status = pm_fail(rw->err, PM_FAILED, "out of memory for the rewritten source");
}

/* ---- the walk ------------------------------------------------------------------------------ */

/* Behind the ';' of an expression that is a statement, else the node's end. */
static size_t end_of(const pm_rewrite *rw, const pm_node *node)
{
    const char *text = rw->unit->ast.text;
    size_t begin, end;

    if (clang_isExpression(node->kind) && node->parent &&
        node->parent->kind == CXCursor_CompoundStmt &&
        pm_token(text, node->end, rw->unit->ast.length, &begin, &end) && text[begin] == ';')
        return end;
    return node->end;
}

void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text)
{
    if (!node->in_main || !node->begins_clean || !node->ends_clean ||
        (node->in_argument && pm_has_comma(text)))
        rw->hidden = true;
    pm_edits_add(edits, node->begin, node->end, text);
    rw->edit_count++;
}

void pm_rewrite_children(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    for (pm_node *child = node->first; rw->status == PM_OK && child; child = child->next)
        pm_rewrite_node(rw, edits, child);
}

/* Whether an expression that points to structs is an array of them, which is left alone where it is
 * used with an index. */
static bool is_array_with_index(const pm_rewrite *rw, const pm_node *node)
{
    const pm_node *parent = node->parent;

    while (node->kind == CXCursor_ParenExpr || node->kind == CXCursor_UnexposedExpr)
        node = node->first;
    return pm_unit_is_array(rw->unit, node) && parent &&
           (parent->kind == CXCursor_ArraySubscriptExpr ||
            (parent->kind == CXCursor_UnaryOperator &&
             clang_getCursorUnaryOperatorKind(parent->cursor) == CXUnaryOperator_Deref));
}

static bool is_comparison(const pm_rewrite *rw, const pm_node *node)
{
    pm_pointee to;

    if (node->kind != CXCursor_BinaryOperator || !node->first || !node->last ||
        clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_Comma)
        return false;
    return pm_rewrite_points(rw, node->first, &to) || pm_rewrite_points(rw, node->last, &to);
}

static void rewrite_expression(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_pointee to;

    if (pm_rewrite_sizeof(rw, edits, node) || pm_rewrite_assignment(rw, edits, node) ||
        pm_rewrite_access(rw, edits, node))
        return;
    if (pm_rewrite_points(rw, node, &to) && !is_array_with_index(rw, node))
        pm_rewrite_pointer(rw, edits, node);
    else if (is_comparison(rw, node))
        pm_rewrite_compare(rw, edits, node);
    else if (node->kind == CXCursor_CallExpr)
        pm_rewrite_call(rw, edits, node);
    else
        pm_rewrite_children(rw, edits, node);
}

/* Whether it is declared as a pointer to a pointer to an active struct, or an array of such. */
static bool points_to_pointer(const pm_rewrite *rw, const pm_node *node)
{
    CXType type = pm_ast_type(node);
    size_t depth = node->kind == CXCursor_ParmDecl && type.kind != CXType_Pointer;
    pm_pointee to;

    while (type.kind == CXType_Pointer || type.kind == CXType_ConstantArray ||
           type.kind == CXType_IncompleteArray) {
        bool pointer = type.kind == CXType_Pointer;

        depth += pointer;
        if (pm_unit_pointee(rw->unit, type, &to))
            return depth > 1 && pm_rewrite_active(rw, to.structure);
        type = clang_getCanonicalType(pointer ? clang_getPointeeType(type)
                                              : clang_getArrayElementType(type));
    }
    return false;
}

/* Declarations that are not rewritten, though a pointer to a struct is in them. */
static bool is_refused_declaration(pm_rewrite *rw, const pm_node *node)
{
    const pm_variable *variable;

    if (node->kind != CXCursor_FieldDecl && node->kind != CXCursor_VarDecl &&
        node->kind != CXCursor_ParmDecl)
        return false;
    if (points_to_pointer(rw, node)) {
        pm_rewrite_refuse(rw, node,
                          "a pointer to a pointer to a struct: return the pointer instead, "
                          "or keep an index");
        return true;
    }
    if (node->kind == CXCursor_ParmDecl)
        return false;
    variable = pm_unit_variable(rw->unit, node);
    if (!variable || !pm_rewrite_active(rw, variable->to.structure))
        return false;
    pm_rewrite_refuse(rw, node,
                      "a pointer to an element is kept in a struct or at file scope: keep "
                      "its index instead");
    return true;
}

void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const pm_variable *variable;

    if (rw->status != PM_OK)
        return;
    if (rw->before[node->number])
        pm_edits_add(edits, node->begin, node->begin, rw->before[node->number]);
    if (rw->behind[node->number])
        pm_edits_add(edits, end_of(rw, node), end_of(rw, node), rw->behind[node->number]);
    if (rw->replace[node->number]) {
        pm_edits_add(edits, node->begin, end_of(rw, node), rw->replace[node->number]);
        return;
    }
    if (clang_isExpression(node->kind))
        rewrite_expression(rw, edits, node);
    else if (node->kind == CXCursor_FunctionDecl)
        pm_rewrite_function(rw, edits, node);
    else if (node->kind == CXCursor_ParmDecl && (variable = pm_unit_variable(rw->unit, node)) &&
             pm_rewrite_active(rw, variable->to.structure))
        pm_rewrite_parameter(rw, edits, node);
    else if (node->kind == CXCursor_TypedefDecl || is_refused_declaration(rw, node) ||
             (node->kind == CXCursor_DeclStmt && pm_rewrite_declaration(rw, edits, node)))
        return;
    else
        pm_rewrite_children(rw, edits, node);
}

/* Changes in each other's way: a macro that uses an argument twice may want two texts of it. */
static void overlap(pm_rewrite *rw, const pm_node *node)
{
    if (rw->unit->preprocessed)
        pm_rewrite_refuse(rw, node, "this is not understood: write it in several statements");
    rw->hidden = true;
}

static void rewrite_text(pm_rewrite *rw, pm_node *node, bool below, pm_text *out)
{
    pm_edits edits = {0};
    pm_range piece;

    if (!pm_ast_piece(&rw->unit->ast, node, &piece))
        rw->hidden = true;
    if (!below)
        pm_rewrite_node(rw, &edits, node);
    else if (node->kind == CXCursor_CallExpr)
        pm_rewrite_call(rw, &edits, node);
    else
        pm_rewrite_children(rw, &edits, node);
    if (rw->status == PM_OK && !rw->hidden &&
        !pm_edits_apply(&edits, rw->unit->ast.text, piece.begin, piece.end, out))
        overlap(rw, node);
    pm_edits_free(&edits);
    if (out->failed)
        pm_rewrite_no_memory(rw);
}

void pm_rewrite_text(pm_rewrite *rw, pm_node *node, pm_text *out)
{
    rewrite_text(rw, node, false, out);
}

void pm_rewrite_text_below(pm_rewrite *rw, pm_node *node, pm_text *out)
{
    rewrite_text(rw, node, true, out);
}

/* ---- names --------------------------------------------------------------------------------- */

/* wanted, or wanted_2, wanted_3, .. if it is taken; to free. */
static char *fresh_name(pm_rewrite *rw, const char *wanted)
{
    pm_text name = {0};

    pm_text_add(&name, "%s", wanted);
    for (size_t number = 2;
         pm_names_has(&rw->source, pm_text_get(&name)) ||
         pm_names_has(&rw->types, pm_text_get(&name)) ||
         pm_names_has(&rw->fresh, pm_text_get(&name)) || pm_names_is_type(pm_text_get(&name));
         number++) {
        pm_text_free(&name);
        pm_text_add(&name, "%s_%zu", wanted, number);
        if (name.failed)
            return NULL;
    }
    pm_names_add(&rw->fresh, pm_text_get(&name), name.length);
    return pm_text_take(&name);
}

/* Names of a parameter's parts, and of the number of elements behind them. */
static char **name_parts(pm_rewrite *rw, const pm_variable *variable)
{
    const pm_plan *plan = rw->structs[variable->to.structure].names.plan;
    char **names = calloc(plan->part_count + 2, sizeof *names);
    char *own = pm_ast_name(variable->node);

    for (size_t i = 0; names && own && i <= plan->part_count; i++) {
        pm_text wanted = {0};

        if (!*own) {
            names[i] = strdup(""); /* a declaration without names */
            continue;
        }
        pm_text_add(&wanted, "%s_%s", own, i < plan->part_count ? plan->parts[i].name : "count");
        names[i] = fresh_name(rw, pm_text_get(&wanted));
        pm_text_free(&wanted);
    }
    free(own);
    return names;
}

/* Those made for one function are free again in the next. */
static void name_all_parts(pm_rewrite *rw)
{
    size_t count = rw->unit->variable_count;
    pm_node *function = NULL;

    rw->part_names = calloc(count + 1, sizeof *rw->part_names);
    if (!rw->part_names) {
        pm_rewrite_no_memory(rw);
        return;
    }
    for (size_t v = 0; v < count; v++) {
        const pm_variable *variable = &rw->unit->variables[v];

        if (variable->node->kind != CXCursor_ParmDecl ||
            !pm_rewrite_active(rw, variable->to.structure))
            continue;
        if (variable->function != function)
            pm_names_free(&rw->fresh);
        function = variable->function;
        rw->part_names[v] = name_parts(rw, variable);
        if (!rw->part_names[v] || rw->fresh.failed)
            pm_rewrite_no_memory(rw);
    }
}

/* Types' names are taken before parameters are named. */
static void name_structs(pm_rewrite *rw, const pm_plan *const *plans, unsigned attempt)
{
    for (size_t s = 0; s < rw->unit->info.structs.count; s++) {
        pm_rewrite_struct *structure = &rw->structs[s];
        const pm_plan *plan = plans[s] && !plans[s]->identity ? plans[s] : NULL;
        pm_text prefix = {0};

        pm_text_add(&prefix, attempt ? "%s_v%u" : "%s", rw->unit->info.structs.items[s].name,
                    attempt + 1);
        structure->prefix = pm_text_take(&prefix);
        structure->names = (pm_plan_names){
            .plan = plan, .prefix = structure->prefix, .structure = rw->unit->structs[s].spelling};
        for (size_t i = 0; structure->prefix && plan && i < plan->part_count; i++) {
            pm_text_add(&prefix, "%s_%s", structure->prefix, plan->parts[i].name);
            pm_names_add(&rw->types, pm_text_get(&prefix), prefix.length);
            pm_text_free(&prefix);
        }
        if (!structure->prefix)
            pm_rewrite_no_memory(rw);
    }
}

/* Every word that the source has, and the names of what its included files declare. */
static void take_names(pm_unit *unit, pm_names *names)
{
    pm_names_read(names, unit->text);
    for (size_t i = 0; i < unit->ast.count; i++)
        if (!unit->ast.nodes[i]->in_main && clang_isDeclaration(unit->ast.nodes[i]->kind)) {
            char *name = pm_ast_name(unit->ast.nodes[i]);

            if (name)
                pm_names_add(names, name, strlen(name));
            free(name);
        }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void finish(pm_rewrite *rw)
{
    for (size_t v = 0; rw->part_names && v < rw->unit->variable_count; v++) {
        for (char **name = rw->part_names[v]; name && *name; name++)
            free(*name);
        free(rw->part_names[v]);
    }
    free(rw->part_names);
    for (size_t s = 0; rw->structs && s < rw->unit->info.structs.count; s++) {
        for (size_t m = 0; m < rw->structs[s].member_count; m++) {
            free(rw->structs[s].members[m].path);
            free(rw->structs[s].members[m].type);
        }
        free(rw->structs[s].members);
        free(rw->structs[s].prefix);
    }
    free(rw->structs);
    for (size_t i = 0; i < rw->unit->ast.count; i++) {
        free(rw->replace ? rw->replace[i] : NULL);
        free(rw->before ? rw->before[i] : NULL);
        free(rw->behind ? rw->behind[i] : NULL);
    }
    free(rw->replace);
    free(rw->before);
    free(rw->behind);
    pm_names_free(&rw->source);
    pm_names_free(&rw->types);
    pm_names_free(&rw->fresh);
}

static void start(pm_rewrite *rw, const pm_plan *const *plans, unsigned attempt)
{
    size_t nodes = rw->unit->ast.count;

    rw->structs = calloc(rw->unit->info.structs.count + 1, sizeof *rw->structs);
    rw->replace = calloc(nodes, sizeof *rw->replace);
    rw->before = calloc(nodes, sizeof *rw->before);
    rw->behind = calloc(nodes, sizeof *rw->behind);
    if (!rw->structs || !rw->replace || !rw->before || !rw->behind) {
        pm_rewrite_no_memory(rw);
        return;
    }
    take_names(rw->unit, &rw->source);
    name_structs(rw, plans, attempt);
    if (rw->status == PM_OK)
        name_all_parts(rw);
}

/* Whether a word of generated text that begins as its names do is the source's. */
static bool clashes(pm_rewrite *rw, const pm_rewrite_struct *s, const char *text)
{
    size_t length = strlen(text), prefix = strlen(s->prefix), begin, end;
    bool found = false;

    for (size_t at = 0; !found && pm_token(text, at, length, &begin, &end); at = end)
        if (end - begin > prefix + 1 && strncmp(text + begin, s->prefix, prefix) == 0 &&
            text[begin + prefix] == '_') {
            char *word = strndup(text + begin, end - begin);

            found = word && pm_names_has(&rw->source, word);
            free(word);
        }
    return found;
}

static void attempt_rewrite(pm_rewrite *rw, pm_text *out, bool *clash)
{
    pm_edits edits = {0};

    pm_rewrite_wide(rw);
    for (pm_node *node = rw->unit->ast.root->first; rw->status == PM_OK && node; node = node->next)
        pm_rewrite_node(rw, &edits, node);
    if (rw->status == PM_OK && !rw->hidden)
        for (size_t s = 0; s < rw->unit->info.structs.count; s++) {
            pm_text generated = {0};

            if (!pm_rewrite_active(rw, s))
                continue;
            pm_generate(rw, s, &generated);
            *clash |= clashes(rw, &rw->structs[s], pm_text_get(&generated));
            pm_rewrite_insert(rw, &edits, s, pm_text_get(&generated));
            if (generated.failed)
                pm_rewrite_no_memory(rw);
            pm_text_free(&generated);
        }
    if (rw->status == PM_OK && !rw->hidden &&
        !pm_edits_apply(&edits, rw->unit->ast.text, 0, rw->unit->ast.length, out))
        rw->status =
            pm_fail(rw->err, PM_FAILED, "%s: two changes of the source are in each other's way",
                    rw->unit->path);
    pm_edits_free(&edits);
    if (out->failed)
        pm_rewrite_no_memory(rw);
}

pm_status pm_unit_rewrite(pm_unit *unit, const pm_plan *const *plans, pm_rewritten *out,
                          bool *hidden, pm_error *err)
{
    pm_status status = PM_FAILED;
    bool clash = true;

    *hidden = false;
    for (unsigned attempt = 0; clash && attempt < 20; attempt++) {
        pm_rewrite rw = {.unit = unit, .err = err};
        pm_text text = {0};

        clash = false;
        start(&rw, plans, attempt);
        if (rw.status == PM_OK)
            attempt_rewrite(&rw, &text, &clash);
        *hidden = rw.hidden;
        if (rw.status == PM_OK && !rw.hidden && !clash)
            pm_rewrite_result(&rw, &text, out);
        status = rw.status;
        clash = clash && status == PM_OK && !rw.hidden;
        pm_text_free(&text);
        finish(&rw);
    }
    if (clash)
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: the source uses all the names that would be generated", unit->path);
    return status;
}
