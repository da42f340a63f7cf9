/* Declarations, and calls of functions that are declared anew. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

enum { LINE = 100 };

static pm_variable *active_variable(const pm_rewrite *rw, const pm_node *node)
{
    pm_variable *variable = pm_unit_variable(rw->unit, node);

    return variable && pm_rewrite_active(rw, variable->to.structure) ? variable : NULL;
}

static size_t number_of(const pm_rewrite *rw, const pm_variable *variable)
{
    return (size_t)(variable - rw->unit->variables);
}

static void add_type(pm_rewrite *rw, const pm_variable *variable, pm_text *out)
{
    if (variable->mode == PM_VARIABLE_REF)
        pm_generate_name(rw, &variable->to, PM_NEED_REF, out);
    else
        pm_text_add(out, "long");
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* Where a parameter's declaration has the words that change; end 0: it has none. */
typedef struct {
    pm_range type, name; /* type: Particle, struct Particle */
} words;

/* False: the declaration is not of the form [qualifiers] T [qualifiers] * [qualifiers] [name]. */
static bool find_words(const pm_rewrite *rw, const pm_node *node, words *found)
{
    const char *text = rw->unit->ast.text;
    const pm_node *type = NULL;
    size_t begin, end, stars = 0;
    char *name = pm_ast_name(node);
    bool plain = name != NULL;

    *found = (words){{0, 0}, {0, 0}};
    for (const pm_node *child = node->first; child; child = child->next)
        if (child->kind == CXCursor_TypeRef)
            type = child;
    plain = plain && type && type->begins_clean && type->ends_clean &&
            pm_ast_type(type).kind == CXType_Record;
    for (size_t at = node->begin; plain && pm_token(text, at, node->end, &begin, &end); at = end) {
        if (text[begin] == '*')
            stars++;
        else if (strchr("[(", text[begin]))
            plain = false;
        else if (pm_token_is(text, begin, end, "struct"))
            found->type.begin = begin;
        else if (begin <= type->begin && type->begin < end) {
            found->type.begin = found->type.begin ? found->type.begin : begin;
            found->type.end = type->end;
        } else if (begin >= type->end && *name && pm_token_is(text, begin, end, name))
            found->name = (pm_range){begin, end};
        if (found->type.end > end)
            end = found->type.end;
    }
    plain = plain && stars == 1 && found->type.end && (!*name || found->name.end);
    free(name);
    return plain;
}

/* Without a name libclang's end is before what qualifies the pointer. */
static size_t end_of_parameter(const pm_rewrite *rw, const pm_node *node)
{
    const char *text = rw->unit->ast.text;
    size_t at = node->end, begin, end;

    while (pm_token(text, at, rw->unit->ast.length, &begin, &end) &&
           (pm_token_is(text, begin, end, "restrict") || pm_token_is(text, begin, end, "const") ||
            pm_token_is(text, begin, end, "__restrict")))
        at = end;
    return at;
}

/* The declaration of one part, in the words of the parameter's. */
static void add_part(pm_rewrite *rw, const pm_node *node, const words *at, size_t part,
                     const char *name, pm_text *out)
{
    const pm_variable *variable = pm_unit_variable(rw->unit, node);
    const pm_plan_names *names = &rw->structs[variable->to.structure].names;
    const char *text = rw->unit->ast.text;
    CXType type = pm_ast_type(node);

    if (at->type.end) {
        size_t end = at->name.end ? at->name.begin : end_of_parameter(rw, node);

        pm_text_put(out, text + node->begin, at->type.begin - node->begin);
        pm_plan_text_part_type(out, names, part);
        pm_text_put(out, text + at->type.end, end - at->type.end);
        pm_text_add(out, "%s", at->name.end ? name : "");
        return;
    }
    pm_text_add(out, variable->to.constant ? "__constant " : "__global ");
    pm_text_add(out, variable->to.is_const && !variable->to.constant ? "const " : "");
    pm_plan_text_part_type(out, names, part);
    pm_text_add(out, " *%s%s", clang_isRestrictQualifiedType(type) ? "restrict " : "", name);
}

/* Whether text of the node may be copied: it begins and ends outside of macros, or a whole macro
 * stands between commas and parentheses. */
static bool is_visible_parameter(const pm_rewrite *rw, const pm_node *node)
{
    const char *text = rw->unit->ast.text;
    size_t before = node->begin;

    if (!node->in_main || !node->ends_clean || node->in_argument)
        return false;
    while (before > 0 && strchr(" \t\r\n", text[before - 1]))
        before--;
    return node->begins_clean || (before > 0 && strchr("(,", text[before - 1]));
}

/* A parameter list that is written anew from some offset of the text on. */
typedef struct {
    size_t begin;  /* of the parameter's declaration */
    size_t column; /* where the list stands in its line of the new text */
    size_t indent; /* of a new line: behind the list's '(' */
    size_t count;  /* of declarations so far */
    pm_text text;
} list;

static size_t line_of(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static list start_list(const pm_rewrite *rw, const pm_edits *edits, const pm_node *parameter)
{
    const char *text = rw->unit->ast.text;
    size_t open = parameter->begin, at = line_of(text, parameter->begin);
    list l = {.begin = parameter->begin};

    for (const pm_node *child = parameter->parent->first; child; child = child->next)
        if (child->kind == CXCursor_ParmDecl && child->begin < open)
            open = child->begin;
    l.indent = open - line_of(text, open);
    /* Parameters before it in the same line may be longer than they were. */
    for (size_t i = 0; i < edits->count; i++) {
        const pm_edit *edit = &edits->items[i];
        const char *line = strrchr(edit->text, '\n');

        if (edit->begin < at || edit->end > parameter->begin)
            continue;
        l.column = line ? strlen(line + 1) : l.column + edit->begin - at + strlen(edit->text);
        at = edit->end;
    }
    l.column += parameter->begin - at;
    return l;
}

/* One declaration more, in a new line where this one has no room for it. */
static void add_declaration(const pm_rewrite *rw, list *l, const char *declaration)
{
    const char *text = rw->unit->ast.text;
    bool first = l->count++ == 0, fits = l->column + strlen(declaration) + 3 <= LINE;

    if (first && !fits && l->begin > 0 && text[l->begin - 1] == ' ')
        l->begin--; /* no blank at the end of the line */
    else if (first)
        fits = true;
    pm_text_add(&l->text, first ? "" : ",");
    if (!fits) {
        pm_text_add(&l->text, "\n%*s", (int)l->indent, "");
        l->column = l->indent;
    } else if (!first) {
        pm_text_add(&l->text, " ");
        l->column += 2;
    }
    pm_text_add(&l->text, "%s", declaration);
    l->column += strlen(declaration);
}

static void add_declarations(pm_rewrite *rw, const pm_node *node, const pm_variable *variable,
                             const char *name, list *l)
{
    const pm_plan *plan = rw->structs[variable->to.structure].names.plan;
    char **parts = rw->part_names[number_of(rw, variable)];
    pm_text text = {0};
    words at;

    if (!find_words(rw, node, &at))
        at = (words){{0, 0}, {0, 0}};
    for (size_t i = 0; i < plan->part_count; i++) {
        add_part(rw, node, &at, i, parts[i], &text);
        add_declaration(rw, l, pm_text_get(&text));
        pm_text_free(&text);
    }
    if (plan->needs_count) {
        pm_text_add(&text, *parts[plan->part_count] ? "ulong %s" : "ulong",
                    parts[plan->part_count]);
        add_declaration(rw, l, pm_text_get(&text));
        pm_text_free(&text);
    }
    if (variable->mode == PM_VARIABLE_INDEX) {
        pm_text_add(&text, *name ? "long %s" : "long", name);
        add_declaration(rw, l, pm_text_get(&text));
        pm_text_free(&text);
    }
}

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const pm_variable *variable = active_variable(rw, node);
    char *name = pm_ast_name(node);
    list l = start_list(rw, edits, node);

    if (!name) {
        pm_rewrite_no_memory(rw);
        return;
    }
    if (variable->to.is_volatile)
        pm_rewrite_refuse(rw, node, "volatile structs cannot change their layout");
    if (variable->mode == PM_VARIABLE_INDEX && variable->of_kernel)
        pm_rewrite_refuse(rw, node,
                          "this kernel is called from another one with a pointer that is "
                          "not that one's parameter: make it a function of its own");
    if (!is_visible_parameter(rw, node))
        rw->hidden = true;
    if (rw->status == PM_OK && variable->mode == PM_VARIABLE_REF && !variable->of_kernel) {
        pm_text text = {0};

        add_type(rw, variable, &text);
        pm_text_add(&text, *name ? " %s" : "", name);
        add_declaration(rw, &l, pm_text_get(&text));
        pm_text_free(&text);
    } else if (rw->status == PM_OK)
        add_declarations(rw, node, variable, name, &l);
    pm_edits_add(edits, l.begin, end_of_parameter(rw, node), pm_text_get(&l.text));
    rw->edit_count++;
    pm_text_free(&l.text);
    free(name);
}

/* ---- functions ----------------------------------------------------------------------------- */

/* A parameter that changes, or is a reference in a kernel, becomes a variable. */
static void add_variables(pm_rewrite *rw, pm_node *function, pm_text *out)
{
    for (pm_node *child = function->first; child; child = child->next) {
        const pm_variable *variable =
            child->kind == CXCursor_ParmDecl ? active_variable(rw, child) : NULL;
        char *name;

        if (!variable)
            continue;
        name = pm_ast_name(child);
        if (variable->mode == PM_VARIABLE_REF && variable->of_kernel) {
            const pm_value value = {.kind = PM_VALUE_INDEX,
                                    .to = variable->to,
                                    .base = number_of(rw, variable),
                                    .width = PM_WIDTH_ZERO};

            pm_text_add(out, "\n    ");
            add_type(rw, variable, out);
            pm_text_add(out, " %s = ", name ? name : "");
            pm_value_ref(rw, &value, out);
            pm_text_add(out, ";");
        } else if (variable->mode == PM_VARIABLE_PARTS && variable->changes)
            pm_text_add(out, "\n    long %s = 0;", name ? name : "");
        free(name);
    }
}

static bool is_kept_word(const char *text, size_t begin, size_t end)
{
    return pm_token_is(text, begin, end, "static") || pm_token_is(text, begin, end, "inline");
}

/* `static __global T *name` becomes `static T_ref name`. */
static void rewrite_result(pm_rewrite *rw, pm_edits *edits, pm_node *function)
{
    const pm_variable *variable = active_variable(rw, function);
    const char *text = rw->unit->ast.text;
    char *name = pm_ast_name(function);
    size_t begin, end, at = function->begin;
    pm_text type = {0};

    if (!function->begins_clean || !function->in_main || function->in_argument)
        rw->hidden = true;
    for (; name && pm_token(text, at, function->end, &begin, &end); at = end) {
        if (pm_token_is(text, begin, end, name))
            break;
        if (is_kept_word(text, begin, end))
            pm_text_add(&type, "%.*s ", (int)(end - begin), text + begin);
        if (strchr("([", text[begin]))
            pm_rewrite_refuse(rw, function,
                              "this function's type is not understood: write it as "
                              "`__global T *name(..)`");
    }
    add_type(rw, variable, &type);
    pm_text_add(&type, " ");
    if (name && at < function->end)
        pm_edits_add(edits, function->begin, begin, pm_text_get(&type));
    rw->edit_count++;
    pm_text_free(&type);
    free(name);
}

void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function)
{
    pm_text variables = {0};

    if (active_variable(rw, function))
        rewrite_result(rw, edits, function);
    add_variables(rw, function, &variables);
    for (const pm_node *child = function->first; variables.length && child; child = child->next)
        if (child->kind == CXCursor_CompoundStmt) {
            if (!child->in_main || !child->begins_clean)
                rw->hidden = true;
            pm_edits_add(edits, child->begin + 1, child->begin + 1, pm_text_get(&variables));
        }
    pm_text_free(&variables);
    pm_rewrite_children(rw, edits, function);
}

/* ---- variables ----------------------------------------------------------------------------- */

/* [2][3] behind a declarator's name. */
static void add_extents(pm_rewrite *rw, const pm_node *node, pm_text *out)
{
    CXType type = pm_ast_type(node);

    (void)rw;
    while (type.kind == CXType_ConstantArray) {
        pm_text_add(out, "[%lld]", clang_getArraySize(type));
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    }
}

static void add_declarator(pm_rewrite *rw, pm_node *node, pm_text *out)
{
    const pm_variable *variable = active_variable(rw, node);
    pm_node *value = pm_unit_initializer(node);
    char *name = pm_ast_name(node);
    pm_value start;

    pm_text_add(out, "%s", name ? name : "");
    free(name);
    add_extents(rw, node, out);
    if (!value)
        return;
    pm_text_add(out, " = ");
    if (pm_ast_type(node).kind == CXType_ConstantArray) {
        pm_rewrite_text(rw, value, out);
        return;
    }
    if (pm_value_of(rw, value, &start)) {
        if (variable->mode == PM_VARIABLE_REF)
            pm_value_ref(rw, &start, out);
        else
            pm_text_add(out, "%s", start.width == PM_WIDTH_ZERO ? "0" : pm_text_get(&start.index));
    }
    pm_value_free(&start);
}

bool pm_rewrite_declaration(pm_rewrite *rw, pm_edits *edits, pm_node *statement)
{
    const pm_variable *first = NULL;
    bool fixed = true;
    size_t count = 0;
    pm_text text = {0};

    for (const pm_node *child = statement->first; child; child = child->next) {
        const pm_variable *variable =
            child->kind == CXCursor_VarDecl ? active_variable(rw, child) : NULL;

        first = first ? first : variable;
        count += variable != NULL;
        fixed = fixed && variable && variable->mode == PM_VARIABLE_INDEX && !variable->changes;
    }
    if (!first)
        return false;
    if (count != pm_ast_children(statement)) {
        pm_rewrite_refuse(rw, statement,
                          "pointers to structs are declared together with something else: give "
                          "them a declaration of their own");
        return true;
    }
    pm_text_add(&text, fixed ? "const " : "");
    add_type(rw, first, &text);
    pm_text_add(&text, " ");
    for (pm_node *child = statement->first; child; child = child->next) {
        add_declarator(rw, child, &text);
        pm_text_add(&text, child->next ? ", " : ";");
    }
    pm_rewrite_replace(rw, edits, statement, pm_text_get(&text));
    pm_text_free(&text);
    return true;
}

/* ---- calls --------------------------------------------------------------------------------- */

static void rewrite_argument(pm_rewrite *rw, pm_edits *edits, pm_node *argument,
                             const pm_variable *parameter)
{
    pm_value value;
    pm_text text = {0};

    if (pm_value_of(rw, argument, &value)) {
        if (parameter->mode == PM_VARIABLE_REF && !parameter->of_kernel)
            pm_value_ref(rw, &value, &text);
        else if (value.kind != PM_VALUE_INDEX ||
                 (parameter->mode == PM_VARIABLE_PARTS && value.width != PM_WIDTH_ZERO))
            pm_rewrite_refuse(rw, argument,
                              "a kernel is called with a pointer that is no parameter: make what "
                              "it does a function of its own");
        else
            pm_value_parts(rw, &value, &text);
        if (parameter->mode == PM_VARIABLE_INDEX)
            pm_text_add(&text, ", %s",
                        value.width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value.index));
        pm_rewrite_replace(rw, edits, argument, pm_text_get(&text));
    }
    pm_value_free(&value);
    pm_text_free(&text);
}

void pm_rewrite_call(pm_rewrite *rw, pm_edits *edits, pm_node *call)
{
    pm_node *function = pm_unit_callee(rw->unit, call);
    size_t index = 0;

    if (!call->first)
        return;
    pm_rewrite_node(rw, edits, call->first);
    for (pm_node *argument = call->first->next; argument; argument = argument->next, index++) {
        const pm_node *parameter = function ? pm_unit_parameter(function, index) : NULL;
        const pm_variable *variable = parameter ? active_variable(rw, parameter) : NULL;

        if (variable)
            rewrite_argument(rw, edits, argument, variable);
        else
            pm_rewrite_node(rw, edits, argument);
    }
}
