/* Generates the text of a workload file (description of kernel launches) for a source file that has
 * none. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libclang describes the source. Command-line options give the launches, and values that no option
 * gives are assumed. For each kernel, problem sizes from large to small and usual work-group sizes
 * are tried, until some work-groups run without a fault. The text is then read like any other
 * workload file.
 */
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/bare/bare.h"
#include "program/embedded.h"

enum { SIDES = 4 }; /* number of problem sizes to try for a kernel */

static const char *const endings[] = {".cl", ".cu", ".hip", ".ptx"};

bool pm_bare_is(const char *path)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (pm_ends_in(path, endings[i]))
            return true;
    return pm_has_embedded(path);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* ---- one kernel ----------------------------------------------------------------------------- */

/* Adds the launch, buffers and numbers of one kernel to b->plan, the planned workload of all
 * kernels. */
static void join(pm_bare *b, const pm_bare_plan *one)
{
    pm_bare_plan *all = &b->plan;
    pm_memory *memory = &b->memory;

    for (size_t i = 0; i < one->number_count; i++)
        pm_bare_add_number(memory, all, one->numbers[i]);
    for (size_t i = 0; i < one->buffer_count; i++)
        *pm_add(memory, all->buffers, all->buffer_count) = one->buffers[i];
    for (size_t i = 0; i < one->launch_count; i++)
        *pm_add(memory, all->launches, all->launch_count) = one->launches[i];
    for (size_t i = 0; i < one->said_count; i++)
        *pm_add(memory, all->said, all->said_count) = one->said[i];
}

static bool assumes_number(const pm_bare_plan *plan)
{
    for (size_t i = 0; i < plan->number_count; i++)
        if (plan->numbers[i].assumed)
            return true;
    return false;
}

/* Adds a launch with unknown sizes to the planned workload b->plan, because the kernel failed with
 * every problem size that was tried. The workload file is then a draft, in which the user must fill
 * in these sizes. why: the error. */
static void add_draft(pm_bare *b, size_t kernel, const char *why)
{
    const pm_bare_guess guess = {.side = 1024};
    pm_bare_plan plan;

    if (!pm_bare_guess_launch(b, kernel, &b->plan, &guess, &plan))
        return;
    plan.launches[0].trouble = pm_copy(&b->memory, why);
    for (size_t i = 0; i < plan.buffer_count; i++) {
        plan.buffers[i].count_unknown = !plan.buffers[i].count;
        if (!plan.buffers[i].count)
            plan.buffers[i].count = plan.buffers[i].below;
    }
    join(b, &plan);
}

/* Makes a launch of the kernel with a guessed problem size and work-group size, and runs some of
 * its work-groups to find the sizes of its buffers. *more: false if guess->group is past the end of
 * the list of work-group sizes. PM_OK: the number of elements of each buffer is now known. */
static pm_status try_guess(pm_bare *b, size_t kernel, const pm_bare_guess *guess,
                           pm_bare_plan *plan, bool *more, pm_error *err)
{
    *more = pm_bare_guess_launch(b, kernel, &b->plan, guess, plan);
    return *more ? pm_bare_reach(b, plan, err) : PM_BAD_INPUT;
}

/* Finds a launch of a kernel with which its work-groups run without a fault. Tries problem sizes
 * from large to small with one work-group size, then with the next one. If all fail, err is the
 * error of the first work-group size with the smallest problem. */
static pm_status add_kernel(pm_bare *b, size_t kernel, pm_error *err)
{
    static const uint64_t sides[3][SIDES] = {
        {1 << 20, 1 << 16, 1 << 14, 1 << 11}, {1024, 512, 256, 64}, {128, 64, 32, 16}};
    const size_t dimensions = pm_bare_dimensions(b, kernel);
    bool more = true;

    for (size_t group = 0; more; group++)
        for (size_t s = 0; s < SIDES && more; s++) {
            const pm_bare_guess guess = {sides[dimensions - 1][s], group};
            pm_bare_plan plan;
            pm_error why = {0};
            const pm_status status = try_guess(b, kernel, &guess, &plan, &more, &why);

            if (status == PM_OK) {
                join(b, &plan);
                return PM_OK;
            }
            if (more && (group == 0 || status == PM_FAILED))
                *err = why;
            if (status == PM_FAILED)
                return status;
            if (more && (b->cannot_load || !assumes_number(&plan)))
                break;
        }
    return PM_BAD_INPUT;
}

/* ---- all kernels ---------------------------------------------------------------------------- */

/* Leaves out a kernel for which no launch could be found, with a notice that has the reason. Raises
 * the error instead if the user requested this kernel or if it is the only one. */
static void leave_out(pm_bare *b, size_t kernel, const pm_error *why)
{
    if (b->is_draft)
        add_draft(b, kernel, why->text);
    else if (b->wanted_count == 1 && b->cannot_load)
        pm_bare_fault(b, "%s", why->text);
    else if (b->options->kernels || b->wanted_count == 1)
        pm_bare_fault(b,
                      "%.700s; kernel %.60s needs sizes that were not found: say them with --set, "
                      "--arg, --grid and --block, or in a workload file (perfmodel init %.100s)",
                      why->text, b->wanted[kernel], b->path);
    else
        pm_session_leave_out(b->session, "kernel %s left out: %s", b->wanted[kernel], why->text);
}

static void add_kernels(pm_bare *b)
{
    pm_error first = {0};

    if (b->is_cuda && !b->options->kernels)
        pm_bare_tell_cut(b);
    for (size_t k = 0; k < b->wanted_count; k++) {
        pm_error why = {0};
        const pm_status status = add_kernel(b, k, &why);

        if (status == PM_OK)
            continue;
        if (status == PM_FAILED) {
            *b->memory.err = why;
            pm_give_up(&b->memory, status);
        }
        first = first.status == PM_OK ? why : first;
        leave_out(b, k, &why);
    }
    if (b->plan.launch_count == 0)
        pm_bare_fault(b,
                      "%.700s; no kernel can be launched without more: say it with --set, --arg, "
                      "--grid and --block, or in a workload file (perfmodel init %.100s)",
                      first.text, b->path);
}

static size_t count_of(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

static void list_parameters(const pm_bare *b, bool values, char *list, size_t size)
{
    *list = '\0';
    for (size_t k = 0; k < b->wanted_count; k++)
        for (size_t p = 0; p < b->kernels[k]->param_count; p++)
            if (!values || b->kernels[k]->params[p].takes == PM_TAKES_VALUE)
                pm_list_add(list, size, "%s", b->kernels[k]->params[p].name);
}

/* Raises PM_BAD_INPUT if an option --arg or --set names a parameter or number that no launched
 * kernel has. */
static void check_used(const pm_bare *b)
{
    const pm_launch_options *o = b->options;
    char list[300];

    for (size_t i = 0; o->arguments && o->arguments[i]; i++)
        if (!b->used_arguments[i]) {
            list_parameters(b, false, list, sizeof list);
            pm_bare_fault(b,
                          "%s: --arg %.60s: no kernel that is launched takes that; they take: %s",
                          b->path, o->arguments[i], *list ? list : "nothing");
        }
    for (size_t i = 0; o->sets && o->sets[i]; i++)
        if (!b->used_sets[i]) {
            list_parameters(b, true, list, sizeof list);
            pm_bare_fault(b, "%s: --set %.60s: nothing has that name; there is: %s", b->path,
                          o->sets[i], *list ? list : "n");
        }
}

/* Adds an assumption to the list: the command-line arguments with which the program is called. Adds
 * none if there are no arguments. */
static void say_arguments(pm_bare *b)
{
    pm_text words = {.memory = &b->memory};

    for (const char *const *a = b->program_arguments; a && *a; a++)
        pm_text_add(&words, " %s", *a);
    if (words.length > 0)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "arguments of the program, by %s:%s", b->arguments_from,
                      pm_text_get(&words));
}

static void tell_left_out(const pm_bare *b)
{
    for (size_t i = 0; i < b->left_out_count; i++)
        pm_session_leave_out(b->session, "%s", b->left_out[i]);
}

/* Makes the workload from the kernel launches of the host code, which is evaluated with the known
 * arguments of the program. If work-groups run too long, assumes smaller values for unknown numbers
 * of the host code. If that does not help, uses the first values again and leaves out launches that
 * run too long. Returns false if the host code launches no kernel. */
static bool launch_with_sizes(pm_bare *b, const pm_bare_plan *empty)
{
    static const uint64_t most[] = {0, 1 << 17, 1 << 14, 1 << 12, 1 << 10, 1 << 8, 1 << 6, 0};
    const size_t tries = sizeof most / sizeof *most;

    for (size_t i = 0; i < tries; i++) {
        if (i > 0 && most[i] > 0 && !pm_bare_assumes_size(b, most[i]))
            continue;
        b->plan = *empty;
        b->is_too_long = b->is_hopeless = false;
        b->left_out_count = 0;
        b->most_assumed = most[i];
        pm_bare_read_text(b);
        b->host_text = b->workload->source;
        if (!pm_bare_read_host(b))
            return false;
        b->may_shrink = i + 1 < tries && pm_bare_assumes_size(b, most[tries - 2]);
        pm_bare_describe(b);
        say_arguments(b);
        if (pm_bare_launch_as_host(b) || b->is_hopeless)
            return true;
    }
    return true;
}

/* Makes the workload from the kernel launches of the host code. Evaluates the host code with the
 * arguments of each command in the makefile that runs the program, one after the other, and at last
 * without arguments, until launches can be traced. Returns false if the host code launches no
 * kernel. */
static bool launch_as_host(pm_bare *b)
{
    const pm_bare_plan empty = b->plan;

    while (launch_with_sizes(b, &empty)) {
        if (!b->is_hopeless) {
            tell_left_out(b);
            return true;
        }
        b->program_arguments = *b->more_arguments;
        b->more_arguments += b->program_arguments != NULL;
    }
    return false;
}

static void make_plan(void *user)
{
    pm_bare *b = user;
    const pm_launch_options *o = b->options;

    b->is_cuda = pm_language_of(b->path) == PM_LANGUAGE_CUDA;
    b->has_blocks = pm_is_cuda_launched(b->path);
    b->build_options = o->build_options;
    b->wanted = o->kernels;
    b->wanted_count = count_of(o->kernels);
    b->used_arguments = pm_take(&b->memory, count_of(o->arguments) + 1, sizeof *b->used_arguments);
    b->used_sets = pm_take(&b->memory, count_of(o->sets) + 1, sizeof *b->used_sets);
    b->source_path = b->path;
    if (pm_has_embedded(b->path)) {
        pm_bare_read_opencl(b);
    } else {
        pm_bare_read_text(b);
        b->host_text = b->workload->source;
    }
    if (b->is_cuda) {
        pm_bare_find_options(b);
        pm_bare_find_definitions(b);
        pm_bare_find_arguments(b);
        pm_bare_read_text(b);
        b->host_text = b->workload->source;
    }
    if (b->host.is_opencl) {
        pm_bare_describe(b);
        pm_bare_launch_as_host(b);
        tell_left_out(b);
    } else if (!b->is_cuda || !launch_as_host(b)) {
        pm_bare_describe(b);
        add_kernels(b);
    }
    check_used(b);
}

static void free_parts(pm_bare *b)
{
    if (b->engine)
        b->engine->type->close(b->engine);
    pm_source_close(b->source);
    pm_memory_free(&b->ptx.memory);
    pm_workload_free(b->workload);
    pm_source_launches_free(&b->host);
    pm_memory_free(&b->memory);
}

/* Makes the workload. Some kernels may compile only by NVIDIA's compiler. If the workload fails
 * with them, for example because the trace engine cannot run their PTX, makes it again without that
 * compiler and without these kernels. */
static pm_status plan_workload(pm_bare *b, pm_error *err)
{
    pm_status status = pm_attempt(&b->memory, make_plan, b, err);
    pm_worker *worker = pm_session_worker(b->session);
    pm_bare again = {
        .session = b->session, .path = b->path, .options = b->options, .is_draft = b->is_draft};
    pm_error ignored = {0};

    if (status != PM_BAD_INPUT || !b->is_by_nvidia || pm_worker_cuda(worker) != PM_CUDA_AUTO)
        return status;
    pm_worker_choose_cuda(worker, PM_CUDA_CLANG);
    status = pm_attempt(&again.memory, make_plan, &again, &ignored);
    pm_worker_choose_cuda(worker, PM_CUDA_AUTO);
    if (status == PM_OK) {
        free_parts(b);
        *b = again;
        return PM_OK;
    }
    free_parts(&again);
    return PM_BAD_INPUT;
}

pm_program *pm_bare_read(pm_session *session, const char *path, pm_error *err)
{
    pm_bare b = {.session = session, .path = path, .options = pm_bare_options(session)};
    pm_program *program = NULL;
    char *text = NULL;

    if (plan_workload(&b, err) == PM_OK) {
        text = pm_bare_write(&b, &b.plan, path, false);
        if (text)
            program = pm_program_parse(path, text, pm_bare_assumed(&b, &b.plan),
                                       pm_session_worker(session), err);
        else
            pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    free_parts(&b);
    return program;
}

char *pm_workload_text(pm_session *session, const char *path, const char *written, pm_error *err)
{
    pm_bare b = {
        .session = session, .path = path, .options = pm_bare_options(session), .is_draft = true};
    char *text = NULL;

    if (!pm_bare_is(path)) {
        pm_fail(err, PM_BAD_INPUT,
                "%s: a source is wanted, which ends in .cl, .cu, .hip, .ptx, .c or .cpp", path);
        return NULL;
    }
    if (pm_attempt(&b.memory, make_plan, &b, err) == PM_OK) {
        const char *slash = strrchr(path, '/');

        text = pm_bare_write(&b, &b.plan, written ? written : slash ? slash + 1 : path, true);
        if (!text)
            pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    free_parts(&b);
    return text;
}
