/* The program nvcc, NVIDIA's compiler of CUDA C++, where this machine has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_NVCC_H
#define PM_COMPILER_NVIDIA_NVCC_H

#include <limits.h>

#include "base/subprocess.h"
#include "compiler/compile.h"

typedef struct {
    char path[PATH_MAX];
    char name[64]; /* name for messages, such as nvcc 13.0.88 */
    unsigned capability;
    /* true: the PTX tells the source's line of each instruction */
    bool with_lines;
    pm_compiler_limits limits;
} pm_nvcc;

/* Finds a program such as ptxas that `perfmodel setup nvidia` has installed. Returns false if that
 * command has not installed it. */
bool pm_nvidia_tool(const char *name, char path[PATH_MAX]);
/* Finds a program in the folders of $PATH. name: at most 60 characters. Returns false if none of
 * them has it. */
bool pm_path_tool(const char *name, char path[PATH_MAX]);
/* Searches the program nvcc without running it: $PERFMODEL_NVCC, else the folder of `perfmodel
 * setup nvidia`, $PATH, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, and Python's packages. Returns
 * false if there is none. */
bool pm_nvcc_search(char path[PATH_MAX]);
/* Finds the program nvcc, and sets nvcc->capability to the closest compute capability that it
 * compiles for (90 means 9.0): the highest that is not above `capability`, else the lowest.
 * PM_FAILED if there is no nvcc that works. */
pm_status pm_nvcc_find(pm_nvcc *nvcc, unsigned capability, const pm_compiler_limits *limits,
                       pm_error *err);
/* Runs nvcc. PM_BAD_INPUT if its exit code is not 0. The caller frees result in all cases. */
pm_status pm_nvcc_run(const pm_nvcc *nvcc, char *const *argv, pm_subprocess_result *result,
                      pm_error *err);

#endif
