/* Finds programs by name, and builds workloads (launches and data) of their variants. A variant is
 * either a version that the program lists, or perfmodel makes it by rewriting the program's base
 * variant.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SUITE_SUITE_H
#define PM_PROGRAM_SUITE_SUITE_H

#include "base/memory.h"
#include "base/strings.h"
#include "collector/worker/worker.h"
#include "program/definition.h"
#include "program/program.h"

const pm_program *pm_suite_program(size_t i);
/* Returns the program of the suite with this name. NULL: the suite has none. */
const pm_program *pm_suite_find(const char *name);
/* Name of the variant that is the base variant with `restrict` on all pointer parameters of its
 * kernels. */
#define PM_RESTRICT_VARIANT "restrict"
/* Returns whether the program has the variant. It has all variants that it lists. It has every data
 * layout (transform/layout/layout.h) if info->layouts is set. If it has a base variant, it also has
 * PM_RESTRICT_VARIANT and every staging request (transform/staging/staging.h). */
bool pm_program_has_variant(const pm_program_info *info, const char *variant);
/* Reads the program that a workload file describes (docs/workloads.md). The results of its
 * workloads are checked if the file has a section [reference]. A fault in the file is PM_BAD_INPUT
 * and names file and line. */
pm_program *pm_program_read(const char *path, pm_worker *worker, pm_error *err);
/* Reads the workload file of a program of the suite. Does not build each variant in each size to
 * find faults, because that takes long and tests have checked the file. */
pm_program *pm_program_read_shipped(const char *path, pm_worker *worker, pm_error *err);
void pm_program_read_free(pm_program *program);

/* Builds the workload of a listed variant that is no data layout. If the program is in the suite,
 * its workload file is read first, once per session. NULL on failure. Defined in make.c. */
pm_workload *pm_suite_make(const pm_program *program, const char *variant, const char *size,
                           uint64_t seed, pm_session *session, pm_error *err);

/* Makes a program from the source at `path`, which has no workload file. text: the content of a
 * workload file that was generated for the source. It is freed, also after an error. assumed:
 * assumptions about the launches, NULL-terminated; the program has a copy. NULL on failure. */
pm_program *pm_program_parse(const char *path, char *text, const char *const *assumed,
                             pm_worker *worker, pm_error *err);

/* ---- bare/: sources without a workload file, which pm_program_open accepts like workload files
 * ---- */

/* Returns true if a path ends like the name of a source file: .cl, .cu, .hip, or .c and .cpp for
 * OpenCL host code. */
bool pm_bare_is(const char *path);
/* Makes a program from a source without a workload file. Its launches come from its host code and
 * from the session's launch options, such as --grid. NULL on failure. */
pm_program *pm_bare_read(pm_session *session, const char *path, pm_error *err);
/* Returns the session's launch options (such as --grid) as one text, which becomes part of cache
 * keys. "": the session has none. */
const char *pm_bare_key(const pm_session *session);

/* ---- variants and sizes ---------------------------------------------------------------------- */

/* Returns PM_BAD_INPUT with a list of the valid names if the program lacks the variant or the size.
 * variant NULL or size NULL: it is not checked. */
pm_status pm_program_check(const pm_program *program, const char *variant, const char *size,
                           pm_error *err);
/* Returns whether a variant of the program is made by a transform of the base variant. */
bool pm_program_is_transformed(const pm_program *program, const char *variant);
/* layouts: name of a variant, or the text of a data layout (transform/layout/layout.h). If it is
 * the name of a variant that is a rewrite in another layout, returns the text of that layout.
 * Otherwise returns `layouts` unchanged. */
const char *pm_program_layouts(const pm_program *program, const char *layouts);
/* Builds the workload of a variant that the program has, in a size that it lists. NULL on
 * failure. */
pm_workload *pm_program_build(const pm_program *program, const char *variant, const char *size,
                              uint64_t seed, pm_session *session, pm_error *err);
/* Builds a workload like pm_program_build, except that its outputs are compared with the outputs of
 * the program's source without transforms. If the program is in the suite, they are compared with
 * the program's reference. */
pm_workload *pm_program_build_against(const pm_program *program, const char *variant,
                                      const char *size, uint64_t seed, pm_session *session,
                                      pm_error *err);

/* Writes the digest of a workload's sources and data (program/definition.h) into `text`. The
 * workload is built with the session's seed. */
pm_status pm_program_define(pm_session *session, const pm_program *program, const char *variant,
                            const char *size, char text[PM_DEFINITION], pm_error *err);

/* ---- names.c: sets of programs, and names that users give ------------------------------------ */

typedef struct {
    size_t count;
    const pm_program **items;
    /* array of the CUDA programs in the list, which the list owns and frees; NULL: none */
    pm_program *own;
    /* Assumptions about those programs in the list whose source has no workload file,
     * NULL-terminated; NULL: none. */
    const char *const *assumed;
    pm_memory memory; /* owns the strings of `assumed` */
} pm_programs;

/* Returns the programs of a set: "suite" (also for NULL), "corpus", "all" (both), or "cuda" (the
 * suite's programs in CUDA). If `workloads` is not NULL, returns the result of
 * pm_workloads_find(workloads) and ignores `set`. names: programs that the caller needs (NULL:
 * all); other files of the corpus are not read. The session owns the list. Returns NULL on failure,
 * with PM_BAD_INPUT. */
const pm_programs *pm_programs_find(pm_session *session, const char *set,
                                    const char *const *workloads, const char *const *names,
                                    pm_error *err);

/* Returns PM_BAD_INPUT with a list of the valid names if a name is wrong. Also returns it if no
 * program has one of the variants together with one of the sizes. Lists are NULL-terminated; NULL:
 * all. */
pm_status pm_names_check(const pm_programs *all, const char *const *programs,
                         const char *const *variants, const char *const *sizes, pm_error *err);

/* Returns the program called `program`, or the program of the file `workload` if that is not NULL.
 * The program must have the variant and the size (NULL: not required). If `base` is true, it must
 * have a base variant, because transforms start from it. NULL on failure, with PM_BAD_INPUT and a
 * list of the valid names. */
const pm_program *pm_program_choose(pm_session *session, const char *program, const char *workload,
                                    const char *variant, const char *size, bool base,
                                    pm_error *err);

/* Returns the program of a workload file or of a source without one. The session reads each file
 * once and owns the program. NULL on failure. */
const pm_program *pm_program_open(pm_session *session, const char *path, pm_error *err);

/* ---- workloads.c: paths of workloads -------------------------------------------------------- */

/* Returns the programs of workload files, captures, and folders of either, in the order of the
 * paths and by name within a folder. `paths` is NULL-terminated. The session owns the list. NULL
 * with PM_BAD_INPUT if a path does not exist, a folder has no workload, a file is faulty, or two
 * programs have the same name. */
const pm_programs *pm_workloads_find(pm_session *session, const char *const *paths, pm_error *err);

#endif
