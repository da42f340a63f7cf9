/* For a source without a workload file: finds the sizes of the buffers, and chooses which launches
 * of its host code are kept. A run is a trial in which the trace engine executes some work-groups
 * of the launches. The largest offset that they access gives the size of each buffer. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first run has all launches. If it fails, the runs start again with no launch and add the
 * launches kernel by kernel, in the order of the program. Launches that make a run fail are left
 * out. Buffers of integers are filled with random numbers. These may be indices, so they are
 * kept below a bound. The bounds that are tried, from large to small, are the numbers of
 * elements of the buffers, and at last fractions of the smallest one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "collector/worker/executor_trace.h"
#include "program/bare/bare.h"
#include "program/workload.h"

/* Largest buffer in bytes that the trace engine accepts (see program/file). */
static const uint64_t MOST_BYTES = PM_TRACE_MOST_TOGETHER;

/* Upper bound of random integers of 1 or 2 bytes. Such integers may be indices. The bound is used
 * if a kernel accesses memory outside of a buffer when they have all values of their type. */
enum { SMALL_NUMBERS = 16 };
/* Random integers may be indices, so several upper bounds are tried. Bounds below the size of the
 * smallest buffer come last: each is 1/FRACTION of the previous one. There are at most
 * MOST_FRACTIONS of these, and none is below LEAST_BOUND. */
enum { FRACTION = 8, MOST_FRACTIONS = 2, LEAST_BOUND = 16 };

/* ---- parts of a plan ------------------------------------------------------------------------- */

/* Returns whether a list of pointers in the form of workload files, such as "0: a, 8: b + 64", has
 * a pointer to the buffer. */
static bool leads_to(const char *pointers, const char *buffer)
{
    const size_t length = strlen(buffer);

    for (const char *at = pointers; at && (at = strstr(at, ": ")); at += 2)
        if (strncmp(at + 2, buffer, length) == 0 && !pm_is_word(at[2 + length]))
            return true;
    return false;
}

/* Returns whether the buffer is an argument of a launch, or a struct argument has a pointer to
 * it. */
static bool takes(const pm_bare_launch *launch, const char *buffer)
{
    const size_t length = strlen(buffer);

    for (size_t i = 0; i < launch->argument_count; i++) {
        const char *argument = launch->arguments[i];

        if (strncmp(argument, buffer, length) == 0 &&
            (argument[length] == '\0' || strncmp(argument + length, " + ", 3) == 0))
            return true;
        if (strncmp(argument, "bytes ", 6) == 0 && leads_to(argument, buffer))
            return true;
    }
    return false;
}

/* Sets used[i] to true for each buffer i of the planned workload that is needed: as an argument of
 * a launch of `part`, as the elements of a texture, or through a pointer in a needed buffer. The
 * memory of a __device__ or __constant__ variable is always needed. */
static void mark_used(const pm_bare *b, const pm_bare_plan *part, const pm_bare_plan *plan,
                      bool *used)
{
    bool more = true;

    for (size_t i = 0; i < plan->buffer_count; i++) {
        used[i] = plan->buffers[i].symbol && *plan->buffers[i].symbol;
        for (size_t t = 0; t < b->host.texture_count && !used[i]; t++)
            used[i] = leads_to(b->host.textures[t].object, plan->buffers[i].name);
    }
    for (size_t i = 0; i < plan->buffer_count; i++)
        for (size_t l = 0; l < part->launch_count && !used[i]; l++)
            used[i] = takes(&part->launches[l], plan->buffers[i].name);
    /* Repeat, because a buffer that is used through a pointer may have pointers to further buffers.
     */
    while (more) {
        more = false;
        for (size_t from = 0; from < plan->buffer_count; from++)
            for (size_t to = 0; used[from] && to < plan->buffer_count; to++)
                if (!used[to] && leads_to(plan->buffers[from].pointers, plan->buffers[to].name))
                    used[to] = more = true;
    }
}

/* Returns a copy of a planned workload. It has only the launches l whose flag keeps[l] is true, and
 * the buffers that these launches use. */
static pm_bare_plan part_of(pm_bare *b, const pm_bare_plan *plan, const bool *keeps)
{
    pm_bare_plan part = *plan;
    bool *used;

    part.launches = NULL;
    part.buffers = NULL;
    part.launch_count = part.buffer_count = 0;
    for (size_t l = 0; l < plan->launch_count; l++)
        if (keeps[l])
            *pm_add(&b->memory, part.launches, part.launch_count) = plan->launches[l];
    used = pm_take(&b->memory, plan->buffer_count + 1, sizeof *used);
    mark_used(b, &part, plan, used);
    for (size_t i = 0; i < plan->buffer_count; i++)
        if (used[i])
            *pm_add(&b->memory, part.buffers, part.buffer_count) = plan->buffers[i];
    return part;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Returns the largest number of elements of a host code's buffer that is less than `than`. 0: there
 * is none. */
static uint64_t next_smaller(const pm_bare *b, uint64_t than)
{
    uint64_t best = 0;

    for (size_t i = 0; i < b->host.buffer_count; i++)
        if (b->host.buffers[i].elements < than && b->host.buffers[i].elements > best)
            best = b->host.buffers[i].elements;
    return best;
}

/* Returns the first upper bound to try for random integers in buffers: the number of elements of
 * the largest buffer. */
static uint64_t largest_bound(const pm_bare *b)
{
    const uint64_t elements = next_smaller(b, UINT64_MAX);

    return elements ? elements : 1 << 20;
}

static uint64_t smallest_bound(const pm_bare *b)
{
    uint64_t smallest = largest_bound(b);

    for (uint64_t next = smallest; next > 0; next = next_smaller(b, next))
        smallest = next;
    return smallest;
}

/* Returns the next upper bound to try for random integers in buffers, which may be indices. below:
 * the bound that was tried last. The bounds are the numbers of elements of buffers, from large to
 * small, of which each is at most 1/FRACTION of the one before. The smallest buffer's number of
 * elements comes next. Fractions of it follow, because a kernel may add several random integers to
 * get an index. *fractions: how many of these fractions were tried. Returns 0 if no bound is
 * left. */
static uint64_t next_bound(const pm_bare *b, uint64_t below, unsigned *fractions)
{
    const uint64_t much_smaller = next_smaller(b, below / FRACTION + 1);
    uint64_t next = much_smaller;

    if (next == 0 && *fractions == 0 && smallest_bound(b) < below)
        next = smallest_bound(b);
    if (next > 0 || below < LEAST_BOUND * FRACTION || *fractions == MOST_FRACTIONS)
        return next;
    ++*fractions;
    return below / FRACTION;
}

static void bound_integers(pm_bare *b, const pm_bare_plan *plan, uint64_t below)
{
    for (size_t i = 0; i < plan->buffer_count; i++)
        plan->buffers[i].below = pm_bare_say_number(b, below);
}

/* Returns whether some buffer of a planned workload has random integers with an upper bound. If
 * none has, another upper bound changes nothing. */
static bool has_random_integers(const pm_bare_plan *plan)
{
    for (size_t i = 0; i < plan->buffer_count; i++)
        if (pm_bare_has_bound(&plan->buffers[i]))
            return true;
    return false;
}

/* Sets whether random values in buffers of 1- or 2-byte integers have an upper bound. Returns
 * whether the planned workload has such buffers. */
static bool bound_narrow(pm_bare_plan *plan, bool bounds)
{
    bool some = false;

    for (size_t i = 0; i < plan->buffer_count; i++)
        if (plan->buffers[i].is_narrow) {
            plan->buffers[i].is_integer = bounds;
            some = true;
        }
    return some;
}

/* Runs work-groups with values below SMALL_NUMBERS in the buffers of 1- or 2-byte integers, which
 * may be indices into small tables. If the run fails, these buffers get values without an upper
 * bound again. */
static pm_status run_with_small(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    pm_status status;

    for (size_t i = 0; i < plan->buffer_count; i++)
        plan->buffers[i].below =
            pm_bare_say_number(b, plan->buffers[i].is_narrow ? SMALL_NUMBERS : largest_bound(b));
    status = pm_bare_reach(b, plan, err);
    if (status != PM_OK)
        bound_narrow(plan, false);
    return status;
}

static void set_integers(pm_bare_plan *plan, pm_bare_integers integers)
{
    for (size_t i = 0; i < plan->buffer_count; i++)
        plan->buffers[i].integers = integers;
}

/* Runs work-groups with integers that are not random, in this order: 0, 1, 2, ... modulo the size
 * of the largest buffer, the same modulo the size of the smallest buffer, all 1, all 0. Stops at
 * the first contents with which the work-groups run without an error. If all fail, the integers
 * stay random. */
static pm_status run_with_simple(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    const uint64_t smallest = smallest_bound(b);
    const struct {
        pm_bare_integers integers;
        uint64_t below;
    } tries[] = {{PM_BARE_POSITIONS, largest_bound(b)},
                 {PM_BARE_POSITIONS, smallest},
                 {PM_BARE_ONES, smallest},
                 {PM_BARE_ZEROS, smallest}};
    pm_status status = PM_BAD_INPUT;

    bound_narrow(plan, true);
    for (size_t k = 0; k < sizeof tries / sizeof *tries && status == PM_BAD_INPUT; k++) {
        set_integers(plan, tries[k].integers);
        bound_integers(b, plan, tries[k].below);
        status = pm_bare_reach(b, plan, err);
    }
    if (status != PM_OK) {
        set_integers(plan, PM_BARE_RANDOM);
        bound_narrow(plan, false);
    }
    return status;
}

/* Runs work-groups to find the sizes of buffers, and to check that accesses are inside of the
 * buffers. Repeats the run with smaller upper bounds of random integers, and with other contents,
 * until it succeeds. If all fail, err is the error of the first run. */
static pm_status run_groups(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    uint64_t below = largest_bound(b);
    pm_error first = {0};
    bool is_too_long = false;
    unsigned fractions = 0;
    pm_status status;

    do {
        pm_error why = {0};

        bound_integers(b, plan, below);
        status = pm_bare_reach(b, plan, &why);
        first = first.status == PM_OK ? why : first;
        below = next_bound(b, below, &fractions);
        if (status != PM_OK && pm_executor_trace_is_too_long(&why)) {
            if (is_too_long)
                /* the second run was too long as well: stop here, because each further try would
                 * take as long */
                break;
            is_too_long = true;
        }
    } while (status == PM_BAD_INPUT && below > 0 && !b->cannot_load && has_random_integers(plan));
    if (status == PM_BAD_INPUT && !is_too_long && !b->cannot_load && bound_narrow(plan, true)) {
        pm_error ignored = {0};

        status = run_with_small(b, plan, &ignored);
    }
    if (status == PM_BAD_INPUT && !(is_too_long && b->may_shrink) && !b->cannot_load &&
        has_random_integers(plan)) {
        pm_error ignored = {0};

        status = run_with_simple(b, plan, &ignored);
    }
    if (status != PM_OK)
        *err = first;
    b->is_too_long |= status != PM_OK && is_too_long && b->may_shrink;
    return status;
}

/* Host code may compute the size of a buffer from a number that perfmodel had to assume. Marks the
 * number of elements of such buffers as unknown (count is NULL). Returns whether there is one. */
static bool forget_assumed(pm_bare *b, pm_bare_plan *plan)
{
    bool some = false;

    for (size_t i = 0; i < b->host.buffer_count; i++)
        for (size_t k = 0; b->host.buffers[i].assumed && k < plan->buffer_count; k++)
            if (plan->buffers[k].count &&
                strcmp(plan->buffers[k].name, b->plan.buffers[i].name) == 0) {
                plan->buffers[k].count = NULL;
                some = true;
            }
    return some;
}

/* Runs work-groups by run_groups(). If it takes too long because launches depend on the results of
 * earlier launches, gives launches buffers of their own and tries again. */
static pm_status run_apart(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    const bool was_too_long = b->is_too_long;
    pm_status status = run_groups(b, plan, err);
    pm_bare_plan apart = *plan;
    pm_error ignored = {0};

    if (status != PM_BAD_INPUT || !strstr(err->text, PM_SAYS_TOO_LONG) ||
        !pm_bare_set_apart(b, &apart))
        return status;
    b->is_too_long = was_too_long;
    status = run_groups(b, &apart, &ignored);
    if (status != PM_OK)
        return err->status;
    *pm_add(&b->memory, apart.said, apart.said_count) =
        "launches start from assumed contents, as it takes long to compute what earlier ones write";
    *plan = apart;
    *err = (pm_error){0};
    return PM_OK;
}

/* Finds the sizes of buffers by run_apart(). If it fails and some sizes were assumed, tries again
 * with these sizes unknown, so that the buffers become as large as the work-groups need. */
static pm_status find(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    pm_status status = run_apart(b, plan, err);
    pm_error ignored = {0};

    if (status != PM_BAD_INPUT || b->is_too_long || b->cannot_load || !forget_assumed(b, plan))
        return status;
    status = run_groups(b, plan, &ignored);
    if (status == PM_FAILED)
        *err = ignored;
    return status;
}

/* ---- launches that are left out -------------------------------------------------------------- */

typedef struct {
    pm_bare *b;
    const pm_bare_plan whole;
    /* keeps[l]: false if launch l of `whole`, the planned workload with all launches, is left out
     */
    bool *keeps;
    /* planned workload with only those launches whose work-groups ran without an error, and with
     * the buffer sizes that were found */
    pm_bare_plan found;
    pm_error first; /* error of the first launch that was left out */
    /* why[l]: reason why launch number l of the planned workload with all launches is left out */
    pm_error *why;
} keeping;

static void leave_out(keeping *k, size_t launch, const pm_error *why)
{
    k->keeps[launch] = false;
    k->why[launch] = *why;
    if (k->first.status == PM_OK)
        k->first = *why;
}

/* Returns the end of an error message about a buffer that is too large. It names the variables of
 * the host code that determine the size, which the user can change by --set. */
static const char *say_sets(pm_bare *b, const pm_launch_buffer *buffer)
{
    return buffer->decided_by && *buffer->decided_by
               ? pm_format(&b->memory, "make it smaller with --set NAME=VALUE, where NAME is %s",
                           buffer->decided_by)
               : "make it smaller with --set";
}

/* Leaves out the launches that use a buffer larger than MOST_BYTES. */
static void leave_out_large(keeping *k)
{
    pm_bare *b = k->b;

    /* Check the buffers of the host code only. The planned workload has further buffers at its end,
     * for textures that were assumed, and these are below the limit. */
    for (size_t i = 0; i < b->host.buffer_count; i++) {
        const pm_bare_buffer *buffer = &k->whole.buffers[i];
        const uint64_t elements = b->host.buffers[i].elements;
        pm_error why = {0};

        if (!buffer->count || elements <= MOST_BYTES / buffer->element)
            continue;
        pm_fail(&why, PM_BAD_INPUT,
                "%.300s:%d: buffer %.60s has %llu MiB; tracing takes buffers of up to %llu MiB: "
                "%.200s",
                b->path, b->host.buffers[i].line, buffer->name,
                (unsigned long long)(elements >> 10) * buffer->element >> 10,
                (unsigned long long)MOST_BYTES >> 20, say_sets(b, &b->host.buffers[i]));
        for (size_t l = 0; l < k->whole.launch_count; l++)
            if (k->keeps[l] && takes(&k->whole.launches[l], buffer->name))
                leave_out(k, l, &why);
    }
}

static pm_status try_kept(keeping *k, pm_error *err)
{
    k->found = part_of(k->b, &k->whole, k->keeps);
    return k->found.launch_count > 0 ? find(k->b, &k->found, err) : PM_OK;
}

/* Adds those launches of one kernel for which wanted[l] is true to the launches that the workload
 * will have. Then runs work-groups of all of them. If the run fails, leaves out this kernel's
 * launches again. */
static void add_kernel(keeping *k, const bool *wanted, const char *kernel)
{
    const size_t count = k->whole.launch_count;
    pm_error why = {0};
    pm_status status;

    for (size_t l = 0; l < count; l++)
        if (strcmp(k->whole.launches[l].kernel, kernel) == 0)
            k->keeps[l] = wanted[l];
    status = try_kept(k, &why);
    if (status == PM_FAILED) {
        *k->b->memory.err = why;
        pm_give_up(&k->b->memory, status);
    }
    for (size_t l = 0; l < count && status != PM_OK; l++)
        if (k->keeps[l] && strcmp(k->whole.launches[l].kernel, kernel) == 0)
            leave_out(k, l, &why);
}

static void add_kernels(keeping *k)
{
    const size_t count = k->whole.launch_count;
    bool *wanted = pm_take(&k->b->memory, count, sizeof *wanted);
    bool is_found = true;

    memcpy(wanted, k->keeps, count * sizeof *wanted);
    memset(k->keeps, 0, count * sizeof *wanted);
    for (size_t l = 0; l < count; l++) {
        const char *kernel = k->whole.launches[l].kernel;
        bool before = !wanted[l];

        for (size_t i = 0; i < l && !before; i++)
            before = wanted[i] && strcmp(k->whole.launches[i].kernel, kernel) == 0;
        if (before)
            continue;
        add_kernel(k, wanted, kernel);
        if (k->b->is_too_long)
            return;
        is_found = k->keeps[l];
    }
    /* The run of the last kernel failed, and its launches were left out. Run again without them to
     * find the buffer sizes. */
    if (!is_found) {
        pm_error why = {0};

        if (try_kept(k, &why) != PM_OK) {
            *k->b->memory.err = why;
            pm_give_up(&k->b->memory, why.status);
        }
    }
}

/* Adds one notice for each kernel with launches that are left out, with the reason. */
static void tell(const keeping *k)
{
    for (size_t l = 0; l < k->whole.launch_count; l++) {
        const char *kernel = k->whole.launches[l].kernel;
        bool before = k->keeps[l], some = false;

        for (size_t i = 0; i < k->whole.launch_count; i++) {
            const bool same = strcmp(k->whole.launches[i].kernel, kernel) == 0;

            before = before || (i < l && same && !k->keeps[i]);
            some = some || (same && k->keeps[i]);
        }
        if (!before)
            *pm_add(&k->b->memory, k->b->left_out, k->b->left_out_count) =
                pm_format(&k->b->memory, "%s: %skernel %s left out: %s", k->b->path,
                          some ? "some launches of " : "", kernel, k->why[l].text);
    }
}

/* Makes a draft of a workload file, because no buffer sizes could be found. The user must fill in
 * the sizes. why: the error that prevented finding them. */
static void make_draft(pm_bare *b, const pm_error *why)
{
    b->plan.launches[0].trouble = pm_copy(&b->memory, why->text);
    bound_integers(b, &b->plan, largest_bound(b));
    for (size_t i = 0; i < b->plan.buffer_count; i++)
        if (!b->plan.buffers[i].count) {
            b->plan.buffers[i].count = "1";
            b->plan.buffers[i].count_unknown = true;
        }
}

void pm_bare_find_sizes(pm_bare *b)
{
    const size_t count = b->plan.launch_count;
    keeping k = {.b = b,
                 .whole = b->plan,
                 .keeps = pm_take(&b->memory, count, sizeof *k.keeps),
                 .why = pm_take(&b->memory, count, sizeof *k.why)};
    pm_error why = {0};
    pm_status status;

    memset(k.keeps, true, count * sizeof *k.keeps);
    leave_out_large(&k);
    status = try_kept(&k, &why);
    if (status == PM_FAILED) {
        *b->memory.err = why;
        pm_give_up(&b->memory, status);
    }
    if (b->is_too_long)
        return;
    if (b->is_draft && (status != PM_OK || k.first.status != PM_OK)) {
        make_draft(b, k.first.status == PM_OK ? &why : &k.first);
        return;
    }
    if (status != PM_OK) {
        if (k.first.status == PM_OK)
            k.first = why;
        add_kernels(&k);
        if (b->is_too_long)
            return;
    }
    b->is_hopeless = k.found.launch_count == 0 && b->program_arguments;
    if (b->is_hopeless)
        return;
    if (k.found.launch_count == 0) {
        *b->memory.err = k.first;
        pm_give_up(&b->memory, k.first.status);
    }
    tell(&k);
    b->plan = k.found;
}
