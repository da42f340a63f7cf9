/* Functions for tests of layouts of CUDA sources, which are the CUDA programs of the suite.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_CUDA_H
#define PM_TESTS_LAYOUT_CUDA_H

#include "program/program.h"
#include "tests/trace/trace_suite.h"
#include "transform/rewrite/transform.h"

#define CL_STANDARD "-cl-std=CL1.2"

enum { MOST_LAYOUTS = 32 };

static inline pm_workload *in_opencl(const pm_program *program)
{
    pm_workload *w = pm_suite_make(program, program->info.base, program->info.sizes[0], 3,
                                   test_session(), told());

    assert_ok(w != NULL);
    return w;
}

static inline pm_workload *in_cuda(const pm_program *program)
{
    pm_workload *w = in_opencl(program);
    char path[4096], options[256];

    snprintf(path, sizeof path, "%.*s.cu", (int)strlen(w->source_path) - 3, w->source_path);
    assert_int_equal(strncmp(w->build_options, CL_STANDARD, strlen(CL_STANDARD)), 0);
    snprintf(options, sizeof options, "%s", w->build_options + strlen(CL_STANDARD));
    pm_workload_source_file(w, path);
    pm_workload_options(w, "%s", options);
    assert_ok(w->error.status == PM_OK);
    return w;
}

/* Returns the workload in another layout. Takes ownership of w. */
static inline pm_workload *in_layout(pm_workload *w, const char *layout)
{
    w = pm_layout_transform(w, layout, test_session(), told());
    if (!w)
        fail_msg("%s: %s", layout, last_error.text);
    return owned_workload(w);
}

/* Lists the plain layouts, and layouts that the program names. */
static inline size_t layouts_of(const pm_program *program, const char **layouts)
{
    static const char *const plain[] = {"aos-align", "aos-align8", "soa", "asta:32"};
    size_t count = 0;

    for (; count < sizeof plain / sizeof *plain; count++)
        layouts[count] = plain[count];
    for (size_t i = 0; program->layouts && program->layouts[i].variant && count < MOST_LAYOUTS; i++)
        layouts[count++] = program->layouts[i].layouts;
    return count;
}

#endif
