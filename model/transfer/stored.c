/* Reads and writes the training rows and the fitted parameters of the units model in the cache. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS };

pm_fit_store pm_trained_store(pm_session *session, const pm_trained *trained)
{
    return pm_fit_store_of(session, "one set of parameters for all", trained->gpus,
                           trained->gpu_count, trained->classes);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Writes the name of the program of each group of training rows to the byte stream, or reads the
 * names. */
static void wire_rows(pm_wire *wire, pm_memory *memory, pm_transfer_rows *rows)
{
    size_t groups = rows->of.groups;
    char **names = (char **)rows->program;

    PM_WIRE_ARRAY(wire, names, groups);
    for (size_t g = 0; g < groups; g++)
        pm_wire_name(wire, &names[g]);
    if (wire->writing || !pm_wire_done(wire))
        return;
    rows->of.groups = groups;
    rows->program = (const char **)names;
    rows->class = pm_take(memory, groups, sizeof *rows->class);
}

bool pm_trained_load_rows(pm_trained *trained)
{
    pm_transfer_rows *rows = &trained->rows;
    pm_wire entry;
    bool known = pm_fit_load(&trained->store, "rows", &entry);

    entry.memory = &trained->memory;
    if (known) {
        wire_rows(&entry, &trained->memory, rows);
        known = pm_wire_done(&entry);
    }
    for (size_t g = 0; known && g < rows->of.groups; g++)
        rows->class[g] = pm_class_of(trained->classes, rows->program[g]);
    pm_wire_free(&entry);
    return known;
}

void pm_trained_save_rows(const pm_trained *trained)
{
    pm_transfer_rows rows = trained->rows;
    pm_wire entry = PM_WIRE_WRITER;

    wire_rows(&entry, NULL, &rows);
    pm_fit_save(&trained->store, "rows", trained->gpus, trained->gpu_count, &entry);
}

/* ---- sets ----------------------------------------------------------------------------------- */

/* Returns the name of the cache entry of a set of fitted parameters. It tells how the programs or
 * classes are divided into folds, and which fold the fit leaves out. */
static const char *name_set(pm_memory *memory, const pm_trained *trained,
                            const pm_transfer_set *set)
{
    const size_t fold = set->left_out;

    if (fold == set->cut->folds)
        return "set of all";
    if (set->cut == &trained->programs)
        return pm_format(memory, "set without programs %zu", fold);
    if (set->cut == &trained->kinds)
        return pm_format(memory, "set without classes %zu", fold);
    return pm_format(memory, "set without classes %zu, %s being %s", fold, trained->renamed,
                     trained->renamed_class);
}

/* Writes the fitted parameters of a set to the byte stream, or reads them into trained->memory.
 * set->cut must be set before. */
static void wire_set(pm_wire *wire, pm_trained *trained, pm_transfer_set *set)
{
    bool by_class = wire->writing && set->inner == &trained->kinds;

    pm_wire_flag(wire, &by_class);
    set->inner = by_class ? &trained->kinds : &trained->programs;
    if (!wire->writing) {
        set->fitted = pm_take(&trained->memory, P, sizeof *set->fitted);
        set->without = pm_take(&trained->memory, set->inner->folds * P, sizeof *set->without);
    }
    pm_wire_raw(wire, set->fitted, P * sizeof *set->fitted);
    pm_wire_raw(wire, set->without, set->inner->folds * P * sizeof *set->without);
    PM_WIRE_NUMBER(wire, set->spread.point);
    PM_WIRE_NUMBER(wire, set->spread.lo);
    PM_WIRE_NUMBER(wire, set->spread.hi);
}

bool pm_trained_load_set(pm_trained *trained, pm_transfer_set *set)
{
    pm_wire entry;
    bool known = pm_fit_load(&trained->store, name_set(&trained->memory, trained, set), &entry);

    if (known) {
        wire_set(&entry, trained, set);
        known = pm_wire_done(&entry);
    }
    pm_wire_free(&entry);
    return known;
}

void pm_trained_save_set(pm_trained *trained, const pm_transfer_set *set)
{
    pm_transfer_set copy = *set;
    pm_wire entry = PM_WIRE_WRITER;

    wire_set(&entry, trained, &copy);
    pm_fit_save(&trained->store, name_set(&trained->memory, trained, set), trained->gpus,
                trained->gpu_count, &entry);
}
