/* What buffers of a workload file hold at first. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   zeros | constant VALUE | range FIRST, STEP | random [LOW, HIGH [, SEED]] | file PATH [, OFFSET]
 *
 * Scalars are counted in the order in which they lie in memory; a vector has one a component.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/error.h"
#include "from_file.h"
#include "kernels/common.h"

typedef enum { CONSTANT, RANGE, RANDOM } rule_kind;

typedef struct {
    rule_kind kind;
    bool whole; /* random: all values of an integer type */
    int64_t integer[2];
    double real[2]; /* constant: value; range: first, step; random: low, high */
    uint64_t seed;
} rule;

static pm_status fault(const pm_file_build *b, const pm_text *contents, const char *buffer,
                       const char *what)
{
    return pm_workload_file_fault(b->file, contents->line, b->err, "buffer %s: \"%.80s\": %s",
                                  buffer, contents->text, what);
}

/* Whether text starts with the word; *rest is what is behind it, NULL for nothing. */
static bool starts_with(const char *text, const char *word, const char **rest)
{
    const size_t length = strlen(word);

    if (strncmp(text, word, length) != 0 || (text[length] && !strchr(" \t", text[length])))
        return false;
    *rest = text + length + strspn(text + length, " \t");
    *rest = **rest ? *rest : NULL;
    return true;
}

/* ---- files --------------------------------------------------------------------------------- */

static pm_status read_bytes(const pm_file_build *b, const pm_text *contents, const char *buffer,
                            const char *path, int64_t offset, uint8_t *base, size_t bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    pm_status result = PM_OK;

    if (!file || fstat(fileno(file), &status) != 0)
        result = fault(b, contents, buffer, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        result = fault(b, contents, buffer, "this is no regular file");
    else if (status.st_size < offset || (uint64_t)(status.st_size - offset) < bytes)
        result = pm_workload_file_fault(b->file, contents->line, b->err,
                                        "buffer %s needs %zu bytes in size %s, from byte %lld of "
                                        "%s, which has %lld",
                                        buffer, bytes, b->size->name, (long long)offset, path,
                                        (long long)status.st_size);
    else if (base &&
             (fseeko(file, (off_t)offset, SEEK_SET) != 0 || fread(base, 1, bytes, file) != bytes))
        result = fault(b, contents, buffer, "it cannot be read");
    if (file)
        fclose(file);
    return result;
}

static pm_status from_file(const pm_file_build *b, const pm_text *contents, const char *buffer,
                           const char *rest, uint8_t *base, size_t bytes)
{
    char item[PM_FILE_ITEM], relative[PM_FILE_ITEM], place[4096];
    pm_text text = {.text = item, .line = contents->line};
    int64_t offset = 0;
    pm_status status;

    if (!rest || !pm_file_item(&rest, item))
        return fault(b, contents, buffer, "write file PATH, or file PATH, OFFSET");
    status = pm_file_substitute(b, &text, relative, sizeof relative);
    if (status == PM_OK)
        status = pm_file_path(b, relative, contents->line, place, sizeof place);
    if (status == PM_OK && rest) {
        if (!pm_file_item(&rest, item) || rest)
            return fault(b, contents, buffer, "write file PATH, or file PATH, OFFSET");
        status = pm_file_integer(b, &b->numbers, item, contents->line, &offset);
        if (status == PM_OK && offset < 0)
            return fault(b, contents, buffer, "the offset is below 0");
    }
    return status == PM_OK ? read_bytes(b, contents, buffer, place, offset, base, bytes) : status;
}

pm_status pm_file_fill_bytes(const pm_file_build *b, const pm_text *contents, const char *buffer,
                             uint8_t *base, size_t bytes, bool *done)
{
    const char *rest;

    *done = true;
    if (starts_with(contents->text, "zeros", &rest)) {
        if (rest)
            return fault(b, contents, buffer, "nothing may follow zeros");
        if (base)
            memset(base, 0, bytes);
        return PM_OK;
    }
    if (starts_with(contents->text, "file", &rest))
        return from_file(b, contents, buffer, rest, base, bytes);
    *done = false;
    return PM_OK;
}

/* ---- rules --------------------------------------------------------------------------------- */

static pm_status read_number(const pm_file_build *b, const pm_file_target *target,
                             const pm_text *contents, const char *item, rule *r, size_t i)
{
    if (target->type.scalar->kind == PM_SCALAR_REAL)
        return pm_file_real(b, &b->numbers, item, contents->line, &r->real[i]);
    return pm_file_integer(b, &b->numbers, item, contents->line, &r->integer[i]);
}

/* Reads `count` numbers, and behind those of random a seed if there is one. */
static pm_status read_numbers(const pm_file_build *b, const pm_file_target *target,
                              const pm_text *contents, const char *rest, size_t count, rule *r,
                              const char *usage)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < count; i++) {
        char item[PM_FILE_ITEM];

        if (!rest || !pm_file_item(&rest, item))
            return fault(b, contents, target->buffer, usage);
        status = read_number(b, target, contents, item, r, i);
    }
    if (status == PM_OK && rest && r->kind == RANDOM) {
        char item[PM_FILE_ITEM];
        int64_t seed = 0;

        if (!pm_file_item(&rest, item) || rest)
            return fault(b, contents, target->buffer, usage);
        status = pm_file_integer(b, &b->numbers, item, contents->line, &seed);
        r->seed += (uint64_t)seed;
    } else if (status == PM_OK && rest) {
        return fault(b, contents, target->buffer, usage);
    }
    return status;
}

static pm_status read_rule(const pm_file_build *b, const pm_file_target *target,
                           const pm_text *contents, rule *r)
{
    const char *rest;

    *r = (rule){.kind = CONSTANT, .seed = b->seed};
    if (strcmp(contents->text, "zeros") == 0)
        return PM_OK;
    if (target->type.scalar->kind == PM_SCALAR_HALF)
        return fault(b, contents, target->buffer, "of halfs only zeros and file PATH are possible");
    if (starts_with(contents->text, "constant", &rest))
        return read_numbers(b, target, contents, rest, 1, r, "write constant VALUE");
    if (starts_with(contents->text, "range", &rest)) {
        r->kind = RANGE;
        return read_numbers(b, target, contents, rest, 2, r, "write range FIRST, STEP");
    }
    if (!starts_with(contents->text, "random", &rest))
        return fault(b, contents, target->buffer,
                     "contents are zeros, constant VALUE, range FIRST, STEP, random LOW, HIGH, or "
                     "file PATH");
    r->kind = RANDOM;
    r->whole = !rest && target->type.scalar->kind != PM_SCALAR_REAL;
    r->real[1] = 1;
    if (!rest)
        return PM_OK;
    return read_numbers(b, target, contents, rest, 2, r,
                        "write random, random LOW, HIGH or random LOW, HIGH, SEED");
}

static size_t scalars_of(const pm_file_target *target)
{
    return target->type.width * target->elements *
           (target->extents ? pm_field_elements(target->extents) : 1);
}

static pm_status check_rule(const pm_file_build *b, const pm_file_target *target,
                            const pm_text *contents, const rule *r)
{
    const pm_scalar *scalar = target->type.scalar;
    const double steps = (double)scalars_of(target) - 1;
    const double real_last = r->kind == RANGE    ? r->real[0] + steps * r->real[1]
                             : r->kind == RANDOM ? r->real[1]
                                                 : r->real[0];
    int64_t last = r->integer[0];
    char what[80];

    snprintf(what, sizeof what, "not all of the values fit a %s", scalar->name);
    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof(float) &&
        !(fabs(r->real[0]) <= (double)FLT_MAX && fabs(real_last) <= (double)FLT_MAX))
        return fault(b, contents, target->buffer, what);
    if (r->kind == RANDOM && (r->integer[0] > r->integer[1] || r->real[0] > r->real[1]))
        return fault(b, contents, target->buffer, "the lower bound is above the upper one");
    if (scalar->kind == PM_SCALAR_REAL)
        return PM_OK;
    if (r->kind == RANDOM)
        last = r->integer[1];
    else if (r->kind == RANGE &&
             (__builtin_mul_overflow(r->integer[1], (int64_t)(scalars_of(target) - 1), &last) ||
              __builtin_add_overflow(r->integer[0], last, &last)))
        return fault(b, contents, target->buffer, what);
    if (!pm_scalar_holds(scalar, r->integer[0]) || !pm_scalar_holds(scalar, last))
        return fault(b, contents, target->buffer, what);
    return PM_OK;
}

/* ---- filling ------------------------------------------------------------------------------- */

enum { CHUNK = 4096 }; /* random numbers at a time */

/* Where the values go: one scalar after the other. */
typedef struct {
    const pm_file_target *target;
    const rule *rule;
    char stream[160];
    uint64_t bits[CHUNK];
    size_t number; /* of the next scalar */
} filling;

static uint64_t random_bits(filling *f)
{
    if (f->number % CHUNK == 0) {
        char stream[200];

        snprintf(stream, sizeof stream, "%s#%zu", f->stream, f->number / CHUNK);
        pm_random_bytes((unsigned char *)f->bits, sizeof f->bits, f->rule->seed, stream);
    }
    return f->bits[f->number % CHUNK];
}

static void next_value(filling *f, int64_t *integer, double *real)
{
    const rule *r = f->rule;

    *integer = r->integer[0];
    *real = r->real[0];
    if (r->kind == RANGE) {
        *integer += (int64_t)f->number * r->integer[1];
        *real += (double)f->number * r->real[1];
    } else if (r->kind == RANDOM) {
        const uint64_t bits = random_bits(f);
        const uint64_t span = (uint64_t)r->integer[1] - (uint64_t)r->integer[0] + 1;

        *integer = r->whole || span == 0 ? (int64_t)bits
                                         : (int64_t)((uint64_t)r->integer[0] + bits % span);
        *real += (r->real[1] - r->real[0]) * ((double)(bits >> 11) * 0x1p-53);
    }
    f->number++;
}

static void fill_one(filling *f, uint8_t *to)
{
    const pm_file_type *type = &f->target->type;

    for (size_t c = 0; c < type->width; c++) {
        int64_t integer;
        double real;

        next_value(f, &integer, &real);
        pm_scalar_store(type->scalar, to + c * type->scalar->bytes, integer, real);
    }
}

/* An element's scalars or vectors: those of an array field from its extent d on. */
static void fill_element(filling *f, uint8_t *to, size_t d)
{
    const pm_field *field = f->target->extents;

    if (!field || d == field->extent_count) {
        fill_one(f, to);
        return;
    }
    for (size_t i = 0; i < field->extents[d].count; i++)
        fill_element(f, to + i * field->extents[d].stride, d + 1);
}

/* Random numbers of a buffer that is nothing but scalars are those of the suite's programs. */
static bool fill_as_suite(const pm_file_target *target, const rule *r)
{
    const pm_scalar *scalar = target->type.scalar;

    if (r->kind != RANDOM || target->field || target->type.width == 3)
        return false;
    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof(float))
        pm_random_floats((float *)(void *)target->base, scalars_of(target), (float)r->real[0],
                         (float)r->real[1], r->seed, target->buffer);
    else if (r->whole)
        pm_random_bytes(target->base, target->elements * target->stride, r->seed, target->buffer);
    else
        return false;
    return true;
}

pm_status pm_file_fill(const pm_file_build *b, const pm_file_target *target,
                       const pm_text *contents)
{
    filling *f;
    rule r;
    pm_status status = read_rule(b, target, contents, &r);

    if (status == PM_OK)
        status = check_rule(b, target, contents, &r);
    if (status != PM_OK || !target->base || fill_as_suite(target, &r))
        return status;
    f = calloc(1, sizeof *f);
    if (!f)
        return pm_fail(b->err, PM_FAILED, "%s: out of memory", b->file->path);
    f->target = target;
    f->rule = &r;
    snprintf(f->stream, sizeof f->stream, "%s%s%s", target->buffer, target->field ? "." : "",
             target->field ? target->field : "");
    for (size_t e = 0; e < target->elements; e++)
        fill_element(f, target->base + e * target->stride, 0);
    free(f);
    return PM_OK;
}
