/* copy: measures the DRAM bandwidth of a device. Array a is copied to b, and each work-item copies
 * one vector of 1 to 16 floats.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/common.h"
#include "program/program.h"

#include <string.h>

enum { GROUP = 256 };

/* Returns the number of floats in the vector type, which is the number at the end of its name. */
static size_t vector_width(const char *variant)
{
    size_t width = pm_size_value(variant + strlen("float"));
    return width ? width : 1;
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const float *want = workload->buffers[0].initial, *got = outputs[1];
    size_t bytes = workload->buffers[0].bytes;

    if (memcmp(want, got, bytes) == 0)
        return PM_OK;
    for (size_t i = 0; i < bytes / sizeof *want; i++)
        if (memcmp(&want[i], &got[i], sizeof *want) != 0)
            return pm_fail(err, PM_FAILED, "b[%zu] is %.9g, a copy would be %.9g", i,
                           (double)got[i], (double)want[i]);
    return PM_OK;
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t count = pm_size_value(workload->size) * 1024 * 1024 / sizeof(float);

    pm_workload_options(workload, "-cl-std=CL1.2 -DTYPE=%s -DGROUP=%d", workload->variant, GROUP);
    size_t a = pm_random_float_buffer(workload, "a", count, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    size_t b = pm_poisoned_buffer(workload, "b", count * sizeof(float));
    pm_workload_launch(workload, "copy", 1, (size_t[]){count / vector_width(workload->variant)},
                       (size_t[]){GROUP});
    PM_ARGS(workload, PM_BUFFER(a), PM_BUFFER(b));
    workload->work = (double)count;
    workload->check = check;
}

const pm_program pm_program_copy = {
    .info = {.name = "copy",
             .title = "Copy of an array (bandwidth probe)",
             .probe = true,
             .variants = PM_NAMES("float", "float2", "float4", "float8", "float16"),
             /* Size: MiB of one array. */
             .sizes = PM_NAMES("16", "32", "64", "128", "256", "512")},
    .source = "copy/copy.cl",
    .build = build,
};
