/* Checks the contents of the buffers after a workload has run: compares them with those after the
 * reference version of the workload file (section [reference]), and with the contents that the file
 * lists as expected. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/identity.h"
#include "base/strings.h"
#include "program/definition.h"
#include "program/file/compare.h"

static const double TOLERANCE = 1e-5;

/* Expected contents of a buffer after the last launch (the key `expected` of its section). */
typedef struct {
    bool given;
    pm_file_place place;
    bool exact;
    double tolerance;
} expectation;

/* Data with which the results of a workload are checked after it has run. The workload owns
 * them. */
typedef struct {
    const pm_from_file *from;
    pm_file_tolerance tolerance; /* tolerances for comparisons with the reference */
    expectation *expected;       /* expected[i]: contents that the file expects in buffer i */
    /* Reference workload, which computes expected results. It runs after each run of the variant
     * that is checked, with that variant's outputs as initial contents. NULL: none. */
    pm_workload *after;
} results;

/* ---- the check ------------------------------------------------------------------------------ */

/* Returns the arguments for comparing a buffer's final contents, `got`, with expected[buffer]: the
 * contents of the same buffer after the reference, or the program's source without transforms, has
 * run. by: name for the origin of the expected contents, for messages. */
static pm_file_comparison comparison_of(const results *r, const pm_workload *workload,
                                        void *const *expected, size_t buffer, const void *got,
                                        const char *by)
{
    const pm_file_buffer *of = &r->from->file->buffers[buffer];

    return (pm_file_comparison){.buffer = of,
                                .got = got,
                                .want = expected ? expected[buffer] : NULL,
                                .errors =
                                    expected && of->errors.text ? expected[of->errors_at] : NULL,
                                .bytes = workload->buffers[buffer].bytes,
                                .pointers = &workload->buffers[buffer].pointers,
                                .tolerance = r->tolerance,
                                .by = by};
}

/* Compares a buffer with the contents that the file expects of it. The file with these contents is
 * read only now, because most workloads are never run with all work-groups. */
static pm_status check_expected(const pm_from_file *from, const expectation *expected,
                                pm_file_comparison *comparison, pm_error *err)
{
    void *want = malloc(comparison->bytes + 1);
    pm_status status = want ? pm_file_place_read(&expected->place, want, comparison->bytes, err)
                            : pm_fail(err, PM_FAILED, "out of memory for what %s should hold",
                                      comparison->buffer->name);

    comparison->want = want;
    comparison->by = expected->place.path;
    comparison->errors = NULL;
    comparison->exact = expected->exact;
    comparison->tolerance = (pm_file_tolerance){.scaled = expected->tolerance};
    if (status == PM_OK)
        status = pm_file_compare(from, comparison, err);
    free(want);
    return status;
}

/* Compares all outputs of a workload with the contents that the file expects, and with `expected`,
 * the outputs of the reference. expected NULL: there is no reference. */
static pm_status check_all(const pm_workload *workload, const void *const *outputs,
                           void *const *expected, pm_error *err)
{
    const results *r = workload->check_context;
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < r->from->file->common_count; i++) {
        pm_file_comparison c = comparison_of(r, workload, expected, i, outputs[i], "the reference");

        if (outputs[i] && expected)
            status = pm_file_compare(r->from, &c, err);
        if (status == PM_OK && outputs[i] && r->expected[i].given)
            status = check_expected(r->from, &r->expected[i], &c, err);
    }
    return status;
}

/* Runs the reference workload. Its buffers start with outputs[i], the outputs of the variant that
 * is checked. expected[i] gets output i of the reference, which the caller frees. */
static pm_status run_after(const results *r, const void *const *outputs, void **expected,
                           pm_error *err)
{
    pm_workload *reference = r->after;

    for (size_t i = 0; i < reference->buffer_count; i++) {
        const pm_file_buffer *of = &r->from->file->buffers[i];
        const pm_buffer *buffer = &reference->buffers[i];

        if (of->after.text)
            memcpy(buffer->initial, outputs[of->after_at], buffer->bytes);
        if (!(buffer->flags & PM_BUFFER_OUTPUT))
            continue;
        expected[i] = malloc(buffer->bytes);
        if (!expected[i])
            return pm_fail(err, PM_FAILED, "out of memory for the reference of %s", buffer->name);
    }
    return pm_file_run(r->from, reference, expected, err);
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const results *r = workload->check_context;
    void **expected;
    pm_status status;

    if (!r->after)
        return check_all(workload, outputs, workload->expected, err);
    expected = calloc(r->after->buffer_count + 1, sizeof *expected);
    if (!expected)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    status = run_after(r, outputs, expected, err);
    if (status == PM_OK)
        status = check_all(workload, outputs, expected, err);
    for (size_t i = 0; i < r->after->buffer_count; i++)
        free(expected[i]);
    free(expected);
    return status;
}

/* ---- expected contents ---------------------------------------------------------------------- */

static void read_expected(const pm_file_build *b, const pm_file_buffer *buffer, size_t bytes,
                          expectation *out)
{
    const pm_file_text *tolerance =
        buffer->tolerance.text ? &buffer->tolerance : &b->file->expected_tolerance;
    const char *rest;

    if (buffer->tolerance.text && !buffer->expected.text)
        pm_file_fault(b, tolerance->line,
                      "buffer %s: a tolerance, but nothing is expected: add expected = file PATH",
                      buffer->name);
    if (!buffer->expected.text)
        return;
    if (!pm_file_starts(buffer->expected.text, "file", &rest))
        pm_file_fault(b, buffer->expected.line, "buffer %s: expected \"%.60s\": write file PATH",
                      buffer->name, buffer->expected.text);
    pm_file_place_find(b, &buffer->expected, buffer->name, rest, bytes, &out->place);
    out->given = true;
    out->exact = !tolerance->text;
    if (tolerance->text)
        out->tolerance = pm_file_real(b, &b->numbers, tolerance->text, tolerance->line);
    if (out->tolerance < 0)
        pm_file_fault(b, tolerance->line, "expected.tolerance is below 0");
}

/* ---- the reference -------------------------------------------------------------------------- */

static void check_types(const pm_file_build *b)
{
    size_t outputs = 0;

    for (size_t i = 0; i < b->file->common_count; i++) {
        const pm_file_buffer *buffer = &b->file->buffers[i];
        const pm_struct *structure = pm_file_struct(b->from, buffer->type.text);
        pm_file_type type;
        bool known = pm_file_type_find(buffer->type.text, &type) || structure;

        outputs += buffer->output || buffer->expected.text;
        for (size_t f = 0; !pm_file_type_find(buffer->type.text, &type) && structure &&
                           f < structure->field_count;
             f++)
            known &= pm_file_is_pointer(structure->fields[f].type) ||
                     pm_file_type_find(structure->fields[f].type, &type);
        if (buffer->output && !known)
            pm_file_fault(b, buffer->line,
                          "output %s is of %s, whose fields are not known, so that nothing can be "
                          "compared with the reference: leave out output = yes",
                          buffer->name, buffer->type.text);
    }
    if (outputs == 0)
        pm_file_fault(b, b->file->reference->version.line,
                      "[reference] has nothing to be compared with: give a buffer output = yes");
}

static void read_one(const pm_file_build *b, const pm_file_text *text, double *to)
{
    if (text->text)
        *to = pm_file_real(b, &b->numbers, text->text, text->line);
    if (*to < 0)
        pm_file_fault(b, text->line, "tolerance is below 0");
}

static void read_tolerance(const pm_file_build *b, results *r)
{
    const pm_file_reference *reference = b->file->reference;
    pm_file_tolerance *t = &r->tolerance;

    if (!reference)
        return;
    if (reference->absolute.text || reference->relative.text)
        t->scaled = 0;
    t->partial = reference->partial;
    read_one(b, &reference->tolerance, &t->scaled);
    read_one(b, &reference->absolute, &t->absolute);
    read_one(b, &reference->relative, &t->relative);
}

/* Prepares a reference workload that runs after each run of the variant that is checked and starts
 * with that variant's outputs. Allocates memory for the initial contents of the reference's buffers
 * that get these outputs. Adds the reference's hash to the workload's salt, so that a change of the
 * reference changes the hash that identifies the workload. b->workload->reference stays NULL for
 * such references. */
static void prepare_after(const pm_file_build *b, pm_workload *reference)
{
    char definition[PM_DEFINITION];

    pm_workload_definition(reference, definition);
    b->workload->salt = b->workload->salt * 31 + pm_hash_text(definition);
    for (size_t i = b->file->common_count; i < b->file->buffer_count; i++) {
        const pm_file_buffer *of = &b->file->buffers[i];
        const pm_buffer *output = &b->workload->buffers[of->after_at];
        pm_buffer *buffer = &reference->buffers[i];

        if (!of->after.text)
            continue;
        if (buffer->bytes != output->bytes)
            pm_file_fault(b, of->after.line, "after: %s has %zu bytes, and %s has %zu", of->name,
                          buffer->bytes, output->name, output->bytes);
        pm_require(b->memory, pm_workload_settle(reference, i, b->memory->err));
        if (!buffer->initial)
            buffer->initial = pm_workload_contents(reference, buffer->bytes);
        if (!buffer->initial)
            pm_leave(b->memory, PM_FAILED, "%s", reference->error.text);
    }
}

static void add_reference(const pm_file_build *b, pm_workload *reference, results *r)
{
    if (b->file->reference->after)
        r->after = reference;
    else
        b->workload->reference = reference;
    if (r->after)
        prepare_after(b, reference);
    read_tolerance(b, r);
    check_types(b);
}

static void free_results(void *context)
{
    results *r = context;

    pm_workload_free(r->after);
    free(r->expected);
    free(r);
}

/* Creates the data for the check of the workload's results, which the workload then owns. The
 * function `how` makes the check. reference: workload to compare with, which is freed on failure;
 * may be NULL. */
static results *add_results(const pm_file_build *b, pm_check_fn how, pm_workload *reference)
{
    const size_t count = b->file->buffer_count;
    results *r = calloc(1, sizeof *r);

    if (r)
        *r = (results){.from = b->from,
                       .tolerance = {.scaled = TOLERANCE},
                       .expected = calloc(count + 1, sizeof *r->expected)};
    if (!r || !r->expected) {
        free(r);
        pm_workload_free(reference);
        pm_leave(b->memory, PM_FAILED, "%s: out of memory", b->file->path);
    }
    pm_workload_check(b->workload, how, r, free_results);
    return r;
}

/* Adds path, size and modification time of the files that the check reads to the workload. After a
 * file has changed, a cached result of the check is not used any more. */
static void note_files(const pm_file_build *b, const results *r)
{
    pm_wire files = PM_WIRE_WRITER;

    pm_identity_file(&files, b->file->path);
    if (r->after)
        pm_identity_file(&files, r->after->source_path);
    for (size_t i = 0; i < b->file->buffer_count; i++)
        if (r->expected[i].given)
            pm_identity_file(&files, r->expected[i].place.path);
    if (files.failed)
        pm_leave(b->memory, PM_FAILED, "%s: out of memory", b->file->path);
    b->workload->check_files = pm_digest_of(files.data, files.bytes).low;
    pm_wire_free(&files);
}

/* Adds the contents that the file expects to b->workload->salt, a part of cache keys. If the
 * expected contents change, a cached result of the check is not used any more. */
static void add_salt(const pm_file_build *b)
{
    const pm_file_reference *reference = b->file->reference;
    uint64_t *salt = &b->workload->salt;

    if (reference && reference->tolerance.text)
        *salt = pm_hash_text(reference->tolerance.text);
    if (reference && reference->absolute.text)
        *salt = *salt * 31 + pm_hash_text(reference->absolute.text);
    if (reference && reference->relative.text)
        *salt = *salt * 31 + pm_hash_text(reference->relative.text);
    if (b->file->expected_tolerance.text)
        *salt = *salt * 31 + pm_hash_text(b->file->expected_tolerance.text);
    for (size_t i = 0; i < b->file->buffer_count; i++) {
        const pm_file_buffer *buffer = &b->file->buffers[i];

        if (buffer->expected.text)
            *salt = *salt * 31 + pm_hash_text(buffer->expected.text) + i;
        if (buffer->tolerance.text)
            *salt = *salt * 31 + pm_hash_text(buffer->tolerance.text);
    }
}

void pm_file_add_check(const pm_file_build *b, pm_workload *reference)
{
    const size_t count = b->file->common_count;
    bool wanted = reference != NULL;
    results *r;

    for (size_t i = 0; i < count; i++)
        wanted |= b->file->buffers[i].expected.text || b->file->buffers[i].tolerance.text;
    if (!wanted)
        return;
    add_salt(b);
    r = add_results(b, check, reference);
    if (reference)
        add_reference(b, reference, r);
    for (size_t i = 0; i < count && b->workload->error.status == PM_OK; i++)
        read_expected(b, &b->file->buffers[i], b->workload->buffers[i].bytes, &r->expected[i]);
    note_files(b, r);
}

/* ---- the plain version ---------------------------------------------------------------------- */

/* Compares the outputs of a workload with those of the plain version (the program's source without
 * transforms). Contents that the file expects are not compared, because they came from another
 * device. Only their tolerance for floating-point numbers is used. */
static pm_status check_plain(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const results *r = workload->check_context;
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < r->from->file->common_count; i++) {
        pm_file_comparison c =
            comparison_of(r, workload, workload->expected, i, outputs[i], "the plain version");

        c.errors = NULL;
        if (!outputs[i] || !workload->expected)
            continue;
        if (r->expected[i].given && !r->expected[i].exact)
            c.tolerance.scaled = r->expected[i].tolerance;
        status = pm_file_compare(r->from, &c, err);
    }
    return status;
}

void pm_file_add_plain_check(const pm_file_build *b, pm_workload *plain)
{
    pm_workload *workload = b->workload;
    results *r = add_results(b, check_plain, plain);

    workload->reference = plain;
    if (b->file->reference)
        read_one(b, &b->file->reference->tolerance, &r->tolerance.scaled);
    for (size_t i = 0; i < b->file->common_count && workload->error.status == PM_OK; i++) {
        read_expected(b, &b->file->buffers[i], workload->buffers[i].bytes, &r->expected[i]);
        workload->buffers[i].flags &= ~(unsigned)PM_BUFFER_OUTPUT;
        workload->buffers[i].flags |= plain->buffers[i].flags & PM_BUFFER_OUTPUT;
    }
    note_files(b, r);
}

/* Returns whether a kernel may write to the buffer that is argument number `argument`. The analysis
 * of the source finds writes only for arrays of structs; any other buffer counts as written. */
static bool may_be_written(const pm_source_info *info, const char *name, size_t argument)
{
    const pm_source_kernel *kernel = info ? pm_source_find_kernel(info, name) : NULL;

    return !kernel || argument >= kernel->param_count ||
           kernel->params[argument].structure == PM_NO_STRUCT || kernel->params[argument].written;
}

static void mark(pm_workload *workload, size_t buffer)
{
    if (!(workload->buffers[buffer].flags & PM_BUFFER_SCRATCH))
        workload->buffers[buffer].flags |= PM_BUFFER_OUTPUT;
}

/* Marks each buffer to which one of the pointers leads as an output. */
static void mark_targets(pm_workload *workload, const pm_pointers *pointers)
{
    for (size_t i = 0; i < pointers->count; i++)
        mark(workload, pointers->items[i].buffer);
}

void pm_file_mark_written(pm_file_build *b)
{
    pm_workload *workload = b->workload;
    const pm_source_info *info = pm_file_info(b);

    for (size_t i = 0; i < workload->buffer_count; i++)
        if (workload->buffers[i].flags & PM_BUFFER_OUTPUT)
            return;
    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];

        for (size_t a = 0; a < launch->arg_count; a++) {
            const pm_arg *arg = &launch->args[a];

            if (arg->kind == PM_ARG_BUFFER && may_be_written(info, launch->kernel, a))
                mark(workload, arg->buffer);
            mark_targets(workload, &arg->pointers);
        }
    }
    for (size_t i = 0; i < workload->buffer_count; i++)
        mark_targets(workload, &workload->buffers[i].pointers);
}
