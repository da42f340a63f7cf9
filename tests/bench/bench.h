/* Functions that the benchmark programs in this folder share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_BENCH_H
#define PM_TESTS_BENCH_H

#include <stdio.h>
#include <time.h>

static inline double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void print_notice(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

#endif
