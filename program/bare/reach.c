/* Finds the sizes of buffers that neither host code nor options give: runs some work-groups and
 * takes the highest address that they access. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * At first the buffers are so large that nearly any index is inside. This needs little memory,
 * because the system allocates a page only when it is accessed. If addresses or branches depend on
 * a buffer's contents, the buffer is filled as soon as its size is known, and the work-groups run
 * again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/executor_trace.h"
#include "program/bare/bare.h"

enum { MOST_ROUNDS = 4 };
/* If all buffers together have more elements than this, filling them with random floats takes long,
 * and zeros are tried first. */
static const uint64_t MANY_ELEMENTS = 1 << 25;

/* Limits in bytes on buffers whose size is not known yet. TOGETHER: their sum. LARGEST: size of
 * each one. */
static const size_t TOGETHER = (size_t)2 << 30, LARGEST = (size_t)1 << 29;
/* Limits on the number of basic blocks that a warp may execute when work-groups are run to find
 * buffer sizes. STEPS: for assumed problem sizes; a problem that needs more is too large.
 * STEPS_OF_HOST: for problem sizes of the host code; 0 means that only the trace engine's limit of
 * time applies. */
static const double STEPS = 2e4, STEPS_OF_HOST = 0;

/* ---- running -------------------------------------------------------------------------------- */

static pm_status open_engine(pm_bare *b, pm_error *err)
{
    const pm_session_options *chosen = pm_session_chosen(b->session);
    const bool of_host = b->host.launch_count > 0 && !b->may_shrink;
    const double step_limit = chosen->step_limit > 0 ? chosen->step_limit
                              : of_host              ? STEPS_OF_HOST
                                                     : STEPS;
    const pm_trace_engine_options options = {.target = PM_TRACE_TARGET,
                                             .datasets = chosen->datasets,
                                             .step_limit = step_limit,
                                             .seed = chosen->seed,
                                             .threads = 1,
                                             .as_written = true,
                                             .quick = true,
                                             .worker = pm_session_worker(b->session)};

    if (b->engine && fabs(b->step_limit - step_limit) > 0) {
        b->engine->type->close(b->engine);
        b->engine = NULL;
    }
    b->step_limit = step_limit;
    return b->engine ? PM_OK : pm_executor_trace_open(&options, NULL, NULL, &b->engine, err);
}

/* Returns a copy of a planned workload in which each launch is made once, because all repeats of a
 * launch access the same addresses. */
static pm_bare_plan without_repeats(pm_bare *b, const pm_bare_plan *plan)
{
    pm_bare_plan once = *plan;

    once.launches = pm_take(&b->memory, plan->launch_count + 1, sizeof *once.launches);
    memcpy(once.launches, plan->launches, plan->launch_count * sizeof *once.launches);
    for (size_t i = 0; i < once.launch_count; i++)
        once.launches[i].times = 1;
    return once;
}

static bool has_many_elements(const pm_bare *b)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < b->host.buffer_count && sum <= MANY_ELEMENTS; i++)
        sum += b->host.buffers[i].elements;
    return sum > MANY_ELEMENTS;
}

/* Returns a copy of a planned workload that takes less time to run. If the buffers have many
 * elements, buffers of random floats are zeros in the copy, because random floats take long to
 * make, and branches and addresses rarely depend on them. Buffers on whose contents a branch or an
 * address depends are not changed. *spares: whether the copy differs from `plan`. */
static pm_bare_plan without_floats(pm_bare *b, const pm_bare_plan *plan, bool *spares)
{
    pm_bare_plan spare = *plan;

    *spares = false;
    if (!has_many_elements(b))
        return spare;
    spare.buffers = pm_take(&b->memory, plan->buffer_count + 1, sizeof *spare.buffers);
    memcpy(spare.buffers, plan->buffers, plan->buffer_count * sizeof *spare.buffers);
    for (size_t i = 0; i < spare.buffer_count; i++) {
        pm_bare_buffer *buffer = &spare.buffers[i];

        if (buffer->is_known && !buffer->structure && !buffer->is_integer && !buffer->is_narrow &&
            !buffer->decides && pm_bare_is_random(buffer))
            *spares = buffer->zeros = true;
    }
    return spare;
}

static pm_status run_groups(pm_bare *b, const pm_bare_plan *plan, pm_buffer_reach *reach,
                            pm_error *err)
{
    const pm_bare_plan once = without_repeats(b, plan);
    char *text = pm_bare_write(b, &once, b->path, false);
    pm_worker *worker = pm_session_worker(b->session);
    pm_program *program;
    pm_workload *workload = NULL;
    pm_status status;

    if (!text)
        return pm_fail(err, PM_FAILED, "%s: out of memory", b->path);
    program = pm_program_parse(b->path, text, NULL, worker, err);
    if (program)
        workload = pm_program_build(program, program->info.variants[0], program->info.sizes[0],
                                    pm_session_chosen(b->session)->seed, b->session, err);
    status = workload ? open_engine(b, err) : err->status;
    if (status == PM_OK)
        status = b->engine->type->load(b->engine, workload, err);
    b->cannot_load = status != PM_OK;
    if (status == PM_OK)
        status = pm_executor_trace_reach(b->engine, reach, &b->work, err);
    if (b->engine)
        b->engine->type->unload(b->engine);
    pm_workload_free(workload);
    pm_program_read_free(program);
    return status;
}

/* Runs work-groups with zeros in large buffers of floats to save time. If this fails, or if it
 * shows that a branch or an address depends on floats, runs the work-groups again with random
 * floats. reach[i]: gets the accesses to buffer i. */
static pm_status run_cheaply(pm_bare *b, const pm_bare_plan *plan, pm_buffer_reach *reach,
                             pm_error *err)
{
    bool spares;
    const pm_bare_plan spare = without_floats(b, plan, &spares);
    pm_error ignored = {0};
    pm_status status = spares ? run_groups(b, &spare, reach, &ignored) : PM_BAD_INPUT;
    bool decides = false;

    for (size_t i = 0; status == PM_OK && i < plan->buffer_count; i++)
        decides |= reach[i].decides && spare.buffers[i].zeros && !plan->buffers[i].zeros;
    if (status != PM_OK || decides)
        status = run_groups(b, plan, reach, err);
    return status;
}

/* ---- counts --------------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    return *text && strlen(text) < 19 && text[strspn(text, "0123456789")] == '\0';
}

static uint64_t value_of(const pm_bare_plan *plan, size_t number)
{
    const char *text = plan->numbers[number].value;

    return is_number(text) ? strtoull(text, NULL, 10) : 0;
}

/* Returns whether `value` fits a buffer of `elements` elements: equal to it, or, unless `exact`,
 * larger by up to 1/16. */
static bool is_about(uint64_t elements, uint64_t value, bool exact)
{
    return value > 1 && elements <= value && elements >= value - (exact ? 0 : value / 16);
}

/* Looks for a named number of the planned workload, or for a product of two or three of them, that
 * is equal to the number of elements. Unless `exact`, it may be slightly larger. */
const char *pm_bare_say_count(pm_bare *b, const pm_bare_plan *plan, uint64_t elements, bool exact)
{
    for (size_t i = 0; i < plan->number_count; i++)
        if (is_about(elements, value_of(plan, i), exact))
            return plan->numbers[i].name;
    /* Products of two numbers. The product with itself is tried after the products with other
     * numbers. */
    for (size_t i = 0; i < plan->number_count; i++)
        for (size_t k = plan->number_count; k-- > i;)
            if (value_of(plan, i) < UINT32_MAX && value_of(plan, k) < UINT32_MAX &&
                is_about(elements, value_of(plan, i) * value_of(plan, k), exact))
                return pm_format(&b->memory, "%s * %s", plan->numbers[i].name,
                                 plan->numbers[k].name);
    for (size_t i = 0; i + 2 < plan->number_count; i++)
        if (value_of(plan, i) < 1 << 20 && value_of(plan, i + 1) < 1 << 20 &&
            value_of(plan, i + 2) < 1 << 20 &&
            is_about(elements, value_of(plan, i) * value_of(plan, i + 1) * value_of(plan, i + 2),
                     exact))
            return pm_format(&b->memory, "%s * %s * %s", plan->numbers[i].name,
                             plan->numbers[i + 1].name, plan->numbers[i + 2].name);
    return pm_format(&b->memory, "%llu", (unsigned long long)elements);
}

/* Returns the number of elements that a buffer needs. Addresses that grow with the work-item's ids
 * are largest in the work-groups at the corners of the grid, which were run. Their maximum is
 * exact. The run is only a sample of other addresses, and the number is rounded up to a power of
 * two. */
static uint64_t elements_of(const pm_bare_buffer *buffer, const pm_buffer_reach *reach)
{
    const uint64_t corners = (reach->corners + buffer->element - 1) / buffer->element;
    const uint64_t all = (reach->all + buffer->element - 1) / buffer->element;
    uint64_t rounded = 1;

    if (all <= corners)
        return all;
    while (rounded < all)
        rounded *= 2;
    return rounded;
}

static void open_all(pm_bare_plan *plan)
{
    size_t open = 0;

    for (size_t i = 0; i < plan->buffer_count; i++)
        open += !plan->buffers[i].count;
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const size_t bytes = TOGETHER / (open + 1) < LARGEST ? TOGETHER / (open + 1) : LARGEST;

        plan->buffers[i].trial = bytes / plan->buffers[i].element;
    }
}

/* Raises elements[i], the number of elements of buffer i, to the number that the work-groups
 * accessed. Returns whether a buffer grew on whose contents branches or addresses depend. The
 * work-groups must then run again. */
static bool take_reach(pm_bare_plan *plan, const pm_buffer_reach *reach, uint64_t *elements)
{
    bool grown = false;

    for (size_t i = 0; i < plan->buffer_count; i++) {
        pm_bare_buffer *buffer = &plan->buffers[i];
        const uint64_t now = elements_of(buffer, &reach[i]);

        buffer->decides = reach[i].decides;
        buffer->reads = reach[i].reads;
        buffer->writes = reach[i].writes;
        grown = grown || (now > elements[i] && buffer->decides && pm_bare_is_random(buffer));
        elements[i] = now > elements[i] ? now : elements[i];
    }
    return grown;
}

/* Returns a copy of a planned workload for a second run. Each buffer on whose contents branches or
 * addresses depend gets its initial contents and elements[i] elements in the copy. */
static pm_bare_plan with_contents(pm_bare *b, const pm_bare_plan *plan, const uint64_t *elements)
{
    pm_bare_plan filled = *plan;

    filled.buffers = pm_take(&b->memory, plan->buffer_count, sizeof *filled.buffers);
    memcpy(filled.buffers, plan->buffers, plan->buffer_count * sizeof *filled.buffers);
    for (size_t i = 0; i < filled.buffer_count; i++) {
        pm_bare_buffer *buffer = &filled.buffers[i];

        if (!buffer->count && buffer->decides && pm_bare_is_random(buffer) && elements[i] > 0)
            buffer->count = pm_format(&b->memory, "%llu", (unsigned long long)elements[i]);
    }
    return filled;
}

/* Sets the number of elements of buffers that are still unknown to elements[i]. A buffer that no
 * work-group accessed becomes as large as the largest buffer that was accessed. */
static void close_all(pm_bare *b, pm_bare_plan *plan, const uint64_t *elements)
{
    uint64_t most = 1;

    for (size_t i = 0; i < plan->buffer_count; i++)
        most = elements[i] > most ? elements[i] : most;
    for (size_t i = 0; i < plan->buffer_count; i++)
        if (!plan->buffers[i].count)
            plan->buffers[i].count =
                pm_bare_say_count(b, plan, elements[i] ? elements[i] : most, false);
}

pm_status pm_bare_reach(pm_bare *b, pm_bare_plan *plan, pm_error *err)
{
    pm_buffer_reach *reach = pm_take(&b->memory, plan->buffer_count + 1, sizeof *reach);
    uint64_t *elements = pm_take(&b->memory, plan->buffer_count + 1, sizeof *elements);
    pm_bare_plan filled = *plan;
    bool grown = true;

    open_all(plan);
    for (int round = 0; round < MOST_ROUNDS && grown; round++) {
        filled = round == 0 ? *plan : with_contents(b, plan, elements);
        if (run_cheaply(b, &filled, reach, err) != PM_OK)
            return err->status;
        grown = take_reach(plan, reach, elements);
    }
    close_all(b, plan, elements);
    return PM_OK;
}
