/* OpenCL C to LLVM bitcode for NVIDIA's targets, by clang and libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILE_H
#define PM_COMPILER_COMPILE_H

#include "base/cancel.h"
#include "cache/cache.h"
#include "compiler/options/build_options.h"
#include "perfmodel.h"

/* Which clang and libclc there are, looked up once, when they are wanted. */
typedef struct pm_compiler pm_compiler;

/* What a clang may take. */
typedef struct {
    size_t memory_bytes; /* 0: any */
    double seconds;
    pm_cancel cancel;
    pm_cache *cache; /* for clang's output; it must outlive the compiler. NULL: none */
} pm_compiler_limits;

pm_compiler *pm_compiler_create(const pm_compiler_limits *limits, pm_error *err);
void pm_compiler_free(pm_compiler *compiler);
const pm_compiler_limits *pm_compiler_limits_of(const pm_compiler *compiler);

/* Compiles source (source_path names it in messages and debug information, and its folder is on the
 * include path) for nvptx64, with line tables and type information, not optimised yet and linked
 * with what it uses of libclc. *bitcode is freed with free(). Source that does not compile is
 * PM_BAD_INPUT with clang's first error and its line; a missing clang or libclc is PM_FAILED and
 * says what to install. Warnings go to log. */
pm_status pm_compile(pm_compiler *compiler, const char *source, const char *source_path,
                     const char *build_options, char **bitcode, size_t *bytes, const pm_log *log,
                     pm_error *err);
/* Writes everything that the result of pm_compile depends on, as part of a cache key. Returns false
 * if the result may depend on more, clang is missing or an option is refused. Notices go to log. */
bool pm_compile_key(pm_compiler *compiler, const char *source, const char *source_path,
                    const char *build_options, pm_wire *key, const pm_log *log);
/* The source after clang's preprocessor, with comments and line markers; options are clang's. */
pm_status pm_preprocess(pm_compiler *compiler, const char *source, const char *source_path,
                        const pm_arguments *options, char **text, pm_error *err);

/* PM_FAILED, as above, where clang or libclc is missing. */
pm_status pm_compiler_find(pm_compiler *compiler, pm_error *err);
/* The path of clang, which lives as long as the compiler. */
pm_status pm_compiler_program(pm_compiler *compiler, char **path, pm_error *err);
/* The folder of clang's own headers, which lives as long as the compiler. */
pm_status pm_compiler_headers(pm_compiler *compiler, const char **folder, pm_error *err);

/* pm_build_options, whose notices the compiler tells once. */
pm_status pm_compiler_options(pm_compiler *compiler, const char *build_options,
                              pm_arguments *arguments, const pm_log *log, pm_error *err);
/* The same with pm_cuda_options. */
pm_status pm_compiler_cuda_options(pm_compiler *compiler, const char *build_options,
                                   pm_arguments *arguments, const pm_log *log, pm_error *err);
/* A notice that the compiler tells once. */
void pm_compiler_tell_once(pm_compiler *compiler, const pm_log *log, const char *line);

#endif
