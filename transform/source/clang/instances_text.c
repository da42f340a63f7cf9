/* Writes a source in which functions replace template instances. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/edits.h"
#include "transform/source/clang/instances.h"
#include "transform/source/clang/names.h"

/* ---- a function ----------------------------------------------------------------------------- */

/* State while a function that replaces a template instance is written from the text of the
 * template. */
typedef struct {
    pm_instancing *in;
    const pm_instance *instance;
    /* the definition of the template, or a declaration of it, whose text is copied */
    const pm_node *node;
    pm_edits edits;
    pm_text types; /* typedefs for the types of the instance */
} writing;

static bool is_edited(const writing *w, size_t at)
{
    for (size_t i = 0; i < w->edits.count; i++)
        if (at >= w->edits.items[i].begin && at < w->edits.items[i].end)
            return true;
    return false;
}

static void edit(writing *w, size_t begin, size_t end, const char *text)
{
    if (!is_edited(w, begin))
        pm_edits_add(&w->edits, begin, end, text);
}

static bool is_branch_of_words(const pm_node *branch)
{
    return branch->kind != CXCursor_CompoundStmt && branch->kind != CXCursor_IfStmt &&
           !pm_is_loop(branch);
}

/* Adds the edit that leaves only one branch of an `if constexpr` in the text: the first one if
 * `holds` is true. */
static void edit_choice(writing *w, const pm_node *choice, bool holds)
{
    const char *text = w->in->request->text;
    const pm_node *yes = pm_ast_child(choice, 1), *no = pm_ast_child(choice, 2);
    const pm_node *branch = holds ? yes : no;
    size_t begin, end;
    bool ends;

    if (!yes || pm_ast_children(choice) > 3 || !pm_ast_is_own(choice))
        /* Leave the `if constexpr` unchanged if its condition declares a variable, if it has no
         * branch, or if a macro contains it. The compiler then chooses the branch. */
        return;
    if (!branch) {
        pm_token(text, yes->end, w->node->end, &begin, &end);
        edit(w, choice->begin, is_branch_of_words(yes) && text[begin] == ';' ? end : choice->end,
             ";");
        return;
    }
    ends = pm_token(text, choice->end, w->node->end, &begin, &end) && text[begin] == ';';
    edit(w, choice->begin, branch->begin, "");
    if (branch->end < choice->end)
        edit(w, branch->end, choice->end, is_branch_of_words(branch) && !ends ? ";" : "");
}

static void edit_choices(writing *w)
{
    PM_EACH_NODE(&w->in->ast, w->node, node)
        for (size_t i = 0; node->kind == CXCursor_IfStmt && i < w->instance->choice_count; i++)
            if (w->instance->choices[i].begin == node->begin && !is_edited(w, node->begin))
                edit_choice(w, node, w->instance->choices[i].holds);
}

static void edit_uses(writing *w)
{
    for (size_t i = 0; i < w->instance->use_count; i++) {
        const pm_instance_use *use = &w->instance->uses[i];

        if (use->place.end > use->place.begin)
            edit(w, use->place.begin, use->place.end, use->of->name);
        else if (strcmp(use->of->name, use->of->pattern->name) != 0)
            pm_ast_refuse(&w->in->memory, w->node,
                          "a macro in template %s names another template, %s: write that without "
                          "the macro",
                          w->node->name, use->of->pattern->name);
    }
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* Returns the text that replaces a template parameter: the argument's text or, if this text cannot
 * be used, a new typedef name for it. */
static const char *word_of(writing *w, const pm_instance_argument *argument, const char *parameter)
{
    pm_memory *memory = &w->in->memory;
    const char *name;

    if (!argument->named)
        return argument->text;
    name = pm_format(memory, "%s_%s", w->instance->name, parameter);
    if (clang_isCursorDefinition(w->node->cursor))
        pm_text_add(&w->types, "typedef %s %s;\n", argument->text, name);
    return name;
}

/* Returns whether the token at `begin` is the name of a struct member. The T in p.T, for example,
 * is not the template parameter T. */
static bool is_member(const char *text, size_t begin)
{
    while (begin > 0 && strchr(" \t\r\n", text[begin - 1]))
        begin--;
    return begin > 0 && (text[begin - 1] == '.' ||
                         (begin > 1 && text[begin - 1] == '>' && text[begin - 2] == '-') ||
                         (begin > 1 && text[begin - 1] == ':' && text[begin - 2] == ':'));
}

static void edit_parameter(writing *w, const char *name, const char *word)
{
    const char *text = w->in->request->text;
    size_t begin, end = w->node->begin;

    while (pm_token(text, end, w->node->end, &begin, &end))
        if (pm_token_is(text, begin, end, name) && !is_member(text, begin))
            edit(w, begin, end, word);
}

static void edit_parameters(writing *w)
{
    size_t at = 0;

    for (const pm_node *child = w->node->first; child; child = child->next) {
        if (child->kind != CXCursor_TemplateTypeParameter &&
            child->kind != CXCursor_NonTypeTemplateParameter)
            continue;
        if (at < w->instance->argument_count && *child->name)
            edit_parameter(w, child->name, word_of(w, &w->instance->arguments[at], child->name));
        at++;
    }
}

/* ---- a template ----------------------------------------------------------------------------- */

/* Returns the offset after the > of template <...> at the start of a template. */
static size_t end_of_head(const char *text, const pm_node *node)
{
    size_t begin, end = node->begin, angles = 0, parens = 0;

    while (pm_token(text, end, node->end, &begin, &end)) {
        parens += text[begin] == '(';
        parens -= text[begin] == ')' && parens > 0;
        if (parens > 0)
            continue;
        angles += text[begin] == '<';
        if (text[begin] == '>' && --angles == 0)
            break;
    }
    pm_token(text, end, node->end, &begin, &end);
    return begin;
}

/* Adds the edits that remove template <...> from the start of the template. Lines that become empty
 * are marked with PM_EDITS_NO_LINE, so that they are removed later. */
static void edit_head(writing *w)
{
    const char *text = w->in->request->text;
    const size_t end = end_of_head(text, w->node);
    pm_text lines = {.memory = &w->in->memory};

    for (size_t at = w->node->begin; at < end; at++)
        if (text[at] == '\n')
            pm_text_add(&lines, PM_EDITS_NO_LINE "\n");
    edit(w, w->node->begin, end, pm_text_get(&lines));
}

static void edit_name(writing *w)
{
    const CXSourceLocation location = clang_getCursorLocation(w->node->cursor);
    const char *name = w->node->name;
    unsigned at = 0;

    clang_getFileLocation(location, NULL, NULL, NULL, &at);
    if (strcmp(w->instance->name, name) == 0)
        return;
    if (at + strlen(name) > w->node->end ||
        strncmp(w->in->request->text + at, name, strlen(name)) != 0)
        pm_ast_refuse(&w->in->memory, w->node,
                      "a macro makes the name of template %s: write it without", name);
    edit(w, at, at + strlen(name), w->instance->name);
}

/* Appends the function for one instance, made from the text of the template's definition or
 * declaration `node`. */
static void write_instance(pm_instancing *in, const pm_instance *instance, const pm_node *node,
                           pm_text *out)
{
    const char *text = in->request->text;
    writing w = {.in = in, .instance = instance, .node = node};
    pm_text function = {.memory = &in->memory};

    w.edits.memory = w.types.memory = &in->memory;
    edit_head(&w);
    edit_name(&w);
    if (node == instance->pattern) {
        edit_choices(&w);
        edit_uses(&w);
    }
    edit_parameters(&w);
    if (!pm_edits_apply(&w.edits, text, node->begin, node->end, &function))
        pm_ast_refuse(&in->memory, node, "template %s cannot be written out as a function",
                      node->name);
    pm_text_add(out, "%s%s", pm_text_get(&w.types), pm_text_get(&function));
}

void pm_instances_path(const pm_instancing *in, pm_text *out)
{
    for (const char *c = in->request->path; *c; c++)
        pm_text_add(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
}

/* Appends a #line directive that gives the next line the number `line` of the source. */
static void add_line(const pm_instancing *in, unsigned line, pm_text *out)
{
    pm_text_add(out, PM_EDITS_NO_LINE "#line %u \"", line);
    pm_instances_path(in, out);
    pm_text_add(out, "\"");
}

/* Returns the text that replaces a template: the template itself if it is left in the text, and the
 * functions for its instances. If these are several texts, a #line directive after them restores
 * the line number. */
static char *write_template(pm_instancing *in, const pm_node *node, const pm_node *pattern)
{
    const unsigned line = pm_ast_line(node, NULL), last = pm_ast_last_line(node);
    const bool ends = in->request->text[node->end] == '\n';
    pm_text between = {.memory = &in->memory}, out = {.memory = &in->memory};
    size_t texts = in->stays[pattern->number];

    if (!pm_ast_is_own(node))
        pm_ast_refuse(&in->memory, node, "a macro makes template %s: write it without",
                      pattern->name);
    pm_text_add(&between, node == pattern ? "\n\n" : ";\n");
    add_line(in, line, &between);
    pm_text_add(&between, "\n");
    if (in->stays[pattern->number])
        pm_text_put(&out, in->request->text + node->begin, node->end - node->begin);
    for (size_t i = 0; i < in->count; i++)
        if (in->items[i]->pattern == pattern && !in->items[i]->is_later) {
            pm_text_add(&out, "%s", texts++ > 0 ? pm_text_get(&between) : "");
            write_instance(in, in->items[i], node, &out);
        }
    if (texts != 1 && ends) {
        pm_text_add(&out, texts ? "\n" : "");
        add_line(in, last + 1, &out);
    }
    return pm_copy(&in->memory, pm_text_get(&out));
}

/* Inserts the function for an instance that must stand after its template, at the position that was
 * chosen for it. */
static void write_later(pm_instancing *in, const pm_instance *instance, pm_edits *edits)
{
    const pm_node *before = instance->before;
    const size_t at = before ? pm_line_start(in->request->text, before->begin) : in->length;
    pm_text out = {.memory = &in->memory};

    pm_text_add(&out, before ? "" : "\n");
    add_line(in, pm_ast_line(instance->pattern, NULL), &out);
    pm_text_add(&out, "\n");
    write_instance(in, instance, instance->pattern, &out);
    pm_text_add(&out, "\n\n");
    if (before) {
        add_line(in, pm_ast_line(before, NULL), &out);
        pm_text_add(&out, "\n");
    }
    pm_edits_add(edits, at, at, pm_text_get(&out));
}

/* ---- the source ----------------------------------------------------------------------------- */

static void edit_source(pm_instancing *in, pm_edits *edits)
{
    for (const pm_node *node = in->ast.root->first; node; node = node->next) {
        const pm_node *pattern = pm_instances_pattern(in, node);

        if (pattern)
            pm_edits_add(edits, node->begin, node->end, write_template(in, node, pattern));
    }
    for (size_t i = 0; i < in->count; i++)
        if (in->items[i]->is_later)
            write_later(in, in->items[i], edits);
    for (size_t i = 0; i < in->use_count; i++) {
        const pm_instance_use *use = &in->uses[i];

        if (use->place.end > use->place.begin)
            pm_edits_add(edits, use->place.begin, use->place.end, use->of->name);
        else if (strcmp(use->of->name, use->of->pattern->name) != 0)
            pm_ast_refuse(&in->memory, use->of->pattern,
                          "a macro names template %s: write that without the macro",
                          use->of->pattern->name);
    }
}

static const char *apply(pm_instancing *in, pm_edits *edits, const char *text)
{
    pm_text out = {.memory = &in->memory};

    if (!pm_edits_apply(edits, text, 0, in->length, &out))
        pm_leave(&in->memory, PM_BAD_INPUT,
                 "%s: its templates cannot be written out as functions: write the instances that "
                 "are launched so",
                 in->request->path);
    return pm_text_get(&out);
}

/* Returns the name of a requested kernel in the new source. The new name of ns::reduce<float, 256>
 * is "ns::" and the name of the instance's function. */
static char *kernel_name(pm_instancing *in, size_t number)
{
    pm_memory *memory = &in->out->memory;
    const char *asked = in->asked[number];
    size_t length = strcspn(asked, "<");

    if (!in->kernels[number])
        return pm_copy(memory, asked);
    while (length > 0 && asked[length - 1] != ':')
        length--;
    return pm_format(memory, "%.*s%s", (int)length, asked, in->kernels[number]->name);
}

void pm_instances_text(pm_instancing *in)
{
    pm_edits edits = {.memory = &in->memory};
    const char *parsed = in->request->parsed;
    pm_instances *out = in->out;

    edit_source(in, &edits);
    in->text = apply(in, &edits, in->request->text);
    in->parsed = parsed ? apply(in, &edits, parsed) : in->text;
    out->kernels = pm_take(&out->memory, in->asked_count, sizeof *out->kernels);
    for (size_t i = 0; i < in->asked_count; i++)
        out->kernels[out->kernel_count++] = kernel_name(in, i);
}
