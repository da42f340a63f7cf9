/* Finds and adds the named numbers of a generated workload file, such as the problem size n.
 * Expressions for sizes and arguments in the file use these names. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/text.h"
#include "program/bare/bare.h"

const pm_bare_number *pm_bare_find_number(const pm_bare_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->number_count; i++)
        if (strcmp(plan->numbers[i].name, name) == 0)
            return &plan->numbers[i];
    return NULL;
}

void pm_bare_add_number(pm_memory *memory, pm_bare_plan *plan, pm_bare_number number)
{
    if (!pm_bare_find_number(plan, number.name))
        *pm_add(memory, plan->numbers, plan->number_count) = number;
}

const char *pm_bare_say_number(pm_bare *b, unsigned long long value)
{
    const char *text = pm_format(&b->memory, "%llu", value);

    for (size_t i = 0; i < b->plan.number_count && value > 64; i++)
        if (strcmp(b->plan.numbers[i].value, text) == 0)
            return b->plan.numbers[i].name;
    return text;
}
