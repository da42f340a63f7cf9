/* Programs by name, and workloads of their variants: listed, or made by a transform.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_SUITE_H
#define PM_SUITE_SUITE_H

#include "base/memory.h"
#include "base/strings.h"
#include "program/definition.h"
#include "program/program.h"
#include "worker/worker.h"

const pm_program *pm_suite_program(size_t i);
/* NULL if there is none of that name. */
const pm_program *pm_suite_find(const char *name);
/* The version that is a program's base with all pointers of its kernels restrict. */
#define PM_RESTRICT_VARIANT "restrict"
/* Whether it is one of the program's variants: listed, the text of a layout where it has any, or of
 * staging (staging/staging.h) or PM_RESTRICT_VARIANT where it has a base. */
bool pm_program_has_variant(const pm_program_info *info, const char *variant);
/* The program that a workload file describes (docs/workloads.md). Its workloads have a check where
 * the file has a reference. Faults are PM_BAD_INPUT and name file and line. */
pm_program *pm_program_read(const char *path, pm_worker *worker, pm_error *err);
void pm_program_read_free(pm_program *program);

/* The same of a text, which is freed: of a bare source, which path names. assumed
 * (NULL-terminated, copied) is what was assumed of it. */
pm_program *pm_program_parse(const char *path, char *text, const char *const *assumed,
                             pm_worker *worker, pm_error *err);

/* ---- bare/: sources without a workload file. pm_program_open takes them like files. */

/* Whether the path's ending is that of a source. */
bool pm_bare_is(const char *path);
/* The program of a source, launched as its host code and the session's launch options say. */
pm_program *pm_bare_read(pm_session *session, const char *path, pm_error *err);
/* What the session's launch options say, as a part of keys; "" where they say nothing. */
const char *pm_bare_key(const pm_session *session);

/* ---- intercept/: launches that the Intercept Layer for OpenCL Applications recorded, each a
 * folder. pm_program_read takes them like files. */

/* Whether the path is such a folder. */
bool pm_intercept_is(const char *path);
/* PM_BAD_INPUT where the launch has what no workload has: images, samplers, no source. */
pm_status pm_intercept_check(const char *path, pm_error *err);
/* Whether it has what buffers held after the launch. */
bool pm_intercept_has_results(const char *path);
/* The text of its workload file, as one that lay in the folder, to free. NULL: PM_BAD_INPUT names
 * the file that is wrong. */
char *pm_intercept_text(const char *path, pm_worker *worker, pm_error *err);

/* ---- variants and sizes ---------------------------------------------------------------------- */

/* Whether variant and size (each may be NULL) are the program's; else PM_BAD_INPUT with a list. */
pm_status pm_program_check(const pm_program *program, const char *variant, const char *size,
                           pm_error *err);
/* Whether a variant that it has is made of the base by a transform, and not by the program itself.
 */
bool pm_program_is_transformed(const pm_program *program, const char *variant);
/* The layouts that a name which the program lists stands for, else the text itself. */
const char *pm_program_layouts(const pm_program *program, const char *layouts);
/* Builds a workload of a variant that the program has and a size that is listed. */
pm_workload *pm_program_build(const pm_program *program, const char *variant, const char *size,
                              uint64_t seed, pm_session *session, pm_error *err);
/* The same, to be held against the program's plain version or, of the suite's, against what its
 * programs know to be right. */
pm_workload *pm_program_build_against(const pm_program *program, const char *variant,
                                      const char *size, uint64_t seed, pm_session *session,
                                      pm_error *err);

/* Builds it to tell what it is (program/definition.h), with the session's seed. */
pm_status pm_program_define(pm_session *session, const pm_program *program, const char *variant,
                            const char *size, char text[PM_DEFINITION], pm_error *err);

/* ---- names.c: programs by set, and the names that commands are given ------------------------- */

typedef struct {
    size_t count;
    const pm_program **items;
    pm_program *own; /* those of items that are nobody else's */
    /* What was assumed of bare sources among them, NULL-terminated; NULL: nothing. */
    const char *const *assumed;
    pm_memory memory; /* of assumed */
} pm_programs;

/* The programs of a set: suite (NULL is that, too), corpus, all of these, or cuda, the suite's in
 * CUDA; or, in place of one, those of
 * workloads (NULL: none), as pm_workloads_find has them. names (NULL: all) may leave out some of
 * the corpus, each of which is a file to be read. The session keeps the list. NULL: PM_BAD_INPUT.
 */
const pm_programs *pm_programs_find(pm_session *session, const char *set,
                                    const char *const *workloads, const char *const *names,
                                    pm_error *err);

/* PM_BAD_INPUT, with the right names, if a name is wrong, or if none of the programs has the
 * variants and sizes together. Lists are NULL-terminated; NULL: all. */
pm_status pm_names_check(const pm_programs *all, const char *const *programs,
                         const char *const *variants, const char *const *sizes, pm_error *err);

/* The program of that name, or the one of that workload (NULL: none), with its variant and size
 * (each may be NULL). base: only one that transforms can start from. NULL: PM_BAD_INPUT, as above.
 */
const pm_program *pm_program_choose(pm_session *session, const char *program, const char *workload,
                                    const char *variant, const char *size, bool base,
                                    pm_error *err);

/* The program that a workload file describes, read once in a session. */
const pm_program *pm_program_open(pm_session *session, const char *path, pm_error *err);

/* ---- workloads.c: the paths of workloads ---------------------------------------------------- */

/* The programs of workload files, of captures and of folders of either, in the order of the paths,
 * and by name within a folder. paths is NULL-terminated. One that is not there or has none, a wrong
 * file, and two programs of one name are PM_BAD_INPUT. The session keeps the list. */
const pm_programs *pm_workloads_find(pm_session *session, const char *const *paths, pm_error *err);

#endif
