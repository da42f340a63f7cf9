/* Choosing what compiles CUDA sources for a GPU. See cuda_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_code.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "compiler/cuda_compile.h"

struct pm_cuda_compiler {
    char name[64];
    bool by_library;
    pm_nvrtc nvrtc;
    pm_nvcc nvcc; /* where there is no NVRTC */
};

pm_cuda_compiler *pm_cuda_compiler_open(unsigned capability, unsigned cuda,
                                        const pm_compiler_limits *limits, pm_error *err)
{
    pm_cuda_compiler *c = calloc(1, sizeof *c);

    if (!c) {
        pm_fail(err, PM_FAILED, "out of memory for a CUDA compiler");
        return NULL;
    }
    if (pm_nvrtc_open(&c->nvrtc, capability, cuda, err) == PM_OK) {
        c->by_library = true;
        snprintf(c->name, sizeof c->name, "NVRTC %d.%d", c->nvrtc.major, c->nvrtc.minor);
        return c;
    }
    if (pm_nvcc_find(&c->nvcc, capability, limits, NULL) == PM_OK) {
        snprintf(c->name, sizeof c->name, "%s", c->nvcc.name);
        return c;
    }
    pm_cuda_compiler_close(c); /* err is NVRTC's, the way that is best */
    return NULL;
}

void pm_cuda_compiler_close(pm_cuda_compiler *c)
{
    if (!c)
        return;
    pm_nvrtc_close(&c->nvrtc);
    free(c);
}

const char *pm_cuda_compiler_name(const pm_cuda_compiler *c)
{
    return c->name;
}

pm_status pm_cuda_compile(const pm_cuda_compiler *c, const pm_workload *workload,
                          pm_cuda_code *code, pm_error *err)
{
    *code = (pm_cuda_code){0};
    return c->by_library ? pm_nvrtc_compile(&c->nvrtc, c->name, workload, code, err)
                         : pm_nvcc_compile(&c->nvcc, workload, code, err);
}

void pm_cuda_code_free(pm_cuda_code *code)
{
    pm_memory_free(&code->memory);
    *code = (pm_cuda_code){0};
}
