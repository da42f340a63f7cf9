/* Loads NVRTC, NVIDIA's compiler library for CUDA C++, at run time. The declarations follow NVRTC's
 * header of CUDA 13.0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_NVRTC_H
#define PM_COMPILER_NVIDIA_NVRTC_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

typedef struct pm_nvrtc_program_ *pm_nvrtc_program;

/* Table of the NVRTC functions that are used: X(return type, member name, symbol, parameters). A
 * function that returns int returns 0 on success. */
#define PM_NVRTC_FUNCTIONS(X)                                                                      \
    X(const char *, error_string, "nvrtcGetErrorString", (int code))                               \
    X(int, version, "nvrtcVersion", (int *major, int *minor))                                      \
    X(int, arch_count, "nvrtcGetNumSupportedArchs", (int *count))                                  \
    X(int, archs, "nvrtcGetSupportedArchs", (int *archs))                                          \
    X(int, create, "nvrtcCreateProgram",                                                           \
      (pm_nvrtc_program * program, const char *text, const char *name, int headers,                \
       const char *const *header_texts, const char *const *header_names))                          \
    X(int, destroy, "nvrtcDestroyProgram", (pm_nvrtc_program * program))                           \
    X(int, add_name, "nvrtcAddNameExpression", (pm_nvrtc_program program, const char *name))       \
    X(int, compile, "nvrtcCompileProgram",                                                         \
      (pm_nvrtc_program program, int count, const char *const *options))                           \
    X(int, log_size, "nvrtcGetProgramLogSize", (pm_nvrtc_program program, size_t * size))          \
    X(int, log, "nvrtcGetProgramLog", (pm_nvrtc_program program, char *log))                       \
    X(int, lowered, "nvrtcGetLoweredName",                                                         \
      (pm_nvrtc_program program, const char *name, const char **lowered))                          \
    X(int, ptx_size, "nvrtcGetPTXSize", (pm_nvrtc_program program, size_t * size))                 \
    X(int, ptx, "nvrtcGetPTX", (pm_nvrtc_program program, char *ptx))                              \
    X(int, cubin_size, "nvrtcGetCUBINSize", (pm_nvrtc_program program, size_t * size))             \
    X(int, cubin, "nvrtcGetCUBIN", (pm_nvrtc_program program, char *cubin))

typedef struct {
    void *library;
    char path[PATH_MAX];
    int major, minor;
    /* compute capability of the generated code (90 means 9.0): the GPU's, or the closest lower one
     * that NVRTC supports */
    unsigned capability;
    /* true: NVRTC generates machine code for the GPU; false: PTX, which the driver compiles */
    bool machine_code;
    bool with_lines; /* true: the PTX tells the source's line of each instruction */
#define PM_NVRTC_MEMBER(type, name, symbol, parameters) type(*name) parameters;
    PM_NVRTC_FUNCTIONS(PM_NVRTC_MEMBER)
#undef PM_NVRTC_MEMBER
} pm_nvrtc;

/* Finds libnvrtc for a GPU. capability: the GPU's compute capability (90 means 9.0). cuda: CUDA
 * version that the GPU's driver supports (13 means 13.x). Searches $PERFMODEL_NVRTC, or else the
 * loader's folders, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda and Python packages. Takes the newest
 * version that the driver supports or, if there is none, a newer one. The message of PM_FAILED
 * names the missing file. */
pm_status pm_nvrtc_open(pm_nvrtc *nvrtc, unsigned capability, unsigned cuda, pm_error *err);
void pm_nvrtc_close(pm_nvrtc *nvrtc);

#endif
