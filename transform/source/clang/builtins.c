/* Recognizes builtin functions, variables and qualifiers of OpenCL C and CUDA in the syntax tree.
 * See builtins.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/builtins.h"

#include <string.h>

#include "base/strings.h"

/* ---- ids of work-items ---------------------------------------------------------------------- */

typedef struct {
    const char *name;
    pm_id_kind kind;
} id_name;

static pm_id_kind find(const id_name *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].kind;
    return PM_ID_NONE;
}

static pm_id id_of_call(const pm_node *call)
{
    static const id_name functions[] = {
        {"get_local_id", PM_ID_LOCAL},          {"get_group_id", PM_ID_GROUP},
        {"get_global_id", PM_ID_GLOBAL},        {"get_global_offset", PM_ID_OFFSET},
        {"get_local_size", PM_ID_LOCAL_SIZE},   {"get_num_groups", PM_ID_GROUP_COUNT},
        {"get_global_size", PM_ID_GLOBAL_SIZE}, {"get_enqueued_local_size", PM_ID_UNIFORM},
        {"get_work_dim", PM_ID_UNIFORM}};
    pm_id id = {.argument = pm_ast_argument(call, 0)};

    if (strncmp(call->name, "get_", 4) != 0 || pm_ast_called(call))
        return id;
    id.kind = find(functions, sizeof functions / sizeof *functions, call->name);
    if (id.kind == PM_ID_NONE || (!id.argument && id.kind != PM_ID_UNIFORM))
        id.kind = PM_ID_OTHER;
    return id;
}

/* Returns the kind of id that a member access such as threadIdx.x reads. A variable with this name
 * that the source itself declares is no id. */
static pm_id id_of_member(const pm_node *member)
{
    static const id_name variables[] = {{"threadIdx", PM_ID_LOCAL},
                                        {"blockIdx", PM_ID_GROUP},
                                        {"blockDim", PM_ID_LOCAL_SIZE},
                                        {"gridDim", PM_ID_GROUP_COUNT}};
    static const char dimensions[] = "xyz";
    const pm_node *variable = member->first ? pm_ast_strip(member->first) : NULL;
    pm_id id = {.kind = PM_ID_NONE};

    if (!variable || variable->kind != CXCursor_DeclRefExpr || variable->declaration ||
        strlen(member->name) != 1 || !strchr(dimensions, member->name[0]))
        return id;
    id.kind = find(variables, sizeof variables / sizeof *variables, variable->name);
    id.dimension = strchr(dimensions, member->name[0]) - dimensions;
    return id;
}

pm_id pm_id_of(const pm_node *expression)
{
    const pm_node *node = pm_ast_bare(expression);

    if (node->kind == CXCursor_CallExpr)
        return id_of_call(node);
    if (node->kind == CXCursor_MemberRefExpr)
        return id_of_member(node);
    return (pm_id){.kind = PM_ID_NONE};
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Returns whether CUDA's prelude, which is a system header, declares the called function. */
static bool is_of_prelude(const pm_node *call)
{
    const CXCursor called = clang_getCursorReferenced(call->cursor);

    return clang_getCursorKind(called) == CXCursor_FunctionDecl &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(called));
}

bool pm_is_group_barrier(const pm_ast *ast, const pm_node *call)
{
    static const char *const opencl[] = {"barrier", "work_group_barrier", NULL};
    static const char *const cuda[] = {"__syncthreads",
                                       "__syncthreads_count",
                                       "__syncthreads_and",
                                       "__syncthreads_or",
                                       "sync",
                                       NULL};
    const CXCursor called = clang_getCursorReferenced(call->cursor);

    if (!ast->is_cuda)
        return pm_listed(opencl, call->name);
    /* A function that has no node in the tree and is not declared in a system header is unknown
     * code, such as a template instance. It may contain a barrier. */
    return pm_listed(cuda, call->name) ||
           (!pm_ast_called(call) && !clang_Cursor_isNull(called) &&
            !clang_Location_isInSystemHeader(clang_getCursorLocation(called)));
}

static bool is_pure_opencl(const char *name)
{
    return strncmp(name, "get_", 4) != 0 && !strstr(name, "group_") &&
           strncmp(name, "atom", 4) != 0 && strncmp(name, "read_", 5) != 0;
}

/* Returns whether a call is of a CUDA builtin without side effects. A function whose name starts
 * with two underscores is assumed to have some, because such functions may exchange data in a warp
 * or thread block, or read clocks. */
static bool is_pure_cuda(const pm_node *call)
{
    return is_of_prelude(call) && strncmp(call->name, "__", 2) != 0 &&
           strncmp(call->name, "atomic", 6) != 0 && strncmp(call->name, "clock", 5) != 0 &&
           pm_ast_argument(call, 0);
}

bool pm_is_pure_call(const pm_ast *ast, const pm_node *call)
{
    if (pm_ast_callee(call) || !call->name[0])
        return false;
    return ast->is_cuda ? is_pure_cuda(call) : is_pure_opencl(call->name);
}

/* ---- variables ------------------------------------------------------------------------------ */

static bool has_attribute(const pm_node *node, enum CXCursorKind attribute)
{
    for (const pm_node *child = node->first; child; child = child->next)
        if (child->kind == attribute)
            return true;
    return false;
}

bool pm_is_local_variable(const pm_node *node)
{
    return node->kind == CXCursor_VarDecl && (clang_getAddressSpace(node->type) == PM_SPACE_LOCAL ||
                                              has_attribute(node, CXCursor_CUDASharedAttr));
}

bool pm_is_constant_variable(const pm_node *node)
{
    return node->kind == CXCursor_VarDecl &&
           (clang_getAddressSpace(node->type) == PM_SPACE_CONSTANT ||
            has_attribute(node, CXCursor_CUDAConstantAttr));
}

/* ---- references ----------------------------------------------------------------------------- */

static bool may_change(CXType type)
{
    return (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference) &&
           !clang_isConstQualifiedType(clang_getPointeeType(type));
}

bool pm_takes_reference(const pm_node *node)
{
    const CXCursor called = clang_getCursorReferenced(node->cursor);
    const CXType type = clang_getCanonicalType(clang_getCursorType(called));
    const int count = clang_getNumArgTypes(type);

    if (node->kind == CXCursor_VarDecl)
        return node->type.kind == CXType_LValueReference ||
               node->type.kind == CXType_RValueReference;
    if (clang_getCursorKind(node->cursor) != CXCursor_CallExpr)
        return false;
    for (int i = 0; i < count; i++)
        if (may_change(clang_getArgType(type, (unsigned)i)))
            return true;
    return false;
}

enum { MOST_DEPTH = 16 };

static bool is_used_plainly(const pm_ast *ast, const pm_node *parameter, unsigned depth);

static bool is_plain(const pm_ast *ast, const pm_node *call, const pm_node *argument,
                     unsigned depth)
{
    const pm_node *function = pm_ast_callee(call), *child, *parameter;
    size_t index = 0;

    if (!function || call->kind != CXCursor_CallExpr || !call->first || depth > MOST_DEPTH)
        return false;
    for (child = call->first->next; child && child != argument; child = child->next)
        index++;
    parameter = child ? pm_ast_parameter(function, index) : NULL;
    return parameter && (parameter->type.kind != CXType_LValueReference ||
                         is_used_plainly(ast, parameter, depth));
}

/* Returns whether a function only reads and writes the object to which its reference parameter
 * refers, in the function itself. Returns false if the function contains a barrier or a lambda
 * expression, takes the object's address, or passes the reference to a function that does so. */
static bool is_used_plainly(const pm_ast *ast, const pm_node *parameter, unsigned depth)
{
    const pm_node *body = pm_ast_body(parameter->parent);

    if (!body)
        return false;
    PM_EACH_NODE(ast, body, node) {
        pm_node *child, *user;

        if (node->kind == CXCursor_LambdaExpr ||
            (node->kind == CXCursor_CallExpr && !pm_is_pure_call(ast, node) &&
             (!pm_ast_callee(node) || pm_is_group_barrier(ast, node))))
            return false;
        if (node->kind != CXCursor_DeclRefExpr || node->declaration != parameter)
            continue;
        user = pm_ast_user(node, &child);
        while (user && user->kind == CXCursor_MemberRefExpr)
            user = pm_ast_user(user, &child);
        if (!user || user->unary == CXUnaryOperator_AddrOf || user->kind == CXCursor_VarDecl ||
            user->kind == CXCursor_ReturnStmt || pm_type_is_array(child->type) ||
            (user->kind == CXCursor_CallExpr && pm_takes_reference(user) &&
             !is_plain(ast, user, child, depth + 1)))
            return false;
    }
    return true;
}

bool pm_is_plain_reference(const pm_ast *ast, const pm_node *call, const pm_node *argument)
{
    return is_plain(ast, call, argument, 0);
}
