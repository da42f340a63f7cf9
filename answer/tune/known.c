/* Reads the times that versions (combinations of tuning parameters) took on other GPUs, from files
 * that the user gives by --known. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A version that is fast on one GPU is usually not slow on another, and the model knows the reasons
 * only in part. For each version, tuner->elsewhere is the mean over the files of log(time / fastest
 * time in the file). A version that failed there counts with the slowest time of the file. A
 * version that is missing in a file counts with the mean over the versions that the file has. All
 * files have the same weight.
 */
#include <math.h>
#include <string.h>

#include "answer/tune/parts.h"
#include "base/error.h"
#include "base/scramble.h"
#include "base/strings.h"

typedef struct {
    pm_tuner *tuner;
    /* time_s[version]: time of the version (combination of tuning parameters) in the Kernel Tuner
     * file that is being read, in seconds; 0: the version failed there; -1: the file does not have
     * the version */
    double *time_s;
} knowing;

typedef struct {
    const pm_tuner *tuner;
    const int64_t *values;
} version_key;

static bool is_same(const void *key, size_t version)
{
    const version_key *k = key;

    return memcmp(k->tuner->versions[version].values, k->values,
                  k->tuner->space->count * sizeof *k->values) == 0;
}

static uint64_t hash_of(const pm_tuner *t, const int64_t *values)
{
    uint64_t hash = 0;

    for (size_t p = 0; p < t->space->count; p++)
        hash = pm_scramble(hash ^ (uint64_t)values[p]);
    return hash;
}

static void index_versions(pm_tuner *t)
{
    for (size_t v = 0; v < t->count; v++)
        if (!pm_hash_index_add(&t->by_values, hash_of(t, t->versions[v].values), v))
            pm_leave(&t->memory, PM_FAILED, "out of memory for %zu versions", t->count);
}

/* Stores the time of a version (combination of tuning parameters) that occurs in a Kernel Tuner
 * file. If a version occurs twice, the shortest time counts. Versions outside the search space are
 * ignored. */
static void note(void *user, const int64_t *values, double time_s)
{
    knowing *k = user;
    const version_key key = {k->tuner, values};
    const size_t v =
        pm_hash_index_find(&k->tuner->by_values, hash_of(k->tuner, values), is_same, &key);
    double *known;

    if (v == PM_NO_ENTRY)
        return;
    known = &k->time_s[v];
    if (time_s > 0)
        *known = *known > 0 ? fmin(*known, time_s) : time_s;
    else
        *known = fmax(*known, 0);
}

/* Finds the shortest and the longest time in the file, in seconds. False: it has no times. */
static bool find_ends(const knowing *k, double *best, double *worst)
{
    *best = (double)INFINITY;
    *worst = 0;
    for (size_t v = 0; v < k->tuner->count; v++)
        if (k->time_s[v] > 0) {
            *best = fmin(*best, k->time_s[v]);
            *worst = fmax(*worst, k->time_s[v]);
        }
    return *worst > 0;
}

/* Adds `share` (1 / number of files) times log(time / best) to tuner->elsewhere of each version
 * (combination of tuning parameters) that a Kernel Tuner file has. A version that failed there
 * counts with the time `worst`. A version that the file lacks gets the mean of the others. best,
 * worst: shortest and longest time in the file, in seconds. */
static void add(const knowing *k, double best, double worst, double share)
{
    const pm_tuner *t = k->tuner;
    double sum = 0, found = 0;

    for (size_t v = 0; v < t->count; v++)
        if (k->time_s[v] >= 0) {
            const double longer = log(k->time_s[v] > 0 ? k->time_s[v] : worst) - log(best);

            t->elsewhere[v] += share * longer;
            sum += longer;
            found++;
        }
    for (size_t v = 0; v < t->count; v++)
        if (k->time_s[v] < 0)
            t->elsewhere[v] += share * (sum / found);
}

static void read_one(knowing *k, const char *path, double share)
{
    pm_tuner *t = k->tuner;
    double best, worst;

    for (size_t v = 0; v < t->count; v++)
        k->time_s[v] = -1;
    pm_tune_read_times(t, path, note, k);
    if (!find_ends(k, &best, &worst))
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: it has no time of a version of %s: name a file that times the same "
                 "parameters and values",
                 path, t->program->path);
    add(k, best, worst, share);
}

void pm_tune_read_known(pm_tuner *t)
{
    const char *const *paths = t->options->known;
    knowing k = {.tuner = t};
    size_t count = 0;

    while (paths && paths[count])
        count++;
    if (count == 0)
        return;
    t->tuning->known = count;
    index_versions(t);
    t->elsewhere = pm_take(&t->memory, t->count, sizeof *t->elsewhere);
    k.time_s = pm_take(&t->memory, t->count, sizeof *k.time_s);
    for (size_t i = 0; i < count; i++)
        read_one(&k, paths[i], 1 / (double)count);
}
