/* Compiles kernels for this machine, many at once.
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

/* Compiles the sources of workloads of one language, with additional clang options. Their names at
 * file scope must all differ, and their build options must be equal. base: start of the files'
 * paths; rd_library_remove removes the files. PM_BAD_INPUT: a source does not compile. */
pm_status rd_library_compile(const char *base, rd_language language, const char *options,
                             pm_workload *const *workloads, size_t count, rd_library *library,
                             pm_error *err);
void rd_library_close(rd_library *library);
void rd_library_remove(const char *base, rd_language language, size_t count);

/* Kernels take pointers and integers, so any kernel can be called with 64 numbers. */
#define RD_FOUR uint64_t, uint64_t, uint64_t, uint64_t
#define RD_SIXTEEN RD_FOUR, RD_FOUR, RD_FOUR, RD_FOUR
typedef void (*rd_kernel)(RD_SIXTEEN, RD_SIXTEEN, RD_SIXTEEN, RD_SIXTEEN);
/* Returns NULL if there is no kernel with this name. */
rd_kernel rd_library_kernel(const rd_library *library, const char *name);

#endif
