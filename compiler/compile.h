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

/* A compiler: limits on its processes, and the paths of clang and libclc. The paths are searched
 * when they are first needed. */
typedef struct pm_compiler pm_compiler;

/* Function that copies some functions of libclc to a small bitcode file. clang links this file
 * faster than all of libclc (libclc_parts.h). */
typedef struct {
    void *user;
    /* Makes bitcode of the functions of libclc with the given names, with all their overloads, and
     * of the functions that these call. user: the member above. libclc: path of libclc's bitcode.
     * names: each name is followed by a blank. The caller frees *bitcode with free(). If `cut` is
     * NULL, clang always links all of libclc. */
    pm_status (*cut)(void *user, const char *libclc, const char *names, char **bitcode,
                     size_t *bytes);
} pm_libclc_cutter;

/* Limits on the resources that clang may use. */
typedef struct {
    size_t memory_bytes; /* limit on clang's memory in bytes; 0: unlimited */
    double seconds;
    pm_cancel cancel;
    /* file cache for clang's output, which must exist as long as the compiler; NULL: no file
     * cache */
    pm_cache *cache;
    pm_libclc_cutter cutter;
} pm_compiler_limits;

pm_compiler *pm_compiler_create(const pm_compiler_limits *limits, pm_error *err);
void pm_compiler_free(pm_compiler *compiler);
const pm_compiler_limits *pm_compiler_limits_of(const pm_compiler *compiler);

/* Compiles a source to bitcode for nvptx64. The bitcode has line tables and type information, is
 * not optimized yet, and is linked with the libclc functions that it uses. source_path is the name
 * in messages and debug information, and its folder is on the include path. The caller frees
 * *bitcode with free(). PM_BAD_INPUT with clang's first error and its line if the source does not
 * compile. PM_FAILED with installation advice if clang or libclc is missing. Warnings go to log. */
pm_status pm_compile(pm_compiler *compiler, const char *source, const char *source_path,
                     const char *build_options, char **bitcode, size_t *bytes, const pm_log *log,
                     pm_error *err);
/* Writes all inputs on which the result of pm_compile depends into a cache key. Returns false if
 * the result must not be cached, because it may depend on further inputs, clang is missing or an
 * option is refused. Notices go to log. */
bool pm_compile_key(pm_compiler *compiler, const char *source, const char *source_path,
                    const char *build_options, pm_wire *key, const pm_log *log);
/* Preprocesses a source with clang. The caller frees *text, which keeps comments and has line
 * markers. options: arguments for clang. */
pm_status pm_preprocess(pm_compiler *compiler, const char *source, const char *source_path,
                        const pm_arguments *options, char **text, pm_error *err);

/* Finds clang and libclc, if they have not been found yet. PM_FAILED with installation advice if
 * one is missing. */
pm_status pm_compiler_find(pm_compiler *compiler, pm_error *err);
/* Finds clang and sets *path to its path. The compiler owns *path. */
pm_status pm_compiler_program(pm_compiler *compiler, char **path, pm_error *err);
/* Finds clang's resource folder (lib/clang/VERSION) and sets *folder to its path. The compiler owns
 * *folder. */
pm_status pm_compiler_headers(pm_compiler *compiler, const char **folder, pm_error *err);

/* Appends clang's arguments for OpenCL build options (pm_build_options). A notice, for example
 * about an option without effect, is logged only once per compiler. */
pm_status pm_compiler_options(pm_compiler *compiler, const char *build_options,
                              pm_arguments *arguments, const pm_log *log, pm_error *err);
/* Appends clang's arguments for the build options of a CUDA source (pm_cuda_options). A notice, for
 * example about an option without effect, is logged only once per compiler. */
pm_status pm_compiler_cuda_options(pm_compiler *compiler, const char *build_options,
                                   pm_arguments *arguments, const pm_log *log, pm_error *err);
/* Logs a notice, unless this compiler has already logged the same notice. */
void pm_compiler_tell_once(pm_compiler *compiler, const pm_log *log, const char *line);

#endif
