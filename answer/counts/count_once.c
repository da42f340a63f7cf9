/* Stores the events that were counted for a workload in the cache, so that the trace engine runs
 * the workload only once. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An entry has the counts of each kernel and the notices of the run. Whenever the entry is read,
 * the notices are logged again. Only successful runs are cached.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/counts/counts.h"
#include "answer/counts/notices.h"
#include "base/cache/cache.h"
#include "base/error.h"
#include "collector/worker/executor_trace.h"
#include "collector/worker/messages.h"

/* ---- the key --------------------------------------------------------------------------------- */

static void ignore(void *user, const char *line)
{
    (void)user;
    (void)line;
}

static void write_table(pm_wire *key, const pm_counter_table *table)
{
    for (size_t i = 0; i < pm_counter_table_size(table); i++) {
        char *name = (char *)(uintptr_t)pm_counter_name(table, i);
        char *property = (char *)(uintptr_t)pm_counter_launch_property(table, i);

        pm_wire_name(key, &name);
        pm_wire_text(key, &property);
    }
}

/* Computes the key under which the counts of a workload are cached on disk. The computation logs
 * notices about build options, once for each compiler. These notices are not stored in a cache
 * entry, because they are logged in any case. If the engine has no log, they are passed to
 * `ignore`, which discards them. */
static bool find_key(const pm_workload_counts *c, pm_cache_key *key)
{
    const pm_log nobody = {ignore, NULL};
    bool tables = c->tables, any_results = c->any_results;
    pm_wire what = PM_WIRE_WRITER;
    bool known;

    pm_wire_flag(&what, &tables);
    pm_wire_flag(&what, &any_results);
    write_table(&what, c->table);
    known = pm_executor_trace_key(c->engine, c->workload, &what,
                                  c->engine->log.fn ? &c->engine->log : &nobody) &&
            !what.failed;
    *key = pm_cache_key_of(PM_CACHE_COUNTS, &what);
    pm_wire_free(&what);
    return known;
}

/* ---- an entry -------------------------------------------------------------------------------- */

/* Byte that precedes a counter in a cache entry. VALUE: its value follows; ERROR: its standard
 * error follows; NO_ERROR: the standard error is 0 and does not follow. Without VALUE or ERROR, the
 * number is unknown (NaN) and does not follow. KINDS: number of possible bytes. */
enum { VALUE = 1, ERROR = 2, NO_ERROR = 4, KINDS = 8 };

static uint8_t kind_of(double value, double error)
{
    const int of_error = error == 0 && !signbit(error) ? NO_ERROR : isnan(error) ? 0 : ERROR;

    return (uint8_t)((isnan(value) ? 0 : VALUE) | of_error);
}

static void wire_counter(pm_wire *wire, double *value, double *error)
{
    uint8_t kind = wire->writing ? kind_of(*value, *error) : 0;

    PM_WIRE_NUMBER(wire, kind);
    wire->failed |= kind >= KINDS;
    if (!wire->writing) {
        *value = (double)NAN;
        *error = kind & NO_ERROR ? 0 : (double)NAN;
    }
    if (kind & VALUE)
        PM_WIRE_NUMBER(wire, *value);
    if (kind & ERROR)
        PM_WIRE_NUMBER(wire, *error);
}

static void wire_counts(pm_wire *wire, pm_workload_counts *c)
{
    const size_t cells = c->timing->kernel_count * pm_counter_table_size(c->table);
    size_t count = cells;

    PM_WIRE_NUMBER(wire, count);
    wire->failed |= count != cells;
    for (size_t i = 0; i < cells && !wire->failed; i++)
        wire_counter(wire, &c->values[i], &c->errors[i]);
    pm_wire_chars(wire, c->registers_source, sizeof c->registers_source);
    if (c->tables)
        pm_wire_kernels(wire, &c->accesses);
}

static bool are_kernels_known(const pm_workload_counts *c)
{
    for (size_t k = 0; k < c->accesses.count; k++)
        if (pm_timing_kernel(c->timing, c->accesses.kernels[k].kernel) == c->timing->kernel_count)
            return false;
    return true;
}

/* Reads a cache entry, and logs its notices only if the whole entry is valid. */
static bool read_entry(pm_wire *entry, pm_workload_counts *c)
{
    pm_notices notices = {.count = 0};

    pm_notices_wire(entry, &notices);
    wire_counts(entry, c);
    if (!pm_wire_done(entry) || !are_kernels_known(c)) {
        pm_memory_free(&c->accesses.memory);
        c->accesses = (pm_trace_tables){.count = 0};
        return false;
    }
    pm_notices_tell(&notices, &c->engine->log);
    return true;
}

static void keep(pm_workload_counts *c, const pm_cache_key *key, pm_notices *notices)
{
    pm_wire entry = PM_WIRE_WRITER;

    pm_notices_wire(&entry, notices);
    wire_counts(&entry, c);
    if (!entry.failed)
        pm_cache_write(pm_executor_trace_cache(c->engine), key, &entry);
    pm_wire_free(&entry);
}

/* ---- counting -------------------------------------------------------------------------------- */

static pm_status count(pm_workload_counts *c, pm_error *err)
{
    pm_status status = c->engine->type->load(c->engine, c->workload, err);
    pm_error wrong = {0};

    if (status == PM_OK)
        status = pm_count_kernels(c->engine, c->table, c->workload, c->timing, c->values, c->errors,
                                  c->any_results ? &wrong : NULL, err);
    if (wrong.text[0])
        pm_notice(&c->engine->log, "%s; counted all the same", wrong.text);
    if (status == PM_OK && c->tables)
        status = pm_executor_trace_accesses(c->engine, &c->accesses, err);
    if (status == PM_OK)
        snprintf(c->registers_source, sizeof c->registers_source, "%s",
                 pm_executor_trace_registers(c->engine));
    return status;
}

/* Reads the counts from the cache. Returns false if there is no entry or it is damaged. */
static bool find_entry(pm_workload_counts *c, const pm_cache_key *key)
{
    pm_wire entry;
    bool found;

    if (!pm_cache_read(pm_executor_trace_cache(c->engine), key, &entry))
        return false;
    found = read_entry(&entry, c);
    pm_wire_free(&entry);
    return found;
}

static pm_status count_and_keep(pm_workload_counts *c, const pm_cache_key *key, pm_error *err)
{
    const pm_log log = c->engine->log;
    pm_cache_key after;
    pm_notices notices;
    pm_status status;

    c->engine->log = pm_notices_note(&notices, &log);
    status = count(c, err);
    c->engine->log = log;
    /* The counts are cached only if the key is the same after the run, so that no header and no
     * compiler has changed meanwhile. */
    if (status == PM_OK && pm_executor_trace_is_final(c->engine) && find_key(c, &after) &&
        pm_digest_equal(key->digest, after.digest))
        keep(c, key, &notices);
    pm_notices_free(&notices);
    return status;
}

pm_status pm_count_once(pm_workload_counts *c, pm_error *err)
{
    pm_cache_key key;

    c->accesses = (pm_trace_tables){.count = 0};
    if (!pm_executor_trace_cache(c->engine) || !find_key(c, &key))
        return count(c, err);
    return find_entry(c, &key) ? PM_OK : count_and_keep(c, &key, err);
}
