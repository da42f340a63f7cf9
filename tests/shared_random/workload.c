/* The Workload of a random kernel, and the comparison of its outputs with an earlier run's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "gen.h"

size_t sr_type_bytes(sr_type type)
{
    static const unsigned char bytes[SR_TYPES] = {4, 4, 4, 1, 2, 16, 8};

    return bytes[type];
}

/* ---- initial contents -------------------------------------------------------------------------
 */

static int number(const sr_program *p, const sr_array *a, int64_t index)
{
    sr_gen g = {.random = p->seed * 31 + a->buffer + (uint64_t)index * 0x9e3779b9u};

    return a->low + (int)sr_below(&g, (unsigned)(a->high - a->low + 1));
}

/* Element i of an array is the same number whatever is added to its indices. */
static void *new_contents(const sr_program *p, pm_workload *w, const sr_array *a, size_t count)
{
    size_t bytes = sr_type_bytes(a->type), scalars = bytes > 4 ? bytes / 4 : 1;
    size_t scalar = bytes / scalars;
    unsigned char *contents = pm_workload_contents(w, count * bytes);

    for (size_t i = 0; contents && i < count * scalars; i++) {
        int v = number(p, a, (int64_t)i - p->sizes.first[a - p->arrays] * (int64_t)scalars);
        float f = (float)v;

        memcpy(contents + i * scalar, a->type == SR_FLOAT || a->type == SR_FLOAT4 ? (void *)&f : &v,
               scalar);
    }
    return contents;
}

/* ---- the check --------------------------------------------------------------------------------
 */

static pm_status take_down(const pm_workload *w, sr_outputs *outputs, const void *const *contents)
{
    for (size_t b = 0; b < w->buffer_count && b < SR_ARRAYS; b++) {
        if (!contents[b])
            continue;
        outputs->buffers[b] = sr_need(malloc(w->buffers[b].bytes));
        memcpy(outputs->buffers[b], contents[b], w->buffers[b].bytes);
    }
    outputs->taken = true;
    return PM_OK;
}

static pm_status check(const pm_workload *w, void *context, const void *const *contents,
                       pm_error *err)
{
    sr_outputs *outputs = context;

    if (!outputs->taken)
        return take_down(w, outputs, contents);
    for (size_t b = 0; b < w->buffer_count && b < SR_ARRAYS; b++) {
        const unsigned char *expected = outputs->buffers[b], *got = contents[b];

        if (!expected != !got)
            return pm_fail(err, PM_FAILED, "%s: an output is not one any more", w->buffers[b].name);
        for (size_t i = 0; expected && i < w->buffers[b].bytes; i++)
            if (expected[i] != got[i])
                return pm_fail(err, PM_FAILED, "%s: byte %zu is %02x, not %02x", w->buffers[b].name,
                               i, got[i], expected[i]);
    }
    return PM_OK;
}

void sr_outputs_free(sr_outputs *outputs)
{
    for (size_t b = 0; b < SR_ARRAYS; b++)
        free(outputs->buffers[b]);
    *outputs = (sr_outputs){0};
}

/* ---- the workload -----------------------------------------------------------------------------
 */

static void add_buffers(const sr_program *p, pm_workload *w, size_t *buffers)
{
    for (size_t i = 0; i < p->array_count; i++) {
        const sr_array *a = &p->arrays[i];
        size_t count = p->sizes.count[i];
        bool written = false;

        for (size_t j = 0; j < p->array_count; j++)
            written = written || (p->arrays[j].buffer == a->buffer && p->arrays[j].written);
        if (a->buffer == i)
            buffers[i] = pm_workload_buffer(
                w, a->name, count * sr_type_bytes(a->type), new_contents(p, w, a, count),
                written ? PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE : PM_BUFFER_IN);
        else
            buffers[i] = buffers[a->buffer];
    }
}

static void add_argument(pm_workload *w, const sr_param *param, unsigned launch,
                         const size_t *buffers)
{
    int64_t value = param->value[launch];

    switch (param->kind) {
    case SR_PARAM_ARRAY:
    case SR_PARAM_CONSTANT:
        pm_workload_arg_buffer(w, buffers[param->array]);
        break;
    case SR_PARAM_INT:
        pm_workload_arg_int(w, (int32_t)value);
        break;
    case SR_PARAM_ULONG:
        pm_workload_arg_ulong(w, (uint64_t)value);
        break;
    case SR_PARAM_FLOAT:
        pm_workload_arg_float(w, (float)value);
        break;
    case SR_PARAM_LOCAL:
        pm_workload_arg_local(w, (size_t)value);
        break;
    }
}

pm_workload *sr_workload(const sr_program *p, sr_outputs *outputs, pm_error *err)
{
    pm_workload *w = pm_workload_create("random", "", "1");
    size_t buffers[SR_ARRAYS] = {0};

    if (!w)
        return pm_workload_finish(w, err);
    w->source = strdup(p->source);
    w->source_path = strdup("random.cl");
    add_buffers(p, w, buffers);
    for (unsigned l = 0; l < p->launches; l++) {
        pm_workload_launch(w, p->kernel, p->dimensions, p->global, p->local);
        pm_workload_offset(w, p->offset);
        for (size_t i = 0; i < p->param_count; i++)
            add_argument(w, &p->params[i], l, buffers);
    }
    outputs->program = p;
    pm_workload_check(w, check, outputs, NULL);
    return pm_workload_finish(w, err);
}
