/* Runs clang as a process, for output other than the bitcode of pm_compile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_RUN_CLANG_H
#define PM_COMPILER_RUN_CLANG_H

#include "base/subprocess.h"
#include "base/wire.h"
#include "compiler/compile.h"
#include "compiler/compiled.h"
#include "compiler/libclc_parts.h"
#include "compiler/options/build_options.h"
#include "compiler/options/libclc_names.h"

/* Runs clang with `source` on standard input. arguments: all arguments, from clang's path to "-",
 * which means standard input. path: name of the source in messages. PM_BAD_INPUT with clang's first
 * error if the source does not compile. The caller frees result. */
pm_status pm_run_clang(const pm_compiler *compiler, const pm_arguments *arguments,
                       const char *source, const char *path, pm_subprocess_result *result,
                       const pm_log *log, pm_error *err);

/* Runs clang as pm_run_clang does, with the same output, but faster: it links a small file with
 * only the libclc functions that the source needed before, instead of all of libclc. If there is no
 * such file, or it lacks a function, links all of libclc. */
pm_status pm_run_clang_linked(pm_compiler *compiler, const pm_arguments *arguments,
                              const char *source, const char *path, pm_subprocess_result *result,
                              const pm_log *log, pm_error *err);

/* Returns the result of pm_run_clang_linked, or the stored result if clang had the same input
 * before. Results are stored in memory and in the file cache. Warnings go to log in both cases. */
pm_status pm_run_clang_once(pm_compiler *compiler, const pm_arguments *arguments,
                            const char *source, const char *path, pm_subprocess_result *result,
                            const pm_log *log, pm_error *err);
/* Writes all inputs on which the result of pm_run_clang depends into a cache key. Returns false if
 * the result may depend on further inputs, so that it must not be cached. */
bool pm_run_clang_key(pm_compiler *compiler, const pm_arguments *arguments, const char *source,
                      const char *path, pm_wire *key);
/* Returns the compiler's cache of clang's output, which the compiler owns. */
pm_compiled *pm_compiler_compiled(pm_compiler *compiler);
/* Returns the compiler's table of parts of libclc: files with only the functions that a source
 * needs. The compiler owns the table. */
pm_libclc_parts *pm_compiler_libclc_parts(pm_compiler *compiler);

/* Returns the names of the functions in libclc's bitcode. Only the first call reads the file. */
const pm_libclc_names *pm_compiler_libclc_names(pm_compiler *compiler, const char *libclc);

/* Writes the path of libclc's bitcode for NVIDIA GPUs to `path`. If the file is missing, the error
 * (PM_FAILED) says what to install. */
pm_status pm_find_libclc(char *path, size_t size, pm_error *err);

#endif
