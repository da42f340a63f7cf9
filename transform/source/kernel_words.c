/* The keywords and id expressions of OpenCL C and of CUDA, as two rows of one table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/kernel_words.h"

#include <stddef.h>
#include <string.h>

static const pm_kernel_words languages[] = {
    {
        .language = "OpenCL C",
        .global = "__global ",
        .constant = "__constant ",
        .local = "__local ",
        .function = "",
        .kernel = "__kernel void ",
        .restricted = "restrict",
        .aligned_before = "__attribute__((aligned(",
        .aligned_behind = "))) ",
        .index = "long",
        .count = "ulong",
        .barrier = "barrier(CLK_LOCAL_MEM_FENCE);",
        .barrier_all = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        .local_id = {"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
        .group_id = {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
        .local_size = {"get_local_size(0)", "get_local_size(1)", "get_local_size(2)"},
        .group_count = {"get_num_groups(0)", "get_num_groups(1)", "get_num_groups(2)"},
        .global_id = {"get_global_id(0)", "get_global_id(1)", "get_global_id(2)"},
    },
    {
        .is_cuda = true,
        .language = "CUDA",
        .global = "",
        .constant = "",
        .local = "__shared__ ",
        .function = "static __device__ ",
        .kernel = "__global__ void ",
        .restricted = "__restrict__",
        .aligned_before = "__align__(",
        .aligned_behind = ") ",
        .index = "long long",
        .count = "unsigned long long",
        .barrier = "__syncthreads();",
        .barrier_all = "__syncthreads();",
        .local_id = {"threadIdx.x", "threadIdx.y", "threadIdx.z"},
        .group_id = {"blockIdx.x", "blockIdx.y", "blockIdx.z"},
        .local_size = {"blockDim.x", "blockDim.y", "blockDim.z"},
        .group_count = {"gridDim.x", "gridDim.y", "gridDim.z"},
        .global_id = {"(blockIdx.x * blockDim.x + threadIdx.x)",
                      "(blockIdx.y * blockDim.y + threadIdx.y)",
                      "(blockIdx.z * blockDim.z + threadIdx.z)"},
    },
};

const pm_kernel_words *pm_kernel_words_of(bool is_cuda)
{
    return &languages[is_cuda];
}

const char *pm_kernel_type(const pm_kernel_words *words, const char *type)
{
    static const char *const cuda[][2] = {
        {"uchar", "unsigned char"}, {"ushort", "unsigned short"},
        {"uint", "unsigned int"},   {"ulong", "unsigned long"},
        {"longlong", "long long"},  {"ulonglong", "unsigned long long"},
        {"half", "__half"},
    };

    for (size_t i = 0; words->is_cuda && i < sizeof cuda / sizeof *cuda; i++)
        if (strcmp(type, cuda[i][0]) == 0)
            return cuda[i][1];
    return type;
}
