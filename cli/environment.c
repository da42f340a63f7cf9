/* The table of environment variables, for the manual and docs/options.md. See environment.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/cli/test_manual.py checks that it has each variable PERFMODEL_* that the code reads.
 */
#include "cli/environment.h"

const cli_variable cli_variables[] = {
    {"PERFMODEL_SHARE",
     "folder with kernels/, datasets/ and counters.ini; default: ../share/perfmodel relative to "
     "the program's folder, or else the folder of the installation"},
    {"PERFMODEL_DATASETS",
     "folder that collect writes datasets to, and in which datasets are looked up first; default: "
     "$XDG_DATA_HOME/perfmodel/datasets"},
    {"PERFMODEL_CACHE",
     "folder of the cache (perfmodel cache); off: no cache; default: $XDG_CACHE_HOME/perfmodel"},
    {"PERFMODEL_CACHE_MIB", "limit on the size of the cache in MiB; default: 1024"},
    {"PERFMODEL_THREADS",
     "number of threads that trace kernels, at most 256; default: the number of cores"},
    {"PERFMODEL_CLANG", "compiler (clang) that compiles kernels for traces and rewrites; default: "
                        "the clang of the build"},
    {"PERFMODEL_LIBCLC", "OpenCL C library (bitcode of libclc) to link kernels with for traces and "
                         "rewrites; default: the libclc of the build"},
    {"PERFMODEL_PTXAS", "NVIDIA's assembler for --ptxas"},
    {"PERFMODEL_NVDISASM", "NVIDIA's disassembler for --ptxas; default: the nvdisasm of perfmodel "
                           "setup nvidia, beside ptxas, of the PATH or of /usr/local/cuda"},
    {"PERFMODEL_NVRTC",
     "NVIDIA's runtime compiler (libnvrtc.so) of CUDA kernels for a GPU of this machine; default: "
     "the newest one of a toolkit or of PyPI that the driver supports"},
    {"PERFMODEL_NVCC",
     "compiler (nvcc) of CUDA sources that clang refuses, and of CUDA kernels for a GPU of this "
     "machine if NVRTC is missing; default: the nvcc of perfmodel setup nvidia, of the PATH, of a "
     "toolkit or of PyPI"},
    {"PERFMODEL_CUDA_COMPILER", "default of --cuda-compiler: auto, clang or nvcc"},
    {"PERFMODEL_WORKER", "program of the worker process, which parses, optimises and traces "
                         "kernels; default: the installed one"},
    {"PERFMODEL_WORKER_MIB", "limit on the memory of the worker process in MiB; default: three "
                             "quarters of the machine's memory"},
    {"PERFMODEL_WORKER_SECONDS", "limit on the worker process's time for one source or one run, in "
                                 "seconds; default: 300 for a source, a day for a run"},
    {"COLUMNS", "width of tables and messages; default: the width of the terminal, else 80"},
    {"XDG_DATA_HOME", "parent folder of the user's datasets; default: ~/.local/share"},
    {"XDG_CACHE_HOME", "parent folder of the cache; default: ~/.cache"},
    {"TMPDIR", "folder for temporary files; default: /tmp"},
    {"CUDA_HOME, CUDA_PATH",
     "folder of a CUDA toolkit, in which CUPTI, nvcc and CUDA's headers are looked up"},
    {"OCL_ICD_VENDORS", "read by the OpenCL loader: folder in which OpenCL drivers are registered"},
};
const size_t cli_variable_count = sizeof cli_variables / sizeof *cli_variables;
