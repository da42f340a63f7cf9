/* Reads the arguments of a CUDA launch. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver reports the size of each argument, and which addresses are allocations. A word of an
 * argument counts as a pointer if its value is an address in an allocation.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"

/* Number of low bits in which the addresses of a process's GPU memory may differ: a process has
 * less than 2^40 bytes of it. Few other values have the same upper bits. */
enum { GPU_BITS = 40 };

/* Finds the allocation that contains an address. Sets its start address and its size. */
static bool find_memory(pm_cu_pointer address, pm_cu_pointer *base, size_t *bytes)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();

    if (address == 0)
        return false;
    /* cuMemGetAddressRange finds only GPU memory. If the address is in host memory that the GPU can
     * access, the driver has the range as attributes of the address. */
    if (cuda->range(base, bytes, address) != 0 &&
        (!cuda->attribute || cuda->attribute(base, PM_CU_RANGE_START, address) != 0 ||
         cuda->attribute(bytes, PM_CU_RANGE_SIZE, address) != 0))
        return false;
    return *bytes > 0 && address >= *base && address - *base < *bytes;
}

static unsigned id_of(pm_cu_pointer base, size_t bytes)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    const void *handle = (const void *)(uintptr_t)base;
    pm_cuda_memory *memory;
    unsigned id = 0;

    pm_rec_lock();
    memory = pm_rec_find(&cuda->memories, handle);
    if (!memory || memory->bytes != bytes) {
        memory = pm_rec_put(&cuda->memories, handle, sizeof *memory, NULL);
        if (memory) {
            memory->id = ++pm_recording_get()->next_id;
            memory->bytes = bytes;
        }
    }
    if (memory)
        id = memory->id;
    pm_rec_unlock();
    return id;
}

static void add_region(pm_rec_launch *launch, unsigned arg, pm_cu_pointer address,
                       pm_cu_pointer base, size_t bytes)
{
    launch->regions[launch->region_count++] = (pm_rec_region){.arg = arg,
                                                              .start = base,
                                                              .id = id_of(base, bytes),
                                                              .bytes = bytes,
                                                              .at = address - base,
                                                              .before = SIZE_MAX,
                                                              .after = SIZE_MAX};
}

/* ---- pointers in structs and in memory --------------------------------------------------------
 */

/* Adds the allocation at an address to the memory that is recorded for a launch, unless it is
 * recorded already. The address comes from a struct argument, or from memory that is recorded. An
 * address outside of all allocations is ignored. most: largest number of ranges in
 * launch->regions. */
static pm_left_out add_inner(pm_rec_launch *launch, pm_cu_pointer address, size_t most)
{
    pm_cu_pointer base;
    size_t bytes;

    if (!find_memory(address, &base, &bytes))
        return PM_CAPTURED;
    launch->has_pointers = true;
    for (size_t n = 0; n < launch->region_count; n++)
        if (!launch->regions[n].symbol && launch->regions[n].start == base)
            return PM_CAPTURED;
    if (launch->region_count >= most)
        return PM_LEFT_POINTERS;
    add_region(launch, PM_REC_ARGS, base, base, bytes);
    return PM_CAPTURED;
}

static pm_left_out read_pointers(pm_rec_launch *launch, unsigned arg)
{
    const pm_rec_arg *value = &launch->args[arg];
    pm_left_out reason;
    pm_cu_pointer word, base;
    size_t bytes;

    for (size_t at = 0; at + sizeof word <= value->bytes; at += sizeof word) {
        memcpy(&word, (const char *)value->value + at, sizeof word);
        if (!find_memory(word, &base, &bytes))
            continue;
        if (value->bytes == sizeof word) {
            add_region(launch, arg, word, base, bytes);
            return PM_CAPTURED;
        }
        /* At most PM_REC_ARGS ranges are used here. The rest of launch->regions is for __constant__
         * variables. */
        reason = add_inner(launch, word, PM_REC_ARGS);
        if (reason != PM_CAPTURED)
            return reason;
    }
    return PM_CAPTURED;
}

/* Finds the buffer with all arguments of a launch. Programs may pass it to cuLaunchKernel in
 * `extra` instead of an array of pointers. */
static const char *find_block(void **extra, size_t *bytes)
{
    const char *block = NULL;

    *bytes = 0;
    for (; extra && (uintptr_t)extra[0] != PM_CU_EXTRA_END; extra += 2) {
        if ((uintptr_t)extra[0] == PM_CU_EXTRA_POINTER)
            block = extra[1];
        if ((uintptr_t)extra[0] == PM_CU_EXTRA_SIZE)
            memcpy(bytes, extra[1], sizeof *bytes);
    }
    return block;
}

static pm_left_out add_symbols(const pm_cuda_kernel *kernel, pm_rec_launch *launch)
{
    for (unsigned i = 0; i < kernel->symbol_count; i++)
        launch->regions[launch->region_count++] = (pm_rec_region){.arg = PM_REC_ARGS,
                                                                  .symbol = kernel->symbols[i].name,
                                                                  .start = kernel->symbols[i].at,
                                                                  .bytes = kernel->symbols[i].bytes,
                                                                  .read_only = true,
                                                                  .before = SIZE_MAX,
                                                                  .after = SIZE_MAX};
    return PM_CAPTURED;
}

pm_left_out pm_cuda_read_arguments(const pm_cuda_kernel *kernel, void **arguments, void **extra,
                                   pm_rec_launch *launch)
{
    size_t block_bytes;
    const char *block = find_block(extra, &block_bytes);
    pm_left_out reason = kernel->laid_out ? PM_CAPTURED : PM_LEFT_LAYOUT;

    for (unsigned i = 0; reason == PM_CAPTURED && i < kernel->param_count; i++) {
        const size_t offset = kernel->params[i].offset, bytes = kernel->params[i].bytes;
        pm_rec_arg given = {.bytes = bytes, .set = true};

        if (arguments)
            given.value = arguments[i];
        else if (block && offset <= block_bytes && bytes <= block_bytes - offset)
            given.value = (char *)(uintptr_t)block + offset;
        if (!given.value)
            return PM_LEFT_UNSET;
        if (!pm_rec_copy_arg(&launch->args[i], &given))
            return PM_LEFT_UNREADABLE;
        launch->arg_count++;
        reason = read_pointers(launch, i);
    }
    return reason == PM_CAPTURED ? add_symbols(kernel, launch) : reason;
}

/* ---- contents -------------------------------------------------------------------------------- */

/* State while a range of GPU memory is read and searched for 8-byte words that are addresses of
 * allocations. */
typedef struct {
    pm_rec_region region;
    /* If the range contains pointers, the memory to which they point is added to this launch. NULL:
     * the range is not searched for pointers. */
    pm_rec_launch *launch;
    pm_left_out reason;
} reading;

static void see_word(void *user, uint64_t word)
{
    reading *r = user;

    if (r->reason == PM_CAPTURED)
        r->reason = add_inner(r->launch, word, PM_REC_REGIONS);
}

static bool read_memory(void *user, size_t offset, size_t bytes, void *to)
{
    reading *r = user;
    const uint64_t first_address = r->region.start >> GPU_BITS << GPU_BITS;

    if (pm_cuda_layer_get()->copy((pm_cu_pointer)(uintptr_t)to, r->region.start + offset, bytes) !=
        0)
        return false;
    if (r->launch)
        pm_rec_scan(to, bytes, first_address, first_address + ((uint64_t)1 << GPU_BITS), see_word,
                    r);
    return r->reason == PM_CAPTURED;
}

/* If several arguments of a launch point to one allocation, its contents are stored only once.
 * Returns the index in pm_recording.contents of the contents that an earlier argument had stored,
 * and counts one more use of them. Returns SIZE_MAX if no earlier argument points to this
 * allocation. */
static size_t taken_before(const pm_rec_launch *launch, const pm_rec_region *region)
{
    const bool after = region->before != SIZE_MAX;
    size_t index = SIZE_MAX;

    for (const pm_rec_region *r = launch->regions; r < region && index == SIZE_MAX; r++)
        if (r->start == region->start && r->bytes == region->bytes && !r->symbol)
            index = after ? r->after : r->before;
    if (index != SIZE_MAX) {
        pm_rec_lock();
        index = pm_rec_contents_use(pm_recording_get()->contents[index].id);
        pm_rec_unlock();
    }
    return index;
}

size_t pm_cuda_take(void *user, const pm_rec_region *region, pm_left_out *reason)
{
    const bool before = region->before == SIZE_MAX;
    reading r = {.region = *region, .launch = before && !region->symbol ? user : NULL};
    size_t index = taken_before(user, region);

    if (index != SIZE_MAX)
        return index;
    if (region->spare) {
        pm_rec_lock();
        index = pm_rec_contents_use(PM_RECORD_ANY);
        pm_rec_unlock();
        return index;
    }
    if (region->bytes > PM_RECORD_LARGEST) {
        *reason = PM_LEFT_LARGE;
        return SIZE_MAX;
    }
    index = pm_rec_snapshot(read_memory, &r, r.region.bytes, reason);
    if (r.reason != PM_CAPTURED)
        *reason = r.reason;
    return index;
}
