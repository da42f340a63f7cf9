/* Makes the launches of a generated workload file independent of one another: no launch reads data
 * that another one writes, because each gets buffers of its own. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If addresses or branches of a later launch depend on data that an earlier launch writes, the
 * trace engine has to run all work-groups of the earlier launch, which may take too long. With
 * buffers of its own, the later launch starts from assumed contents.
 */
#include <string.h>

#include "base/text.h"
#include "program/bare/bare.h"

/* Largest number of buffers in a generated workload file. */
enum { MOST_BUFFERS = 256 };

/* Returns the index of the buffer that a kernel argument names. The argument is "NAME" or "NAME +
 * OFFSET". SIZE_MAX: the argument is no buffer. */
static size_t buffer_of(const pm_bare_plan *plan, const char *argument)
{
    const size_t length = strcspn(argument, " ");

    for (size_t i = 0; i < plan->buffer_count; i++)
        if (strncmp(plan->buffers[i].name, argument, length) == 0 &&
            plan->buffers[i].name[length] == '\0')
            return i;
    return SIZE_MAX;
}

static const char *name_copy(pm_bare *b, const pm_bare_plan *plan, const char *name)
{
    for (unsigned number = 2;; number++) {
        const char *copy = pm_format(&b->memory, "%s_%u", name, number);

        if (buffer_of(plan, copy) == SIZE_MAX && !pm_bare_find_number(plan, copy))
            return copy;
    }
}

/* Gives launch number l copies of the buffers for which used[buffer] is true. A buffer that is
 * passed as several arguments gets one copy. */
static void copy_buffers(pm_bare *b, pm_bare_plan *plan, size_t l, const bool *used, size_t count)
{
    pm_bare_launch *launch = &plan->launches[l];
    const char **arguments = pm_take(&b->memory, launch->argument_count + 1, sizeof *arguments);
    const char **copies = pm_take(&b->memory, count + 1, sizeof *copies);

    for (size_t a = 0; a < launch->argument_count; a++) {
        const char *argument = launch->arguments[a];
        const size_t i = buffer_of(plan, argument);

        arguments[a] = argument;
        if (i >= count || !used[i])
            continue;
        if (!copies[i]) {
            pm_bare_buffer copy = plan->buffers[i];

            copy.symbol = NULL; /* the variable still uses the first buffer's memory */
            copies[i] = copy.name = name_copy(b, plan, copy.name);
            *pm_add(&b->memory, plan->buffers, plan->buffer_count) = copy;
        }
        arguments[a] = pm_format(&b->memory, "%s%s", copies[i], argument + strcspn(argument, " "));
    }
    launch->arguments = arguments;
}

bool pm_bare_set_apart(pm_bare *b, pm_bare_plan *plan)
{
    const size_t count = plan->buffer_count;
    bool *used = pm_take(&b->memory, count + 1, sizeof *used);
    pm_bare_buffer *buffers = pm_take(&b->memory, count + 1, sizeof *buffers);
    pm_bare_launch *launches = pm_take(&b->memory, plan->launch_count + 1, sizeof *launches);

    memcpy(buffers, plan->buffers, count * sizeof *buffers);
    memcpy(launches, plan->launches, plan->launch_count * sizeof *launches);
    plan->buffers = NULL;
    plan->buffer_count = 0;
    for (size_t i = 0; i < count; i++)
        *pm_add(&b->memory, plan->buffers, plan->buffer_count) = buffers[i];
    plan->launches = launches;
    for (size_t l = 0; l < plan->launch_count; l++) {
        copy_buffers(b, plan, l, used, count);
        if (plan->buffer_count > MOST_BUFFERS)
            return false;
        for (size_t a = 0; a < launches[l].argument_count; a++) {
            const size_t i = buffer_of(plan, launches[l].arguments[a]);

            if (i < count)
                used[i] = true;
        }
    }
    return plan->buffer_count > count;
}
