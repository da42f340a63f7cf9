/* Running a batch of cases. See cases.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Originals are run once with room around their arrays, to know what they access, and once with
 * what they need, which says what the outputs are. Then come the transforms, one of each program at
 * a time, as the compiler is fastest with many kernels at once.
 */
#include "cases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "breaks.h"
#include "devices.h"
#include "layout/transform.h"
#include "library.h"
#include "machine.h"
#include "program.h"
#include "spec.h"

typedef struct {
    sr_case *cases; /* of its variants */
    sr_case *open;  /* the first of them that has no result yet */
    sr_program *program;
    sr_outputs outputs;
    pm_workload *workload; /* what is run next */
    sr_library own;        /* where it had to be compiled by itself */
    const sr_library *library;
    bool on[SR_DEVICES]; /* run it there, too */
} slot;

typedef struct {
    const sr_options *options;
    sr_machine *machine;
    sr_devices devices;
    char base[96];
    unsigned batch, variant; /* variant: that is on its way */
    slot slots[SR_BATCH];
    size_t count;
    sr_library library;
} batch;

static void conclude(sr_case *c, sr_result result, const char *text)
{
    c->result = result;
    snprintf(c->where, sizeof c->where, "host");
    snprintf(c->text, sizeof c->text, "%s", text);
}

static void fail_slot(const batch *b, slot *s, const char *text)
{
    s->open->result = SR_NOT_YET;
    for (unsigned v = 0; v < b->options->variants; v++)
        if (s->cases[v].result == SR_NOT_YET)
            conclude(&s->cases[v], SR_UNSOUND, text);
    sr_program_free(s->program);
    s->program = NULL;
}

static void drop_workloads(batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        sr_library_close(&b->slots[i].own);
        b->slots[i].library = NULL;
        pm_workload_free(b->slots[i].workload);
        b->slots[i].workload = NULL;
    }
    sr_library_close(&b->library);
}

/* Compiles the workloads of all slots together, or one by one where one of them does not compile.
 * Says what is wrong with a slot's by `failed`. */
static void compile(batch *b, void (*failed)(batch *b, slot *s, const char *text))
{
    sr_unit_source sources[SR_BATCH];
    pm_error err = {0};
    char base[128];
    size_t n = 0;

    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].workload)
            sources[n++] = (sr_unit_source){b->slots[i].program, b->slots[i].workload->source};
    if (n == 0)
        return;
    if (sr_library_compile(b->base, sources, n, &b->library, &err) == PM_OK) {
        for (size_t i = 0; i < b->count; i++)
            b->slots[i].library = b->slots[i].workload ? &b->library : NULL;
        return;
    }
    sr_library_close(&b->library);
    for (size_t i = 0; i < b->count; i++) {
        slot *s = &b->slots[i];

        if (!s->workload)
            continue;
        /* Each in files of its own: two open libraries of one name would be one. */
        snprintf(base, sizeof base, "%s_alone_%zu", b->base, i);
        sources[0] = (sr_unit_source){s->program, s->workload->source};
        if (sr_library_compile(base, sources, 1, &s->own, &err) == PM_OK)
            s->library = &s->own;
        else
            failed(b, s, err.text);
        sr_library_remove(base, 1);
    }
}

/* ---- originals --------------------------------------------------------------------------------
 */

static void original_fails(batch *b, slot *s, const char *text)
{
    char line[1024];

    if (b->options->print)
        printf("%s\n%s\n", s->workload->source, text);
    snprintf(line, sizeof line, "does not compile: %.900s", text);
    fail_slot(b, s, line);
    pm_workload_free(s->workload);
    s->workload = NULL;
}

/* The sizes that the program needs, from what it accessed. */
static bool sizes_of(const sr_program *p, const pm_workload *w, const sr_range *ranges,
                     sr_sizes *sizes)
{
    size_t buffer = 0, of[SR_ARRAYS] = {0};

    *sizes = (sr_sizes){0};
    for (size_t a = 0; a < p->array_count; a++) {
        size_t bytes = sr_type_bytes(p->arrays[a].type);
        int64_t first, low, high;

        of[a] = p->arrays[a].buffer == a ? buffer++ : of[p->arrays[a].buffer];
        low = (int64_t)(ranges[of[a]].low / bytes);
        high = (int64_t)((ranges[of[a]].high + bytes - 1) / bytes);
        first = p->sizes.first[a] > low ? p->sizes.first[a] - low : 0;
        sizes->first[a] = ranges[of[a]].high ? first : 0;
        sizes->count[a] = ranges[of[a]].high ? (size_t)(high - p->sizes.first[a] + first) : 1;
        if (sizes->count[a] * bytes > w->buffers[of[a]].bytes)
            return false;
    }
    return true;
}

static void print_program(const sr_program *p)
{
    printf("/* ---- seed %llu, odd: %s ---- */\n/* global %zux%zux%zu, local %zux%zux%zu, offset "
           "%zu,%zu,%zu, %u launches;",
           (unsigned long long)p->seed, p->odd ? p->odd : "nothing", p->global[0], p->global[1],
           p->global[2], p->local[0], p->local[1], p->local[2], p->offset[0], p->offset[1],
           p->offset[2], p->launches);
    for (size_t i = 0; i < p->param_count; i++)
        if (p->params[i].kind <= SR_PARAM_CONSTANT)
            printf(" %zu elements", p->sizes.count[p->params[i].array]);
        else
            printf(" %lld,%lld", (long long)p->params[i].value[0],
                   (long long)p->params[i].value[1]);
    printf(" */\n%s\n", p->source);
    fflush(stdout);
}

static void measure(batch *b, slot *s)
{
    sr_range ranges[SR_ANYWHERE];
    pm_error err = {0};
    sr_sizes sizes;

    conclude(s->open, SR_STARTED, SR_ORIGINAL);
    if (sr_machine_run(b->machine, s->workload, s->library, s->program->seed, ranges, &err) !=
        PM_OK) {
        if (b->options->print)
            printf("%s\n%s\n", s->program->source, err.text);
        fail_slot(b, s, err.text);
        return;
    }
    conclude(s->open, SR_NOT_YET, "");
    if (!sizes_of(s->program, s->workload, ranges, &sizes)) {
        fail_slot(b, s, "too large");
        return;
    }
    sr_outputs_free(&s->outputs);
    sr_program_free(s->program);
    s->program = sr_program_create(s->cases[0].seed, &sizes, b->options->dropped);
    if (b->options->print)
        print_program(s->program);
}

static bool every(uint64_t seed, unsigned period)
{
    return period > 0 && seed % period == 0;
}

static void run_original(batch *b, slot *s)
{
    pm_error err = {0};

    conclude(s->open, SR_STARTED, SR_ORIGINAL);
    for (uint64_t order = 0; order < 2; order++)
        if (sr_machine_run(b->machine, s->workload, s->library, s->program->seed * 2 + order, NULL,
                           &err) != PM_OK) {
            fail_slot(b, s, err.text);
            return;
        }
    if (every(s->cases[0].seed, b->options->devices_every)) {
        sr_devices_open(&b->devices);
        for (size_t d = 0; d < SR_DEVICES; d++) {
            s->on[d] = b->devices.executors[d];
            if (s->on[d] && sr_device_run(b->devices.executors[d], s->workload, &err) != PM_OK) {
                fail_slot(b, s, err.text);
                return;
            }
        }
    }
    conclude(s->open, SR_NOT_YET, "");
}

static void run_originals(batch *b)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < b->count; i++) {
            slot *s = &b->slots[i];
            pm_error err = {0};

            if (s->program)
                s->workload = sr_workload(s->program, &s->outputs, &err);
        }
        compile(b, original_fails);
        for (size_t i = 0; i < b->count; i++)
            if (b->slots[i].library)
                (pass == 0 ? measure : run_original)(b, &b->slots[i]);
        drop_workloads(b);
    }
}

/* ---- transforms -------------------------------------------------------------------------------
 */

/* One line that names a line of the source. */
static bool well_formed(const pm_error *err)
{
    const char *at = strstr(err->text, "random.cl:");

    return err->status == PM_BAD_INPUT && !strchr(err->text, '\n') && at &&
           isdigit((unsigned char)at[strlen("random.cl:")]);
}

static void transform(batch *b, slot *s, unsigned variant)
{
    const sr_options *o = b->options;
    sr_case *c = &s->cases[variant];
    pm_error err = {0};
    pm_workload *w = sr_workload(s->program, &s->outputs, &err);

    snprintf(c->odd, sizeof c->odd, "%s", s->program->odd ? s->program->odd : "");
    sr_spec_choose(s->program, variant, o->only, c);
    conclude(c, SR_STARTED, "");
    if (w)
        w = o->identity ? w : pm_layout_transform(w, c->spec, NULL, &err);
    if (!w) {
        conclude(c, well_formed(&err) ? SR_REFUSED : SR_MALFORMED, err.text);
        return;
    }
    if (o->broken != SR_BREAK_NOTHING && !sr_break_source(w, s->program, o->broken)) {
        conclude(c, SR_UNBROKEN, "");
        pm_workload_free(w);
        return;
    }
    if (o->print) {
        printf("/* ---- %s ---- */\n%s\n", c->spec, w->source);
        fflush(stdout);
    }
    s->workload = w;
    conclude(c, SR_NOT_YET, "");
}

static void transformed_fails(batch *b, slot *s, const char *text)
{
    conclude(&s->cases[b->variant], SR_UNCOMPILABLE, text);
    pm_workload_free(s->workload);
    s->workload = NULL;
}

/* On the host, in two orders of the work-items. */
static pm_status run_on_host(batch *b, const slot *s, const sr_case *c, pm_error *err)
{
    for (uint64_t order = 0; order < 2; order++)
        if (sr_machine_run(b->machine, s->workload, s->library, c->seed * 5 + order, NULL, err) !=
            PM_OK)
            return PM_FAILED;
    return PM_OK;
}

static pm_status run_on_devices(batch *b, const slot *s, sr_case *c, pm_error *err)
{
    for (size_t d = 0; d < SR_DEVICES; d++) {
        if (!s->on[d])
            continue;
        snprintf(c->where, sizeof c->where, "%s", b->devices.executors[d]->type->name);
        if (sr_device_run(b->devices.executors[d], s->workload, err) != PM_OK)
            return PM_FAILED;
        c->devices++;
    }
    if (!every(c->seed, b->options->oclgrind_every) || !sr_oclgrind_there())
        return PM_OK;
    snprintf(c->where, sizeof c->where, "oclgrind");
    if (sr_oclgrind_run(b->base, c->seed, c->spec, b->options->identity, err) != PM_OK)
        return PM_FAILED;
    c->devices++;
    return PM_OK;
}

static void run_transformed(batch *b, slot *s, unsigned variant)
{
    sr_case *c = &s->cases[variant];
    pm_error err = {0};
    bool same = strcmp(s->workload->source, s->program->source) == 0;
    pm_status status;

    conclude(c, SR_STARTED, "");
    if (b->options->opencl) {
        sr_devices_open(&b->devices);
        status = b->devices.executors[0] ? sr_device_run(b->devices.executors[0], s->workload, &err)
                                         : PM_FAILED;
    } else {
        status = run_on_host(b, s, c, &err);
        if (status == PM_OK && b->options->broken == SR_BREAK_NOTHING)
            status = run_on_devices(b, s, c, &err);
    }
    c->result = status != PM_OK ? SR_WRONG : same ? SR_UNCHANGED : SR_EQUAL;
    snprintf(c->text, sizeof c->text, "%s", err.text);
}

static void run_variant(batch *b, unsigned variant)
{
    b->variant = variant;
    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].program && b->slots[i].cases[variant].result == SR_NOT_YET)
            transform(b, &b->slots[i], variant);
    compile(b, transformed_fails);
    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].library)
            run_transformed(b, &b->slots[i], variant);
    drop_workloads(b);
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

static void choose_slots(batch *b)
{
    const sr_options *o = b->options;

    for (unsigned i = b->batch * SR_BATCH; i < (b->batch + 1) * SR_BATCH && i < o->programs; i++) {
        sr_case *cases = &o->cases[(size_t)i * o->variants];
        sr_case *open = NULL;

        for (unsigned v = o->variants; v-- > 0;) {
            cases[v].seed = o->first + i;
            open = cases[v].result == SR_NOT_YET ? &cases[v] : open;
        }
        if (!open)
            continue;
        b->slots[b->count] = (slot){.cases = cases, .open = open};
        b->slots[b->count].program = sr_program_create(o->first + i, NULL, o->dropped);
        b->count++;
    }
}

int sr_run_batch(const sr_options *options, unsigned number)
{
    batch b = {.options = options, .batch = number, .machine = sr_machine_create()};

    if (!b.machine)
        return 1;
    snprintf(b.base, sizeof b.base, "%s/%u", options->folder, number);
    choose_slots(&b);
    run_originals(&b);
    for (unsigned v = 0; v < options->variants; v++)
        run_variant(&b, v);
    for (size_t i = 0; i < b.count; i++) {
        sr_outputs_free(&b.slots[i].outputs);
        sr_program_free(b.slots[i].program);
    }
    sr_devices_close(&b.devices);
    sr_library_remove(b.base, SR_BATCH);
    sr_machine_free(b.machine);
    return 0;
}
