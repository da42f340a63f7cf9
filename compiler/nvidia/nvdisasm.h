/* Runs NVIDIA's disassembler nvdisasm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_NVDISASM_H
#define PM_COMPILER_NVIDIA_NVDISASM_H

#include <limits.h>

#include "compiler/nvidia/ptxas.h"

typedef struct {
    char program[PATH_MAX]; /* "": there is none */
    pm_compiler_limits limits;
} pm_nvdisasm;

/* Finds nvdisasm: $PERFMODEL_NVDISASM, else in the folder of `perfmodel setup nvidia`, in the
 * folder of the ptxas at the path `ptxas`, on PATH, or in /usr/local/cuda/bin. Sets program to ""
 * if there is none. */
void pm_nvdisasm_find(const char *ptxas, const pm_compiler_limits *limits, pm_nvdisasm *nvdisasm);

/* Disassembles machine code to text with line information. The caller frees *text. PM_FAILED if
 * nvdisasm fails. */
pm_status pm_nvdisasm_run(const pm_nvdisasm *nvdisasm, const pm_machine_code *code, char **text,
                          pm_error *err);

#endif
