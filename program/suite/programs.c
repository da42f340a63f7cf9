/* Finds the programs of a suite or corpus, and the program to which a command applies. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "program/suite/corpus.h"
#include "program/suite/cuda.h"
#include "program/suite/suite.h"

static pm_status no_base(const char *program, pm_error *err)
{
    char list[512] = "";

    for (size_t i = 0; i < pm_program_count(); i++)
        if (pm_program_at(i)->base)
            pm_list_add(list, sizeof list, "%s", pm_program_at(i)->name);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s measures the device, and there is nothing to advise; programs to advise on: "
                   "%s",
                   program, list);
}

static void release_programs(void *programs)
{
    free(((pm_programs *)programs)->items);
    free(((pm_programs *)programs)->own);
    free(programs);
}

static pm_status add_program(pm_programs *to, const pm_program *program, pm_error *err)
{
    const pm_program **items = reallocarray(to->items, to->count + 1, sizeof *items);

    if (!items)
        return pm_fail(err, PM_FAILED, "out of memory for programs");
    to->items = items;
    items[to->count++] = program;
    return PM_OK;
}

static pm_status add_suite(pm_programs *to, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < pm_program_count(); i++)
        status = add_program(to, pm_suite_program(i), err);
    return status;
}

static pm_status add_cuda(pm_programs *to, pm_error *err)
{
    pm_status status = PM_OK;

    to->own = calloc(pm_cuda_suite_count(), sizeof *to->own);
    if (!to->own)
        return pm_fail(err, PM_FAILED, "out of memory for programs");
    for (size_t i = 0; status == PM_OK && i < pm_cuda_suite_count(); i++)
        if (pm_cuda_suite_program(i, &to->own[i]))
            status = add_program(to, &to->own[i], err);
    return status;
}

static pm_status add_corpus(pm_session *session, const char *const *names, pm_programs *to,
                            pm_error *err)
{
    pm_corpus *corpus = pm_corpus_list(err);
    pm_status status = PM_OK;

    if (!corpus)
        return err->status;
    for (size_t i = 0; status == PM_OK && i < corpus->count; i++) {
        const pm_program *program;

        if (!pm_listed(names, corpus->names[i]))
            continue;
        program = pm_program_open(session, corpus->paths[i], err);
        status = program ? add_program(to, program, err) : err->status;
    }
    pm_corpus_free(corpus);
    return status;
}

/* Arguments of pm_programs_find. set: name of the set of programs. names: names of the programs
 * that are needed; NULL: all. */
typedef struct {
    const char *set;
    const char *const *names;
} choosing;

static pm_status fill_programs(pm_session *session, void *object, const void *user, pm_error *err)
{
    const choosing *c = user;
    bool all = c->set && strcmp(c->set, "all") == 0;
    bool corpus = all || (c->set && strcmp(c->set, "corpus") == 0);
    pm_status status = PM_OK;

    if (c->set && strcmp(c->set, "cuda") == 0)
        return add_cuda(object, err);
    if (c->set && !corpus && strcmp(c->set, "suite") != 0)
        return pm_fail(err, PM_BAD_INPUT, "--suite %.40s: choose one of suite, cuda, corpus, all",
                       c->set);
    if (all || !corpus)
        status = add_suite(object, err);
    return status == PM_OK && corpus ? add_corpus(session, c->names, object, err) : status;
}

const pm_programs *pm_programs_find(pm_session *session, const char *set,
                                    const char *const *workloads, const char *const *names,
                                    pm_error *err)
{
    static const pm_session_kind kind = {"programs", sizeof(pm_programs), fill_programs,
                                         release_programs};
    const choosing c = {set, names};
    const pm_programs *programs = NULL;
    pm_text key = {0};

    if (workloads)
        return pm_workloads_find(session, workloads, err);
    pm_text_add(&key, "%s", set ? set : "suite");
    for (size_t i = 0; names && names[i]; i++)
        pm_text_add(&key, " %s", names[i]);
    if (key.failed)
        pm_fail(err, PM_FAILED, "out of memory for programs");
    else
        programs = pm_session_have(session, &kind, pm_text_get(&key), &c, err);
    pm_text_free(&key);
    return programs;
}

/* Finds a program of the corpus by its name. *program is NULL if there is none. */
static pm_status find_in_corpus(pm_session *session, const char *name, const pm_program **program,
                                pm_error *err)
{
    const char *const names[] = {name, NULL};
    const pm_programs *found = pm_programs_find(session, "corpus", NULL, names, err);

    *program = found && found->count > 0 ? found->items[0] : NULL;
    return found ? PM_OK : err->status;
}

/* Returns the program of the workload at this path. NULL with err set if the path is a folder with
 * several workloads. */
static const pm_program *only_workload(pm_session *session, const char *path, pm_error *err)
{
    const char *const paths[] = {path, NULL};
    const pm_programs *found = pm_workloads_find(session, paths, err);

    if (found && found->count > 1)
        pm_fail(err, PM_BAD_INPUT, "%s: has %zu workloads; name one of them, such as %s", path,
                found->count, found->items[0]->path);
    return found && found->count == 1 ? found->items[0] : NULL;
}

const pm_program *pm_program_choose(pm_session *session, const char *program, const char *workload,
                                    const char *variant, const char *size, bool base, pm_error *err)
{
    const char *const programs[] = {program, NULL}, *const variants[] = {variant, NULL},
                      *const sizes[] = {size, NULL};
    const pm_program *found = NULL;
    const pm_programs *suite;

    if (workload)
        found = only_workload(session, workload, err);
    else if (!pm_suite_find(program) && find_in_corpus(session, program, &found, err) != PM_OK)
        return NULL;
    if (workload || found)
        return found && pm_program_check(found, variant, size, err) == PM_OK ? found : NULL;
    suite = pm_programs_find(session, NULL, NULL, NULL, err);
    if (!suite || pm_names_check(suite, programs, variant ? variants : NULL, size ? sizes : NULL,
                                 err) != PM_OK)
        return NULL;
    found = pm_suite_find(program);
    return !base || found->info.base || no_base(program, err) == PM_OK ? found : NULL;
}
