/* Describes how a source's kernels use their parameters and arrays of structs, as a pm_source_info.
 * See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "transform/source/clang/source_unit.h"

/* Limits on the depth of calls and the number of visited nodes. OpenCL C forbids recursion, but a
 * source may still contain it. */
enum { MOST_CALLS = 64, MOST_VISITS = 1 << 24 };

/* State while a kernel and the functions that it calls are searched for uses of parameters and
 * arrays of structs. */
typedef struct {
    pm_source_unit *unit;
    /* the kernel that is described; NULL: the visited function belongs to no kernel, and only
     * `whole` of fields (whether their elements must stay adjacent) is set */
    pm_source_kernel *kernel;
    unsigned loop;
    size_t depth, visits;
    /* parameter_of[variable]: index of the kernel's parameter into whose array the variable points.
     * PM_NO_VARIABLE: unknown, or into no array. */
    size_t *parameter_of;
} visit;

bool pm_unit_is_described(const pm_source_unit *unit, const pm_node *kernel)
{
    return clang_isCursorDefinition(kernel->cursor) &&
           pm_ast_find(&unit->ast, kernel->cursor) == kernel;
}

/* ---- accesses ------------------------------------------------------------------------------ */

static void add_access(const visit *v, const pm_node *node, size_t structure, size_t field,
                       const pm_lvalue_use *use)
{
    pm_source_access access = {.structure = structure,
                               .field = field,
                               .loop = v->loop,
                               .read = use->read,
                               .written = use->written};

    access.line = pm_ast_line(node, &access.column);
    *pm_add(&v->unit->ast.memory, v->kernel->accesses, v->kernel->access_count) = access;
}

static bool is_for_atomic(pm_node *address)
{
    pm_node *user = pm_ast_user(address, NULL);

    while (user && user->kind == CXCursor_CStyleCastExpr)
        user = pm_ast_user(user, NULL);
    return user && pm_is_atomic_call(user);
}

/* Sets `whole` of a field (its elements must stay adjacent) if the source uses the field's array,
 * or the address of the field, as a pointer. */
static void mark_whole(const visit *v, const pm_node *node, const pm_chain *chain,
                       const pm_lvalue_use *use)
{
    pm_struct *structure = &v->unit->info.structs.items[chain->to.structure];

    if (chain->field < structure->field_count && structure->fields[chain->field].extent_count > 0 &&
        !use->unevaluated &&
        (!pm_chain_is_scalar(v->unit, chain) ||
         (use->address && node->kind != CXCursor_MemberRefExpr && !is_for_atomic(use->node))))
        structure->fields[chain->field].whole = true;
}

static bool is_at(const char *path, const char *chain)
{
    size_t length = strlen(chain);

    return strncmp(path, chain, length) == 0 &&
           (length == 0 || path[length] == '\0' || path[length] == '.');
}

static void mark_parameters(const visit *v, const pm_chain *chain, const pm_lvalue_use *use)
{
    size_t base = pm_unit_base(v->unit, chain->pointer);
    size_t parameter = base == PM_NO_VARIABLE ? PM_NO_VARIABLE : v->parameter_of[base];

    for (size_t p = 0; p < v->kernel->param_count; p++)
        if (parameter == p || (parameter == PM_NO_VARIABLE &&
                               v->kernel->params[p].structure == chain->to.structure)) {
            v->kernel->params[p].read |= use->read;
            v->kernel->params[p].written |= use->written;
        }
}

static void describe_chain(const visit *v, pm_node *node, const pm_chain *chain)
{
    const pm_struct *structure = &v->unit->info.structs.items[chain->to.structure];
    pm_lvalue_use use = pm_chain_use(node);
    pm_pointee to;

    mark_whole(v, node, chain, &use);
    if (use.node && use.node->kind == CXCursor_VarDecl && pm_unit_variable(v->unit, use.node))
        return; /* only the accesses through a reference count, not its initialization */
    if (!v->kernel || use.unevaluated || (use.address && pm_unit_points(v->unit, use.node, &to)))
        return;
    if (use.address ||
        (chain->field < structure->field_count && !pm_chain_is_scalar(v->unit, chain))) {
        use.read = true;
        use.written = !chain->to.is_const && !chain->to.constant;
    }
    mark_parameters(v, chain, &use);
    for (size_t f = 0; f < structure->field_count; f++)
        if (is_at(structure->fields[f].path, chain->path))
            add_access(v, node, chain->to.structure, f, &use);
}

/* ---- walk through the syntax tree ---------------------------------------------------------- */

static void describe_node(visit *v, pm_node *node);

static void describe_children(visit *v, const pm_node *node)
{
    for (pm_node *child = node->first; child; child = child->next)
        describe_node(v, child);
}

static void describe_call(visit *v, pm_node *call)
{
    const pm_node *function = pm_ast_called(call), *parameter;
    pm_node *value, *body;

    describe_children(v, call);
    if (!v->kernel || !function)
        return;
    if (v->depth >= MOST_CALLS)
        pm_ast_refuse(&v->unit->ast.memory, call,
                      "functions are called %d deep here: recursion is not followed", MOST_CALLS);
    for (size_t i = 0; (parameter = pm_ast_parameter(function, i)) != NULL &&
                       (value = pm_ast_argument(call, i)) != NULL;
         i++) {
        const pm_variable *variable = pm_unit_variable(v->unit, parameter);
        size_t base = variable ? pm_unit_base(v->unit, value) : PM_NO_VARIABLE;

        if (variable)
            v->parameter_of[variable - v->unit->variables] =
                base == PM_NO_VARIABLE ? PM_NO_VARIABLE : v->parameter_of[base];
    }
    body = pm_ast_body(function);
    v->depth++;
    if (body)
        describe_node(v, body);
    v->depth--;
}

/* Records the accesses inside of another access: in its pointer, index and subscripts, such as
 * p[i].n in q[p[i].n].x. */
static void describe_below_chain(visit *v, const pm_node *node, const pm_chain *chain)
{
    /* If the access is made through a C++ reference, chain->pointer is `node` itself, which is
     * already described. */
    if (chain->pointer != node)
        describe_node(v, chain->pointer);
    if (chain->index)
        describe_node(v, chain->index);
    for (size_t d = 0; d < chain->subscript_count; d++)
        if (chain->subscripts[d])
            describe_node(v, chain->subscripts[d]);
}

static void describe_node(visit *v, pm_node *node)
{
    unsigned loop = v->loop;
    pm_chain chain;

    if (++v->visits > MOST_VISITS)
        pm_ast_refuse(&v->unit->ast.memory, node,
                      "functions call each other too often for an analysis");
    if (pm_chain_of(v->unit, node, &chain)) {
        describe_chain(v, node, &chain);
        describe_below_chain(v, node, &chain);
        return;
    }
    if (node->kind == CXCursor_CallExpr) {
        describe_call(v, node);
        return;
    }
    if (pm_is_loop(node))
        v->loop = pm_ast_line(node, NULL);
    describe_children(v, node);
    v->loop = loop;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void describe_parameters(visit *v, const pm_node *kernel)
{
    pm_memory *memory = &v->unit->ast.memory;

    for (const pm_node *child = kernel->first; child; child = child->next) {
        const pm_variable *variable;
        pm_source_param param = {.structure = PM_NO_STRUCT, .passed = PM_NO_STRUCT};

        if (child->kind != CXCursor_ParmDecl)
            continue;
        variable = pm_unit_variable(v->unit, child);
        param.name = pm_copy(memory, child->name);
        if (variable) {
            param.structure = variable->to.structure;
            v->parameter_of[variable - v->unit->variables] = v->kernel->param_count;
        }
        pm_unit_parameter_kind(v->unit, child, &param);
        *pm_add(memory, v->kernel->params, v->kernel->param_count) = param;
    }
}

/* Returns the name of a function with its namespaces, such as ns::f, as compilers print it. */
static char *qualified_name(CXCursor function, const char *name, pm_memory *memory)
{
    char *text = pm_copy(memory, name);
    CXCursor around = clang_getCursorSemanticParent(function);

    for (; clang_getCursorKind(around) == CXCursor_Namespace;
         around = clang_getCursorSemanticParent(around)) {
        CXString spelling = clang_getCursorSpelling(around);

        if (!clang_Cursor_isAnonymous(around))
            text = pm_format(memory, "%s::%s", clang_getCString(spelling), text);
        clang_disposeString(spelling);
    }
    return text;
}

static void describe_kernel(pm_source_unit *unit, pm_node *node)
{
    pm_memory *memory = &unit->ast.memory;
    visit v = {.unit = unit};

    v.kernel = pm_add(memory, unit->info.kernels, unit->info.kernel_count);
    *v.kernel = (pm_source_kernel){.name = qualified_name(node->cursor, node->name, memory),
                                   .line = pm_ast_line(node, NULL)};
    v.parameter_of = pm_take(memory, unit->variable_count, sizeof *v.parameter_of);
    for (size_t i = 0; i < unit->variable_count; i++)
        v.parameter_of[i] = PM_NO_VARIABLE;
    describe_parameters(&v, node);
    describe_children(&v, node);
    pm_unit_describe_shape(unit, node, v.kernel);
}

/* ---- names --------------------------------------------------------------------------------- */

static void add_name(pm_source_unit *unit, const pm_node *node)
{
    /* libclang gives an unnamed struct a description with a parenthesis as its name. */
    if (!*node->name || strchr(node->name, '('))
        return;
    for (size_t i = 0; i < unit->info.name_count; i++)
        if (strcmp(unit->info.names[i], node->name) == 0)
            return;
    *pm_add(&unit->ast.memory, unit->info.names, unit->info.name_count) =
        pm_copy(&unit->ast.memory, node->name);
}

static bool is_named_at_file_scope(const pm_node *node)
{
    switch (node->kind) {
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_EnumConstantDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_VarDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_ClassTemplate:
        return true;
    case CXCursor_FunctionDecl:
        return !node->is_kernel;
    default:
        return false;
    }
}

/* The list of a template's parameters as text, such as "<T, N". libclang's callback appends one
 * parameter per call. any: true if it has a parameter. */
typedef struct {
    pm_text text;
    bool any;
} parameter_list;

static enum CXChildVisitResult add_parameter(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parameter_list *list = data;
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXString name;

    (void)parent;
    if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter &&
        kind != CXCursor_TemplateTemplateParameter)
        return CXChildVisit_Continue;
    name = clang_getCursorSpelling(cursor);
    pm_text_add(&list->text, "%s%s", list->any ? ", " : "<",
                *clang_getCString(name) ? clang_getCString(name) : "...");
    clang_disposeString(name);
    list->any = true;
    return CXChildVisit_Continue;
}

/* Adds a kernel template to info.templates as NAME<PARAMETERS>, for example turn<T, N>. */
static void add_template(pm_source_unit *unit, const pm_node *template)
{
    pm_memory *memory = &unit->ast.memory;
    /* list.text is allocated with malloc, because libclang's callbacks must not raise errors by
     * longjmp */
    parameter_list list = {.any = false};

    clang_visitChildren(template->cursor, add_parameter, &list);
    *pm_add(memory, unit->info.templates, unit->info.template_count) =
        pm_format(memory, "%s%s>", template->name, list.any ? pm_text_get(&list.text) : "<");
    free(list.text.data);
}

/* Adds the names that a declaration makes visible at file scope. These include tags and enumerators
 * of structs and enums inside of the declaration. */
static void add_names(pm_source_unit *unit, const pm_node *around)
{
    for (pm_node *node = around->first; node; node = node->next) {
        if (is_named_at_file_scope(node))
            add_name(unit, node);
        if (pm_ast_is_kernel_template(node))
            add_template(unit, node);
        if (unit->ast.is_cuda && node->kind == CXCursor_VarDecl && !unit->info.variable &&
            !clang_isConstQualifiedType(node->type))
            unit->info.variable = pm_copy(&unit->ast.memory, node->name);
        if (node->kind != CXCursor_FunctionDecl && node->kind != CXCursor_FunctionTemplate &&
            clang_isDeclaration(node->kind))
            add_names(unit, node);
    }
}

void pm_unit_describe(pm_source_unit *unit)
{
    add_names(unit, unit->ast.root);
    for (pm_node *node = unit->ast.root->first; node; node = node->next)
        if (node->is_kernel && pm_unit_is_described(unit, node))
            describe_kernel(unit, node);
        else if (node->kind == CXCursor_FunctionDecl)
            describe_children(&(visit){.unit = unit}, node);
}
