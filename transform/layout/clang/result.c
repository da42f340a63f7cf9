/* Completes a rewritten source: inserts the generated code, adds a comment at the top of the
 * source, and lists the new parameters of the kernels. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "transform/layout/clang/rewrite.h"

/* ---- position of generated text in the source ----------------------------------------------- */

/* If only a comment follows offset `at` on its line, returns the end of the line. Otherwise returns
 * `at`. */
static size_t behind_comment(const pm_ast *ast, size_t at)
{
    size_t line = at + strcspn(ast->text + at, "\r\n"), begin, end;
    bool more = pm_token(ast->text, at, ast->length, &begin, &end);

    /* If the comment continues on the next line, it belongs to the code below, so it is not
     * skipped. */
    for (size_t c = at; c + 1 < line; c++)
        if (strncmp(ast->text + c, "/*", 2) == 0 &&
            (!strstr(ast->text + c + 2, "*/") ||
             strstr(ast->text + c + 2, "*/") > ast->text + line))
            return at;
    return !more || begin > line ? line : at;
}

/* Returns the offset after the ';' of a declaration at file scope, and after a comment that follows
 * on the same line. */
static size_t behind_declaration(const pm_ast *ast, const pm_node *node)
{
    size_t begin, end, depth = 0;

    for (size_t at = node->end; pm_token(ast->text, at, ast->length, &begin, &end); at = end) {
        if (strchr("({[", ast->text[begin]))
            depth++;
        else if (strchr(")}]", ast->text[begin]) && depth > 0)
            depth--;
        else if (ast->text[begin] == ';' && depth == 0)
            return behind_comment(ast, end);
    }
    return node->end;
}

/* Returns the offset before a declaration and before the comments directly above it. */
static size_t before_declaration(const pm_ast *ast, const pm_node *node)
{
    size_t at = node->begin;

    for (;;) {
        size_t end = at, begin;

        while (end > 0 && isspace((unsigned char)ast->text[end - 1]))
            end--;
        if (end < 4 || strncmp(ast->text + end - 2, "*/", 2) != 0)
            return at;
        for (begin = end - 3; begin > 0 && strncmp(ast->text + begin, "/*", 2) != 0;)
            begin--;
        if (begin > 0 && ast->text[begin - 1] != '\n')
            return at; /* the comment follows code on its line, so it belongs to that code */
        at = begin;
    }
}

void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, char *generated)
{
    const pm_ast *ast = &rw->unit->ast;
    const pm_node *node = rw->unit->structs[structure].node;
    size_t at;

    if (!*generated)
        return;
    if (pm_ast_is_own(node)) {
        at = behind_declaration(ast, node);
        /* Remove the newline at the end of `generated`, because the source already has a newline at
         * this offset. */
        generated[strlen(generated) - 1] = '\0';
        generated = pm_format(&rw->memory, "\n\n%s%s", generated,
                              ast->text[at] == '\n' && ast->text[at + 1] != '\n' ? "\n" : "");
    } else {
        for (node = ast->root->first;
             node && !(node->kind == CXCursor_FunctionDecl && node->in_main);)
            node = node->next;
        at = node ? before_declaration(ast, node) : 0;
        generated = pm_format(&rw->memory, "%s\n", generated);
    }
    pm_edits_add(edits, at, at, generated);
}

/* ---- text of the new source ---------------------------------------------------------------- */

static void add_comment(pm_rewrite *rw, pm_text *out)
{
    const char *slash = strrchr(rw->unit->path, '/');
    const char *name = slash ? slash + 1 : rw->unit->path;
    size_t count = 0;

    pm_text_add(out, "/* Rewritten by perfmodel from ");
    for (const char *c = name; *c; c++)
        pm_text_put(out, *c == '*' || *c == '/' || (unsigned char)*c < ' ' ? "?" : c, 1);
    for (size_t s = 0; s < rw->unit->info.structs.count; s++) {
        const pm_plan *plan = pm_rewrite_plan(rw, s);

        if (!plan)
            continue;
        pm_text_add(out, "%s %s in layout ", count++ ? "," : ":", rw->structs[s].names.structure);
        pm_layout_text(out, &plan->layout, plan->structure);
    }
    pm_text_add(out, ". */\n");
}

/* Appends a preprocessed text without the preprocessor's line markers. Several empty lines become
 * one. */
static void add_without_markers(const char *text, pm_text *out)
{
    bool empty = true;

    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " \t\r");
        bool last = text[length] == '\0';

        if (blanks >= length) {
            if (!empty)
                pm_text_add(out, "\n");
            empty = true;
        } else if (!(text[0] == '#' && text[1] == ' ' && isdigit((unsigned char)text[2]))) {
            pm_text_put(out, text, length);
            pm_text_add(out, "\n");
            empty = false;
        }
        text += length + !last;
    }
}

/* ---- parameters of the new kernels --------------------------------------------------------- */

static void map_kernel(const pm_rewrite *rw, const pm_node *kernel, pm_kernel_map *map,
                       pm_memory *memory)
{
    const pm_node *parameter;

    for (size_t i = 0; (parameter = pm_ast_parameter(kernel, i)) != NULL; i++) {
        const pm_variable *variable = pm_unit_variable(rw->unit, parameter);
        const pm_plan *plan = variable ? pm_rewrite_plan(rw, variable->to.structure) : NULL;

        if (!plan)
            *pm_add(memory, map->params, map->count) = (pm_param_map){PM_PARAM_SAME, i, 0};
        for (size_t p = 0; plan && p < plan->part_count; p++)
            *pm_add(memory, map->params, map->count) = (pm_param_map){PM_PARAM_PART, i, p};
        if (plan && plan->needs_count)
            *pm_add(memory, map->params, map->count) = (pm_param_map){PM_PARAM_COUNT, i, 0};
    }
}

void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out)
{
    pm_text whole = {.memory = &rw->memory};

    out->memory = pm_memory_beside(&rw->memory);
    for (const pm_node *node = rw->unit->ast.root->first; node; node = node->next) {
        pm_kernel_map *map;

        if (!node->is_kernel || !pm_unit_is_described(rw->unit, node))
            continue;
        map = pm_add(&out->memory, out->kernels, out->kernel_count);
        map->name = pm_copy(&out->memory, node->name);
        map_kernel(rw, node, map, &out->memory);
    }
    if (rw->edit_count > 0)
        add_comment(rw, &whole);
    if (rw->unit->preprocessed)
        add_without_markers(pm_text_get(text), &whole);
    else
        pm_text_put(&whole, pm_text_get(text), text->length);
    out->text = pm_copy(&out->memory, pm_text_get(&whole));
    pm_edits_drop_lines(out->text);
    out->edits = rw->edit_count;
    out->wide_loads = rw->wide_loads;
    out->wide_stores = rw->wide_stores;
}
