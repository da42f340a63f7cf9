/* Writes the fitted model of many GPUs to the cache and reads it, so that it need not be fitted
 * again. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "model/hierarchy/parts.h"

/* Writes an array of `count` numbers to the byte stream, or reads it from there into memory of
 * h. */
static void wire_numbers(pm_wire *wire, pm_hierarchy *h, double **numbers, size_t count)
{
    if (!wire->writing)
        *numbers = pm_try_take(&h->memory, count + 1, sizeof **numbers);
    if (!*numbers)
        wire->failed = true;
    else
        pm_wire_raw(wire, *numbers, count * sizeof **numbers);
}

/* Writes the posterior covariance of the parameters to the byte stream, or reads it. Only the upper
 * triangle is stored, row by row, because the matrix is symmetric. */
static void wire_covariance(pm_wire *wire, pm_hierarchy *h)
{
    double *data;

    if (!wire->writing) {
        data = pm_try_take(&h->memory, h->size * h->size, sizeof *data);
        h->covariance = pm_try_take(&h->memory, 1, sizeof *h->covariance);
        if (!data || !h->covariance) {
            wire->failed = true;
            return;
        }
        *h->covariance = gsl_matrix_view_array(data, h->size, h->size).matrix;
    }
    for (size_t a = 0; a < h->size; a++)
        pm_wire_raw(wire, gsl_matrix_ptr(h->covariance, a, a), (h->size - a) * sizeof(double));
    for (size_t a = 0; !wire->writing && a < h->size; a++)
        for (size_t b = 0; b < a; b++)
            gsl_matrix_set(h->covariance, a, b, gsl_matrix_get(h->covariance, b, a));
}

static void wire_effects(pm_wire *wire, pm_hierarchy *h)
{
    pm_effect_widths *widths = &h->effects;

    PM_WIRE_NUMBER(wire, widths->program);
    PM_WIRE_NUMBER(wire, widths->variant);
    PM_WIRE_NUMBER(wire, widths->config);
    PM_WIRE_NUMBER(wire, widths->shape);
    PM_WIRE_NUMBER(wire, widths->length);
    PM_WIRE_NUMBER(wire, widths->alike);
    PM_WIRE_NUMBER(wire, widths->alike_error);
    wire_numbers(wire, h, &widths->row, h->rows->sources + 1); /* at least 1 member */
    if (wire->writing)
        return;
    widths->common =
        pm_try_take(&h->memory, h->rows->gpus * h->rows->gpus + 1, sizeof *widths->common);
    if (widths->common)
        pm_effect_relate(widths, h->rows);
    wire->failed |= !widths->common;
}

static void wire_fit(pm_wire *wire, pm_hierarchy *h)
{
    const size_t n = h->rows->n;

    PM_WIRE_NUMBER(wire, h->n);
    PM_WIRE_NUMBER(wire, h->relation);
    PM_WIRE_NUMBER(wire, h->relation_error);
    PM_WIRE_NUMBER(wire, h->width);
    PM_WIRE_NUMBER(wire, h->width_of_fit);
    PM_WIRE_NUMBER(wire, h->tell);
    PM_WIRE_NUMBER(wire, h->kept);
    wire_numbers(wire, h, &h->parameters, h->size);
    wire_numbers(wire, h, &h->residual, n);
    wire_numbers(wire, h, &h->shape, n * PM_UNITS_SHAPE);
    wire_covariance(wire, h);
    wire_effects(wire, h);
}

/* Writes the flags of the training rows that the fit learned from (h->seen) to the byte stream, or
 * reads them. Each row has one byte. */
static void wire_seen(pm_wire *wire, pm_hierarchy *h)
{
    bool *seen = (bool *)h->seen;

    if (!wire->writing)
        h->seen = seen = pm_try_take(&h->memory, h->rows->n + 1, sizeof *seen);
    wire->failed |= !seen;
    for (size_t i = 0; !wire->failed && i < h->rows->n; i++)
        pm_wire_flag(wire, &seen[i]);
}

void pm_hierarchy_wire(pm_wire *wire, const pm_hierarchy_rows *rows, pm_hierarchy **h)
{
    size_t n = rows->n, gpus = rows->gpus, sources = rows->sources;

    PM_WIRE_NUMBER(wire, n);
    PM_WIRE_NUMBER(wire, gpus);
    PM_WIRE_NUMBER(wire, sources);
    wire->failed |= n != rows->n || gpus != rows->gpus || sources != rows->sources;
    if (!wire->writing) {
        *h = wire->failed ? NULL : calloc(1, sizeof **h);
        wire->failed |= !*h;
    }
    if (wire->failed)
        return;
    (*h)->rows = rows;
    if (!wire->writing)
        (*h)->store = pm_effect_store_create(&(*h)->memory);
    (*h)->size = (gpus + 1) * PM_UNITS_PARAMETERS;
    wire_seen(wire, *h);
    if (!wire->failed)
        wire_fit(wire, *h);
    if (!wire->writing && !pm_wire_done(wire)) {
        pm_hierarchy_free(*h);
        *h = NULL;
    }
}
