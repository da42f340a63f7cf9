/* Follows the captured program's shared virtual memory (SVM), and finds the SVM that a launch uses.
 * See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An allocation of SVM is recorded like a buffer. Kernels may get its address in an argument, in a
 * struct, or in memory that they read. A word of 8 bytes in a struct or in memory is taken for a
 * pointer if its value is an address in an allocation.
 */

#include "capture/layer/layer.h"

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void note_svm(const void *address, size_t bytes)
{
    pm_layer *layer = pm_layer_get();
    const uint64_t first = (uintptr_t)address;
    pm_layer_svm *svm;

    pm_rec_lock();
    svm = pm_rec_put(&layer->svms, address, sizeof *svm, NULL);
    if (svm) {
        svm->id = ++pm_recording_get()->next_id;
        svm->bytes = bytes;
        if (layer->svm_high == 0 || first < layer->svm_low)
            layer->svm_low = first;
        if (first + bytes > layer->svm_high)
            layer->svm_high = first + bytes;
    }
    pm_rec_unlock();
}

static void forget_svm(const void *address)
{
    pm_layer_svm *svm;

    pm_rec_lock();
    svm = address ? pm_rec_find(&pm_layer_get()->svms, address) : NULL;
    if (svm)
        svm->bytes = 0;
    pm_rec_unlock();
}

static void *CL_API_CALL alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes,
                               cl_uint alignment)
{
    void *address = next()->clSVMAlloc(context, flags, bytes, alignment);

    if (address)
        note_svm(address, bytes);
    return address;
}

static void CL_API_CALL free_svm(cl_context context, void *address)
{
    forget_svm(address);
    next()->clSVMFree(context, address);
}

typedef void(CL_CALLBACK *free_callback)(cl_command_queue, cl_uint, void *[], void *);

static cl_int CL_API_CALL enqueue_free(cl_command_queue queue, cl_uint count, void *addresses[],
                                       free_callback call, void *user, cl_uint event_count,
                                       const cl_event *events, cl_event *event)
{
    for (cl_uint i = 0; addresses && i < count; i++)
        forget_svm(addresses[i]);
    return next()->clEnqueueSVMFree(queue, count, addresses, call, user, event_count, events,
                                    event);
}

void pm_layer_fill_svm(pm_layer_dispatch *own)
{
    own->clSVMAlloc = alloc;
    own->clSVMFree = free_svm;
    own->clEnqueueSVMFree = enqueue_free;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Returns the allocation that contains an address; NULL: none does. */
static const pm_layer_svm *svm_at(uint64_t address)
{
    const pm_layer *layer = pm_layer_get();

    for (size_t i = 0; i < layer->svms.count; i++) {
        const pm_layer_svm *svm = layer->svms.items[i];

        if (address - (uintptr_t)svm->address < svm->bytes)
            return svm;
    }
    return NULL;
}

static void add_region(pm_rec_launch *launch, const pm_layer_svm *svm, unsigned arg, size_t at,
                       bool read_only)
{
    launch->regions[launch->region_count++] = (pm_rec_region){.arg = arg,
                                                              .start = (uintptr_t)svm->address,
                                                              .id = svm->id,
                                                              .bytes = svm->bytes,
                                                              .at = at,
                                                              .read_only = read_only,
                                                              .before = SIZE_MAX,
                                                              .after = SIZE_MAX};
}

pm_left_out pm_layer_add_svm(pm_rec_launch *launch, unsigned arg, uint64_t address, bool read_only)
{
    const pm_layer_svm *svm = svm_at(address);

    if (!svm)
        return PM_LEFT_SVM;
    if (svm->bytes > PM_RECORD_LARGEST)
        return PM_LEFT_LARGE;
    add_region(launch, svm, arg, address - (uintptr_t)svm->address, read_only);
    return PM_CAPTURED;
}

typedef struct {
    pm_rec_launch *launch;
    pm_left_out reason;
} search;

static void see_word(void *user, uint64_t word)
{
    search *s = user;
    const pm_layer_svm *svm = svm_at(word);

    if (!svm || s->reason != PM_CAPTURED)
        return;
    s->launch->has_pointers = true;
    for (size_t n = 0; n < s->launch->region_count; n++)
        if (s->launch->regions[n].id == svm->id) {
            /* the kernel may write by this pointer, even if the argument's type is const */
            s->launch->regions[n].read_only = false;
            return;
        }
    if (svm->bytes > PM_RECORD_LARGEST)
        s->reason = PM_LEFT_LARGE;
    else if (s->launch->region_count == PM_REC_REGIONS)
        s->reason = PM_LEFT_POINTERS;
    else
        add_region(s->launch, svm, PM_REC_ARGS, 0, false);
}

pm_left_out pm_layer_add_inner_svm(pm_rec_launch *launch, const void *bytes, size_t size)
{
    const pm_layer *layer = pm_layer_get();
    search s = {.launch = launch, .reason = PM_CAPTURED};

    if (layer->svm_high == 0) /* the program has no SVM */
        return PM_CAPTURED;
    pm_rec_lock();
    pm_rec_scan(bytes, size, layer->svm_low, layer->svm_high, see_word, &s);
    pm_rec_unlock();
    return s.reason;
}
