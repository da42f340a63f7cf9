/* Saves and restores the variables of a CUDA module. See cuda_variables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_variables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- names in PTX ---------------------------------------------------------------------------- */

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Reads a declaration at module scope in the line at `line`, such as ".visible .global .align 4 .b8
 * bins[256];". Returns the name of the variable; NULL if the line declares no variable in global
 * memory. PTX text has at most one declaration in a line. */
static const char *declared(const char *line, size_t *length)
{
    const char *end = line + strcspn(line, ";={\n"), *at = line, *name = NULL;
    bool is_global = false;

    if (*line != '.')
        return NULL;
    while (at < end) {
        at += strspn(at, " \t");
        if (*at == '.') {
            const size_t word = 1 + strcspn(at + 1, " \t.(;={\n");

            is_global = is_global || (word == 7 && strncmp(at, ".global", word) == 0);
            at += word;
            if (*at == '(') /* .attribute(.managed) */
                at += strcspn(at, ") \n") + 1;
        } else if (isdigit((unsigned char)*at)) { /* digits are a number, such as the 4 of .align 4,
                                                     and not part of a name */
            at += strspn(at, "0123456789");
        } else if (is_of_name(*at)) {
            name = at;
            for (*length = 0; is_of_name(at[*length]);)
                ++*length;
            break;
        } else {
            break;
        }
    }
    return is_global && name && !memchr(name, '$', *length) ? name : NULL;
}

const char *pm_ptx_next_variable(const char **at, size_t *length)
{
    while (**at) {
        const char *name = declared(*at, length);

        *at += strcspn(*at, "\n");
        *at += **at == '\n';
        if (name)
            return name;
    }
    return NULL;
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Adds to `out` the variable with this name, and a copy of its contents on the GPU. A variable that
 * the driver does not find is left out, because the compiler may have removed it. */
static pm_status save_variable(const pm_cuda_driver *cuda, pm_cu_module module, const char *name,
                               pm_cuda_variables *out, pm_error *err)
{
    pm_cuda_variable variable = {0}, *grown;

    if (cuda->module_global(&variable.place, &variable.bytes, module, name) != 0 ||
        variable.bytes == 0)
        return PM_OK;
    grown = realloc(out->variables, (out->count + 1) * sizeof *grown);
    if (!grown)
        return pm_fail(err, PM_FAILED, "out of memory for the variable %.100s", name);
    out->variables = grown;
    variable.contents = malloc(variable.bytes);
    if (!variable.contents)
        return pm_fail(err, PM_FAILED, "out of memory for the variable %.100s", name);
    grown[out->count++] = variable;
    return pm_cuda_check(cuda, err, "cuMemcpyDtoH", name,
                         cuda->copy_out(variable.contents, variable.place, variable.bytes));
}

pm_status pm_cuda_variables_save(const pm_cuda_driver *cuda, pm_cu_module module, const char *ptx,
                                 pm_cuda_variables *out, pm_error *err)
{
    const char *at = ptx, *found;
    pm_status status = PM_OK;
    size_t length;

    *out = (pm_cuda_variables){0};
    while (status == PM_OK && (found = pm_ptx_next_variable(&at, &length))) {
        char *name = strndup(found, length);

        status = name ? save_variable(cuda, module, name, out, err)
                      : pm_fail(err, PM_FAILED, "out of memory for the variables of a module");
        free(name);
    }
    return status;
}

pm_status pm_cuda_variables_restore(const pm_cuda_driver *cuda, const pm_cuda_variables *saved,
                                    pm_error *err)
{
    for (size_t i = 0; i < saved->count; i++) {
        const pm_cuda_variable *v = &saved->variables[i];

        if (pm_cuda_check(cuda, err, "cuMemcpyHtoD", "a variable",
                          cuda->copy_in(v->place, v->contents, v->bytes)) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

void pm_cuda_variables_free(pm_cuda_variables *variables)
{
    for (size_t i = 0; i < variables->count; i++)
        free(variables->variables[i].contents);
    free(variables->variables);
    *variables = (pm_cuda_variables){0};
}
