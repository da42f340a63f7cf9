/* Splits work into shards. See shard.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"

enum { MOST_SHARDS = 1000000 };

/* Launchers that start several processes, such as Slurm, with the environment variables in which
 * they give a process its index. */
static const struct {
    /* who: name of the launcher. The others are names of environment variables. index: the index of
     * this process. count: the number of processes; NULL: the launcher does not give it. first: the
     * smallest index; NULL: it is 0. */
    const char *who, *index, *count, *first;
} starters[] = {
    {"Slurm's arrays", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
    {"PMI", "PMI_RANK", "PMI_SIZE", NULL},
    {"srun", "SLURM_PROCID", "SLURM_NTASKS", NULL},
    {"Kubernetes' indexed jobs", "JOB_COMPLETION_INDEX", NULL, NULL},
};

/* Reads an integer from 0 to MOST_SHARDS, which the character `end` must follow. *behind gets the
 * position of `end`. Returns false if the text has no such number. */
static bool read_number(const char *text, char end, unsigned *number, const char **behind)
{
    char *stop;
    unsigned long value;

    if (!text || *text < '0' || *text > '9')
        return false;
    value = strtoul(text, &stop, 10);
    if (*stop != end || value > MOST_SHARDS)
        return false;
    *number = (unsigned)value;
    *behind = stop;
    return true;
}

static bool read_variable(const char *name, unsigned *number)
{
    const char *behind;

    return name && read_number(getenv(name), '\0', number, &behind);
}

static pm_status ask(unsigned count, pm_shard *shard, pm_error *err)
{
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
        unsigned index, first = 0, told = 0;

        if (!read_variable(starters[i].index, &index))
            continue;
        read_variable(starters[i].first, &first);
        if (!read_variable(starters[i].count, &told))
            told = count;
        if (told == 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "--shard auto: $%s says which one this is, and nothing of how many: "
                           "write --shard auto/N",
                           starters[i].index);
        if (index < first || index - first >= told || (count > 0 && count != told))
            return pm_fail(err, PM_BAD_INPUT,
                           "--shard auto: by $%s (%s) this is number %u from %u of %u: arrays in "
                           "steps of one, and the count that they have, are wanted",
                           starters[i].index, starters[i].who, index, first, told);
        *shard = (pm_shard){index - first + 1, told};
        return PM_OK;
    }
    return pm_fail(err, PM_BAD_INPUT,
                   "--shard auto: neither Slurm, MPI nor Kubernetes started this: write --shard "
                   "I/N, such as 1/3");
}

pm_status pm_shard_read(const char *text, pm_shard *shard, pm_error *err)
{
    unsigned index, count = 0;
    const char *behind;

    if (strcmp(text, "auto") == 0)
        return ask(0, shard, err);
    if (strncmp(text, "auto/", 5) == 0 && read_number(text + 5, '\0', &count, &behind) && count > 0)
        return ask(count, shard, err);
    if (!read_number(text, '/', &index, &behind) ||
        !read_number(behind + 1, '\0', &count, &behind) || index < 1 || index > count)
        return pm_fail(err, PM_BAD_INPUT,
                       "--shard %s: I/N is wanted with I from 1 to N, such as 1/3, or auto", text);
    *shard = (pm_shard){index, count};
    return PM_OK;
}

bool pm_shard_has(const pm_shard *shard, const char *program, const char *variant)
{
    /* The factor 31 makes the hash depend on the order of the two names, so that swapped names give
     * different hashes. */
    const uint64_t hash = pm_hash_text(program) * 31 + pm_hash_text(variant);

    return shard->count == 0 || hash % shard->count == shard->index - 1;
}

pm_status pm_shard_path(const pm_shard *shard, const char *path, const char *ending, const char *to,
                        char *out, size_t size, pm_error *err)
{
    const size_t length = strlen(path) - (pm_ends_in(path, ending) ? strlen(ending) : 0);
    const int written = shard->count == 0 ? snprintf(out, size, "%s", path)
                                          : snprintf(out, size, "%.*s-%uof%u%s",
                                                     (int)(length > INT_MAX ? INT_MAX : length),
                                                     path, shard->index, shard->count, to);

    if (written < 0 || (size_t)written >= size)
        return pm_fail(err, PM_BAD_INPUT, "the path of the share is longer than %zu characters",
                       size - 1);
    return PM_OK;
}
