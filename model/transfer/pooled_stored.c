/* Reads and writes the cached training rows and fitted parameters of a model of many GPUs. See
 * pooled_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/transfer/pooled_parts.h"

/* ---- rows ----------------------------------------------------------------------------------- */

/* Writes the names of a list to the byte stream in the order of their numbers, or reads them into
 * an empty list. */
static void wire_names(pm_wire *wire, pm_memory *memory, pm_numbered *list)
{
    size_t count = list->count;
    char **names = (char **)list->items;

    PM_WIRE_ARRAY(wire, names, count);
    for (size_t i = 0; i < count; i++) {
        pm_wire_name(wire, &names[i]);
        if (!wire->writing && !wire->failed)
            wire->failed |= pm_numbered_add(memory, list, names[i]) != i;
    }
}

static void wire_row(pm_wire *wire, const pm_pooled *p, pm_hierarchy_row *of)
{
    pm_wire_below(wire, &of->gpu, p->gpu_count);
    pm_wire_below(wire, &of->program, p->programs.count);
    pm_wire_below(wire, &of->variant, p->variants.count);
    pm_wire_below(wire, &of->config, p->configs.count);
    pm_wire_below(wire, &of->source, p->sources.count);
}

/* Writes which GPU, program, variant and so on each training row has to the byte stream, or reads
 * it. Reading sets rows.n and rows.of. The rows' counters and times are not stored; units, place
 * and log_time stay NULL. */
static void wire_rows(pm_wire *wire, pm_pooled *p)
{
    pm_hierarchy_row *of = (pm_hierarchy_row *)p->rows.of;
    size_t n = p->rows.n;

    wire_names(wire, &p->memory, &p->programs);
    wire_names(wire, &p->memory, &p->variants);
    wire_names(wire, &p->memory, &p->configs);
    wire_names(wire, &p->memory, &p->sources);
    PM_WIRE_ARRAY(wire, of, n);
    for (size_t i = 0; i < n; i++)
        wire_row(wire, p, &of[i]);
    p->rows.of = of;
    p->rows.n = n;
}

/* Removes the rows and names that were read from a damaged cache entry. */
static void forget_rows(pm_pooled *p)
{
    pm_numbered *lists[] = {&p->programs, &p->variants, &p->configs, &p->sources};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        pm_hash_index_clear(&lists[i]->index);
        *lists[i] = (pm_numbered){.count = 0};
    }
    p->rows.of = NULL;
    p->rows.n = 0;
}

bool pm_pooled_load_rows(pm_pooled *p)
{
    pm_wire entry;
    bool known = pm_fit_load(&p->store, "rows", &entry);

    entry.memory = &p->memory;
    if (known) {
        wire_rows(&entry, p);
        known = pm_wire_done(&entry);
    }
    pm_wire_free(&entry);
    if (!known) {
        forget_rows(p);
        return false;
    }
    p->rows.programs = p->programs.count;
    p->rows.sources = p->sources.count;
    pm_pooled_classify(p);
    return true;
}

void pm_pooled_save_rows(pm_pooled *p)
{
    pm_wire entry = PM_WIRE_WRITER;

    wire_rows(&entry, p);
    pm_fit_save(&p->store, "rows", p->gpus, p->gpu_count, &entry);
}

/* ---- fits ----------------------------------------------------------------------------------- */

/* Returns the name of a fit's cache entry. It contains a digest of `seen`, the rows from which the
 * fit learned. */
static const char *name_fit(pm_pooled *p, const bool *seen)
{
    char digest[PM_DIGEST_TEXT];

    pm_digest_print(pm_digest_of(seen, p->rows.n * sizeof *seen), digest);
    return pm_format(&p->memory, "fit to rows %s", digest);
}

bool pm_pooled_load_fit(pm_pooled *p, const bool *seen, pm_hierarchy **h)
{
    pm_wire entry;

    *h = NULL;
    if (pm_fit_load(&p->store, name_fit(p, seen), &entry))
        pm_hierarchy_wire(&entry, &p->rows, h);
    pm_wire_free(&entry);
    return *h != NULL;
}

void pm_pooled_save_fit(pm_pooled *p, const bool *seen, pm_hierarchy *h)
{
    pm_wire entry = PM_WIRE_WRITER;

    pm_hierarchy_wire(&entry, &p->rows, &h);
    pm_fit_save(&p->store, name_fit(p, seen), p->gpus, p->gpu_count, &entry);
}
