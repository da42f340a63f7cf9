/* A kernel as the trace engine runs it: what the compiler half (backend/, with LLVM) leaves for the
 * half that runs and counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block is straight-line code: it runs for every work-item of a warp whose mask bit is set, hands
 * back the address of each memory instruction, and says where each work-item goes next.
 */
#ifndef PM_COLLECTOR_TRACE_PROGRAM_H
#define PM_COLLECTOR_TRACE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "collector/trace/memory/access.h"
#include "collector/trace/mix.h"
#include "perfmodel.h"

/* A memory instruction. Strings are "" where nothing is known. */
typedef struct {
    pm_space space;
    pm_access_kind kind;
    unsigned bytes; /* of one work-item's access */
    unsigned line, column;
    unsigned row; /* of the access table: the copies of an access in an unrolled loop share one */
    const char *object; /* kernel argument or variable that it points into */
    int argument;       /* index of that kernel argument; -1: not known to be one */
    uint64_t arguments; /* a bit for each that it may be; all: unknown */
    bool read_only;     /* a load by a kernel argument that is only read and has no alias: const and
                         * restrict, or as good as that to the compiler */
    uint64_t object_bytes;         /* of a variable; 0: unknown */
    uint64_t object_offset;        /* where a shared or private variable starts */
    const char *structure, *field; /* of the source, where it accesses a struct's member */
    unsigned loop;                 /* index into loops; 0: in none */
    /* Of an access by an argument: extent bytes from offset + k * stride of the buffer on, for
     * whatever integers k; a stride of 0: one place. */
    uint64_t offset, stride, extent;
    bool operand;    /* of a variable in __constant memory, at a place that the code names */
    bool through_l1; /* of __constant memory: see pm_unit_reads_constants */
    bool one_place;  /* of an argument, the same for all work-items of a warp, by the code */
    bool scalar;     /* a load of one place that nothing before it in the launch may have written */
    /* Of one that is wide where words need not lie at multiples of its width: bytes of it and of
     * the sites of its block that are done with it; 0: it is done with another. */
    unsigned together;
    /* Of an atomic in shared memory: wavefronts of each work-item; 0: all share one, see
     * pm_bank_turns. */
    unsigned turn_wavefronts;
    bool wraps;   /* its index has ints in it that could wrap: see pm_warp_access */
    bool decides; /* a branch or an address may depend on what it loads */
    bool waits;   /* a load, or an atomic whose result something uses */
    /* Of one that waits: how many waits for others of its block come before it can be started.
     * Those of one number wait together. */
    unsigned wait;
} pm_site;

typedef struct {
    unsigned line;   /* of its head */
    unsigned parent; /* index of the loop around it; 0: none */
    uint32_t head;   /* the block that it starts with */
    uint32_t after;  /* where all meet that leave it, if they stay in the loop around it;
                      * PM_NO_BLOCK: at the end */
} pm_code_loop;

/* Whether a loop is another one, or in it; 0 is in none but 0. */
static inline bool pm_loop_is_within(const pm_code_loop *loops, unsigned inner, unsigned outer)
{
    while (inner != outer && inner != 0)
        inner = loops[inner].parent;
    return inner == outer;
}

/* A place that several ways from a branch come to, but not all. */
typedef struct {
    uint32_t block, between_count;
    const uint32_t *between; /* blocks on the ways there, by number */
} pm_merge_point;

/* Whether it is reached from a block on the ways to it. */
static inline bool pm_is_before_merge(const pm_merge_point *merge, uint32_t block)
{
    uint32_t low = 0, high = merge->between_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (merge->between[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < merge->between_count && merge->between[low] == block;
}

typedef enum {
    PM_END_RETURN,
    PM_END_JUMP,    /* or nothing: a block cut where work-items wait for each other */
    PM_END_BARRIER, /* of the work-group, then a jump */
    PM_END_BRANCH   /* to one of two or more successors */
} pm_block_end;

#define PM_NO_BLOCK UINT32_MAX

/* Where the place lies that a loop tries again to change by an atomic, until nobody has come
 * between (backend/accesses/retry.h). */
typedef enum { PM_AGAIN_NONE, PM_AGAIN_SHARED, PM_AGAIN_GLOBAL, PM_AGAIN_KINDS } pm_again;

/* What a block's code reads of its work-group. */
typedef struct {
    uint32_t group[3], groups[3], local_size[3], dimensions;
    uint64_t offset[3]; /* global offset */
    uint8_t *shared;    /* the work-group's shared memory, shared_bytes of it */
    uint64_t shared_bytes;
    uint8_t *arena;                      /* all global buffers lie in it */
    uint64_t arena_bytes, arena_address; /* and where it is for the GPU */
    uint8_t *spare;                      /* where an access outside of everything goes */
    const uint8_t *values;               /* kernel arguments, each in its parameter's slot */
    uint32_t number;                     /* of the group in the launch; its low half */
} pm_group_context;

enum { PM_ARGUMENT_ALIGNMENT = 128, PM_SPARE_BYTES = 256 };

/* Where the program's own constant tables have their addresses in accesses that may be to them or
 * to a buffer; those of buffers are below. */
#define PM_TABLE_ADDRESS (UINT64_C(1) << 62)

/* A pointer argument to global or constant memory. One to shared memory is its offset there, and a
 * value stands at the start of its bytes. */
typedef struct {
    uint8_t *host;
    uint64_t bytes, address; /* of the buffer, and where it is for the GPU */
} pm_pointer_argument;

/* Addresses are those of pm_warp_access; in a variable of __constant or an argument passed by value
 * they are offsets from its start.
 * frame: the warp's frame, frame_bytes. private_memory: private_bytes for each work-item of a
 * warp. addresses: row s (of warp-width members) gets the addresses of the block's site s. next:
 * bit masks; next[i] gets the work-items that go to successor i. */
typedef void (*pm_block_code)(uint8_t *frame, uint8_t *private_memory, uint64_t mask,
                              const pm_group_context *group, uint64_t *addresses, uint64_t *next);

/* Two kinds of code of a block. A slice computes only the values that addresses and branches depend
 * on. It records the same addresses and takes the same branches as the whole code, but stores
 * nothing to global memory. */
typedef enum { PM_CODE_WHOLE, PM_CODE_SLICE, PM_CODE_KINDS } pm_code_kind;

typedef struct {
    pm_block_code code[PM_CODE_KINDS]; /* NULL: not compiled (pm_trace_program_compile) */
    pm_block_end end;
    uint32_t successors, first_successor; /* in kernel->successors */
    uint32_t join; /* where all ways from here lead; PM_NO_BLOCK: to the end */
    uint32_t loop; /* index of the innermost loop that it is in; 0: none */
    pm_again again;
    /* Where work-items that part here meet again, if they stay in meet_loop; 0: in any case. */
    uint32_t meet, meet_loop;
    /* Where those meet before that whose ways come together, in kernel->merges; the next first. */
    uint32_t merges, first_merge;
    bool begins;     /* it is no later part of a basic block that was cut */
    bool predicated; /* the branch costs none: the GPU runs its side blocks under a predicate */
    bool global;     /* has an access to global memory */
    /* First block of those whose instructions the compiler orders as if they were one: sides that
     * run under a predicate, and what follows them. Waits are numbered through them. */
    uint32_t stretch;
    uint32_t first_site, sites;
    unsigned line; /* of its end, for messages */
    bool serial;   /* no loop over work-items that it is in can be vectorised */
    /* Registers that are stored to private memory and loaded from it, because of a limit. */
    double spill_loads, spill_stores;
    double latency; /* of arithmetic, on a CPU's core, in floating-point operations */
    pm_mix mix;
} pm_block;

typedef enum { PM_PARAMETER_GLOBAL, PM_PARAMETER_SHARED, PM_PARAMETER_VALUE } pm_parameter_kind;

typedef struct {
    const char *name;
    pm_parameter_kind kind; /* a __constant pointer is global */
    size_t bytes;           /* of a value */
    size_t slot, room;      /* where the argument stands in the values, and bytes that are there */
} pm_parameter;

typedef struct {
    const char *name;
    size_t parameter_count, block_count, site_count, loop_count; /* block 0 is the entry */
    const pm_parameter *parameters;
    size_t argument_bytes; /* of all slots; the values start at a PM_ARGUMENT_ALIGNMENT */
    const pm_block *blocks;
    const pm_site *sites;
    const pm_code_loop *loops; /* loops[0] is no loop */
    const uint32_t *successors;
    const pm_merge_point *merges;
    uint32_t most_sites, most_successors; /* of any block */
    size_t frame_bytes;                   /* of a warp; at its start the local ids, see below */
    size_t private_bytes;                 /* of a work-item */
    size_t shared_bytes;                  /* of its own __local variables */
    unsigned required_group[3];           /* 0: any */
    unsigned registers;                   /* an estimate */
    unsigned registers_sunk;              /* the same where sums stay where LLVM has moved them */
    unsigned spilled;                     /* of the limit on registers: those in private memory */
    bool tries_again[PM_AGAIN_KINDS];     /* has such blocks */
} pm_kernel_code;

/* The frame starts with the local ids: for each dimension warp-width 32-bit numbers. */

typedef struct {
    unsigned warp_width;
    size_t kernel_count;
    const pm_kernel_code *kernels;
    bool has_slices;
    void *owner; /* the compiler half's */
} pm_trace_program;

#endif
