/* Random programs with arrays of structs, in random layouts: what a layout makes of a program must
 * compute the same bits, or the layout must be refused with a line of the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "../suite.h"
#include "structs.h"

static void choose(const rd_program *program, unsigned variant, rd_case *c)
{
    lr_layout(program, variant, c->spec, sizeof c->spec);
}

/* ---- deliberate faults ---------------------------------------------------------------------- */

static bool break_output(pm_workload *w, const rd_program *program)
{
    (void)program;
    if (w->buffer_count == 0 || !w->buffers[0].initial || !(w->buffers[0].flags & PM_BUFFER_OUTPUT))
        return false;
    memset(w->buffers[0].initial, 1, w->buffers[0].bytes);
    return true;
}

static bool break_arguments(pm_workload *w, const rd_program *program)
{
    (void)program;
    for (size_t l = 0; l < w->launch_count; l++)
        for (size_t i = 0; i + 1 < w->launches[l].arg_count; i++) {
            pm_arg *a = &w->launches[l].args[i], swap = *a;

            if (a[0].kind != PM_ARG_BUFFER || a[1].kind != PM_ARG_BUFFER ||
                a[0].buffer == a[1].buffer ||
                w->buffers[a[0].buffer].bytes != w->buffers[a[1].buffer].bytes)
                continue;
            a[0] = a[1];
            a[1] = swap;
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    static const rd_suite suite = {
        .name = "test_layout_random",
        .create = lr_create,
        .choose = choose,
        .breaks = {{"output", break_output, 4}, {"arguments", break_arguments, 4}},
        .compile = "-O0",
        .optimised = "-O2 -fstrict-aliasing",
        .padded = true,
        .doubles = true,
        .refused = {0.03, 0.03},
        .unsound = {0.001, 0.001}, /* chance that a name occurs twice in one function */
        .programs = 16,
        .variants = 8,
        .devices = 1,
    };

    return rd_main(&suite, argc, argv);
}
