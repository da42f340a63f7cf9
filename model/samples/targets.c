/* Lists the GPUs that have datasets, and the copy bandwidth that the copy probe measured on them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "machine/devices_table.h"
#include "model/samples/table.h"

static const char PROBE[] = "copy";

void pm_targets_free(pm_target *targets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(targets[i].name);
        free(targets[i].path);
        for (size_t c = 0; c < targets[i].copy_count; c++)
            free(targets[i].copies[c].variant);
    }
    free(targets);
}

/* Returns the number of bytes that one pass of the copy probe (a kernel that copies an array) reads
 * and writes. The size's name is a number: the size in MiB of the array that is read, and of the
 * array that is written. Returns 0 if the name is no number. */
static double copied_bytes(const pm_sample *sample)
{
    const char *size = sample->size;
    double mebibytes;

    return pm_number_take(&size, &mebibytes) ? 2 * mebibytes * 1048576 : 0;
}

/* Stores the copy bandwidth that a row of the copy probe shows under its vector width (the row's
 * variant). If there are rows of several sizes, the largest size counts, because its arrays exceed
 * every cache. Returns false if memory runs out. */
static bool add_copy(pm_target *target, const pm_sample *sample)
{
    const size_t most = sizeof target->copies / sizeof *target->copies;
    double bytes = copied_bytes(sample);
    size_t c = 0;

    if (!(bytes > 0 && isfinite(bytes)))
        return true; /* skip a user's own program that has the copy probe's name */
    while (c < target->copy_count && strcmp(target->copies[c].variant, sample->variant) != 0)
        c++;
    if (c == most)
        return true;
    if (c == target->copy_count) {
        target->copies[c].variant = strdup(sample->variant);
        if (!target->copies[c].variant)
            return false;
        target->copies[c].bytes = 0;
        target->copy_count++;
    }
    if (bytes > target->copies[c].bytes) {
        target->copies[c].bytes = bytes;
        target->copies[c].gb_per_s = bytes / sample->time_s * 1e-9;
    }
    return true;
}

static bool describe(pm_target *target, const char *name, const pm_dataset *dataset)
{
    target->name = strdup(name);
    target->path = strdup(pm_dataset_path(dataset));
    target->samples = pm_dataset_rows(dataset);
    for (size_t i = 0; i < target->samples; i++) {
        const pm_sample *sample = pm_dataset_sample(dataset, i);

        if (strcmp(sample->program, PROBE) == 0 && sample->time_s > 0 && !add_copy(target, sample))
            return false;
    }
    return target->name && target->path;
}

/* Returns true if a dataset only complements another one or a profile. NAME-trace, -shared,
 * -layouts, -corpus, -blind, -cuda, -clang, -modern, -energy and combinations of them complement
 * the dataset NAME. NAME-trace and NAME-shared-trace, which have no times, also complement the
 * profile NAME. */
static bool is_addition(const char *name, const pm_strings *names, const pm_strings *profiles)
{
    static const char *const ends[] = {"-trace", "-shared", "-layouts", "-corpus", "-blind",
                                       "-cuda",  "-clang",  "-energy",  "-modern"};
    char plain[NAME_MAX + 1];
    size_t length = strlen(name);
    bool shorter = true, traced;

    if (length >= sizeof plain)
        return false;
    memcpy(plain, name, length + 1);
    traced = pm_ends_in(name, ends[0]);
    while (shorter) {
        shorter = false;
        for (size_t e = 0; !shorter && e < sizeof ends / sizeof *ends; e++) {
            shorter = pm_ends_in(plain, ends[e]);
            if (shorter)
                plain[length -= strlen(ends[e])] = '\0';
        }
        if (shorter &&
            (pm_strings_has(names, plain) || (traced && pm_strings_has(profiles, plain))))
            return true;
    }
    return false;
}

pm_status pm_targets(pm_session *session, pm_target **targets, size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    pm_strings names = {0}, profiles = {0};
    pm_status status = pm_dataset_names(folder, true, &names, err);
    pm_target *list = calloc(names.count + 1, sizeof *list);
    size_t n = 0;

    if (status == PM_OK && !list)
        status = pm_fail(err, PM_FAILED, "not enough memory to list the targets; free some");
    /* If devices.csv is missing or malformed, no GPU has a profile here. Functions that need the
     * file report the error. */
    if (status == PM_OK && pm_device_names(folder, &profiles, NULL) != PM_OK)
        pm_strings_clear(&profiles);
    for (size_t i = 0; status == PM_OK && i < names.count; i++) {
        pm_error why = {0};
        const pm_dataset *dataset;

        if (is_addition(names.items[i], &names, &profiles))
            continue;
        dataset = pm_dataset_open(session, names.items[i], &why);
        if (!dataset)
            pm_notice(pm_session_log(session), "%s", why.text);
        else if (!describe(&list[n++], names.items[i], dataset))
            status = pm_fail(err, PM_FAILED, "not enough memory to list the targets; free some");
    }
    pm_strings_clear(&profiles);
    pm_strings_clear(&names);
    if (status != PM_OK) {
        pm_targets_free(list, n);
        return status;
    }
    *targets = list;
    *count = n;
    return PM_OK;
}
