/* Rewrites declarations of a source whose arrays of structs get another memory layout: parameters,
 * results and variables that point to elements, and the arguments of calls. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

enum { LINE = 100 };

static size_t number_of(const pm_rewrite *rw, const pm_variable *variable)
{
    return (size_t)(variable - rw->unit->variables);
}

static const char *type_of(pm_rewrite *rw, const pm_variable *variable)
{
    return variable->mode == PM_VARIABLE_REF ? pm_generate_name(rw, &variable->to, PM_NEED_REF)
                                             : rw->words->index;
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* Positions in the source of the words in a parameter's declaration that are replaced. If `end` is
 * 0, the word was not found. */
typedef struct {
    pm_range type, name; /* type: position of the struct's name, Particle or struct Particle */
} words;

/* Finds the words to replace in a parameter's declaration. Returns false if the declaration does
 * not have the form [qualifiers] T [qualifiers] * [qualifiers] [name]. */
static bool find_words(const pm_rewrite *rw, const pm_node *node, words *found)
{
    const char *text = rw->unit->ast.text;
    const pm_node *type = NULL;
    size_t begin, end, stars = 0;

    *found = (words){{0, 0}, {0, 0}};
    for (const pm_node *child = node->first; child; child = child->next)
        if (child->kind == CXCursor_TypeRef)
            type = child;
    if (!type || !type->begins_clean || !type->ends_clean || type->type.kind != CXType_Record)
        return false;
    for (size_t at = node->begin; pm_token(text, at, node->end, &begin, &end); at = end) {
        if (text[begin] == '*')
            stars++;
        else if (strchr("[(", text[begin]))
            return false;
        else if (pm_token_is(text, begin, end, "struct"))
            found->type.begin = begin;
        else if (begin <= type->begin && type->begin < end) {
            found->type.begin = found->type.begin ? found->type.begin : begin;
            found->type.end = type->end;
        } else if (begin >= type->end && *node->name && pm_token_is(text, begin, end, node->name))
            found->name = (pm_range){begin, end};
        if (found->type.end > end)
            end = found->type.end;
    }
    return stars == 1 && found->type.end && (!*node->name || found->name.end);
}

/* Returns the offset of the end of a parameter's declaration. If the parameter has no name,
 * libclang's end leaves out the qualifiers after the *. */
static size_t end_of_parameter(const pm_rewrite *rw, const pm_node *node)
{
    const char *text = rw->unit->ast.text;
    size_t at = node->end, begin, end;

    while (pm_token(text, at, rw->unit->ast.length, &begin, &end) &&
           (pm_token_is(text, begin, end, "restrict") || pm_token_is(text, begin, end, "const") ||
            pm_token_is(text, begin, end, "__restrict") ||
            pm_token_is(text, begin, end, "__restrict__")))
        at = end;
    return at;
}

/* Returns the declaration of the new parameter that points to one part (buffer of the new layout).
 * It has the qualifiers of the original parameter. */
static const char *declare_part(pm_rewrite *rw, const pm_node *node, const words *at, size_t part,
                                const char *name)
{
    const pm_variable *variable = pm_unit_variable(rw->unit, node);
    const pm_plan_names *names = &rw->structs[variable->to.structure].names;
    const char *text = rw->unit->ast.text;
    pm_text out = {.memory = &rw->memory};

    if (at->type.end) {
        size_t end = at->name.end ? at->name.begin : end_of_parameter(rw, node);

        pm_text_put(&out, text + node->begin, at->type.begin - node->begin);
        pm_plan_text_part_type(&out, names, part);
        pm_text_put(&out, text + at->type.end, end - at->type.end);
        pm_text_add(&out, "%s", at->name.end ? name : "");
        return pm_text_get(&out);
    }
    pm_text_add(&out, "%s", variable->to.constant ? rw->words->constant : rw->words->global);
    pm_text_add(&out, variable->to.is_const && !variable->to.constant ? "const " : "");
    pm_plan_text_part_type(&out, names, part);
    pm_text_add(&out, " *");
    if (clang_isRestrictQualifiedType(node->type))
        pm_text_add(&out, "%s ", rw->words->restricted);
    pm_text_add(&out, "%s", name);
    return pm_text_get(&out);
}

/* Returns true if the text of a parameter's declaration may be copied: it starts and ends outside
 * of macros, or it is exactly one use of a macro. */
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

/* The new parameters that replace one parameter of a function. */
typedef struct {
    size_t begin;  /* offset in the source of the replaced parameter's declaration */
    size_t column; /* current column in the new text */
    size_t indent; /* indentation of a new line: the column after the '(' of the parameter list */
    size_t count;  /* number of new parameters so far */
    pm_text text;
} list;

static list start_list(const pm_rewrite *rw, const pm_edits *edits, const pm_node *parameter)
{
    const char *text = rw->unit->ast.text;
    size_t open = parameter->begin, at = pm_line_start(text, parameter->begin);
    list l = {.begin = parameter->begin, .text = {.memory = edits->memory}};

    for (const pm_node *child = parameter->parent->first; child; child = child->next)
        if (child->kind == CXCursor_ParmDecl && child->begin < open)
            open = child->begin;
    l.indent = open - pm_line_start(text, open);
    /* Parameters on the same line before `parameter` may be longer in the new source. Correct the
     * column. */
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

/* Appends the declaration of a new parameter. Starts a new line if it does not fit on the present
 * one. */
static void add_declaration(const pm_rewrite *rw, list *l, const char *declaration)
{
    const char *text = rw->unit->ast.text;
    bool first = l->count++ == 0, fits = l->column + strlen(declaration) + 3 <= LINE;

    if (first && !fits && l->begin > 0 && text[l->begin - 1] == ' ')
        l->begin--; /* removes the blank at the end of the source's line */
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
                             list *l)
{
    const pm_plan *plan = pm_rewrite_plan(rw, variable->to.structure);
    const char **parts = rw->part_names[number_of(rw, variable)];
    const char *count = parts[plan->part_count];
    words at;

    if (!find_words(rw, node, &at))
        at = (words){{0, 0}, {0, 0}};
    for (size_t i = 0; i < plan->part_count; i++)
        add_declaration(rw, l, declare_part(rw, node, &at, i, parts[i]));
    if (plan->needs_count)
        add_declaration(rw, l,
                        pm_format(&rw->memory, *count ? "%s %s" : "%s", rw->words->count, count));
    if (variable->mode == PM_VARIABLE_INDEX)
        add_declaration(
            rw, l,
            pm_format(&rw->memory, *node->name ? "%s %s" : "%s", rw->words->index, node->name));
}

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const pm_variable *variable = pm_rewrite_variable(rw, node);
    list l = start_list(rw, edits, node);

    if (variable->to.is_volatile)
        pm_ast_refuse(&rw->memory, node, "volatile structs cannot change their layout");
    if (variable->mode == PM_VARIABLE_INDEX && variable->of_kernel)
        pm_ast_refuse(&rw->memory, node,
                      "this kernel is called from another one with a pointer that is not that "
                      "one's parameter: make it a function of its own");
    pm_rewrite_need(rw, is_visible_parameter(rw, node));
    if (variable->mode == PM_VARIABLE_REF && !variable->of_kernel)
        add_declaration(rw, &l,
                        pm_format(&rw->memory, *node->name ? "%s %s" : "%s", type_of(rw, variable),
                                  node->name));
    else
        add_declarations(rw, node, variable, &l);
    pm_edits_add(edits, l.begin, end_of_parameter(rw, node), pm_text_get(&l.text));
    rw->edit_count++;
}

/* ---- functions ----------------------------------------------------------------------------- */

/* Returns declarations for the start of a function's body. A parameter of a kernel that the
 * rewriter replaces by a reference (a generated struct with the buffers and an index) gets a
 * variable of this struct's type. A parameter that is replaced by the buffers, but changed by the
 * function, as in p++, gets an index variable that starts at 0. */
static const char *declare_variables(pm_rewrite *rw, pm_node *function)
{
    pm_text out = {.memory = &rw->memory};

    for (pm_node *child = function->first; child; child = child->next) {
        const pm_variable *variable =
            child->kind == CXCursor_ParmDecl ? pm_rewrite_variable(rw, child) : NULL;

        if (variable && variable->mode == PM_VARIABLE_REF && variable->of_kernel) {
            const pm_element_value value = {.kind = PM_VALUE_INDEX,
                                            .to = variable->to,
                                            .base = number_of(rw, variable),
                                            .index = "0"};

            pm_text_add(&out, "\n    %s %s = %s;", type_of(rw, variable), child->name,
                        pm_value_ref(rw, &value));
        } else if (variable && variable->mode == PM_VARIABLE_PARTS && variable->changes)
            pm_text_add(&out, "\n    %s %s = 0;", rw->words->index, child->name);
    }
    return pm_text_get(&out);
}

static bool is_kept_word(const char *text, size_t begin, size_t end)
{
    return pm_token_is(text, begin, end, "static") || pm_token_is(text, begin, end, "inline") ||
           pm_token_is(text, begin, end, "__device__") ||
           pm_token_is(text, begin, end, "__host__") ||
           pm_token_is(text, begin, end, "__forceinline__") ||
           pm_token_is(text, begin, end, "__noinline__");
}

/* Rewrites the result type of a function that returns a pointer to an element: `static __global T
 * *name` becomes `static T_ref name`. */
static void rewrite_result(pm_rewrite *rw, pm_edits *edits, pm_node *function)
{
    const pm_variable *variable = pm_rewrite_variable(rw, function);
    const char *text = rw->unit->ast.text, *type = "";
    size_t begin, end, at = function->begin;

    pm_rewrite_need(rw, function->begins_clean && function->in_main && !function->in_argument);
    for (; pm_token(text, at, function->end, &begin, &end); at = end) {
        if (pm_token_is(text, begin, end, function->name))
            break;
        if (is_kept_word(text, begin, end))
            type = pm_format(&rw->memory, "%s%.*s ", type, (int)(end - begin), text + begin);
        if (strchr("([", text[begin]))
            pm_ast_refuse(&rw->memory, function,
                          "this function's type is not understood: write it as `%sT *name(..)`",
                          rw->words->global);
    }
    if (at < function->end)
        pm_edits_add(edits, function->begin, begin,
                     pm_format(&rw->memory, "%s%s ", type, type_of(rw, variable)));
    rw->edit_count++;
}

void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function)
{
    const pm_node *body = pm_ast_body(function);
    const char *variables;

    if (pm_rewrite_variable(rw, function))
        rewrite_result(rw, edits, function);
    variables = declare_variables(rw, function);
    if (*variables && body) {
        pm_rewrite_need(rw, body->in_main && body->begins_clean);
        pm_edits_add(edits, body->begin + 1, body->begin + 1, variables);
    }
}

/* ---- variables ----------------------------------------------------------------------------- */

const char *pm_declaration_type(pm_rewrite *rw, const pm_node *statement)
{
    const pm_variable *first = NULL;
    bool fixed = true;
    size_t count = 0;

    for (const pm_node *child = statement->first; child; child = child->next) {
        const pm_variable *variable =
            child->kind == CXCursor_VarDecl ? pm_rewrite_variable(rw, child) : NULL;

        first = first ? first : variable;
        count += variable != NULL;
        fixed = fixed && variable && variable->mode == PM_VARIABLE_INDEX && !variable->changes;
    }
    if (!first)
        return NULL;
    if (count != pm_ast_children(statement))
        pm_ast_refuse(&rw->memory, statement,
                      "pointers to structs are declared together with something else: give them a "
                      "declaration of their own");
    return pm_format(&rw->memory, "%s%s ", fixed ? "const " : "", type_of(rw, first));
}

/* ---- arguments ----------------------------------------------------------------------------- */

const char *pm_argument_text(pm_rewrite *rw, const pm_node *argument, const pm_element_value *value,
                             const pm_variable *parameter)
{
    const char *text;

    if (parameter->mode == PM_VARIABLE_REF && !parameter->of_kernel)
        text = pm_value_ref(rw, value);
    else if (value->kind != PM_VALUE_INDEX ||
             (parameter->mode == PM_VARIABLE_PARTS && value->width != PM_WIDTH_ZERO))
        pm_ast_refuse(&rw->memory, argument,
                      "a kernel is called with a pointer that is no parameter: make what it does a "
                      "function of its own");
    else
        text = pm_value_parts(rw, value);
    if (parameter->mode == PM_VARIABLE_INDEX)
        text = pm_format(&rw->memory, "%s, %s", text, value->index);
    return text;
}
