/* Parses a kernel source, and describes its kernels and the structs of which they get arrays. See
 * source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "transform/source/clang/source_unit.h"

static void read_unit(void *user)
{
    pm_source_unit *unit = user;

    pm_unit_find_structs(unit);
    if (unit->ast.is_cuda)
        pm_unit_find_places(unit);
    pm_unit_find_variables(unit);
    pm_unit_describe(unit);
}

pm_status pm_source_unit_open(pm_source_unit *unit, const pm_parse_request *request, pm_error *err)
{
    pm_status status;

    *unit = (pm_source_unit){.text = request->text, .path = request->path, .request = *request};
    status = pm_ast_parse(&unit->ast, request, err);
    return status == PM_OK ? pm_attempt(&unit->ast.memory, read_unit, unit, err) : status;
}

const char *pm_source_unit_parsed(const pm_source_unit *unit)
{
    return unit->request.parsed ? unit->request.parsed : unit->text;
}

pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err)
{
    pm_parse_request request = unit->request;
    pm_ast ast;
    pm_error why = {0};
    pm_status status;

    request.text = text;
    request.parsed = NULL;
    status = pm_ast_parse(&ast, &request, &why);
    pm_ast_free(&ast);
    if (status == PM_OK)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "what perfmodel made of %s does not compile, which is its fault "
                   "(lines are those of what it made): %.800s",
                   unit->path, why.text);
}
