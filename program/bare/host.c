/* Makes the launches of a workload from the launches of a source's host code. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If the host code does not determine a size or an argument, a launch option gives it. Without an
 * option it is assumed, as for a source without host code.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "collector/worker/host.h"
#include "program/bare/bare.h"

/* Limits on launches. MOST_LAUNCHES: number of launches in a workload. MOST_ALIKE: number of
 * launches of one kernel with the same grid and block. */
enum { MOST_LAUNCHES = 32, MOST_ALIKE = 4 };

/* ---- selecting launches ---------------------------------------------------------------------- */

static bool is_wanted(const pm_launch_options *o, const char *kernel)
{
    const char *last = kernel;
    const size_t stem = strcspn(kernel, "<");

    for (const char *at = kernel; (at = strstr(at, "::")) && (size_t)(at - kernel) < stem;)
        last = at += 2; /* last: the kernel's name after the last "::", which ends a namespace */
    for (const char *const *k = o->kernels; k && *k; k++)
        if (strcmp(*k, kernel) == 0 || (strlen(*k) == stem && strncmp(*k, kernel, stem) == 0) ||
            strcmp(*k, last) == 0)
            return true;
    return !o->kernels;
}

static bool are_alike(const pm_source_launch *one, const pm_source_launch *other)
{
    return strcmp(one->kernel, other->kernel) == 0 && one->shared == other->shared &&
           memcmp(one->grid, other->grid, sizeof one->grid) == 0 &&
           memcmp(one->block, other->block, sizeof one->block) == 0;
}

/* Reduces the number of launches if the host code makes many, for example in a loop. If launches
 * have the same kernel, grid and block, some evenly spaced ones are kept. The repeats of a removed
 * launch are added to those of a kept launch. */
static void thin_launches(pm_bare *b)
{
    pm_source_launches *host = &b->host;
    bool *dropped = pm_take(&b->memory, host->launch_count + 1, sizeof *dropped);
    const size_t all = host->launch_count;
    size_t count = 0;

    for (size_t i = 0; i < all && all > MOST_LAUNCHES; i++) {
        size_t alike = 0, number = 0, last = i;

        for (size_t k = 0; k < all; k++)
            alike += are_alike(&host->launches[i], &host->launches[k]);
        for (size_t k = 0; k < i; k++)
            if (are_alike(&host->launches[i], &host->launches[k])) {
                number++;
                last = dropped[k] ? last : k;
            }
        if (number == 0 || alike <= MOST_ALIKE ||
            number * MOST_ALIKE / alike != (number - 1) * MOST_ALIKE / alike)
            continue;
        dropped[i] = true;
        host->launches[last].times += host->launches[i].times;
    }
    for (size_t i = 0; i < all; i++)
        if (!dropped[i])
            host->launches[count++] = host->launches[i];
    host->launch_count = count;
    if (count < all)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = pm_format(
            &b->memory, "%zu launches stand for the %zu of the host code's loops", count, all);
}

/* Removes the launches of kernels that the option --kernel does not name. */
void pm_bare_choose_launches(pm_bare *b)
{
    const char **names = pm_take(&b->memory, b->host.launch_count + 1, sizeof *names);
    size_t count = 0;

    for (size_t i = 0; i < b->host.launch_count; i++)
        if (is_wanted(b->options, b->host.launches[i].kernel)) {
            b->host.launches[count] = b->host.launches[i];
            names[count] = b->host.launches[count].kernel;
            count++;
        }
    b->host.launch_count = count;
    if (count == 0)
        return;
    b->wanted = names;
    b->wanted_count = count;
}

/* Raises PM_BAD_INPUT if an option --set names a variable that the host code does not have. */
static void check_sets(pm_bare *b)
{
    char list[300] = "";

    for (size_t i = 0; b->options->sets && b->options->sets[i]; i++) {
        const char *set = b->options->sets[i];
        const char *name = pm_format(&b->memory, "%.*s", (int)strcspn(set, "="), set);

        b->used_sets[i] = true;
        if (pm_find_word(b->host_text, name))
            continue;
        for (size_t n = 0; n < b->host.needed_count; n++)
            pm_list_add(list, sizeof list, "%s", b->host.needed[n]);
        pm_bare_fault(b,
                      "%s: --set %.60s: nothing in it has that name; its host code leaves open: %s",
                      b->path, set, *list ? list : "nothing");
    }
}

bool pm_bare_read_host(pm_bare *b)
{
    const pm_launch_inputs inputs = {
        .sets = b->options->sets, .arguments = b->program_arguments, .most = b->most_assumed};
    pm_error why = {0};
    pm_status status;

    pm_source_launches_free(&b->host);
    status =
        pm_host_launches(b->host_text, b->path, b->is_cuda ? b->build_options : NULL, &inputs,
                         pm_session_worker(b->session), pm_session_log(b->session), &b->host, &why);

    if (status == PM_FAILED) {
        *b->memory.err = why;
        pm_give_up(&b->memory, status);
    }
    if (status == PM_OK)
        thin_launches(b);
    else
        b->host.launch_count = 0;
    pm_bare_choose_launches(b);
    if (b->host.launch_count == 0)
        return false;
    check_sets(b);
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_numbers(pm_bare *b)
{
    pm_bare_plan *plan = &b->plan;

    for (size_t i = 0; i < b->host.assumption_count; i++) {
        const pm_launch_assumption *a = &b->host.assumptions[i];
        bool is_name = *a->name && !(a->name[0] >= '0' && a->name[0] <= '9');

        for (const char *c = a->name; *c; c++)
            is_name = is_name && pm_is_word(*c);
        is_name = is_name && !pm_bare_find_number(plan, a->name);
        if (is_name && strcmp(a->name, "i") != 0 && strlen(a->name) < 48)
            *pm_add(&b->memory, plan->numbers, plan->number_count) =
                (pm_bare_number){a->name, a->value, true};
        else
            *pm_add(&b->memory, plan->said, plan->said_count) =
                pm_format(&b->memory, "%s = %s", a->name, a->value);
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Adds to the list of assumptions the assumed contents of a variable in the GPU's memory
 * (__device__ or __constant__). */
static void say_symbol(pm_bare *b, const pm_launch_buffer *of)
{
    if (of->partial)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = pm_format(
            &b->memory, "%s: parts that the host code does not determine are 0", of->symbol);
    if (of->changes)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "%s: as in the first launch, although the host code changes it",
                      of->symbol);
}

static void add_buffers(pm_bare *b)
{
    for (size_t i = 0; i < b->host.buffer_count; i++) {
        const pm_launch_buffer *of = &b->host.buffers[i];
        pm_bare_buffer buffer = {.name = of->name,
                                 .type = of->type,
                                 .element = 1,
                                 .zeros = of->zeros,
                                 .pointers = of->pointers,
                                 .fields = of->fields,
                                 .contents = of->contents,
                                 .symbol = of->symbol,
                                 .count_assumed = of->assumed || !of->elements};

        pm_bare_describe_type(b, &buffer);
        say_symbol(b, of);
        *pm_add(&b->memory, b->plan.buffers, b->plan.buffer_count) = buffer;
    }
}

/* Sets the element type of a buffer from the kernel parameter to which the buffer is passed, if the
 * host code does not tell the type. */
static void adopt_parameter(pm_bare *b, size_t buffer, const pm_source_param *param)
{
    pm_bare_buffer *to = &b->plan.buffers[buffer];

    if (to->is_known)
        return;
    pm_bare_describe_element(b, param, to);
}

/* Returns the number of elements of a buffer. count: the size of its allocation. The size is in
 * elements if the host code is CUDA. It is in bytes if the host code is OpenCL, and is then divided
 * by the element size. */
static uint64_t elements_of(const pm_bare *b, size_t buffer, uint64_t count)
{
    const uint64_t element = b->plan.buffers[buffer].element;

    return *b->host.buffers[buffer].type ? count : (count + element - 1) / element;
}

static void count_buffers(pm_bare *b)
{
    for (size_t i = 0; i < b->host.buffer_count; i++)
        if (!b->plan.buffers[i].count && b->host.buffers[i].elements)
            b->plan.buffers[i].count = pm_bare_say_count(
                b, &b->plan, elements_of(b, i, b->host.buffers[i].elements), true);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Returns an expression for a number of blocks, such as (n + 255) / 256, in which n is a named
 * number of b->plan. The blocks of `threads` threads then have just one thread for each of n
 * elements. NULL: no named number gives exactly this number of blocks. */
static const char *say_cover(pm_bare *b, uint64_t blocks, uint64_t threads)
{
    for (size_t i = 0; i < b->plan.number_count; i++) {
        const pm_bare_number *number = &b->plan.numbers[i];
        const uint64_t value = strtoull(number->value, NULL, 10);

        if (threads > 1 && value > threads && (value + threads - 1) / threads == blocks)
            return pm_format(&b->memory, "(%s + %llu) / %llu", number->name,
                             (unsigned long long)threads - 1, (unsigned long long)threads);
    }
    return NULL;
}

/* Returns the size of a grid as a text for the workload file. range: number of blocks in each
 * dimension. block: number of threads of a block in each dimension. If possible, a size is an
 * expression of a named number, such as (n + 255) / 256. block NULL: sizes are decimal digits. */
static const char *say_range(pm_bare *b, const uint64_t range[3], const uint64_t *block)
{
    const size_t dimensions = range[2] > 1 ? 3 : range[1] > 1 ? 2 : 1;
    pm_text text = {.memory = &b->memory};

    for (size_t d = 0; d < dimensions; d++) {
        const char *cover = block ? say_cover(b, range[d], block[d]) : NULL;

        pm_text_add(&text, "%s", d ? ", " : "");
        if (cover)
            pm_text_add(&text, "%s", cover);
        else
            pm_text_add(&text, "%llu", (unsigned long long)range[d]);
    }
    return pm_text_get(&text);
}

/* Sets the block size to `said`, the value of the option --block, instead of the host code's size.
 * Adapts the grid so that it has the same number of threads. */
static void regroup(const pm_source_launch *of, const char *said, uint64_t grid[3],
                    uint64_t block[3])
{
    pm_bare_read_range(said, block);
    for (size_t d = 0; d < 3; d++) {
        block[d] = block[d] ? block[d] : 1;
        grid[d] = (of->grid[d] * of->block[d] + block[d] - 1) / block[d];
    }
}

/* Sets grid, block and shared memory of launch number l. Command-line options take precedence over
 * the host code. Values that neither gives are taken from `assumed`. */
static void say_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed, pm_bare_launch *launch)
{
    const pm_source_launch *of = &b->host.launches[l];
    const char *said_grid = pm_bare_for(b->options->grids, 0);
    const char *said_block = pm_bare_for(b->options->blocks, 0);
    const char *said_shared = pm_bare_for(b->options->shared, 0);
    const bool has_grid = of->grid[0] && of->grid[1] && of->grid[2];
    const bool has_block = of->block[0] && of->block[1] && of->block[2];
    uint64_t grid[3], block[3];

    memcpy(grid, of->grid, sizeof grid);
    memcpy(block, of->block, sizeof block);
    if (said_block && has_grid && has_block)
        regroup(of, said_block, grid, block);
    launch->grid = said_grid  ? said_grid
                   : has_grid ? say_range(b, grid, has_block ? block : NULL)
                              : assumed->launches[0].grid;
    launch->block = said_block  ? said_block
                    : has_block ? say_range(b, block, NULL)
                                : assumed->launches[0].block;
    launch->range_assumed = (!said_grid && !has_grid) || (!said_block && !has_block);
    launch->shared = said_shared  ? said_shared
                     : of->shared ? pm_format(&b->memory, "%llu", (unsigned long long)of->shared)
                                  : NULL;
}

static const char *buffer_argument(pm_bare *b, const pm_launch_argument *argument,
                                   const pm_source_param *param)
{
    const char *name;

    adopt_parameter(b, argument->buffer, param);
    name = b->plan.buffers[argument->buffer].name;
    return argument->offset
               ? pm_format(&b->memory, "%s + %llu", name,
                           (unsigned long long)elements_of(b, argument->buffer, argument->offset))
               : name;
}

/* Returns a kernel argument as a text "TYPE VALUE" for the workload file. If a named number of
 * b->plan, such as n, has the same integer value, VALUE is its name. */
static const char *value_argument(pm_bare *b, const char *value)
{
    const char *blank = strchr(value, ' ');

    if (!blank || blank[1 + strspn(blank + 1, "0123456789")] || strlen(blank + 1) > 18 || !blank[1])
        return value;
    return pm_format(&b->memory, "%.*s %s", (int)(blank - value), value,
                     pm_bare_say_number(b, strtoull(blank + 1, NULL, 10)));
}

static const char *said_argument(pm_bare *b, const pm_source_param *param)
{
    size_t at;
    const char *said = pm_bare_said(b->options->arguments, param->name, &at);

    if (!said)
        return NULL;
    b->used_arguments[at] = true;
    if (param->takes == PM_TAKES_VALUE)
        return pm_format(&b->memory, "%s %s", param->type, said);
    return strcmp(said, "null") == 0 ? said : NULL;
}

/* Sets the number of elements of a buffer from an option such as --arg x=float[n], if there is one
 * for this kernel parameter. It takes precedence over the host code. */
static void say_size(pm_bare *b, const pm_source_param *param, size_t buffer)
{
    const char *said = pm_bare_said(b->options->arguments, param->name, NULL);
    const char *open = said ? strchr(said, '[') : NULL, *close = said ? strrchr(said, ']') : NULL;

    if (!said || strcmp(said, "null") == 0)
        return;
    if (!open || !close || close == open + 1 || close[1])
        pm_bare_fault(b, "--arg %s=%.60s: TYPE[COUNT] is wanted, such as float[n], or null",
                      param->name, said);
    b->plan.buffers[buffer].count =
        pm_format(&b->memory, "%.*s", (int)(close - open - 1), open + 1);
    b->plan.buffers[buffer].count_assumed = false;
}

/* Raises PM_BAD_INPUT if an argument of launch l is a buffer whose allocation was not found in the
 * host code. */
static void require_value(pm_bare *b, size_t l, size_t argument)
{
    const pm_source_param *param = &b->kernels[l]->params[argument];

    if (param->takes == PM_TAKES_BUFFER)
        pm_bare_fault(b, "%s:%d: kernel %s: the host code does not tell which buffer %s is",
                      b->path, b->host.launches[l].line, b->host.launches[l].kernel, param->name);
}

static void add_arguments(pm_bare *b, size_t l, const pm_bare_plan *assumed, pm_bare_launch *launch)
{
    const pm_source_launch *of = &b->host.launches[l];
    const pm_source_kernel *kernel = b->kernels[l];

    if (of->argument_count != kernel->param_count)
        pm_bare_fault(b, "%s:%d: kernel %s takes %zu arguments, given are %zu", b->path, of->line,
                      of->kernel, kernel->param_count, of->argument_count);
    launch->arguments = pm_take(&b->memory, of->argument_count + 1, sizeof *launch->arguments);
    launch->argument_count = of->argument_count;
    for (size_t i = 0; i < of->argument_count; i++) {
        const pm_launch_argument *argument = &of->arguments[i];
        const char *said = said_argument(b, &kernel->params[i]);

        if (argument->kind == PM_LAUNCH_BUFFER)
            say_size(b, &kernel->params[i], argument->buffer);
        if (said)
            launch->arguments[i] = said;
        else if (argument->kind == PM_LAUNCH_BUFFER)
            launch->arguments[i] = buffer_argument(b, argument, &kernel->params[i]);
        else if (argument->kind == PM_LAUNCH_NULL)
            launch->arguments[i] = "null";
        else if (argument->kind == PM_LAUNCH_LOCAL && argument->offset > 1)
            launch->arguments[i] =
                pm_format(&b->memory, "local %llu", (unsigned long long)argument->offset);
        else if (argument->value && !b->is_cuda)
            launch->arguments[i] = pm_bare_opencl_value(b, argument->value, &kernel->params[i]);
        else if (argument->bytes && kernel->params[i].structure == PM_NO_STRUCT &&
                 !(kernel->params[i].is_texture && !strchr(argument->bytes, '(')))
            launch->arguments[i] = pm_format(&b->memory, "bytes %s", argument->bytes);
        else if (argument->value && *kernel->params[i].type && !kernel->params[i].is_texture)
            launch->arguments[i] = value_argument(b, argument->value);
        else if (argument->value && !kernel->params[i].is_texture)
            launch->arguments[i] = argument->value;
        else {
            require_value(b, l, i);
            launch->arguments[i] = assumed->launches[0].arguments[i];
            launch->arguments_assumed = true;
        }
    }
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !pm_is_word(at[-1])) && !pm_is_word(at[length]))
            return true;
    return false;
}

/* Returns whether one of the launch's expressions (grid, block, shared memory, arguments) contains
 * the name of a number. */
static bool mentions(const pm_bare_launch *launch, const char *name)
{
    bool found = has_word(launch->grid, name) || has_word(launch->block, name) ||
                 (launch->shared && has_word(launch->shared, name));

    for (size_t i = 0; i < launch->argument_count; i++)
        found = found || has_word(launch->arguments[i], name);
    return found;
}

/* Copies those named numbers from the workload `assumed` to the planned workload b->plan that the
 * expressions of a launch use. */
static void adopt_numbers(pm_bare *b, const pm_bare_plan *assumed, const pm_bare_launch *launch)
{
    for (size_t i = 0; i < assumed->number_count; i++)
        if (mentions(launch, assumed->numbers[i].name))
            pm_bare_add_number(&b->memory, &b->plan, assumed->numbers[i]);
}

/* Copies those buffers from the workload `assumed` to the planned workload b->plan whose memory the
 * assumed textures of a launch have. */
static void adopt_textures(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                           const pm_bare_launch *launch)
{
    for (size_t i = 0; i < assumed->buffer_count; i++)
        for (size_t k = 0; k < launch->argument_count; k++)
            if (b->kernels[l]->params[k].is_texture &&
                has_word(launch->arguments[k], assumed->buffers[i].name))
                *pm_add(&b->memory, b->plan.buffers, b->plan.buffer_count) = assumed->buffers[i];
}

/* Returns a name for launch number l in the workload file: the kernel's name, with a number if the
 * kernel is launched more than once. */
static const char *launch_name(pm_bare *b, size_t l)
{
    const char *kernel = b->host.launches[l].kernel;
    const char *stem =
        strrchr(kernel, ':') && !strchr(kernel, '<') ? strrchr(kernel, ':') + 1 : kernel;
    const char *name = pm_format(&b->memory, "%.*s", (int)strcspn(stem, "<:"), stem);
    size_t before = 0;

    name = pm_format(&b->memory, "%.40s", name);
    for (size_t i = 0; i < b->plan.launch_count; i++)
        before += strncmp(b->plan.launches[i].name, name, strlen(name)) == 0;
    return before ? pm_format(&b->memory, "%s_%zu", name, before + 1) : name;
}

static void add_launch(pm_bare *b, size_t l)
{
    static const pm_bare_guess guess = {.side = 1024};
    pm_bare_plan assumed;
    pm_bare_launch launch = {
        .name = launch_name(b, l), .kernel = b->wanted[l], .times = b->host.launches[l].times};

    pm_bare_guess_launch(b, l, &b->plan, &guess, &assumed);
    if (b->is_cuda)
        say_ranges(b, l, &assumed, &launch);
    else
        pm_bare_say_opencl_ranges(b, l, &assumed, &launch);
    add_arguments(b, l, &assumed, &launch);
    if (launch.range_assumed || launch.arguments_assumed)
        adopt_numbers(b, &assumed, &launch);
    if (launch.arguments_assumed)
        adopt_textures(b, l, &assumed, &launch);
    *pm_add(&b->memory, b->plan.launches, b->plan.launch_count) = launch;
}

/* ---- all of it ------------------------------------------------------------------------------ */

bool pm_bare_assumes_size(const pm_bare *b, uint64_t than)
{
    static const char *const of_gpu[] = {"multiProcessorCount", "clockRate", "memoryClockRate",
                                         NULL};

    for (size_t i = 0; i < b->host.assumption_count; i++)
        if (!pm_listed(of_gpu, b->host.assumptions[i].name) &&
            !strchr(b->host.assumptions[i].name, ' ') &&
            strtoull(b->host.assumptions[i].value, NULL, 10) > than)
            return true;
    return false;
}

bool pm_bare_launch_as_host(pm_bare *b)
{
    uint64_t share;

    b->work = 0;
    add_numbers(b);
    add_buffers(b);
    for (size_t l = 0; l < b->host.launch_count; l++)
        add_launch(b, l);
    share = pm_bare_limit_repeats(b);
    count_buffers(b);
    pm_bare_find_sizes(b);
    pm_bare_limit_work(b, share);
    return !b->is_too_long && !b->is_hopeless;
}
