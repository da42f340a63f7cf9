/* Declares the parameters of template instances as those of plain functions. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "transform/source/clang/cursors.h"
#include "transform/source/clang/instances.h"
#include "transform/source/clang/names.h"

/* ---- the instance of a kernel ---------------------------------------------------------------- */

static enum CXChildVisitResult find_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    CXCursor *function = data, to;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    to = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(to) != CXCursor_FunctionDecl &&
        clang_getCursorKind(to) != CXCursor_CXXMethod)
        return CXChildVisit_Recurse;
    *function = to;
    return CXChildVisit_Break;
}

/* ---- its parameters -------------------------------------------------------------------------- */

/* Returns the type of a kernel's parameter as text, so that this text and a name after it declare
 * the parameter. Raises an error for a type that cannot be written so, such as a pointer to an
 * array. */
static const char *type_of(pm_instancing *in, size_t kernel, CXCursor parameter)
{
    const char *type = pm_take_string(
        &in->memory, clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(parameter))));

    if (!*type || strpbrk(type, "[(") || strstr(type, "lambda"))
        pm_leave(&in->memory, PM_BAD_INPUT,
                 "%s: kernel %s: a parameter of type %.100s; write that instance as a function of "
                 "its own",
                 in->request->path, in->asked[kernel], type);
    return type;
}

static void add_parameter(pm_instancing *in, size_t kernel, CXCursor parameter, size_t number,
                          pm_text *out)
{
    const char *name = pm_take_string(&in->memory, clang_getCursorSpelling(parameter));

    pm_text_add(out, "%s%s ", number ? ", " : "", type_of(in, kernel, parameter));
    if (*name)
        pm_text_add(out, "%s", name);
    else
        pm_text_add(out, "pm_%zu", number);
}

/* Appends a kernel without statements that has the parameters of the requested kernel number
 * `kernel`, which is a template instance. Returns its name. */
static const char *declare(pm_instancing *in, size_t kernel, pm_text *out)
{
    const pm_node *variable = pm_instances_kernel(in, kernel);
    const char *name = pm_format(&in->memory, "pm_declared_%zu", kernel);
    CXCursor function = clang_getNullCursor();
    int count;

    if (variable)
        clang_visitChildren(variable->cursor, find_function, &function);
    count = clang_Cursor_getNumArguments(function);
    if (count < 0)
        pm_leave(&in->memory, PM_BAD_INPUT, "%s: kernel %s: no instance of a template",
                 in->request->path, in->asked[kernel]);
    pm_text_add(out, "__global__ void %s(", name);
    for (int i = 0; i < count; i++)
        add_parameter(in, kernel, clang_Cursor_getArgument(function, (unsigned)i), (size_t)i, out);
    pm_text_add(out, ") {}\n");
    return name;
}

/* ---- the text -------------------------------------------------------------------------------- */

static void declare_all(void *user)
{
    pm_instancing *in = user;
    pm_instances *out = in->out;
    const char *parsed = in->request->parsed;
    pm_parse_request request = *in->request;
    pm_text text = {.memory = &in->memory};

    out->memory = pm_memory_beside(&in->memory);
    request.templates = true;
    request.text = pm_instances_with_kernels(in, request.text);
    request.parsed = parsed ? pm_instances_with_kernels(in, parsed) : NULL;
    pm_require(&in->memory, pm_ast_parse(&in->ast, &request, in->memory.err));
    pm_text_add(&text, "%s\n", in->request->text);
    out->kernels = pm_take(&out->memory, in->asked_count + 1, sizeof *out->kernels);
    for (; out->kernel_count < in->asked_count; out->kernel_count++) {
        const char *name = in->asked[out->kernel_count];

        if (strchr(name, '<'))
            name = declare(in, out->kernel_count, &text);
        out->kernels[out->kernel_count] = pm_copy(&out->memory, name);
    }
    out->text = pm_copy(&out->memory, pm_text_get(&text));
}

pm_status pm_instances_declare(const pm_parse_request *request, const char *const *kernels,
                               size_t kernel_count, pm_instances *out, pm_error *err)
{
    pm_instancing in = {.request = request,
                        .length = strlen(request->text),
                        .asked = kernels,
                        .asked_count = kernel_count,
                        .out = out};
    pm_status status;

    *out = (pm_instances){.text = NULL};
    status = pm_attempt(&in.memory, declare_all, &in, err);
    pm_ast_free(&in.ast);
    pm_memory_free(&in.memory);
    return status;
}
