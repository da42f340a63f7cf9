/* Kernels compiled for this machine, many at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_LIBRARY_H
#define PM_TESTS_RANDOM_LIBRARY_H

#include "language.h"
#include "program/workload.h"

typedef struct {
    void *handle;
    unsigned char *local_start, *local_end;     /* local memory of its kernels */
    const unsigned char *code_start, *code_end; /* and constants */
} rd_library;

/* Compiles the sources of workloads, all of that language, whose names at file scope all differ and
 * whose build options are the same, with those options of clang beside. base: path that the files'
 * names start with; rd_library_remove removes them. PM_BAD_INPUT: a source does not compile. */
pm_status rd_library_compile(const char *base, rd_language language, const char *options,
                             pm_workload *const *workloads, size_t count, rd_library *library,
                             pm_error *err);
void rd_library_close(rd_library *library);
void rd_library_remove(const char *base, rd_language language, size_t count);

/* A kernel takes pointers and integers: any number of them are passed as 64 numbers. */
#define RD_FOUR uint64_t, uint64_t, uint64_t, uint64_t
#define RD_SIXTEEN RD_FOUR, RD_FOUR, RD_FOUR, RD_FOUR
typedef void (*rd_kernel)(RD_SIXTEEN, RD_SIXTEEN, RD_SIXTEEN, RD_SIXTEEN);
/* NULL: there is none of that name. */
rd_kernel rd_library_kernel(const rd_library *library, const char *name);

#endif
