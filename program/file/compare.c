/* Compares the final contents of a buffer with the expected ones. See compare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* State of comparing two arrays of scalars or vectors whose elements have the same stride: got (the
 * result) and want (the expected contents). errors: allowed error of each element; NULL: none. */
typedef struct {
    const pm_file_comparison *of;
    const char *field; /* "": the buffer itself */
    pm_file_type type;
    const uint8_t *got, *want, *errors; /* errors NULL: none */
    size_t elements, stride;
    const pm_field *extents; /* array extents of the field; NULL: the field is not an array */
    double squares, reals;
    size_t element; /* index of the element that is being compared */
    bool differs;   /* true: the element that is being compared differs */
    /* first: index of the first element that differs; differing: number of elements that differ */
    size_t first, differing;
    char what[120]; /* message about the first element that differs */
} comparison;

typedef void (*see_fn)(comparison *c, const uint8_t *got, const uint8_t *want, size_t component);

static void see_element(comparison *c, size_t offset, size_t d, see_fn see)
{
    const pm_field *field = c->extents;

    if (!field || d == field->extent_count) {
        for (size_t i = 0; i < c->type.width; i++)
            see(c, c->got + offset + i * c->type.scalar->bytes,
                c->want + offset + i * c->type.scalar->bytes, i);
        return;
    }
    for (size_t i = 0; i < field->extents[d].count; i++)
        see_element(c, offset + i * field->extents[d].stride, d + 1, see);
}

static void see_all(comparison *c, see_fn see)
{
    for (c->element = 0; c->element < c->elements; c->element++) {
        c->differs = false;
        see_element(c, c->element * c->stride, 0, see);
        c->differing += c->differs;
    }
}

/* ---- scalars -------------------------------------------------------------------------------- */

static void add_square(comparison *c, const uint8_t *got, const uint8_t *want, size_t component)
{
    const double value = pm_scalar_real(c->type.scalar, want);

    (void)got;
    (void)component;
    if (isfinite(value)) {
        c->squares += value * value;
        c->reals++;
    }
}

/* Returns the suffix of a vector's component, such as ".x"; "" for a scalar. */
static const char *component_of(const comparison *c, size_t component)
{
    static const char *const few[] = {".x", ".y", ".z", ".w"};
    static const char *const many[] = {".s0", ".s1", ".s2", ".s3", ".s4", ".s5", ".s6", ".s7",
                                       ".s8", ".s9", ".sa", ".sb", ".sc", ".sd", ".se", ".sf"};

    return c->type.width == 1 ? "" : c->type.width <= 4 ? few[component] : many[component];
}

static bool is_first(comparison *c)
{
    const bool first = c->differing == 0 && !c->differs;

    c->differs = true;
    if (first)
        c->first = c->element;
    return first;
}

/* Returns whether a floating-point output `got` is near enough to the expected value `want`.
 * `error` is the allowed absolute error of this element. */
static bool is_right(const comparison *c, double got, double want, double error)
{
    const double rms = c->reals > 0 ? sqrt(c->squares / c->reals) : 0;
    const pm_file_tolerance *t = &c->of->tolerance;
    const double scaled = c->of->errors ? 0 : t->scaled * (fabs(want) + rms);

    if (isnan(want))
        return t->partial ? isfinite(got) : isnan(got);
    return got == want ||
           fabs(got - want) <= scaled + t->absolute + t->relative * fabs(want) + error;
}

/* Compares two floating-point numbers. The message has 17 digits of a double or 9 of a float, which
 * identify the value. */
static void see_real(comparison *c, const uint8_t *got, const uint8_t *want, size_t component)
{
    const double a = pm_scalar_real(c->type.scalar, got), b = pm_scalar_real(c->type.scalar, want);
    const int digits = c->type.scalar->bytes == sizeof(double) ? 17 : 9;
    const double error =
        c->errors ? pm_scalar_real(c->type.scalar, c->errors + (want - c->want)) : 0;
    const bool same = c->of->exact
                          ? memcmp(got, want, c->type.scalar->bytes) == 0 || (isnan(a) && isnan(b))
                          : is_right(c, a, b, error);

    if (!same && is_first(c))
        snprintf(c->what, sizeof c->what, "%s is %.*g, but %.*g", component_of(c, component),
                 digits, a, digits, b);
}

static void see_bytes(comparison *c, const uint8_t *got, const uint8_t *want, size_t component)
{
    const size_t bytes = c->type.scalar->bytes;
    char text[2][2 * sizeof(uint64_t) + 1];

    if (memcmp(got, want, bytes) == 0 || !is_first(c))
        return;
    /* the machine is little-endian, so the highest byte comes last */
    for (size_t i = 0; i < bytes; i++) {
        snprintf(text[0] + 2 * i, 3, "%02x", got[bytes - 1 - i]);
        snprintf(text[1] + 2 * i, 3, "%02x", want[bytes - 1 - i]);
    }
    snprintf(c->what, sizeof c->what, "%s is 0x%s, but 0x%s", component_of(c, component), text[0],
             text[1]);
}

/* ---- buffers -------------------------------------------------------------------------------- */

static pm_status compare(comparison *c, pm_error *err)
{
    const pm_file_comparison *of = c->of;

    if (c->type.scalar->kind == PM_SCALAR_REAL) {
        if (!of->exact)
            see_all(c, add_square);
        see_all(c, see_real);
    } else {
        see_all(c, see_bytes);
    }
    if (c->differing == 0)
        return PM_OK;
    return pm_fail(err, PM_FAILED, "%s%s%s[%zu]%s by %s (%zu of %zu elements differ)",
                   of->buffer->name, *c->field ? "." : "", c->field, c->first, c->what, of->by,
                   c->differing, c->elements);
}

/* Compares two arrays of structs field by field. Padding between fields is ignored. */
static pm_status compare_fields(const comparison *whole, const pm_struct *structure, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t f = 0; status == PM_OK && f < structure->field_count; f++) {
        const pm_field *field = &structure->fields[f];
        comparison c = *whole;

        /* skip pointers, because addresses differ from run to run */
        if (pm_file_is_pointer(field->type))
            continue;
        if (!pm_file_type_find(field->type, &c.type))
            return pm_fail(err, PM_FAILED, "field %s of %s is a %s, which cannot be compared",
                           field->path, whole->of->buffer->name, field->type);
        /* use the size from the source: a vector of 3 has the size of 3 scalars in CUDA, but of 4
         * in OpenCL C */
        c.type.bytes = field->bytes;
        c.field = field->path;
        c.extents = field->extent_count ? field : NULL;
        c.got += field->offset;
        c.want += field->offset;
        if (c.errors)
            c.errors += field->offset;
        c.stride = structure->bytes;
        c.elements /= c.stride;
        status = compare(&c, err);
    }
    return status;
}

/* Compares copies of the contents in which pointers are replaced by zeros, because addresses differ
 * from run to run. */
static pm_status compare_without_pointers(const pm_from_file *from, const pm_file_comparison *of,
                                          pm_error *err)
{
    pm_file_comparison copy = *of;
    void *got = malloc(of->bytes + 1), *want = malloc(of->bytes + 1);
    pm_status status;

    copy.pointers = NULL;
    copy.got = got;
    copy.want = want;
    if (got && want) {
        pm_pointers_clear(of->pointers, memcpy(got, of->got, of->bytes));
        pm_pointers_clear(of->pointers, memcpy(want, of->want, of->bytes));
        status = pm_file_compare(from, &copy, err);
    } else {
        status = pm_fail(err, PM_FAILED, "out of memory for results of %s", of->buffer->name);
    }
    free(got);
    free(want);
    return status;
}

pm_status pm_file_compare(const pm_from_file *from, const pm_file_comparison *of, pm_error *err)
{
    const char *type = of->buffer->type.text;
    const pm_struct *structure = pm_file_struct(from, type);
    comparison c = {.of = of,
                    .field = "",
                    .got = of->got,
                    .want = of->want,
                    .errors = of->errors,
                    .elements = of->bytes};

    if (of->pointers && of->pointers->count > 0)
        return compare_without_pointers(from, of, err);
    if (memcmp(of->got, of->want, of->bytes) == 0 && !of->tolerance.partial)
        return PM_OK;
    if (!pm_file_type_find(type, &c.type)) {
        if (structure)
            return compare_fields(&c, structure, err);
        /* a struct whose fields are unknown is compared byte by byte */
        pm_file_type_find("uchar", &c.type);
    }
    c.stride = c.type.bytes;
    c.elements /= c.stride;
    return compare(&c, err);
}
