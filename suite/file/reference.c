/* Results of a workload file held against those of its [reference]. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integers have to be the same. A real number is right if |got - want| <= tolerance * (|want| +
 * rms), with the root mean square of all that the reference wrote into the buffer or field: what
 * cancels out to nearly nothing has the error of what it was made of.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "suite/file/from_file.h"

static const double TOLERANCE = 1e-5;

/* Two arrays of scalars or vectors with a stride, side by side. */
typedef struct {
    const char *buffer, *field; /* field "": none */
    pm_file_type type;
    const uint8_t *got, *want;
    size_t elements, stride;
    const pm_field *extents; /* of an array field; NULL: none */
    double tolerance, squares, reals;
    size_t element; /* the one that is looked at */
    pm_error *err;
} comparison;

typedef pm_status (*see_fn)(comparison *c, const uint8_t *got, const uint8_t *want);

static pm_status see_element(comparison *c, size_t offset, size_t d, see_fn see)
{
    const pm_field *field = c->extents;
    pm_status status = PM_OK;

    if (!field || d == field->extent_count) {
        for (size_t i = 0; status == PM_OK && i < c->type.width; i++)
            status = see(c, c->got + offset + i * c->type.scalar->bytes,
                         c->want + offset + i * c->type.scalar->bytes);
        return status;
    }
    for (size_t i = 0; status == PM_OK && i < field->extents[d].count; i++)
        status = see_element(c, offset + i * field->extents[d].stride, d + 1, see);
    return status;
}

static pm_status see_all(comparison *c, see_fn see)
{
    pm_status status = PM_OK;

    for (c->element = 0; status == PM_OK && c->element < c->elements; c->element++)
        status = see_element(c, c->element * c->stride, 0, see);
    return status;
}

/* ---- scalars -------------------------------------------------------------------------------- */

static bool is_real(const pm_scalar *scalar)
{
    return scalar->kind == PM_SCALAR_REAL || scalar->kind == PM_SCALAR_HALF;
}

/* IEEE 754's binary16. */
static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double value = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                         : exponent == 0 ? ldexp(fraction, -24)
                                         : ldexp(fraction + 1024, exponent - 25);

    return bits >> 15 ? -value : value;
}

static double real_value(const pm_scalar *scalar, const uint8_t *at)
{
    uint16_t bits;
    float single;
    double value;

    if (scalar->kind == PM_SCALAR_HALF) {
        memcpy(&bits, at, sizeof bits);
        return half_value(bits);
    }
    if (scalar->bytes == sizeof single) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

static pm_status add_square(comparison *c, const uint8_t *got, const uint8_t *want)
{
    const double value = real_value(c->type.scalar, want);

    (void)got;
    if (isfinite(value)) {
        c->squares += value * value;
        c->reals++;
    }
    return PM_OK;
}

static pm_status compare_real(comparison *c, const uint8_t *got, const uint8_t *want)
{
    const double a = real_value(c->type.scalar, got), b = real_value(c->type.scalar, want);
    const double rms = c->reals > 0 ? sqrt(c->squares / c->reals) : 0;

    if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= c->tolerance * (fabs(b) + rms))
        return PM_OK;
    return pm_fail(c->err, PM_FAILED, "%s%s%s[%zu] is %.9g, but %.9g by the reference", c->buffer,
                   *c->field ? "." : "", c->field, c->element, a, b);
}

static pm_status compare_bytes(comparison *c, const uint8_t *got, const uint8_t *want)
{
    char text[2][2 * sizeof(uint64_t) + 1];

    if (memcmp(got, want, c->type.scalar->bytes) == 0)
        return PM_OK;
    for (size_t i = 0; i < c->type.scalar->bytes; i++) { /* the highest byte comes last */
        snprintf(text[0] + 2 * i, 3, "%02x", got[c->type.scalar->bytes - 1 - i]);
        snprintf(text[1] + 2 * i, 3, "%02x", want[c->type.scalar->bytes - 1 - i]);
    }
    return pm_fail(c->err, PM_FAILED, "%s%s%s[%zu] is 0x%s, but 0x%s by the reference", c->buffer,
                   *c->field ? "." : "", c->field, c->element, text[0], text[1]);
}

/* ---- buffers -------------------------------------------------------------------------------- */

typedef struct {
    const pm_from_file *from;
    double tolerance;
} held_against;

static pm_status compare(comparison *c)
{
    if (!is_real(c->type.scalar))
        return see_all(c, compare_bytes);
    see_all(c, add_square);
    return see_all(c, compare_real);
}

static pm_status compare_fields(comparison *c, const pm_struct *structure)
{
    const uint8_t *got = c->got, *want = c->want;
    const size_t bytes = c->elements;
    pm_status status = PM_OK;

    c->stride = structure->bytes;
    c->elements = bytes / c->stride;
    for (size_t f = 0; status == PM_OK && f < structure->field_count; f++) {
        const pm_field *field = &structure->fields[f];

        if (!pm_file_type_find(field->type, &c->type))
            continue; /* a reference to it is refused when the file is read */
        c->field = field->path;
        c->extents = field->extent_count ? field : NULL;
        c->got = got + field->offset;
        c->want = want + field->offset;
        c->squares = c->reals = 0;
        status = compare(c);
    }
    return status;
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const held_against *held = workload->check_context;
    const pm_workload_file *file = held->from->file;
    pm_status status = PM_OK;

    for (size_t i = 0; workload->expected && status == PM_OK && i < file->buffer_count; i++) {
        comparison c = {.buffer = file->buffers[i].name,
                        .field = "",
                        .got = outputs[i],
                        .want = workload->expected[i],
                        .elements = workload->buffers[i].bytes,
                        .tolerance = held->tolerance,
                        .err = err};

        if (!outputs[i])
            continue;
        if (pm_file_type_find(file->buffers[i].type.text, &c.type)) {
            c.stride = c.type.bytes;
            c.elements /= c.stride;
            status = compare(&c);
        } else {
            status = compare_fields(&c, pm_file_struct(held->from, file->buffers[i].type.text));
        }
    }
    return status;
}

/* ---- the reference -------------------------------------------------------------------------- */

static void check_types(const pm_file_build *b)
{
    size_t outputs = 0;

    for (size_t i = 0; i < b->file->buffer_count; i++) {
        const pm_file_buffer *buffer = &b->file->buffers[i];
        const pm_struct *structure = pm_file_struct(b->from, buffer->type.text);
        pm_file_type type;
        bool known = pm_file_type_find(buffer->type.text, &type) || structure;

        outputs += buffer->output;
        for (size_t f = 0; !pm_file_type_find(buffer->type.text, &type) && structure &&
                           f < structure->field_count;
             f++)
            known &= pm_file_type_find(structure->fields[f].type, &type);
        if (buffer->output && !known)
            pm_file_fault(b, buffer->line,
                          "output %s is of %s, whose fields are not known, so that nothing can be "
                          "compared with the reference: leave out output = yes",
                          buffer->name, buffer->type.text);
    }
    if (outputs == 0)
        pm_file_fault(b, b->file->reference->line,
                      "[reference] has nothing to be compared with: give a buffer output = yes");
}

void pm_file_add_reference(pm_file_build *b, pm_workload *reference)
{
    const pm_file_text *tolerance = &b->file->tolerance;
    held_against *held = calloc(1, sizeof *held);

    b->workload->reference = reference;
    if (!held)
        pm_leave(b->memory, PM_FAILED, "%s: out of memory", b->file->path);
    *held = (held_against){b->from, TOLERANCE};
    pm_workload_check(b->workload, check, held, free);
    if (tolerance->text)
        held->tolerance = pm_file_real(b, &b->numbers, tolerance->text, tolerance->line);
    if (held->tolerance < 0)
        pm_file_fault(b, tolerance->line, "tolerance is below 0");
    check_types(b);
}
