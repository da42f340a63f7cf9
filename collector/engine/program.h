/* A kernel in the form that the trace engine executes. The engine's compiler part (backend/, with
 * LLVM) creates it; the other part executes it and counts events.
 *
 * A basic block is straight-line code. The host function of a basic block executes the code for
 * every work-item of a warp whose mask bit is set, and returns the addresses of each memory
 * instruction and the next block of each work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_PROGRAM_H
#define PM_COLLECTOR_ENGINE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "collector/engine/memory/access.h"
#include "machine/mix.h"
#include "perfmodel.h"

/* value of pm_site.row for accesses that the access table does not list */
#define PM_NO_ROW UINT32_MAX

/* A memory instruction of a kernel, with properties that are known before it runs. Strings are ""
 * if unknown. */
typedef struct {
    pm_space space;
    pm_access_kind kind;
    unsigned bytes; /* bytes of one work-item's access */
    unsigned line, column;
    /* Row in the access table, which reports counts per access of the source. If a loop was
     * unrolled, all copies of an access have the same row. PM_NO_ROW: the table does not list the
     * access, because the source does not contain it. An example is a read by the texture unit: of
     * the description of a texture, or of one of the further texels of a fetch with linear
     * filtering. */
    unsigned row;
    const char *object; /* name of the kernel argument or variable that the pointer points into */
    /* index of the kernel argument that the pointer points into; -1: unknown, or not an argument */
    int argument;
    /* mask with a bit for each kernel argument that the pointer may point into; all bits set:
     * unknown */
    uint64_t arguments;
    /* true: the pointer may have been loaded from memory, so that it may point into any buffer
     * whose address is stored in a buffer or in a struct argument */
    bool loaded;
    /* True: this is a load through a kernel argument that is only read and has no alias. The
     * argument is declared const and restrict, or the compiler has proved these properties. */
    bool read_only;
    pm_fetch fetch;        /* which part of a texture fetch this load is */
    uint64_t object_bytes; /* bytes of the accessed variable; 0: unknown */
    /* offset in bytes of a shared or private variable in shared or private memory */
    uint64_t object_offset;
    /* source names of the struct and its member that is accessed; "" if none */
    const char *structure, *field;
    unsigned loop; /* index into the kernel's `loops`; 0: in no loop */
    /* Bytes of the argument's buffer that the access may touch. For every integer k, these are the
     * `extent` bytes from byte offset + k * stride of the buffer on. If stride is 0, the access
     * touches only the range at `offset`. */
    uint64_t offset, stride, extent;
    /* true: the access is to a __constant variable at a compile-time constant address, so that
     * arithmetic instructions can read the data as an operand, without a load */
    bool operand;
    /* true: the access is to __constant memory that some GPUs read through L1
     * (pm_unit_reads_constants) */
    bool through_l1;
    /* True for an access through a kernel argument if all work-items of a warp have the same
     * address, whatever the input data are. */
    bool one_place;
    /* True for a load whose work-items all have the same address, if no earlier store of the launch
     * may have written the loaded data. */
    bool scalar;
    /* For GPUs that access adjacent words at any alignment: bytes of the wide access into which the
     * compiler combines this access with other accesses of the basic block to the addresses behind
     * it. 0: the access is part of the wide access of another memory instruction. */
    unsigned together;
    /* Wavefronts that each work-item of an atomic on shared memory takes if several work-items
     * change the same address (pm_bank_turns). 0: the atomic takes the wavefronts of a load. */
    unsigned turn_wavefronts;
    /* true: the index has int additions that may overflow; a CPU's compiler then does not know that
     * addresses are adjacent */
    bool wraps;
    bool decides; /* true: a branch or an address may depend on the loaded value */
    /* true: the warp must wait for a result, because this is a load, or an atomic whose result is
     * used */
    bool waits;
    bool async;    /* true: a part of an asynchronous copy to shared memory */
    bool bypasses; /* true: a part of an asynchronous copy that bypasses L1 */
    /* True: the source or destination of a bulk copy. Its addresses are pm_bulk_copies.spans. */
    bool bulk;
    /* If `waits` is set: number of the wait for this instruction's result in its scheduling region.
     * The number says how many waits for other loads must come before. Loads with equal numbers are
     * in flight together. A scheduling region is code that the compiler reorders as one
     * sequence. */
    unsigned wait;
} pm_site;

typedef struct {
    unsigned line;   /* source line of the loop's header */
    unsigned parent; /* index of the enclosing loop; 0: none */
    uint32_t head;   /* index of the header block */
    /* Index of the basic block behind the loop at which the work-items that leave the loop
     * reconverge, without those that also leave the enclosing loop. PM_NO_BLOCK: they reconverge at
     * the end of the kernel. */
    uint32_t after;
} pm_code_loop;

/* Returns whether loop `inner` is loop `outer` or nested in it. 0 (no loop) is nested only in 0. */
static inline bool pm_loop_is_within(const pm_code_loop *loops, unsigned inner, unsigned outer)
{
    while (inner != outer && inner != 0)
        inner = loops[inner].parent;
    return inner == outer;
}

/* A partial reconvergence point of a branch: several, but not all, paths from the branch lead to
 * the basic block with index `block`. */
typedef struct {
    uint32_t block, between_count;
    const uint32_t *between; /* indices of the basic blocks on these paths, in ascending order */
} pm_merge_point;

/* Returns whether the basic block with index `block` is on a path to the partial reconvergence
 * point. */
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
    /* the block ends with a jump, or with a cut: a point inside a basic block of the kernel at
     * which work-items of a warp wait for each other */
    PM_END_JUMP,
    /* the block ends with a barrier of the work-group, and then jumps to its successor */
    PM_END_BARRIER,
    PM_END_BRANCH /* the block ends with a branch to one of two or more successors */
} pm_block_end;

#define PM_NO_BLOCK UINT32_MAX

/* Kinds of compare-and-swap retry loops, by the memory that the loop changes. PM_AGAIN_NONE: not in
 * a retry loop. */
typedef enum { PM_AGAIN_NONE, PM_AGAIN_SHARED, PM_AGAIN_GLOBAL, PM_AGAIN_KINDS } pm_again;

/* A barrier for a part of a work-group (PTX: bar.sync with a number of threads). */
typedef struct {
    uint32_t arrived, phase; /* work-items that have arrived; number of completed phases */
    /* Numbers of work-items in the phases with even numbers [0] and with odd numbers [1]. items:
     * work-items that arrived. trues: work-items that arrived with a true operand (PTX:
     * barrier.red). */
    uint32_t items[2], trues[2];
} pm_named_barrier;

enum { PM_NAMED_BARRIERS = 16 };

/* A contiguous piece of memory that a bulk copy (PTX: cp.async.bulk) reads or writes. */
typedef struct {
    uint64_t address; /* GPU address, or offset in the work-group's shared memory */
    uint32_t bytes;
    bool is_shared; /* true: the piece is in shared memory */
} pm_bulk_span;

/* PM_BULK_BARRIERS: number of barriers in shared memory of which the last bulk copy is recorded. */
enum { PM_BULK_BARRIERS = 64 };

/* The arrival of bulk copies in a phase of a barrier in shared memory. */
typedef struct {
    uint32_t barrier; /* the barrier's offset in shared memory */
    uint32_t parity;  /* of the phase */
    /* Numbers (from 1) of the last copy that has arrived in the phase, and of the last one before
     * that has arrived in another phase of the barrier; 0: none. */
    uint32_t copy, before;
    const void *issuer; /* the warp that has issued the copy */
} pm_bulk_arrival;

/* The bulk copies of a work-group. */
typedef struct {
    /* pieces of memory that the last executed basic block has copied; allocated by malloc */
    pm_bulk_span *spans;
    size_t span_count, span_room;
    /* error of the last executed basic block: the end of a message, such as "its size is no
     * multiple of 16"; NULL: no error */
    const char *fault;
    uint32_t issued;  /* number of copies to shared memory since the group's start */
    const void *warp; /* the warp that executes the basic block */
    /* Arrival for whose phase the last executed basic block has waited; copy 0: it did not wait, or
     * for no copy. */
    pm_bulk_arrival awaited;
    /* last arrivals at barriers with different offsets / 8 modulo PM_BULK_BARRIERS */
    pm_bulk_arrival arrivals[PM_BULK_BARRIERS];
} pm_bulk_copies;

/* The condition for which a basic block makes a warp wait. The block's code tests the condition. If
 * it does not hold, the warp executes the block again later. */
typedef enum {
    PM_WAITS_FOR_NOTHING,
    /* the completion of a phase of a barrier in shared memory, for a limited time
     * (mbarrier.try_wait) */
    PM_WAITS_FOR_PHASE,
    PM_WAITS_FOR_NAMED /* the completion of a phase of a pm_named_barrier */
} pm_waits_for;

/* Data of one work-group that the generated code of a basic block reads: the group's position,
 * sizes of the launch, and shared memory. */
typedef struct {
    uint32_t group[3], groups[3], local_size[3], dimensions;
    uint64_t offset[3]; /* global offset of the ids */
    uint8_t *shared;    /* the work-group's shared memory, `shared_bytes` bytes */
    uint64_t shared_bytes;
    /* Host address of the memory that contains all global buffers. */
    uint8_t *arena;
    uint64_t arena_bytes, arena_address; /* arena_address: GPU address of the arena */
    /* Target of accesses that are outside of all buffers, PM_SPARE_BYTES bytes. */
    uint8_t *spare;
    /* values of the kernel's arguments, each at the offset pm_parameter.slot */
    const uint8_t *values;
    uint64_t value_bytes; /* bytes of `values` */
    uint32_t number;      /* low 32 bits of the group's number in the launch */
    /* the barriers for parts of the work-group, PM_NAMED_BARRIERS of them */
    pm_named_barrier *named;
    /* The code of a basic block that waits for a condition (pm_block.waits_for) sets *unready to
     * true if the condition does not hold. */
    bool *unready;
    pm_bulk_copies *bulk; /* the group's bulk copies */
} pm_group_context;

enum { PM_ARGUMENT_ALIGNMENT = 128, PM_SPARE_BYTES = 256 };

/* Base of the addresses that are recorded for accesses to constant arrays of the program (tables),
 * if the same instruction may access an array or a buffer. All buffers have lower addresses. */
#define PM_TABLE_ADDRESS (UINT64_C(1) << 62)

/* Stored value of a pointer argument to global or constant memory. Other arguments are stored
 * directly: a pointer to shared memory as an offset in this memory, a scalar or struct as its
 * bytes. */
typedef struct {
    uint8_t *host;
    /* start: first byte that the kernel may access by the pointer. It is the start of the buffer in
     * CUDA, whose kernels may access memory before a pointer into a buffer, and the pointer itself
     * in OpenCL. bytes: size of the buffer from `start` on; address: GPU address of `start` */
    uint8_t *start;
    uint64_t bytes, address;
} pm_pointer_argument;

/* Executes a basic block for the work-items in `mask`. Addresses are as in pm_warp_access, except
 * that addresses in a __constant variable or a by-value argument are offsets from its start.
 *
 * frame: the warp's frame of frame_bytes bytes. private_memory: private_bytes bytes for each
 * work-item of the warp. addresses: output; row s, with one member per work-item of the warp,
 * receives the addresses of the block's memory instruction s. next: output; next[i] receives the
 * mask of the work-items that continue at successor i.
 */
typedef void (*pm_block_code)(uint8_t *frame, uint8_t *private_memory, uint64_t mask,
                              const pm_group_context *group, uint64_t *addresses, uint64_t *next);

/* Two kinds of code of a basic block. A slice computes only the values that addresses and branches
 * depend on. It records the same addresses and takes the same branches as the whole code, but
 * stores nothing to global memory. */
typedef enum { PM_CODE_WHOLE, PM_CODE_SLICE, PM_CODE_KINDS } pm_code_kind;

typedef struct {
    /* code[kind] (complete code, or slice): host function of the basic block; NULL: not compiled
     * yet (pm_trace_program_compile) */
    pm_block_code code[PM_CODE_KINDS];
    pm_block_end end;
    /* Number of successors of the block. The first of them is kernel->successors[first_successor].
     */
    uint32_t successors, first_successor;
    /* index of the immediate post-dominator basic block; PM_NO_BLOCK: the end of the kernel */
    uint32_t join;
    uint32_t loop; /* index of the innermost enclosing loop; 0: none */
    pm_again again;
    /* Reconvergence point of the branch for work-items that stay in loop `meet_loop`. meet_loop 0:
     * for all work-items. */
    uint32_t meet, meet_loop;
    /* Partial reconvergence points of the branch before `meet`: kernel->merges[first_merge ...],
     * `merges` of them, nearest first. */
    uint32_t merges, first_merge;
    /* true if this block is the first part of a basic block of the kernel's IR; false for a later
     * part, because the engine cuts basic blocks at barriers and similar points */
    bool begins;
    /* True: the GPU executes the sides of the branch at this basic block's end under a predicate,
     * without a branch instruction. */
    bool predicated;
    bool global; /* true: the basic block accesses global memory */
    /* true: the barrier at the basic block's end is one of all work-groups of the launch */
    bool grid;
    /* Index of the first basic block of the scheduling region: basic blocks whose instructions the
     * compiler may reorder as one sequence, because it predicates the sides of their branches.
     * Waits for loads are numbered within a region. */
    uint32_t stretch;
    /* For a basic block that ends with a wait for asynchronous copies: a copy must be complete at
     * the `drains`-th such wait after the copy's start. 1: each wait waits for all copies that were
     * started. 0: the basic block does not wait for copies. */
    unsigned drains;
    /* condition for which the basic block makes the warp wait; the block's code sets *unready if
     * the condition does not hold */
    pm_waits_for waits_for;
    uint32_t first_site, sites;
    /* Numbers of the PTX blocks that are executed when this basic block is:
     * kernel->marks[first_mark ...], mark_count of them. The machine code of these PTX blocks is
     * counted. */
    uint32_t first_mark, mark_count;
    unsigned line; /* source line of the basic block's end, for messages */
    bool serial;   /* true (CPU only): the compiler's loop over work-items cannot be vectorised */
    /* Number of registers that the basic block stores to and loads from private memory, because of
     * a register limit. */
    double spill_loads, spill_stores;
    /* latency of the basic block's arithmetic on a CPU core, in multiples of the latency of a
     * floating-point operation */
    double latency;
    pm_mix mix;
} pm_block;

typedef enum { PM_PARAMETER_GLOBAL, PM_PARAMETER_SHARED, PM_PARAMETER_VALUE } pm_parameter_kind;

typedef struct {
    const char *name;
    /* PM_PARAMETER_GLOBAL is also the kind of a pointer to __constant memory */
    pm_parameter_kind kind;
    size_t bytes; /* bytes of a scalar or struct argument */
    /* slot: offset in bytes of the argument in pm_group_context.values; room: bytes reserved
     * there */
    size_t slot, room;
    /* Origin of a parameter that the compiler made from a pointer member of a struct argument:
     * index of the struct's parameter, and the member's offset in bytes. */
    size_t structure, member;
    /* symbol of the variable in global memory to which the argument points (pm_device_variable).
     * NULL: this is a parameter in the kernel's source. */
    const char *variable;
    const char *reference; /* name of the texture reference whose bound texture the argument passes;
                              NULL: none */
} pm_parameter;

/* A variable in CUDA's global memory (__device__, __managed__) that some kernel uses. Kernels get
 * its address by an additional parameter. All launches of a program share the variable. */
typedef struct {
    const char *symbol; /* LLVM's name */
    const char *name;   /* name in the source */
    uint64_t bytes;
    const void *initial; /* initial value, `bytes` bytes; NULL: zeros */
} pm_device_variable;

typedef struct {
    const char *name;
    size_t parameter_count, block_count, site_count,
        loop_count; /* loop_count: number of members of `loops` */
    const pm_parameter *parameters;
    /* Numbers of parameters at the end of `parameters` for which a launch gives no arguments of its
     * own. First come variable_count variables or texture references, and then member_count pointer
     * members of struct arguments. */
    size_t variable_count, member_count;
    /* Bytes of the memory for all argument values (pm_group_context.values), which must be aligned
     * to PM_ARGUMENT_ALIGNMENT. */
    size_t argument_bytes;
    const pm_block *blocks;
    const pm_site *sites;
    const pm_code_loop *loops; /* loops[0] is the code outside of loops */
    const uint32_t *successors;
    const pm_merge_point *merges;
    /* Numbers of PTX blocks (pm_ptx_origin.block), used by pm_block.first_mark. A PTX block is
     * executed as often as all the basic blocks together that have its number as a mark. */
    const uint32_t *marks;
    /* largest number of memory instructions of a basic block, and largest number of successors */
    uint32_t most_sites, most_successors;
    /* Bytes of a warp's frame: the work-items' local ids, then values that one basic block defines
     * and another reads. */
    size_t frame_bytes;
    size_t private_bytes; /* bytes of private memory of a work-item */
    size_t shared_bytes;  /* bytes of the __local variables that the kernel declares */
    /* work-group size that the kernel's attribute reqd_work_group_size demands; 0: any size */
    unsigned required_group[3];
    unsigned registers; /* estimated 32-bit registers of a work-item */
    /* Estimated 32-bit registers of a work-item if the GPU's compiler moves additions down to their
     * uses, as LLVM does for AMD GPUs. */
    unsigned registers_sunk;
    /* Number of registers that are stored in private memory because of a register limit. */
    unsigned spilled;
    /* tries_again[kind]: true if a basic block of the kernel is in a compare-and-swap retry loop of
     * this kind (PM_AGAIN_SHARED, PM_AGAIN_GLOBAL). tries_again[PM_AGAIN_NONE]: true if a basic
     * block is in no such loop. */
    bool tries_again[PM_AGAIN_KINDS];
    bool is_cuda;
    /* true: the kernel has a barrier of all work-groups of the launch, which must therefore all be
     * resident at the same time */
    bool waits_for_grid;
} pm_kernel_code;

/* The kernels of a source, compiled for one warp width. Each warp has a frame, a block of memory
 * for the values of its work-items. It starts with the local ids: for each dimension warp_width
 * numbers of 32 bits. */

typedef struct {
    unsigned warp_width;
    size_t kernel_count;
    const pm_kernel_code *kernels;
    size_t variable_count;
    const pm_device_variable *variables;
    bool has_slices;
    void *owner; /* memory of the program; only backend/build.c accesses it */
} pm_trace_program;

#endif
