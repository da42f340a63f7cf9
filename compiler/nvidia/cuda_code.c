/* Chooses a compiler of CUDA sources for an NVIDIA GPU. See cuda_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/nvidia/cuda_code.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "compiler/nvidia/cuda_compile.h"

struct pm_cuda_compiler {
    char name[64];
    unsigned capability;
    enum { BY_NVRTC, BY_NVCC, BY_CLANG } way;
    pm_nvrtc nvrtc;
    pm_nvcc nvcc;
    pm_compiler *clang;
};

static bool find_clang(pm_cuda_compiler *c, const pm_compiler_limits *limits)
{
    c->clang = pm_compiler_create(limits, NULL);
    return c->clang && pm_compiler_find(c->clang, NULL) == PM_OK;
}

/* Chooses the first of NVRTC, nvcc and clang that works. If none works, err has NVRTC's error,
 * because users should install NVRTC. */
static pm_status choose(pm_cuda_compiler *c, unsigned cuda, const pm_compiler_limits *limits,
                        pm_error *err)
{
    if (pm_nvrtc_open(&c->nvrtc, c->capability, cuda, err) == PM_OK) {
        c->way = BY_NVRTC;
        snprintf(c->name, sizeof c->name, "NVRTC %d.%d", c->nvrtc.major, c->nvrtc.minor);
    } else if (pm_nvcc_find(&c->nvcc, c->capability, limits, NULL) == PM_OK) {
        c->way = BY_NVCC;
        snprintf(c->name, sizeof c->name, "%s", c->nvcc.name);
    } else if (find_clang(c, limits)) {
        c->way = BY_CLANG;
        snprintf(c->name, sizeof c->name, "clang %d", PM_LLVM_MAJOR);
    } else {
        return PM_FAILED;
    }
    return PM_OK;
}

pm_cuda_compiler *pm_cuda_compiler_open(unsigned capability, unsigned cuda,
                                        const pm_compiler_limits *limits, pm_error *err)
{
    pm_cuda_compiler *c = calloc(1, sizeof *c);

    if (!c) {
        pm_fail(err, PM_FAILED, "out of memory for a CUDA compiler");
        return NULL;
    }
    c->capability = capability;
    if (choose(c, cuda, limits, err) == PM_OK)
        return c;
    pm_cuda_compiler_close(c);
    return NULL;
}

void pm_cuda_compiler_close(pm_cuda_compiler *c)
{
    if (!c)
        return;
    pm_nvrtc_close(&c->nvrtc);
    pm_compiler_free(c->clang);
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
    switch (c->way) {
    case BY_NVRTC:
        return pm_nvrtc_compile(&c->nvrtc, c->name, workload, code, err);
    case BY_NVCC:
        return pm_nvcc_compile(&c->nvcc, workload, code, err);
    case BY_CLANG:
        break;
    }
    return pm_clang_compile(c->clang, c->capability, workload, code, err);
}

void pm_cuda_code_free(pm_cuda_code *code)
{
    pm_memory_free(&code->memory);
    *code = (pm_cuda_code){0};
}
