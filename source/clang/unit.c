/* Opening and checking a unit. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "source/clang/source_unit.h"

static void read_unit(void *user)
{
    pm_source_unit *unit = user;

    pm_unit_find_structs(unit);
    pm_unit_find_variables(unit);
    pm_unit_describe(unit);
}

pm_status pm_source_unit_open(pm_source_unit *unit, const char *text, const char *path,
                              const char *const *arguments, size_t argument_count, pm_error *err)
{
    pm_status status;

    *unit = (pm_source_unit){
        .text = text, .path = path, .arguments = arguments, .argument_count = argument_count};
    status = pm_ast_parse(&unit->ast, text, path, arguments, argument_count, err);
    return status == PM_OK ? pm_attempt(&unit->ast.memory, read_unit, unit, err) : status;
}

pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err)
{
    pm_ast ast;
    pm_error why = {0};
    pm_status status =
        pm_ast_parse(&ast, text, unit->path, unit->arguments, unit->argument_count, &why);

    pm_ast_free(&ast);
    if (status == PM_OK)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "what perfmodel made of %s does not compile, which is its fault "
                   "(lines are those of what it made): %.800s",
                   unit->path, why.text);
}
