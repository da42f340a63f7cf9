/* Running a batch of cases. See cases.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Originals whose buffers have to be fitted run once with room around their arrays, to know what
 * they access. Their next run says what the outputs are. Then come the transforms, one of each
 * program at a time, as the compiler is fastest with many kernels at once.
 */
#include "cases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/worker/worker.h"
#include "devices.h"
#include "library.h"
#include "together.h"
#include "transform/rewrite/transform.h"

typedef struct {
    rd_case *cases; /* of its variants */
    rd_case *open;  /* the first case that has no result yet */
    unsigned number;
    rd_program *program;
    rd_outputs outputs;
    pm_workload *workload; /* what is run next */
    rd_library own;        /* library of its own, if it was compiled separately */
    const rd_library *library;
} slot;

typedef struct {
    const rd_options *options;
    pm_session *session;
    rd_machine *machine;
    rd_devices devices;
    char base[96];
    unsigned batch, variant; /* variant: the variant that is being tested */
    slot slots[RD_BATCH];
    size_t count;
    rd_library library;
} batch;

static void conclude(rd_case *c, rd_result result, const char *text)
{
    c->result = result;
    snprintf(c->where, sizeof c->where, "host");
    snprintf(c->text, sizeof c->text, "%s", text);
}

static void drop_workload(slot *s)
{
    rd_library_close(&s->own);
    s->library = NULL;
    pm_workload_free(s->workload);
    s->workload = NULL;
}

static void drop_workloads(batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        drop_workload(&b->slots[i]);
    rd_library_close(&b->library);
}

static void fail_slot(const batch *b, slot *s, const char *text)
{
    if (b->options->print)
        printf("%s\n%s\n", s->program->source, text);
    s->open->result = RD_NOT_YET;
    for (unsigned v = 0; v < b->options->variants; v++)
        if (s->cases[v].result == RD_NOT_YET)
            conclude(&s->cases[v], RD_UNSOUND, text);
    drop_workload(s);
    rd_program_free(s->program);
    s->program = NULL;
}

/* Compiles the workloads of all slots together; separately if that fails. Calls `failed` for each
 * slot with an error. */
static void compile(batch *b, const char *options,
                    void (*failed)(const batch *b, slot *s, const char *text))
{
    const rd_language language = b->options->language;
    pm_workload *all[RD_BATCH];
    pm_error err = {0};
    char base[128];
    size_t n = 0;

    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].workload)
            all[n++] = b->slots[i].workload;
    if (n == 0)
        return;
    if (rd_library_compile(b->base, language, options, all, n, &b->library, &err) == PM_OK) {
        for (size_t i = 0; i < b->count; i++)
            b->slots[i].library = b->slots[i].workload ? &b->library : NULL;
        return;
    }
    rd_library_close(&b->library);
    for (size_t i = 0; i < b->count; i++) {
        slot *s = &b->slots[i];

        if (!s->workload)
            continue;
        /* Each has files of its own, because two open libraries with one name would be one
         * library. */
        snprintf(base, sizeof base, "%s_alone_%zu", b->base, i);
        err = (pm_error){0};
        if (rd_library_compile(base, language, options, &s->workload, 1, &s->own, &err) == PM_OK)
            s->library = &s->own;
        else
            failed(b, s, err.text);
        rd_library_remove(base, language, 1);
    }
}

/* ---- original programs ---------------------------------------------------------------------- */

static void print_program(const rd_program *p)
{
    printf("/* ---- seed %llu, odd: %s ---- */\n", (unsigned long long)p->seed,
           p->odd ? p->odd : "nothing");
    for (size_t l = 0; l < p->launch_count; l++) {
        const rd_launch *k = &p->launches[l];

        printf("/* %s: global %zux%zux%zu, local %zux%zux%zu, offset %zu,%zu,%zu;", k->kernel,
               k->global[0], k->global[1], k->global[2], k->local[0], k->local[1], k->local[2],
               k->offset[0], k->offset[1], k->offset[2]);
        for (size_t i = 0; i < k->arg_count; i++)
            if (k->args[i].kind == RD_ARG_BUFFER)
                printf(" %s", p->buffers[k->args[i].value].name);
            else
                printf(" %lld", (long long)k->args[i].value);
        printf(" */\n");
    }
    for (size_t i = 0; i < p->buffer_count; i++)
        printf("/* %s: %zu bytes */\n", p->buffers[i].name, p->buffers[i].bytes);
    printf("%s\n", p->source);
    fflush(stdout);
}

static void original_fails(const batch *b, slot *s, const char *text)
{
    char line[1024];

    snprintf(line, sizeof line, "does not compile: %.900s", text);
    fail_slot(b, s, line);
}

static void measure(batch *b, slot *s)
{
    rd_range ranges[RD_ANYWHERE];
    rd_program *fitted;
    pm_error err = {0};

    conclude(s->open, RD_STARTED, RD_ORIGINAL);
    if (rd_machine_run(b->machine, s->workload, s->library, s->program->seed, ranges, &err) !=
        PM_OK) {
        fail_slot(b, s, err.text);
        return;
    }
    conclude(s->open, RD_NOT_YET, "");
    fitted = b->options->suite->fit(s->program, ranges);
    if (!fitted) {
        fail_slot(b, s, "too large");
        return;
    }
    rd_outputs_free(&s->outputs);
    drop_workload(s);
    rd_program_free(s->program);
    s->program = fitted;
}

/* Runs the original on the host in two orders of work-items. */
static pm_status run_on_host(const batch *b, const slot *s, uint64_t order, pm_error *err)
{
    pm_status status = PM_OK;

    for (uint64_t i = 0; i < 2 && status == PM_OK; i++)
        status = rd_machine_run(b->machine, s->workload, s->library, order + i, NULL, err);
    return status;
}

static void open_devices(batch *b)
{
    rd_devices_open(&b->devices, b->options->suite->doubles, pm_session_worker(b->session));
}

/* Runs the first programs on OpenCL devices. */
static pm_status run_on_devices(batch *b, const slot *s, rd_case *c, pm_error *err)
{
    if (s->number >= b->options->devices || b->options->language == RD_CUDA)
        return PM_OK; /* CUDA programs are traced together */
    open_devices(b);
    for (size_t d = 0; d < RD_DEVICES; d++) {
        pm_executor *executor = b->devices.executors[d];

        if (!executor)
            continue;
        snprintf(c->where, sizeof c->where, "%s", executor->type->name);
        if (rd_device_run(executor, s->workload, err) != PM_OK)
            return PM_FAILED;
        c->devices++;
    }
    return PM_OK;
}

/* ---- tracing several workloads together ----------------------------------------------------- */

/* Returns whether the engine refused the workload because of pointers that it cannot follow. */
static bool is_untraceable(const char *text)
{
    return strstr(text, "cannot be traced") != NULL;
}

static void conclude_traced(slot *const *traced, size_t count, unsigned variant)
{
    for (size_t i = 0; i < count; i++)
        traced[i]->cases[variant].devices++;
}

/* Traces the workloads one after the other, to find the one with the error. */
static void trace_alone(batch *b, slot *const *traced, size_t count, unsigned variant)
{
    for (size_t i = 0; i < count; i++) {
        rd_case *c = &traced[i]->cases[variant];
        pm_error err = {0};

        snprintf(c->where, sizeof c->where, "trace");
        if (rd_device_run(b->devices.executors[RD_TRACED], traced[i]->workload, &err) == PM_OK)
            c->devices++;
        else if (!is_untraceable(err.text)) {
            c->result = RD_WRONG;
            snprintf(c->text, sizeof c->text, "%s", err.text);
        }
    }
}

/* Traces the transformed workloads whose results were right on the host. odd: includes workloads
 * with an odd construct. If the engine refuses one of them, all others must be compiled again. */
static void trace_together(batch *b, unsigned variant, bool odd)
{
    const pm_workload *all[RD_BATCH];
    slot *traced[RD_BATCH];
    size_t count = 0, out;
    pm_status status = PM_FAILED;

    for (size_t i = 0; i < b->count; i++) {
        slot *s = &b->slots[i];
        rd_result result = s->cases[variant].result;

        if (s->workload && s->number < b->options->devices &&
            (result == RD_EQUAL || result == RD_UNCHANGED) && odd == (s->program->odd != NULL)) {
            traced[count] = s;
            all[count++] = s->workload;
        }
    }
    if (count == 0)
        return;
    open_devices(b);
    if (!b->devices.executors[RD_TRACED])
        return;
    while (count > 0 && status != PM_OK) {
        pm_error err = {0};
        pm_workload *w = rd_together(all, count, &err);

        status = w ? rd_device_run(b->devices.executors[RD_TRACED], w, &err) : PM_FAILED;
        pm_workload_free(w);
        out = rd_together_which(all, count, err.text);
        if (status == PM_OK)
            conclude_traced(traced, count, variant);
        else if (!is_untraceable(err.text) || out == count) {
            trace_alone(b, traced, count, variant);
            return;
        } else { /* try the other workloads again, without the refused one */
            traced[out] = traced[--count];
            all[out] = all[count];
        }
    }
}

static void run_original(batch *b, slot *s)
{
    pm_error err = {0};

    if (b->options->print)
        print_program(s->program);
    conclude(s->open, RD_STARTED, RD_ORIGINAL);
    if (run_on_host(b, s, s->program->seed * 2, &err) != PM_OK ||
        run_on_devices(b, s, s->open, &err) != PM_OK) {
        fail_slot(b, s, err.text);
        return;
    }
    s->open->devices = 0;
    conclude(s->open, RD_NOT_YET, "");
}

static void run_originals(batch *b)
{
    for (unsigned pass = b->options->suite->fit ? 0 : 1; pass < 2; pass++) {
        for (size_t i = 0; i < b->count; i++) {
            slot *s = &b->slots[i];
            pm_error err = {0};

            if (s->program)
                s->workload = rd_workload(s->program, &s->outputs, &err);
        }
        compile(b, b->options->suite->compile, original_fails);
        for (size_t i = 0; i < b->count; i++)
            if (b->slots[i].library)
                (pass == 0 ? measure : run_original)(b, &b->slots[i]);
        drop_workloads(b);
    }
}

/* ---- transforms ----------------------------------------------------------------------------- */

/* Returns whether the message is one line and names a line of the source. */
static bool well_formed(const pm_error *err, rd_language language)
{
    const char *path = rd_language_of(language)->path, *at = strstr(err->text, path);

    return err->status == PM_BAD_INPUT && !strchr(err->text, '\n') && at &&
           at[strlen(path)] == ':' && isdigit((unsigned char)at[strlen(path) + 1]);
}

static void transform(const batch *b, slot *s, unsigned variant)
{
    const rd_options *o = b->options;
    rd_case *c = &s->cases[variant];
    pm_error err = {0};
    pm_workload *w = rd_workload(s->program, &s->outputs, &err);

    snprintf(c->odd, sizeof c->odd, "%s", s->program->odd ? s->program->odd : "");
    if (o->only)
        snprintf(c->spec, sizeof c->spec, "%s", o->only);
    else
        o->suite->choose(s->program, variant, c);
    conclude(c, RD_STARTED, "");
    if (w && !o->identity)
        w = pm_layout_transform(w, c->spec, b->session, &err);
    if (!w) {
        conclude(c, well_formed(&err, o->language) ? RD_REFUSED : RD_MALFORMED, err.text);
        return;
    }
    s->workload = w;
    if (o->broken && !o->broken->apply(w, s->program)) {
        conclude(c, RD_UNBROKEN, "");
        drop_workload(s);
        return;
    }
    if (o->print)
        printf("/* ---- %s ---- */\n%s\n", c->spec, w->source);
    fflush(stdout);
    conclude(c, RD_NOT_YET, "");
}

static void transformed_fails(const batch *b, slot *s, const char *text)
{
    conclude(&s->cases[b->variant], RD_UNCOMPILABLE, text);
    drop_workload(s);
}

/* Runs the last programs by Oclgrind if it is installed. */
static pm_status run_by_oclgrind(const batch *b, const slot *s, rd_case *c, pm_error *err)
{
    const rd_options *o = b->options;
    bool ended;

    if (o->language == RD_CUDA || s->number + o->oclgrind < o->programs || !rd_oclgrind_there())
        return PM_OK;
    snprintf(c->where, sizeof c->where, "oclgrind");
    if (rd_oclgrind_run(b->base, c->seed, c->spec, o->identity, &ended, err) != PM_OK)
        return PM_FAILED;
    c->devices += ended;
    return PM_OK;
}

static void run_transformed(batch *b, slot *s, unsigned variant)
{
    const rd_options *o = b->options;
    rd_case *c = &s->cases[variant];
    bool same = strcmp(s->workload->source, s->program->source) == 0;
    pm_error err = {0};
    pm_status status = PM_FAILED;

    conclude(c, RD_STARTED, "");
    if (o->opencl) {
        open_devices(b);
        if (b->devices.executors[RD_BY_OPENCL])
            status = rd_device_run(b->devices.executors[RD_BY_OPENCL], s->workload, &err);
    } else {
        status = run_on_host(b, s, c->seed * 5, &err);
        if (status == PM_OK && !o->broken)
            status = run_on_devices(b, s, c, &err);
        if (status == PM_OK && !o->broken)
            status = run_by_oclgrind(b, s, c, &err);
    }
    c->result = status != PM_OK ? RD_WRONG : same ? RD_UNCHANGED : RD_EQUAL;
    snprintf(c->text, sizeof c->text, "%s", err.text);
}

static const char *options_of_transformed(const batch *b)
{
    const rd_suite *suite = b->options->suite;
    const bool optimised = suite->optimised && b->options->language == RD_CUDA &&
                           (b->options->optimised || b->batch % 4 == 0);

    return optimised ? suite->optimised : suite->compile;
}

static void run_variant(batch *b, unsigned variant)
{
    b->variant = variant;
    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].program && b->slots[i].cases[variant].result == RD_NOT_YET)
            transform(b, &b->slots[i], variant);
    compile(b, options_of_transformed(b), transformed_fails);
    for (size_t i = 0; i < b->count; i++)
        if (b->slots[i].library)
            run_transformed(b, &b->slots[i], variant);
    if (b->options->language == RD_CUDA && !b->options->broken) {
        trace_together(b, variant, false);
        trace_together(b, variant, true);
    }
    drop_workloads(b);
}

/* ---- a batch -------------------------------------------------------------------------------- */

static void choose_slots(batch *b)
{
    const rd_options *o = b->options;

    for (unsigned i = b->batch * RD_BATCH; i < (b->batch + 1) * RD_BATCH && i < o->programs; i++) {
        rd_case *cases = &o->cases[(size_t)i * o->variants];
        rd_case *open = NULL;

        for (unsigned v = o->variants; v-- > 0;) {
            cases[v].seed = o->first + i;
            open = cases[v].result == RD_NOT_YET ? &cases[v] : open;
        }
        if (open)
            b->slots[b->count++] = (slot){.cases = cases,
                                          .open = open,
                                          .number = i,
                                          .program = o->suite->create(o->first + i, o->language)};
    }
}

int rd_run_batch(const rd_options *options, unsigned number)
{
    batch b = {
        .options = options, .batch = number, .machine = rd_machine_create(options->suite->padded)};
    pm_error err = {0};

    b.session = pm_session_create(NULL, &err);
    if (!b.machine || !b.session) {
        rd_machine_free(b.machine);
        pm_session_free(b.session);
        return 1;
    }
    snprintf(b.base, sizeof b.base, "%s/%u", options->folder, number);
    choose_slots(&b);
    run_originals(&b);
    for (unsigned v = 0; v < options->variants; v++)
        run_variant(&b, v);
    for (size_t i = 0; i < b.count; i++) {
        rd_outputs_free(&b.slots[i].outputs);
        rd_program_free(b.slots[i].program);
    }
    rd_devices_close(&b.devices);
    rd_library_remove(b.base, options->language, RD_BATCH);
    rd_machine_free(b.machine);
    pm_session_free(b.session);
    return 0;
}
