/* Finds the variables of a PTX module that kernels use. See ptx_variables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/ptx_variables.h"

#include <string.h>

#include "compiler/ptx/tree.h"

typedef struct {
    pm_memory tree; /* memory of the syntax tree */
    const char *text;
    const char **kernels;
    size_t kernel_count;
    const pm_ptx_module *module;
    /* has_function[f]: true if the kernels use function f of the module; has_variable[v]: true if
     * they use its variable v */
    bool *has_function, *has_variable;
    size_t waiting_count;
    size_t *waiting; /* numbers of functions whose code is still to be searched */
} search;

static void use_function(search *s, const char *name)
{
    for (size_t f = 0; f < s->module->function_count; f++) {
        const pm_ptx_function *function = s->module->functions[f];

        if (!function->has_body || s->has_function[f] || strcmp(function->name, name) != 0)
            continue;
        s->has_function[f] = true;
        *pm_add(&s->tree, s->waiting, s->waiting_count) = f;
    }
}

static void use_variable(search *s, const char *name)
{
    for (size_t v = 0; v < s->module->variable_count; v++) {
        const pm_ptx_variable *variable = s->module->variables[v];

        if (s->has_variable[v] || strcmp(variable->name, name) != 0)
            continue;
        s->has_variable[v] = true;
        for (size_t i = 0; i < variable->initial_count; i++)
            if (variable->initial[i].symbol) {
                use_function(s, variable->initial[i].symbol);
                use_variable(s, variable->initial[i].symbol);
            }
    }
}

static void search_operand(search *s, const pm_ptx_operand *operand)
{
    if (operand->variable)
        use_variable(s, operand->variable->name);
    if (operand->function)
        use_function(s, operand->function->name);
    for (size_t p = 0; p < operand->part_count; p++)
        search_operand(s, &operand->parts[p]);
}

static void search_module(void *user)
{
    search *s = user;

    s->module = pm_ptx_parse(&s->tree, s->text, "");
    s->has_function = pm_take(&s->tree, s->module->function_count + 1, sizeof *s->has_function);
    s->has_variable = pm_take(&s->tree, s->module->variable_count + 1, sizeof *s->has_variable);
    for (size_t k = 0; k < s->kernel_count; k++)
        use_function(s, s->kernels[k]);
    for (size_t i = 0; i < s->waiting_count; i++) {
        const pm_ptx_function *function = s->module->functions[s->waiting[i]];

        for (size_t n = 0; n < function->instruction_count; n++)
            for (size_t o = 0; o < function->instructions[n].operand_count; o++)
                search_operand(s, &function->instructions[n].operands[o]);
    }
}

const char **pm_ptx_variables_used(pm_memory *memory, const char *text, const char **kernels,
                                   size_t kernel_count, size_t *count)
{
    search s = {.text = text, .kernels = kernels, .kernel_count = kernel_count};
    const char **names = NULL;
    pm_error why;

    *count = 0;
    if (pm_attempt(&s.tree, search_module, &s, &why) == PM_OK)
        for (size_t v = 0; v < s.module->variable_count; v++)
            if (s.has_variable[v])
                *pm_add(memory, names, *count) = pm_copy(memory, s.module->variables[v]->name);
    pm_memory_free(&s.tree);
    return names;
}
