/* Finds data dependencies between memory instructions through buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/dependences.h"

#include "base/numbers.h"
#include "collector/engine/kernel_arguments.h"

bool pm_sites_meet(const pm_site *a, const pm_site *b)
{
    uint64_t stride = pm_gcd((long long)a->stride, (long long)b->stride);
    uint64_t apart = b->offset - a->offset;

    if (stride == 0)
        return apart < a->extent || -apart < b->extent;
    /* `apart` is the distance in bytes between the first bytes of the two accesses, modulo the
     * stride. The distance may be negative, although `apart` is an unsigned number. */
    apart = (int64_t)apart < 0 ? (stride - -apart % stride) % stride : apart % stride;
    return apart < a->extent || stride - apart < b->extent;
}

/* Returns whether a memory instruction may read a buffer. A variable in __constant memory is not a
 * buffer. */
static bool reads(const pm_site *s)
{
    bool table = s->space == PM_SPACE_CONSTANT && s->argument < 0 && s->object[0] != '\0';

    return !table && s->space != PM_SPACE_SHARED && s->space != PM_SPACE_PRIVATE &&
           s->kind != PM_ACCESS_STORE;
}

static bool writes(const pm_site *s)
{
    return s->space == PM_SPACE_GLOBAL && s->kind != PM_ACCESS_LOAD;
}

/* Sets *arg to the launch's argument with index `argument`. Returns whether it is a buffer that the
 * memory instruction `s` may access. */
static bool is_buffer_by(const pm_site *s, const pm_kernel_code *code, const pm_launch *launch,
                         size_t argument, pm_arg *arg)
{
    if (argument >= 64 || !(s->arguments >> argument & 1))
        return false;
    *arg = pm_kernel_argument(code, launch, argument);
    return arg->kind == PM_ARG_BUFFER;
}

/* Returns whether memory instruction `from`, through pointer argument `written`, and instruction
 * `to`, through pointer argument `read`, may access the same byte of a buffer. If the pointer of
 * one of them may come from several arguments (`argument` is -1), its offset in the buffer is
 * unknown and the result is true. */
static bool may_meet(const pm_site *from, const pm_arg *written, const pm_site *to,
                     const pm_arg *read)
{
    pm_site first, second;

    if (from->argument < 0 || to->argument < 0)
        return true;
    if (written->offset == read->offset)
        return pm_sites_meet(from, to);
    first = *from;
    second = *to;
    first.offset += written->offset;
    second.offset += read->offset;
    return pm_sites_meet(&first, &second);
}

/* A memory instruction of a launch that may write or read data which another launch or
 * work-group also accesses (one side of a data dependence). */
typedef struct {
    const pm_site *site;
    const pm_kernel_code *code;
    const pm_launch *launch;
} side;

/* Returns whether a memory instruction may access a buffer. `loaded`: the instruction's pointer was
 * loaded from memory, so that it may point into any buffer. */
static bool may_access(const side *of, size_t buffer)
{
    pm_arg arg;

    if (of->site->loaded)
        return true;
    for (size_t i = 0; i < pm_kernel_argument_count(of->code, of->launch); i++)
        if (is_buffer_by(of->site, of->code, of->launch, i, &arg) && arg.buffer == buffer)
            return true;
    return false;
}

static bool meet_at(const side *from, const side *to, const pm_pointers *pointers)
{
    for (size_t p = 0; p < pointers->count; p++)
        if (may_access(from, pointers->items[p].buffer) &&
            may_access(to, pointers->items[p].buffer))
            return true;
    return false;
}

/* Returns whether two memory instructions may access the same buffer if the pointer of at least one
 * of them was loaded from memory. A loaded pointer may point into each buffer whose address is
 * stored in another buffer or in a struct argument. */
static bool meet_by_pointers(const pm_workload *workload, const side *from, const side *to)
{
    if (!from->site->loaded && !to->site->loaded)
        return false;
    for (size_t b = 0; b < workload->buffer_count; b++)
        if (meet_at(from, to, &workload->buffers[b].pointers))
            return true;
    for (size_t l = 0; l < workload->launch_count; l++)
        for (size_t a = 0; a < workload->launches[l].arg_count; a++)
            if (meet_at(from, to, &workload->launches[l].args[a].pointers))
                return true;
    return false;
}

/* Returns whether memory instruction `from` of one launch may write data that memory instruction
 * `to` of another launch reads. */
static bool site_feeds(const pm_workload *workload, const side *from, const side *to)
{
    pm_arg written, read;

    if (!writes(from->site) || !reads(to->site))
        return false;
    for (size_t w = 0; w < pm_kernel_argument_count(from->code, from->launch); w++) {
        if (!is_buffer_by(from->site, from->code, from->launch, w, &written))
            continue;
        for (size_t r = 0; r < pm_kernel_argument_count(to->code, to->launch); r++)
            if (is_buffer_by(to->site, to->code, to->launch, r, &read) &&
                written.buffer == read.buffer && may_meet(from->site, &written, to->site, &read))
                return true;
    }
    return meet_by_pointers(workload, from, to);
}

/* Returns whether launch `writer` may write data that launch `reader` reads. deciding: true if only
 * loads on which addresses or branches depend are considered. */
static bool feeds(const pm_workload *workload, const pm_kernel_code *from, const pm_launch *writer,
                  const pm_kernel_code *to, const pm_launch *reader, bool deciding)
{
    for (size_t w = 0; w < from->site_count; w++)
        for (size_t r = 0; writes(&from->sites[w]) && r < to->site_count; r++)
            if ((to->sites[r].decides || !deciding) &&
                site_feeds(workload, &(side){&from->sites[w], from, writer},
                           &(side){&to->sites[r], to, reader}))
                return true;
    return false;
}

bool pm_launch_feeds_itself(const pm_workload *workload, const pm_kernel_code *code,
                            const pm_launch *launch)
{
    return feeds(workload, code, launch, code, launch, true);
}

bool pm_groups_interact(const pm_workload *workload, const pm_kernel_code *code,
                        const pm_launch *launch)
{
    for (size_t s = 0; s < code->site_count; s++)
        if (code->sites[s].kind == PM_ACCESS_ATOMIC && code->sites[s].space == PM_SPACE_GLOBAL)
            return true;
    return pm_launch_feeds_itself(workload, code, launch);
}

void pm_launches_needed(const pm_workload *workload, const pm_kernel_code *const *codes,
                        bool *needed)
{
    size_t count = workload->launch_count;

    for (size_t i = count; i-- > 0;) {
        needed[i] = false;
        for (size_t later = i + 1; later < count && !needed[i]; later++)
            needed[i] = feeds(workload, codes[i], &workload->launches[i], codes[later],
                              &workload->launches[later], !needed[later]);
    }
}

bool pm_launch_depends(const pm_workload *workload, const pm_kernel_code *const *codes, size_t i)
{
    for (size_t before = i; before-- > 0;)
        if (feeds(workload, codes[before], &workload->launches[before], codes[i],
                  &workload->launches[i], true))
            return true;
    return false;
}

bool pm_data_matters(const pm_workload *workload, const pm_kernel_code *const *codes,
                     const bool *needed, size_t first)
{
    for (size_t i = first; i < workload->launch_count; i++) {
        if (needed[i])
            return true;
        for (size_t s = 0; s < codes[i]->site_count; s++)
            if (codes[i]->sites[s].decides && reads(&codes[i]->sites[s]))
                return true;
    }
    return false;
}
