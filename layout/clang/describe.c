/* What a source's kernels do with arrays of structs, as pm_source_info says it. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "unit.h"

/* Calls inside of calls; OpenCL C has no recursion, but a source may. */
enum { MOST_CALLS = 64, MOST_VISITS = 1 << 24 };

/* A walk through a kernel and the functions that it calls. */
typedef struct {
    pm_unit *unit;
    pm_source_kernel *kernel; /* NULL: a function, of which only `whole` fields are found */
    unsigned loop;
    size_t depth, visits;
    pm_error *err;
    /* The kernel's parameter that stands behind each variable of the source; PM_NO_VARIABLE: not
     * known, or none. */
    size_t *parameter_of;
} visit;

bool pm_unit_is_described(const pm_unit *unit, const pm_node *kernel)
{
    return clang_isCursorDefinition(kernel->cursor) &&
           pm_ast_find(&unit->ast, kernel->cursor) == kernel;
}

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for the source's description");
}

/* ---- accesses ------------------------------------------------------------------------------ */

static pm_status add_access(const visit *v, const pm_node *node, size_t structure, size_t field,
                            const pm_use *use)
{
    pm_source_kernel *kernel = v->kernel;
    size_t count = kernel->access_count;
    pm_source_access *grown = kernel->accesses, access = {.structure = structure, .field = field};

    if ((count & (count + 1)) == 0) { /* room for 1, 3, 7, .. */
        grown = realloc(grown, (2 * count + 1) * sizeof *grown);
        if (!grown)
            return no_memory(v->err);
        kernel->accesses = grown;
    }
    access.line = pm_ast_line(node, &access.column);
    access.loop = v->loop;
    access.read = use->read;
    access.written = use->written;
    grown[kernel->access_count++] = access;
    return PM_OK;
}

static bool is_for_atomic(const visit *v, pm_node *address)
{
    pm_node *user = pm_ast_user(address, NULL);

    while (user && user->kind == CXCursor_CStyleCastExpr)
        user = pm_ast_user(user, NULL);
    return user && pm_is_atomic_call(v->unit, user);
}

/* The array goes on as a pointer, or one of its members' addresses does. */
static void mark_whole(const visit *v, const pm_node *node, const pm_chain *chain,
                       const pm_use *use)
{
    pm_struct *structure = &v->unit->info.structs.items[chain->to.structure];

    if (chain->field < structure->field_count && structure->fields[chain->field].extent_count > 0 &&
        !use->unevaluated &&
        (!pm_chain_is_scalar(v->unit, chain) ||
         (use->address && node->kind != CXCursor_MemberRefExpr && !is_for_atomic(v, use->node))))
        structure->fields[chain->field].whole = true;
}

static bool is_at(const char *path, const char *chain)
{
    size_t length = strlen(chain);

    return strncmp(path, chain, length) == 0 &&
           (length == 0 || path[length] == '\0' || path[length] == '.');
}

static void mark_parameters(const visit *v, const pm_chain *chain, const pm_use *use)
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

static pm_status describe_chain(const visit *v, pm_node *node, const pm_chain *chain)
{
    const pm_struct *structure = &v->unit->info.structs.items[chain->to.structure];
    pm_use use = pm_chain_use(node);
    pm_pointee to;
    pm_status status = PM_OK;

    mark_whole(v, node, chain, &use);
    if (!v->kernel || use.unevaluated || (use.address && pm_unit_points(v->unit, use.node, &to)))
        return PM_OK;
    if (use.address ||
        (chain->field < structure->field_count && !pm_chain_is_scalar(v->unit, chain))) {
        use.read = true;
        use.written = !chain->to.is_const && !chain->to.constant;
    }
    mark_parameters(v, chain, &use);
    for (size_t f = 0; status == PM_OK && f < structure->field_count; f++)
        if (is_at(structure->fields[f].path, chain->path))
            status = add_access(v, node, chain->to.structure, f, &use);
    return status;
}

/* ---- the walk ------------------------------------------------------------------------------ */

static pm_status describe_node(visit *v, pm_node *node);

static pm_status describe_children(visit *v, pm_node *node)
{
    pm_status status = PM_OK;

    for (pm_node *child = node->first; status == PM_OK && child; child = child->next)
        status = describe_node(v, child);
    return status;
}

static pm_status describe_call(visit *v, pm_node *call)
{
    pm_node *function = pm_unit_callee(v->unit, call);
    pm_status status = describe_children(v, call);
    size_t index = 0;

    if (status != PM_OK || !v->kernel || !function || !call->first)
        return status;
    if (v->depth >= MOST_CALLS)
        return pm_ast_refuse(call, v->err,
                             "functions are called %d deep here: OpenCL C has no "
                             "recursion",
                             MOST_CALLS);
    for (pm_node *value = call->first->next; value; value = value->next, index++) {
        const pm_node *parameter = pm_unit_parameter(function, index);
        const pm_variable *variable = parameter ? pm_unit_variable(v->unit, parameter) : NULL;
        size_t base = variable ? pm_unit_base(v->unit, value) : PM_NO_VARIABLE;

        if (variable)
            v->parameter_of[variable - v->unit->variables] =
                base == PM_NO_VARIABLE ? PM_NO_VARIABLE : v->parameter_of[base];
    }
    v->depth++;
    for (pm_node *child = function->first; status == PM_OK && child; child = child->next)
        if (child->kind == CXCursor_CompoundStmt)
            status = describe_node(v, child);
    v->depth--;
    return status;
}

static bool is_loop(const pm_node *node)
{
    return node->kind == CXCursor_ForStmt || node->kind == CXCursor_WhileStmt ||
           node->kind == CXCursor_DoStmt;
}

/* A chain in a chain, as p in q[p[i].n].x, is found below it. */
static pm_status describe_below_chain(visit *v, const pm_chain *chain)
{
    pm_status status = describe_node(v, chain->pointer);

    if (status == PM_OK && chain->index)
        status = describe_node(v, chain->index);
    for (size_t d = 0; status == PM_OK && d < chain->subscript_count; d++)
        if (chain->subscripts[d])
            status = describe_node(v, chain->subscripts[d]);
    return status;
}

static pm_status describe_node(visit *v, pm_node *node)
{
    unsigned loop = v->loop;
    pm_chain chain;
    pm_status status;

    if (++v->visits > MOST_VISITS)
        return pm_ast_refuse(node, v->err, "functions call each other too often for an analysis");
    if (pm_chain_of(v->unit, node, &chain)) {
        status = describe_chain(v, node, &chain);
        return status == PM_OK ? describe_below_chain(v, &chain) : status;
    }
    if (node->kind == CXCursor_CallExpr)
        return describe_call(v, node);
    if (is_loop(node))
        v->loop = pm_ast_line(node, NULL);
    status = describe_children(v, node);
    v->loop = loop;
    return status;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static pm_status describe_parameters(visit *v, const pm_node *kernel, pm_error *err)
{
    size_t count = 0;

    for (const pm_node *child = kernel->first; child; child = child->next)
        count += child->kind == CXCursor_ParmDecl;
    v->kernel->params = calloc(count + 1, sizeof *v->kernel->params);
    if (!v->kernel->params)
        return no_memory(err);
    for (const pm_node *child = kernel->first; child; child = child->next) {
        pm_source_param *param = &v->kernel->params[v->kernel->param_count];
        const pm_variable *variable;

        if (child->kind != CXCursor_ParmDecl)
            continue;
        variable = pm_unit_variable(v->unit, child);
        param->name = pm_ast_name(child);
        param->structure = variable ? variable->to.structure : PM_NO_STRUCT;
        pm_unit_parameter_kind(child, param);
        if (!param->name)
            return no_memory(err);
        if (variable)
            v->parameter_of[variable - v->unit->variables] = v->kernel->param_count;
        v->kernel->param_count++;
    }
    return PM_OK;
}

static pm_status describe_kernel(pm_unit *unit, pm_node *node, pm_error *err)
{
    pm_source_kernel *grown =
        realloc(unit->info.kernels, (unit->info.kernel_count + 1) * sizeof *grown);
    visit v = {.unit = unit, .err = err};
    pm_status status;

    if (!grown)
        return no_memory(err);
    unit->info.kernels = grown;
    v.kernel = &grown[unit->info.kernel_count++];
    *v.kernel = (pm_source_kernel){.name = pm_ast_name(node), .line = pm_ast_line(node, NULL)};
    v.parameter_of = malloc((unit->variable_count + 1) * sizeof *v.parameter_of);
    if (!v.kernel->name || !v.parameter_of) {
        free(v.parameter_of);
        return no_memory(err);
    }
    for (size_t i = 0; i < unit->variable_count; i++)
        v.parameter_of[i] = PM_NO_VARIABLE;
    status = describe_parameters(&v, node, err);
    if (status == PM_OK)
        status = describe_children(&v, node);
    free(v.parameter_of);
    return status;
}

/* ---- names --------------------------------------------------------------------------------- */

static pm_status add_name(pm_unit *unit, const pm_node *node, pm_error *err)
{
    char *name = pm_ast_name(node);
    char **grown;

    if (!name)
        return no_memory(err);
    for (size_t i = 0; i < unit->info.name_count; i++)
        if (strcmp(unit->info.names[i], name) == 0)
            *name = '\0';
    if (!*name || strchr(name, '(')) { /* libclang describes what has no name */
        free(name);
        return PM_OK;
    }
    grown = realloc(unit->info.names, (unit->info.name_count + 1) * sizeof *grown);
    if (!grown) {
        free(name);
        return no_memory(err);
    }
    unit->info.names = grown;
    grown[unit->info.name_count++] = name;
    return PM_OK;
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
        return true;
    case CXCursor_FunctionDecl:
        return !pm_unit_is_kernel(node);
    default:
        return false;
    }
}

/* Names at file scope; a tag or an enumerator inside of another declaration there is one too. */
static pm_status add_names(pm_unit *unit, const pm_node *around, pm_error *err)
{
    pm_status status = PM_OK;

    for (pm_node *node = around->first; status == PM_OK && node; node = node->next) {
        if (is_named_at_file_scope(node))
            status = add_name(unit, node, err);
        if (status == PM_OK && node->kind != CXCursor_FunctionDecl &&
            clang_isDeclaration(node->kind))
            status = add_names(unit, node, err);
    }
    return status;
}

pm_status pm_unit_describe(pm_unit *unit, pm_error *err)
{
    pm_status status = add_names(unit, unit->ast.root, err);

    for (pm_node *node = unit->ast.root->first; status == PM_OK && node; node = node->next)
        if (node->kind == CXCursor_FunctionDecl && pm_unit_is_kernel(node) &&
            pm_unit_is_described(unit, node))
            status = describe_kernel(unit, node, err);
        else if (node->kind == CXCursor_FunctionDecl) {
            visit v = {.unit = unit, .err = err};

            status = describe_children(&v, node);
        }
    return status;
}
