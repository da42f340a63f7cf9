/* OpenCL C to LLVM bitcode for NVIDIA's targets, by clang and libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_COMPILE_H
#define PM_COLLECTOR_TRACE_COMPILE_H

#include "build_options.h"
#include "perfmodel.h"

/* Compiles source (source_path names it in messages and debug information, and its folder is on the
 * include path) for nvptx64, with line tables and type information, not optimised yet and linked
 * with what it uses of libclc. *bitcode is freed with free(). Source that does not compile is
 * PM_BAD_INPUT with clang's first error and its line; a missing clang or libclc is PM_FAILED and
 * says what to install. Warnings go to log. */
pm_status pm_trace_compile(const char *source, const char *source_path, const char *build_options,
                           char **bitcode, size_t *bytes, const pm_log *log, pm_error *err);

/* PM_FAILED, as above, where clang or libclc is missing. */
pm_status pm_trace_compiler_find(pm_error *err);

/* Which clang: $PERFMODEL_CLANG and no other, else the one that was there when this was built, else
 * one that PATH has. */
pm_status pm_trace_clang_find(char *clang, size_t size, pm_error *err);
/* The option that puts source_path's folder on the include path. */
pm_status pm_trace_add_folder(pm_arguments *arguments, const char *source_path, pm_error *err);
/* The source behind its #line, as a string to free; NULL: out of memory. */
char *pm_trace_input(const char *source, const char *source_path, size_t *bytes);

#endif
