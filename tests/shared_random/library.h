/* Kernels compiled for this machine, many at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_LIBRARY_H
#define PM_TESTS_SHARED_RANDOM_LIBRARY_H

#include "program.h"

typedef struct {
    void *handle;
    unsigned char *local_start, *local_end;     /* local memory of its kernels */
    const unsigned char *code_start, *code_end; /* and constants */
} sr_library;

/* A source to compile, and the program whose kernel it has. */
typedef struct {
    const sr_program *program;
    const char *source;
} sr_unit_source;

/* base: path that the files' names start with; sr_library_remove removes them. PM_BAD_INPUT: a
 * source does not compile. */
pm_status sr_library_compile(const char *base, const sr_unit_source *sources, size_t count,
                             sr_library *library, pm_error *err);
void sr_library_close(sr_library *library);
void sr_library_remove(const char *base, size_t count);

/* The function that calls the program's kernel with arguments of 8 bytes each. */
typedef void (*sr_entry)(const uint64_t *args);
sr_entry sr_library_entry(const sr_library *library, const char *kernel);

#endif
