/* Programs of the suite in sizes that their workload files do not list, for tests that run every
 * work-group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SUITE_SIZES_H
#define PM_TESTS_SUITE_SIZES_H

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/session/session.h"
#include "base/text.h"
#include "program/suite/suite.h"
#include "unit.h"
#include "worker_fixture.h"

/* Returns the value of a parameter that the file's sizes have. */
static inline size_t size_parameter(const char *name, const size_t extent[3])
{
    size_t levels = 0;

    if (strcmp(name, "height") == 0 || strcmp(name, "y") == 0)
        return extent[1];
    if (strcmp(name, "depth") == 0 || strcmp(name, "z") == 0)
        return extent[2];
    if (strcmp(name, "edge") == 0)
        return (size_t)ceil(cbrt((double)extent[0] / 2));
    if (strcmp(name, "levels") != 0)
        return extent[0];
    while ((size_t)2 << levels <= extent[0])
        levels++;
    return levels;
}

/* Copies the file's text, with one size in place of the file's sizes. */
static inline char *text_in_size(const char *path, const char *size)
{
    size_t extent[3] = {0};
    bool in_size = false, done = false;
    pm_text out = {0};
    char *text, *at, *result;

    assert_true(sscanf(size, "%zux%zux%zu", &extent[0], &extent[1], &extent[2]) > 0);
    assert_int_equal(pm_file_read(path, 1 << 20, "a workload file", &text, told()), PM_OK);
    for (char *line = strtok_r(text, "\n", &at); line; line = strtok_r(NULL, "\n", &at)) {
        if (*line == '[') {
            done |= in_size;
            in_size = strncmp(line, "[size ", 6) == 0;
            if (in_size && !done)
                pm_text_add(&out, "[size %s]\n", size);
        } else if (in_size && !done && *line != '#') {
            const char *value = strchr(line, '=') ? strchr(line, '=') + 2 : "";

            if (value[strspn(value, "0123456789")]) { /* made of other parameters */
                pm_text_add(&out, "%s\n", line);
                continue;
            }
            line[strcspn(line, " =")] = '\0';
            pm_text_add(&out, "%s = %zu\n", line, size_parameter(line, extent));
        }
        if (!in_size)
            pm_text_add(&out, "%s\n", line);
    }
    free(text);
    result = strdup(pm_text_get(&out));
    pm_text_free(&out);
    assert_non_null(result);
    return result;
}

static inline void release_sized(void *program)
{
    pm_program_read_free(program);
}

/* Returns the program in that size: the suite's own if it lists the size. The tests' session owns
 * it. */
static inline const pm_program *suite_in_size(const char *name, const char *size)
{
    const pm_program *listed = pm_suite_find(name);
    char file[256], key[256], path[PATH_MAX];
    pm_program *program;

    if (pm_listed(listed->info.sizes, size))
        return listed;
    snprintf(file, sizeof file, "kernels/%s", listed->file);
    snprintf(key, sizeof key, "%s %s", name, size);
    program = pm_session_find(test_session(), "size of a test", key);
    if (program)
        return program;
    assert_int_equal(pm_share_path(file, path, sizeof path, told()), PM_OK);
    program = pm_program_parse(path, text_in_size(path, size), NULL,
                               pm_session_worker(test_session()), told());
    if (!program || pm_session_keep(test_session(), "size of a test", key, program, release_sized,
                                    told()) != PM_OK)
        fail_msg("%s", last_error.text);
    return program;
}

/* Builds a workload of the suite in that size, with seed 1. NULL with err set on failure. */
static inline pm_workload *workload_in_size(const char *program, const char *variant,
                                            const char *size, pm_error *err)
{
    return pm_program_build(suite_in_size(program, size), variant, size, 1, test_session(), err);
}

#endif
