/* Compiles OpenCL C to LLVM bitcode for NVPTX targets, with clang and libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILE_H
#define PM_COMPILER_COMPILE_H

#include "base/cache/cache.h"
#include "base/cancel.h"
#include "compiler/options/build_options.h"
#include "perfmodel.h"

/* A clang and a libclc, which are found when they are first needed. */
typedef struct pm_compiler pm_compiler;

/* Limits of clang's resources. */
typedef struct {
    size_t memory_bytes; /* 0: unlimited */
    double seconds;
    pm_cancel cancel;
    pm_cache *cache; /* cache for clang's output, which must outlive the compiler; NULL: none */
} pm_compiler_limits;

pm_compiler *pm_compiler_create(const pm_compiler_limits *limits, pm_error *err);
void pm_compiler_free(pm_compiler *compiler);
const pm_compiler_limits *pm_compiler_limits_of(const pm_compiler *compiler);

/* Compiles source for nvptx64, with line tables and type information, not optimized yet, and linked
 * with the libclc functions that it uses. source_path is the name in messages and debug
 * information, and its folder is on the include path. The caller frees *bitcode with free().
 * PM_BAD_INPUT with clang's first error and its line if the source does not compile. PM_FAILED with
 * installation advice if clang or libclc is missing. Warnings go to log. */
pm_status pm_compile(pm_compiler *compiler, const char *source, const char *source_path,
                     const char *build_options, char **bitcode, size_t *bytes, const pm_log *log,
                     pm_error *err);
/* Writes everything that the result of pm_compile depends on, as part of a cache key. Returns false
 * if the result may depend on more, clang is missing or an option is refused. Notices go to log. */
bool pm_compile_key(pm_compiler *compiler, const char *source, const char *source_path,
                    const char *build_options, pm_wire *key, const pm_log *log);
/* Preprocesses the source with clang. The text has comments and line markers. options are clang's.
 */
pm_status pm_preprocess(pm_compiler *compiler, const char *source, const char *source_path,
                        const pm_arguments *options, char **text, pm_error *err);

/* Finds clang and libclc. PM_FAILED with installation advice if one is missing. */
pm_status pm_compiler_find(pm_compiler *compiler, pm_error *err);
/* Finds clang. The compiler owns the path. */
pm_status pm_compiler_program(pm_compiler *compiler, char **path, pm_error *err);
/* Finds clang's resource folder, lib/clang/VERSION. The compiler owns the path. */
pm_status pm_compiler_headers(pm_compiler *compiler, const char **folder, pm_error *err);

/* Calls pm_build_options. Each notice is logged once per compiler. */
pm_status pm_compiler_options(pm_compiler *compiler, const char *build_options,
                              pm_arguments *arguments, const pm_log *log, pm_error *err);
/* Calls pm_cuda_options. Each notice is logged once per compiler. */
pm_status pm_compiler_cuda_options(pm_compiler *compiler, const char *build_options,
                                   pm_arguments *arguments, const pm_log *log, pm_error *err);
/* Logs a notice once per compiler. */
void pm_compiler_tell_once(pm_compiler *compiler, const pm_log *log, const char *line);

#endif
