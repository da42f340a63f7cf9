/* Checks the memory accesses of kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels are compiled with the instrumentation of clang's thread sanitizer, whose functions are
 * memory.c's: each access is looked at before it happens. Errors are accesses outside of all
 * regions, reads of local memory that the group has not written, and races: accesses of two
 * work-items to the same byte, at least one a write, with no barrier for that memory between them.
 */
#ifndef PM_TESTS_RANDOM_MEMORY_H
#define PM_TESTS_RANDOM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RD_REGIONS = 264 };

/* Accesses to a byte since launch number `launch` began. Work-items are numbered from 1 in the
 * whole launch. Epochs are the intervals between barriers. */
typedef struct {
    uint32_t launch, writer, write_epoch, reader, read_epoch;
    bool many_readers; /* in read_epoch */
    bool many_groups;  /* of readers */
} rd_shadow;

typedef struct {
    const char *name;
    unsigned char *start;
    size_t bytes;
    bool local; /* memory of a group */
    /* true: the launch does not write the memory, so there are no races */
    bool constant;
    rd_shadow *shadow;         /* record for each byte; NULL for constant memory */
    unsigned char *low, *high; /* accessed bytes, from low up to high; low == NULL: none */
} rd_region;

typedef struct rd_memory rd_memory;

struct rd_memory {
    rd_region regions[RD_REGIONS];
    size_t count, last; /* last: region of the last access */
    /* memory that is not checked: the stacks of the work-items */
    const unsigned char *free_start, *free_end;
    /* address range of the compiled library, whose constants may be read */
    const unsigned char *code_start, *code_end;
    /* item: number in the launch, from 1, of the work-item that runs. group_size: number of
     * work-items per work-group. */
    uint32_t item, group_size;
    uint32_t launch, local_epoch, global_epoch;
    /* true: reads of uninitialized local memory are allowed, because they may be padding of
     * structs */
    bool padded;
    uint64_t accesses, most; /* number of accesses so far, and its limit */
    char error[256];
    void (*give_up)(void *context); /* called with the first error, does not return */
    void *context;
};

/* Sets the memory whose accesses are checked from now on. */
void rd_memory_use(rd_memory *memory);
/* Adds a region; false: out of memory. name must outlive it. */
bool rd_memory_add(rd_memory *memory, const rd_region *region);
void rd_memory_clear(rd_memory *memory);
/* Starts a new launch: earlier accesses no longer count for races. */
void rd_memory_launch(rd_memory *memory, uint32_t group_size);

#endif
