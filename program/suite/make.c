/* Builds the workloads of a program's variants. For a program of the suite, first reads its
 * workload file. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "program/suite/cuda.h"
#include "program/suite/suite.h"

static void release(void *program)
{
    pm_program_read_free(program);
}

static const pm_program *open_shipped(pm_session *session, const char *file, pm_error *err)
{
    pm_program *program = pm_session_find(session, "suite file", file);
    char name[NAME_MAX], path[PATH_MAX];

    if (program)
        return program;
    snprintf(name, sizeof name, "kernels/%s", file);
    if (pm_share_path(name, path, sizeof path, err) != PM_OK)
        return NULL;
    program = pm_program_read_shipped(path, pm_session_worker(session), err);
    if (!program || pm_session_keep(session, "suite file", file, program, release, err) != PM_OK)
        return NULL;
    return program;
}

/* Builds a workload of a program of the suite. Its member `origin`, the path of the user's file for
 * messages, is NULL, because there is no such file. */
static pm_workload *make_shipped(const pm_program *program, const char *variant, const char *size,
                                 uint64_t seed, pm_session *session, pm_error *err)
{
    const pm_program *read = open_shipped(session, program->file, err);
    pm_workload *workload = read ? read->build_own(read->context, variant, size, seed, err) : NULL;

    if (workload) {
        free(workload->origin);
        workload->origin = NULL;
    }
    return workload;
}

pm_workload *pm_suite_make(const pm_program *program, const char *variant, const char *size,
                           uint64_t seed, pm_session *session, pm_error *err)
{
    pm_workload *workload;

    if (program->twin) {
        workload = pm_suite_make(program->twin, variant, size, seed, session, err);
        return workload ? pm_cuda_suite_make(workload, err) : NULL;
    }
    return program->file ? make_shipped(program, variant, size, seed, session, err)
                         : program->build_own(program->context, variant, size, seed, err);
}
