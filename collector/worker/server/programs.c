/* Cache of compiled programs in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/server/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_KEPT = 64 };

struct pm_served_program {
    pm_trace_program *program;
    /* request that the program was built from; its strings are copies that this struct owns */
    pm_backend_request request;
    size_t users;
    pm_served_program *next; /* the program that was used last before this one */
};

static void free_program(pm_served_program *program)
{
    if (program->program)
        pm_trace_program_free(program->program);
    free((char *)program->request.bitcode);
    free((char *)program->request.source_path);
    free((char *)program->request.costs);
    for (size_t i = 0; program->request.kernels && i < program->request.kernel_count; i++)
        free((char *)program->request.kernels[i]);
    free((char **)program->request.kernels);
    free(program);
}

void pm_served_programs_free(pm_served_program *programs)
{
    while (programs) {
        pm_served_program *next = programs->next;

        free_program(programs);
        programs = next;
    }
}

static bool has_same_kernels(const pm_backend_request *a, const pm_backend_request *b)
{
    if (a->kernel_count != b->kernel_count)
        return false;
    for (size_t i = 0; i < a->kernel_count; i++)
        if (strcmp(a->kernels[i], b->kernels[i]) != 0)
            return false;
    return true;
}

/* Returns whether two requests build the same program. Requests never count as the same if they
 * have initial contents of __constant__ variables (symbols), or struct arguments that contain
 * pointers or textures (values). The bytes of these are part of the compiled code, but are not
 * compared. */
static bool is_same(const pm_backend_request *a, const pm_backend_request *b)
{
    return a->symbol_count == 0 && b->symbol_count == 0 && a->value_count == 0 &&
           b->value_count == 0 && a->warp_width == b->warp_width &&
           a->capability == b->capability && a->all_restrict == b->all_restrict &&
           memcmp(&a->register_rules, &b->register_rules, sizeof a->register_rules) == 0 &&
           a->as_written == b->as_written && a->quick == b->quick && a->marks == b->marks &&
           a->bitcode_bytes == b->bitcode_bytes && strcmp(a->source_path, b->source_path) == 0 &&
           strcmp(a->costs, b->costs) == 0 && has_same_kernels(a, b) &&
           memcmp(a->bitcode, b->bitcode, a->bitcode_bytes) == 0;
}

static char **copy_names(const pm_backend_request *request)
{
    char **names = calloc(request->kernel_count + 1, sizeof *names);
    bool all = names != NULL;

    for (size_t i = 0; all && i < request->kernel_count; i++) {
        names[i] = strdup(request->kernels[i]);
        all = names[i] != NULL;
    }
    for (size_t i = 0; names && !all && i < request->kernel_count; i++)
        free(names[i]);
    if (!all)
        free(names);
    return all ? names : NULL;
}

static pm_served_program *build(const pm_backend_request *request, pm_error *err)
{
    pm_served_program *program = calloc(1, sizeof *program);
    char *bitcode = malloc(request->bitcode_bytes + 1);

    if (program) {
        program->request = *request;
        /* the symbols and values are not copied, because only their number is needed later */
        program->request.symbols = NULL;
        program->request.values = NULL;
        program->request.bitcode =
            bitcode ? memcpy(bitcode, request->bitcode, request->bitcode_bytes) : NULL;
        program->request.source_path = strdup(request->source_path);
        program->request.costs = strdup(request->costs);
        program->request.kernels = (const char *const *)copy_names(request);
    }
    if (!program || !bitcode || !program->request.source_path || !program->request.costs ||
        !program->request.kernels)
        pm_fail(err, PM_FAILED, "%s: out of memory for its code", request->source_path);
    else if (pm_trace_program_build(request, &program->program, err) == PM_OK)
        return program;
    if (program)
        free_program(program);
    else
        free(bitcode);
    return NULL;
}

/* Frees the least recently used programs if the list has more than MOST_KEPT. Programs in use are
 * not freed. */
static void forget_old(pm_served_program **at)
{
    for (size_t kept = 0; *at; kept++) {
        pm_served_program *program = *at;

        if (kept < MOST_KEPT || program->users > 0) {
            at = &program->next;
        } else {
            *at = program->next;
            free_program(program);
        }
    }
}

pm_served_program *pm_served_program_take(pm_served_things *things,
                                          const pm_backend_request *request, pm_error *err)
{
    pm_served_program **at = &things->programs, *program;

    while (*at && !is_same(&(*at)->request, request))
        at = &(*at)->next;
    program = *at;
    if (program)
        *at = program->next;
    else
        program = build(request, err);
    if (!program)
        return NULL;
    program->users++;
    program->next = things->programs;
    things->programs = program;
    forget_old(&things->programs);
    return program;
}

const pm_trace_program *pm_served_program_code(const pm_served_program *program)
{
    return program->program;
}

const pm_backend_request *pm_served_program_request(const pm_served_program *program)
{
    return &program->request;
}

void pm_served_program_let_go(pm_served_program *program)
{
    if (program)
        program->users--;
}
