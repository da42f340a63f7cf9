/* Finds loops in the sequence of captured launches, so that a workload file can describe repeated
 * launches by one section. See replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The body of a loop is a sequence of launches that repeats. A workload file can express these
 * changes between iterations: integers as linear functions of i, and buffers that cycle. From the
 * first launch on, we choose the body that covers the most launches, and the shortest of these.
 */
#include <string.h>

#include "capture/replay/loops.h"

enum { LONGEST_BODY = 64, FEWEST_TURNS = 3 };

/* ---- number of launches in which one value follows a rule ------------------------------------ */

/* A sequence of captured launches: replay->launches[start], [start + stride], ... (`count`
 * launches) */
typedef struct {
    const pm_replay *replay;
    size_t start, stride, count;
} row;

static const pm_replay_launch *launch_of(const row *r, size_t k)
{
    return &r->replay->launches[r->start + k * r->stride];
}

static bool is_straight(int64_t first, int64_t second, size_t k, int64_t value)
{
    int64_t step, along, expected;

    return !__builtin_sub_overflow(second, first, &step) &&
           !__builtin_mul_overflow(step, (int64_t)k, &along) &&
           !__builtin_add_overflow(first, along, &expected) && expected == value;
}

static size_t extent_run(const row *r, const size_t *(*values)(const pm_replay_launch *),
                         unsigned d)
{
    const int64_t first = (int64_t)values(launch_of(r, 0))[d];
    size_t k = 1;

    while (k < r->count && is_straight(first, (int64_t)values(launch_of(r, 1))[d], k,
                                       (int64_t)values(launch_of(r, k))[d]))
        k++;
    return k;
}

static const size_t *global_of(const pm_replay_launch *launch)
{
    return launch->from->global;
}

static const size_t *local_of(const pm_replay_launch *launch)
{
    return launch->local;
}

static const size_t *offset_of(const pm_replay_launch *launch)
{
    return launch->from->offset;
}

static bool is_same_buffer(const pm_replay_arg *a, const pm_replay_arg *b)
{
    return a->buffer == b->buffer && a->start == b->start;
}

size_t pm_replay_period(const pm_replay *replay, const pm_replay_section *section, size_t a)
{
    size_t period = 1;

    for (size_t k = 0; k < section->count; k++) {
        const size_t at = section->launch + k * section->stride;
        const size_t before = section->launch + k % period * section->stride;

        if (!is_same_buffer(&replay->launches[at].args[a], &replay->launches[before].args[a])) {
            period++;
            k = 0;
        }
    }
    return period;
}

/* Returns the number of launches, from the start of the sequence, in which argument `a` cycles
 * through the same `period` buffers: launch k gets the same buffer as launch k % period. */
static size_t turns_run(const row *r, size_t a, size_t period)
{
    size_t k = period;

    while (k < r->count &&
           is_same_buffer(&launch_of(r, k)->args[a], &launch_of(r, k % period)->args[a]))
        k++;
    return k < r->count ? k : r->count;
}

static size_t buffer_run(const row *r, size_t a)
{
    size_t longest = 1;

    for (size_t period = 1; period <= PM_REPLAY_MOST_TURNS && period < r->count; period++) {
        const size_t run = turns_run(r, a, period);

        if (run > period && run > longest)
            longest = run;
    }
    return longest;
}

static size_t value_run(const row *r, size_t a)
{
    const pm_replay_arg *first = &launch_of(r, 0)->args[a];
    const pm_replay_arg *second = r->count > 1 ? &launch_of(r, 1)->args[a] : first;
    int64_t start, next, now;
    size_t k = 1;

    while (k < r->count &&
           memcmp(launch_of(r, k)->args[a].value, first->value, first->bytes) == 0 &&
           pm_replay_same_pointers(&launch_of(r, k)->args[a].pointers, &first->pointers))
        k++;
    if (k > 1 || !pm_replay_integer(first->type, first->value, &start) ||
        !pm_replay_integer(second->type, second->value, &next))
        return k;
    while (k < r->count && pm_replay_integer(first->type, launch_of(r, k)->args[a].value, &now) &&
           is_straight(start, next, k, now))
        k++;
    return k;
}

static size_t local_run(const row *r, size_t a)
{
    const int64_t first = (int64_t)launch_of(r, 0)->args[a].bytes;
    size_t k = 1;

    while (k < r->count && is_straight(first, (int64_t)launch_of(r, 1)->args[a].bytes, k,
                                       (int64_t)launch_of(r, k)->args[a].bytes))
        k++;
    return k;
}

static size_t arg_run(const row *r, size_t a)
{
    switch (launch_of(r, 0)->args[a].kind) {
    case PM_REPLAY_BUFFER:
        return buffer_run(r, a);
    case PM_REPLAY_LOCAL:
        return local_run(r, a);
    case PM_REPLAY_VALUE:
        return value_run(r, a);
    default:
        return r->count;
    }
}

/* ---- number of launches that follow all rules ------------------------------------------------ */

static bool are_alike(const pm_replay_launch *a, const pm_replay_launch *b)
{
    if (strcmp(a->kernel, b->kernel) != 0 || a->from->dimensions != b->from->dimensions ||
        a->arg_count != b->arg_count || a->local_chosen != b->local_chosen ||
        a->from->shared != b->from->shared)
        return false;
    for (size_t i = 0; i < a->arg_count; i++)
        if (a->args[i].kind != b->args[i].kind ||
            (a->args[i].kind == PM_REPLAY_VALUE && (a->args[i].bytes != b->args[i].bytes ||
                                                    strcmp(a->args[i].type, b->args[i].type) != 0)))
            return false;
    return true;
}

static bool are_same(const pm_replay_launch *a, const pm_replay_launch *b)
{
    if (memcmp(a->from->global, b->from->global, sizeof a->from->global) != 0 ||
        memcmp(a->local, b->local, sizeof a->local) != 0 ||
        memcmp(a->from->offset, b->from->offset, sizeof a->from->offset) != 0)
        return false;
    for (size_t i = 0; i < a->arg_count; i++)
        if (!is_same_buffer(&a->args[i], &b->args[i]) || a->args[i].bytes != b->args[i].bytes ||
            (a->args[i].kind == PM_REPLAY_VALUE &&
             memcmp(a->args[i].value, b->args[i].value, a->args[i].bytes) != 0))
            return false;
    return true;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many launches, from the start of the sequence, one section [launch] of the workload
 * file with `repeat` can express. Compares all launches of the sequence. Launches that differ count
 * as a loop only if there are at least FEWEST_TURNS, because a linear function fits any two
 * numbers. */
static size_t whole_row_run(row r)
{
    const pm_replay_launch *first = launch_of(&r, 0);
    size_t k = 1;

    while (k < r.count && are_alike(first, launch_of(&r, k)))
        k++;
    r.count = k;
    for (unsigned d = 0; d < first->from->dimensions && r.count > 1; d++) {
        r.count = smaller(r.count, extent_run(&r, global_of, d));
        r.count = smaller(r.count, extent_run(&r, local_of, d));
        r.count = smaller(r.count, extent_run(&r, offset_of, d));
    }
    for (size_t a = 0; a < first->arg_count && r.count > 1; a++)
        r.count = smaller(r.count, arg_run(&r, a));
    if (r.count < FEWEST_TURNS && r.count > 1 && !are_same(first, launch_of(&r, 1)))
        r.count = 1;
    return r.count;
}

/* Returns the same as whole_row_run, but in time proportional to the result, because most loops are
 * short. Tries prefixes of the sequence, each twice as long as the one before. If a loop ends
 * within a prefix, it ends at the same launch of the whole sequence, because the shortest prefix is
 * longer than the longest cycle of buffers. */
static size_t row_run(row r)
{
    const size_t count = r.count;

    for (size_t part = 2 * PM_REPLAY_MOST_TURNS; part < count; part *= 2) {
        r.count = part;

        const size_t run = whole_row_run(r);

        if (run < part)
            return run;
    }
    r.count = count;
    return whole_row_run(r);
}

/* Returns how often the `body` launches from launch `start` on are repeated, as the body of a
 * loop. */
static size_t body_run(const pm_replay *replay, size_t start, size_t body)
{
    size_t turns = (replay->launch_count - start) / body;

    for (size_t j = 0; j < body && turns > 1; j++)
        turns = smaller(turns, row_run((row){replay, start + j, body, turns}));
    /* The sequences above may have more than `turns` launches. Check again with exactly `turns`
     * launches, because launches that differ need at least FEWEST_TURNS iterations. */
    for (size_t j = 0; j < body && turns > 1; j++)
        if (row_run((row){replay, start + j, body, turns}) < turns)
            turns = 1;
    return turns;
}

/* ---- sections -------------------------------------------------------------------------------- */

static bool is_taken(const pm_replay *replay, const char *name)
{
    for (size_t i = 0; i < replay->section_count; i++)
        if (replay->sections[i].section && strcmp(replay->sections[i].section, name) == 0)
            return true;
    return false;
}

/* Returns the largest number that a section of this kernel has so far in the workload file; 0 if
 * the kernel has no section yet. The number becomes a suffix of the section's name. */
static size_t last_number(const pm_replay *replay, const char *kernel)
{
    for (size_t i = replay->section_count; i-- > 0;)
        if (strcmp(replay->launches[replay->sections[i].launch].kernel, kernel) == 0)
            return replay->sections[i].number;
    return 0;
}

/* Returns the name of a C++ kernel without namespace and template arguments, as the name of a
 * section of the workload file: "reduce" for space::reduce<float, 256>. */
static const char *plain_name(pm_memory *memory, const char *kernel)
{
    const size_t length = strcspn(kernel, "<");
    const char *begin = kernel;

    for (const char *at = kernel; at < kernel + length; at++)
        if (*at == ':')
            begin = at + 1;
    return pm_format(memory, "%.*s", (int)(kernel + length - begin), begin);
}

static void name_section(pm_memory *memory, const pm_replay *replay, pm_replay_section *section)
{
    const pm_replay_launch *launch = &replay->launches[section->launch];
    const char *kernel = launch->plain ? launch->plain : plain_name(memory, launch->kernel);

    section->number = last_number(replay, replay->launches[section->launch].kernel);
    do {
        section->number++;
        section->section = section->number == 1
                               ? pm_format(memory, "%.40s", kernel)
                               : pm_format(memory, "%.36s_%zu", kernel, section->number);
    } while (is_taken(replay, section->section));
}

static void add_body(pm_memory *memory, pm_replay *replay, size_t start, size_t body, size_t turns)
{
    const size_t leader = replay->section_count;

    for (size_t j = 0; j < body; j++) {
        pm_replay_section section = {.launch = start + j,
                                     .stride = body,
                                     .count = turns,
                                     .leader = turns > 1 ? leader : leader + j};

        name_section(memory, replay, &section);
        *pm_add(memory, replay->sections, replay->section_count) = section;
    }
}

void pm_replay_find_loops(pm_memory *memory, pm_replay *replay)
{
    for (size_t start = 0; start < replay->launch_count;) {
        size_t body = 1, turns = 1;

        for (size_t b = 1; b <= LONGEST_BODY && start + 2 * b <= replay->launch_count; b++) {
            const size_t t = body_run(replay, start, b);

            if (t > 1 && t * b > turns * body) {
                body = b;
                turns = t;
            }
        }
        add_body(memory, replay, start, body, turns);
        start += body * turns;
    }
}
