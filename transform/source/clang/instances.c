/* Finds the instances of function templates that a source uses. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An instance is a function that the compiler makes from a template. In libclang, the instances are
 * not children of their template. But where the source names an instance, libclang gives the cursor
 * of its declaration. The declaration's tree can be visited like that of any other function, and
 * its nodes have their locations in the text of the template.
 */
#include "transform/source/clang/instances.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "transform/source/clang/cursors.h"
#include "transform/source/clang/names.h"
#include "transform/source/clang/references.h"

/* Limits: depth of template instances that use other instances, and number of instances. A source
 * with more of them is refused. */
enum { MOST_DEPTH = 200, MOST_INSTANCES = 1000 };

/* Callback that libclang calls for each node of a function's body. Collects the names of functions
 * that the body uses, and its if statements. */
static enum CXChildVisitResult take_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const enum CXCursorKind kind = clang_getCursorKind(cursor);

    (void)parent;
    if (kind == CXCursor_FunctionTemplate || kind == CXCursor_ClassTemplate)
        return CXChildVisit_Continue;
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_IfStmt)
        return CXChildVisit_Recurse;
    return pm_cursors_add(data, cursor, CXChildVisit_Recurse);
}

/* Lists the names of functions and the if statements in the body of a function. *items becomes an
 * array of their cursors, which in->memory owns. Returns their number. */
static size_t parts_of(pm_instancing *in, CXCursor function, CXCursor **items)
{
    pm_cursors list = {.items = NULL};
    const size_t bytes = sizeof *list.items;
    size_t count;

    clang_visitChildren(function, take_part, &list);
    count = list.count;
    *items = list.failed ? NULL : pm_try_take(&in->memory, count, bytes);
    if (*items && count > 0)
        memcpy(*items, list.items, count * bytes);
    pm_cursors_free(&list);
    if (!*items)
        pm_leave(&in->memory, PM_FAILED, "out of memory for the source's templates");
    return count;
}

/* Finds the offset in the source's text of a source location. Returns false if the location is in
 * another file. */
static bool offset_of(const pm_instancing *in, CXSourceLocation location, size_t *offset)
{
    CXFile file = NULL;
    unsigned at = 0;

    clang_getFileLocation(location, &file, NULL, NULL, &at);
    *offset = at;
    return file && clang_File_isEqual(file, in->ast.file) && at < in->ast.length;
}

/* ---- uses ----------------------------------------------------------------------------------- */

/* Returns the definition of the template of which a function is an instance. Returns NULL if the
 * function is no instance, or the source itself does not contain the template. */
static const pm_node *pattern_of(const pm_instancing *in, CXCursor function)
{
    const CXCursor template = clang_getSpecializedCursorTemplate(function);
    const pm_node *pattern;

    if (clang_getCursorKind(function) != CXCursor_FunctionDecl || clang_Cursor_isNull(template) ||
        pm_ast_find(&in->ast, function) ||
        pm_ast_find(&in->ast, clang_getCursorDefinition(
                                  /* the tree has an explicit specialization, which is a function
                                   * with its own text and no instance of the template */
                                  function)))
        return NULL;
    pattern = pm_ast_find(&in->ast, clang_getCursorDefinition(template));
    return pattern && pattern->kind == CXCursor_FunctionTemplate && pattern->in_main ? pattern
                                                                                     : NULL;
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

/* State while functions, and the template instances that they use, are searched for further
 * instances. */
typedef struct {
    pm_instancing *in;
    /* the instance whose body is visited; NULL: the body of an ordinary function is visited */
    pm_instance *around;
    size_t depth;
    size_t found_count;
    pm_instance **found; /* all instances that were found so far */
} walk;

static void walk_function(walk *w, pm_instance *around, CXCursor function);

static pm_instance *find_instance(const walk *w, CXCursor function)
{
    for (size_t i = 0; i < w->found_count; i++)
        if (clang_equalCursors(w->found[i]->function, function))
            return w->found[i];
    return NULL;
}

static pm_instance *instance_for(walk *w, const pm_node *pattern, CXCursor function)
{
    pm_instancing *in = w->in;
    pm_instance *instance = find_instance(w, function);

    if (instance)
        return instance;
    if (w->depth >= MOST_DEPTH || w->found_count >= MOST_INSTANCES)
        pm_ast_refuse(&in->memory, pattern, "template %s has too many instances that use others",
                      pattern->name);
    instance = pm_take(&in->memory, 1, sizeof *instance);
    *instance = (pm_instance){.pattern = pattern, .function = function};
    *pm_add(&in->memory, w->found, w->found_count) = instance;
    pm_instance_arguments(in, instance);
    w->depth++;
    walk_function(w, instance, function);
    w->depth--;
    *pm_add(&in->memory, in->items, in->count) = instance;
    return instance;
}

/* Returns the range in the source of a name and the template arguments in <> that follow it. The
 * range is empty if a macro generates the name. */
static pm_range place_of(const pm_instancing *in, CXCursor use, const char *name)
{
    const size_t length = strlen(name);
    pm_range place = {0};

    if (offset_of(in, clang_getCursorLocation(use), &place.begin) &&
        offset_of(in, clang_getRangeEnd(clang_getCursorExtent(use)), &place.end) &&
        place.begin + length <= place.end && strncmp(in->ast.text + place.begin, name, length) == 0)
        return place;
    return (pm_range){0};
}

static void add_use(walk *w, CXCursor use)
{
    pm_instancing *in = w->in;
    const CXCursor function = clang_getCanonicalCursor(clang_getCursorReferenced(use));
    const pm_node *pattern = pattern_of(in, function);
    pm_instance_use made;

    if (!pattern)
        return;
    made.of = instance_for(w, pattern, function);
    made.place = place_of(in, use, pattern->name);
    if (w->around)
        *pm_add(&in->memory, w->around->uses, w->around->use_count) = made;
    else
        *pm_add(&in->memory, in->uses, in->use_count) = made;
}

/* If an if statement in a template instance is an `if constexpr` whose condition clang can
 * evaluate, records the condition's value. The function that replaces the instance then contains
 * only the branch that is executed. */
static void add_choice(walk *w, CXCursor choice)
{
    pm_instancing *in = w->in;
    CXCursor condition = clang_getNullCursor();
    size_t begin, token, end;
    CXEvalResult result;

    if (!w->around || !offset_of(in, clang_getCursorLocation(choice), &begin) ||
        !pm_token(in->ast.text, begin + 2, in->ast.length, &token, &end) ||
        !pm_token_is(in->ast.text, token, end, "constexpr"))
        return;
    clang_visitChildren(choice, take_first, &condition);
    result = clang_Cursor_Evaluate(condition);
    if (result && clang_EvalResult_getKind(result) == CXEval_Int)
        *pm_add(&in->memory, w->around->choices, w->around->choice_count) =
            (pm_instance_choice){begin, clang_EvalResult_getAsLongLong(result) != 0};
    if (result)
        clang_EvalResult_dispose(result);
}

static void walk_function(walk *w, pm_instance *around, CXCursor function)
{
    pm_instance *outer = w->around;
    CXCursor *items;
    const size_t count = parts_of(w->in, function, &items);

    w->around = around;
    for (size_t i = 0; i < count; i++)
        if (clang_getCursorKind(items[i]) == CXCursor_DeclRefExpr)
            add_use(w, items[i]);
        else
            add_choice(w, items[i]);
    w->around = outer;
}

/* ---- requested kernels ---------------------------------------------------------------------- */

static bool is_instance(const char *kernel)
{
    return strchr(kernel, '<') != NULL;
}

char *pm_instances_with_kernels(pm_instancing *in, const char *text)
{
    pm_text out = {.memory = &in->memory};

    pm_text_add(&out, "%s", text);
    for (size_t i = 0; i < in->asked_count; i++) {
        if (!is_instance(in->asked[i]))
            continue;
        pm_text_add(&out, "\n#line 1 \"");
        pm_instances_path(in, &out);
        pm_text_add(&out, ": kernel %s\"\n__attribute__((device)) auto *pm_kernel_%zu = &%s;\n",
                    in->asked[i], i, in->asked[i]);
    }
    return pm_copy(&in->memory, pm_text_get(&out));
}

const pm_node *pm_instances_kernel(const pm_instancing *in, size_t number)
{
    char name[40];

    snprintf(name, sizeof name, "pm_kernel_%zu", number);
    for (const pm_node *node = in->ast.root->first; node; node = node->next)
        if (node->kind == CXCursor_VarDecl && node->begin >= in->length &&
            strcmp(node->name, name) == 0)
            return node;
    return NULL;
}

static void take_kernel(walk *w, size_t number)
{
    pm_instancing *in = w->in;
    const pm_node *variable = pm_instances_kernel(in, number);
    const size_t before = in->use_count;

    if (variable)
        walk_function(w, NULL, variable->cursor);
    if (in->use_count == before)
        pm_leave(&in->memory, PM_BAD_INPUT,
                 "%s: kernel %s: its template is in a header, or the instance is a special case: "
                 "write it as a function of its own in the source",
                 in->request->path, in->asked[number]);
    in->kernels[number] = in->uses[before].of;
    in->use_count = before;
}

/* ---- finding all instances ------------------------------------------------------------------ */

static void find_instances(pm_instancing *in)
{
    walk w = {.in = in};

    in->kernels = pm_take(&in->memory, in->asked_count, sizeof *in->kernels);
    for (const pm_node *node = in->ast.root->first; node; node = node->next)
        if (node->in_main && node->begin < in->length && node->kind != CXCursor_FunctionTemplate &&
            node->kind != CXCursor_ClassTemplate)
            walk_function(&w, NULL, node->cursor);
    for (size_t i = 0; i < in->asked_count; i++)
        if (is_instance(in->asked[i]))
            take_kernel(&w, i);
}

static void tell_left(pm_instancing *in)
{
    for (const pm_node *node = in->ast.root->first; node && !in->out->left; node = node->next)
        if (pm_ast_is_kernel_template(node) && !pm_instances_pattern(in, node))
            in->out->left = pm_ast_reason(&in->out->memory, node,
                                          "kernel %s is a template, of which no instance is named "
                                          "(--kernel '%s<..>'), and stays as it is",
                                          node->name, node->name);
}

static void write_templates(pm_instancing *in)
{
    const char *parsed = in->request->parsed;
    pm_parse_request request = *in->request;

    request.templates = true;
    request.text = pm_instances_with_kernels(in, request.text);
    request.parsed = parsed ? pm_instances_with_kernels(in, parsed) : NULL;
    pm_require(&in->memory, pm_ast_parse(&in->ast, &request, in->memory.err));
    find_instances(in);
    tell_left(in);
    if (in->count == 0)
        return;
    pm_instances_place(in);
    pm_instances_name(in);
    pm_instances_text(in);
}

static const char *apply(pm_instancing *in, pm_edits *edits, const char *text)
{
    pm_text out = {.memory = &in->memory};

    if (!pm_edits_apply(edits, text, 0, strlen(text), &out))
        pm_leave(&in->memory, PM_FAILED,
                 "%s: two changes of its references are in each other's way", in->request->path);
    return pm_text_get(&out);
}

static bool has_template(const pm_ast *ast)
{
    for (const pm_node *node = ast->root->first; node; node = node->next)
        if (node->kind == CXCursor_FunctionTemplate)
            return true;
    return false;
}

/* Parses the source's current text again, in which template instances have become functions. Does
 * nothing if the existing tree was made from the same text. */
static void parse_functions(pm_instancing *in)
{
    pm_parse_request request = *in->request;
    pm_error why = {0};
    pm_status status;

    if (!in->text && !has_template(&in->ast) && in->ast.length == in->length)
        return;
    request.text = in->text ? in->text : request.text;
    request.parsed = in->text ? in->parsed : request.parsed;
    pm_ast_free(&in->ast);
    status = pm_ast_parse(&in->ast, &request, &why);
    if (status != PM_OK)
        pm_leave(&in->memory, status,
                 "%s: an instance of a template does not compile as a function (%.700s): write it "
                 "as one",
                 in->request->path, why.text);
}

/* Checks that the generated text compiles. An error here is a bug of perfmodel, because the
 * original source compiles. */
static void check(pm_instancing *in)
{
    pm_parse_request request = *in->request;
    pm_error why = {0};
    pm_ast ast;
    pm_status status;

    request.text = in->parsed;
    request.parsed = NULL;
    status = pm_ast_parse(&ast, &request, &why);
    pm_ast_free(&ast);
    if (status != PM_OK)
        pm_leave(
            &in->memory, PM_FAILED,
            "what perfmodel made of the references in %s does not compile, which is its fault: "
            "%.700s",
            in->request->path, why.text);
}

/* Replaces C++ references to array elements in the current text by C constructs (references.h). */
static void write_references(pm_instancing *in)
{
    const char *text = in->text ? in->text : in->request->text;
    const char *parsed = in->text ? in->parsed : in->request->parsed;
    pm_edits edits = {.memory = &in->memory};

    parse_functions(in);
    pm_references_edit(&in->ast, in->pointers, &edits);
    if (edits.count == 0)
        return;
    in->text = apply(in, &edits, text);
    in->parsed = parsed ? apply(in, &edits, parsed) : in->text;
    check(in);
}

static void write_all(void *user)
{
    pm_instancing *in = user;
    pm_instances *out = in->out;

    out->memory = pm_memory_beside(&in->memory);
    write_templates(in);
    write_references(in);
    if (!in->text)
        return;
    out->text = pm_copy(&out->memory, in->text);
    if (out->kernel_count == in->asked_count)
        return;
    out->kernels = pm_take(&out->memory, in->asked_count, sizeof *out->kernels);
    for (; out->kernel_count < in->asked_count; out->kernel_count++)
        out->kernels[out->kernel_count] = pm_copy(&out->memory, in->asked[out->kernel_count]);
}

pm_status pm_instances_write(const pm_parse_request *request, const char *const *kernels,
                             size_t kernel_count, bool pointers, pm_instances *out, pm_error *err)
{
    pm_instancing in = {.request = request,
                        .length = strlen(request->text),
                        .asked = kernels,
                        .asked_count = kernel_count,
                        .pointers = pointers,
                        .out = out};
    pm_status status;

    *out = (pm_instances){.text = NULL};
    status = pm_attempt(&in.memory, write_all, &in, err);
    pm_ast_free(&in.ast);
    pm_memory_free(&in.memory);
    return status;
}
