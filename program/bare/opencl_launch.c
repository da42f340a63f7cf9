/* Determines the sizes and arguments of the launches of OpenCL host code. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/bare/bare.h"

/* Chooses a local size that divides the global size, for a launch without one, as OpenCL drivers
 * do. */
static void choose_local(const uint64_t global[3], uint64_t local[3])
{
    static const uint64_t most[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    const size_t dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;

    for (size_t d = 0; d < 3; d++) {
        local[d] = most[dimensions - 1][d];
        while (global[d] % local[d] != 0)
            local[d]--;
    }
}

static bool is_known(const uint64_t range[3])
{
    return range[0] && range[1] && range[2];
}

static const char *say_sizes(pm_bare *b, const uint64_t range[3])
{
    const size_t dimensions = range[2] > 1 ? 3 : range[1] > 1 ? 2 : 1;
    pm_text text = {.memory = &b->memory};

    for (size_t d = 0; d < dimensions; d++)
        pm_text_add(&text, "%s%s", d ? ", " : "", pm_bare_say_number(b, range[d]));
    return pm_text_get(&text);
}

/* Makes the global size of a launch a multiple of the local size. If the option --grid (said_grid)
 * gives a number of work-groups, computes the global size from it. Otherwise rounds the global size
 * of the host code up. */
static void settle_sizes(pm_bare *b, const pm_bare_launch *launch, const char *said_grid,
                         uint64_t global[3], const uint64_t local[3])
{
    bool rounded = false;

    if (said_grid)
        pm_bare_read_range(said_grid, global);
    for (size_t d = 0; d < 3; d++) {
        const uint64_t groups = said_grid ? global[d] : (global[d] + local[d] - 1) / local[d];

        rounded |= groups * local[d] != global[d];
        global[d] = groups * local[d];
    }
    if (rounded && !said_grid)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = pm_format(
            &b->memory, "%s: global size rounded up to a multiple of the local size", launch->name);
}

void pm_bare_say_opencl_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                               pm_bare_launch *launch)
{
    const pm_source_launch *of = &b->host.launches[l];
    const pm_source_shape *shape = &b->kernels[l]->shape;
    const char *said_grid = pm_bare_for(b->options->grids, 0);
    const char *said_block = pm_bare_for(b->options->blocks, 0);
    uint64_t global[3], local[3];

    memcpy(global, of->grid, sizeof global);
    memcpy(local, of->block, sizeof local);
    launch->range_assumed = !said_block && !is_known(local) && !shape->group[0];
    if (said_block) {
        pm_bare_read_range(said_block, local);
    } else if (!is_known(local) && shape->group[0]) {
        for (size_t d = 0; d < 3; d++)
            local[d] = shape->group[d] ? shape->group[d] : 1;
    } else if (!is_known(local) && is_known(global)) {
        choose_local(global, local);
    }
    if (!is_known(local) || (!said_grid && !is_known(global))) {
        launch->grid = assumed->launches[0].grid;
        launch->block = assumed->launches[0].block;
        launch->range_assumed = true;
        return;
    }
    settle_sizes(b, launch, said_grid, global, local);
    launch->grid = say_sizes(b, global);
    launch->block = say_sizes(b, local);
}

const char *pm_bare_opencl_value(pm_bare *b, const char *value, const pm_source_param *param)
{
    const char *blank = strchr(value, ' '), *inner = strstr(value, "((");

    if (!blank || !*param->type)
        return value;
    /* OpenCL's host headers declare vectors as unions, whose initializers have one more pair of
     * parentheses */
    if (inner && strstr(inner, "))"))
        return pm_format(&b->memory, "%s (%.*s)", param->type,
                         (int)(strstr(inner, "))") - inner - 2), inner + 2);
    if (strchr(value, '('))
        return value;
    if (blank[1 + strspn(blank + 1, "0123456789")] || strlen(blank + 1) > 18)
        return pm_format(&b->memory, "%s%s", param->type, blank);
    return pm_format(&b->memory, "%s %s", param->type,
                     pm_bare_say_number(b, strtoull(blank + 1, NULL, 10)));
}
