/* Applies the tuning parameters of a workload file (section [tune]): finds the values that a
 * variant's name gives them, and checks the conditions on them. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/from_file.h"

void pm_file_tune(pm_file_build *b, const int64_t *values)
{
    for (size_t p = 0; p < b->file->tuned_count; p++)
        b->parameters[b->file->parameter_count + p].value = values[p];
}

void pm_file_tune_alike(pm_file_build *b, const pm_file_build *other)
{
    for (size_t p = b->file->parameter_count; p < b->numbers.count; p++)
        b->parameters[p].value = other->parameters[p].value;
}

static pm_status allows(const void *context, const char *size, const int64_t *values, bool *allowed,
                        pm_error *err)
{
    const pm_from_file *from = context;
    const pm_file_size *found = pm_file_find_size(from->file, size, err);
    const pm_file_restriction *broken = NULL;
    char what[PM_EXPRESSION_FAULT];
    pm_file_build b;

    if (!found)
        return PM_BAD_INPUT;
    pm_file_start_build(&b, from, NULL, found);
    pm_file_tune(&b, values);
    *allowed = pm_file_allows(from->file, &b.numbers, &broken, what);
    return *allowed || !*what ? PM_OK
                              : pm_workload_file_fault(from->file, broken->text.line, err,
                                                       "\"%.60s\": %s", broken->text.text, what);
}

typedef struct {
    pm_file_build *build;
    pm_launch_range *range;
} ranging;

static void find_range(void *user)
{
    const ranging *r = user;

    pm_file_first_range(r->build, r->range);
}

static pm_status ranges(const void *context, const char *size, const int64_t *values,
                        pm_launch_range *range, pm_error *err)
{
    const pm_from_file *from = context;
    const pm_file_size *found = pm_file_find_size(from->file, size, err);
    pm_memory memory = {0};
    pm_file_build b;
    pm_status status;

    if (!found)
        return PM_BAD_INPUT;
    pm_file_start_build(&b, from, NULL, found);
    pm_file_tune(&b, values);
    b.memory = &memory;
    status = pm_attempt(&memory, find_range, &(ranging){&b, range}, err);
    pm_memory_free(&memory);
    return status;
}

void pm_file_list_tuned(pm_from_file *from)
{
    const pm_workload_file *f = from->file;
    pm_tuned *tuned = pm_take(&from->memory, f->tuned_count + 1, sizeof *tuned);

    for (size_t p = 0; p < f->tuned_count; p++)
        tuned[p] = (pm_tuned){f->tuned[p].name, f->tuned[p].count, f->tuned[p].values};
    from->space = (pm_tune_space){f->tuned_count, tuned};
    if (f->tuned_count == 0)
        return;
    from->program.info.tuned = true;
    from->program.space = &from->space;
    from->program.allows = allows;
    from->program.ranges = ranges;
}

void pm_file_check_first(const pm_from_file *from)
{
    const pm_workload_file *f = from->file;

    for (size_t s = 0; s < f->size_count; s++) {
        const pm_file_restriction *broken = NULL;
        char what[PM_EXPRESSION_FAULT];
        pm_file_build b;

        pm_file_start_build(&b, from, NULL, &f->sizes[s]);
        if (pm_file_allows(f, &b.numbers, &broken, what))
            continue;
        pm_workload_file_fault(f, broken->text.line, from->memory.err, "\"%.60s\" in size %s: %s",
                               broken->text.text, f->sizes[s].name,
                               *what ? what
                                     : "the first values of [tune] break it; put values first "
                                       "that may be run");
        pm_give_up(&from->memory, PM_BAD_INPUT);
    }
}
