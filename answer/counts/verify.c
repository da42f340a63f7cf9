/* Compares the results of a version of a program with the expected results. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Versions run in the trace engine, because a version may be wrong. It runs kernels in a worker
 * process, and reports an access outside of a buffer or an endless loop with its source line. */
#include "answer/counts/counts.h"
#include "answer/counts/notices.h"
#include "base/cache/cache.h"
#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/executor_trace.h"

static pm_status run(pm_executor *engine, const pm_workload *workload, pm_error *err)
{
    pm_status status = engine->type->load(engine, workload, err);

    if (status == PM_OK)
        status = engine->type->run(engine, NULL, err);
    if (status == PM_OK)
        status = pm_measure_check(engine, workload, err);
    engine->type->unload(engine);
    return status;
}

/* ---- cached verdicts ------------------------------------------------------------------------- */

/* A workload that a transform made points to the workload that it was made from. Returns the first
 * workload of this chain, which has the reference that gives the expected results. */
static pm_workload *original_of(pm_workload *workload)
{
    while (workload->original)
        workload = workload->original;
    return workload;
}

/* Computes the key under which a verdict is cached on disk. It depends on both workloads: the
 * version, and the reference that it is compared with. */
static bool find_key(const pm_executor *engine, pm_workload *workload, pm_cache_key *key)
{
    const pm_workload *plain = original_of(workload);
    pm_wire what = PM_WIRE_WRITER;
    char *name = (char[]){"verdict"};
    bool known;

    pm_wire_name(&what, &name);
    known = pm_executor_trace_results_key(engine, workload, &what, &engine->log) &&
            (!plain->reference ||
             pm_executor_trace_results_key(engine, plain->reference, &what, &engine->log)) &&
            !what.failed;
    *key = pm_cache_key_of(PM_CACHE_COUNTS, &what);
    pm_wire_free(&what);
    return known;
}

/* Returns true if the cache key of the verdict is the same after the variant and its reference were
 * run. The key differs if a header has changed meanwhile. expected: outputs of the reference as
 * they were before the run. The first key was computed from them, so the second key must be
 * computed from them, too. */
static bool is_same(const pm_executor *engine, pm_workload *workload, void **expected,
                    const pm_cache_key *key)
{
    pm_workload *original = original_of(workload);
    void **now = original->expected;
    pm_cache_key after;
    bool same;

    original->expected = expected;
    same = find_key(engine, workload, &after) && pm_digest_equal(key->digest, after.digest);
    original->expected = now;
    return same;
}

/* Returns true if the disk cache has the verdict that the workload's results are right, and then
 * logs the stored notices again. Other verdicts are not cached. */
static bool was_right(pm_executor *engine, const pm_cache_key *key)
{
    pm_notices notices = {.count = 0};
    pm_wire entry;
    bool right;

    if (!pm_cache_read(pm_executor_trace_cache(engine), key, &entry))
        return false;
    pm_notices_wire(&entry, &notices);
    right = pm_wire_done(&entry);
    if (right)
        pm_notices_tell(&notices, &engine->log);
    pm_wire_free(&entry);
    return right;
}

/* ---- verifying ------------------------------------------------------------------------------- */

static pm_verdict verify(pm_session *session, pm_executor *engine, pm_workload *workload,
                         pm_error *err)
{
    if (pm_measure_reference(engine, workload, err) != PM_OK)
        return PM_UNVERIFIED;
    if (run(engine, workload, err) == PM_OK)
        return PM_RIGHT;
    return pm_session_is_cancelled(session) ? PM_UNVERIFIED : PM_WRONG;
}

/* Compares the results of a workload with those of its reference, and caches the verdict PM_RIGHT.
 * Other verdicts are not cached. */
static pm_verdict verify_and_keep(pm_session *session, pm_executor *engine, pm_workload *workload,
                                  const pm_cache_key *key, pm_error *err)
{
    const pm_log log = engine->log;
    void **expected = original_of(workload)->expected;
    pm_wire entry = PM_WIRE_WRITER;
    pm_notices notices;
    pm_verdict verdict;

    engine->log = pm_notices_note(&notices, &log);
    verdict = verify(session, engine, workload, err);
    engine->log = log;
    pm_notices_wire(&entry, &notices);
    if (verdict == PM_RIGHT && !entry.failed && pm_executor_trace_is_final(engine) &&
        is_same(engine, workload, expected, key))
        pm_cache_write(pm_executor_trace_cache(engine), key, &entry);
    pm_wire_free(&entry);
    pm_notices_free(&notices);
    return verdict;
}

pm_verdict pm_verify(pm_session *session, const char *target, pm_workload *workload, pm_error *err)
{
    pm_executor *engine = pm_counts_engine(session, target, err);
    pm_cache_key key;

    if (!engine)
        return PM_UNVERIFIED;
    if (!pm_executor_trace_cache(engine) || !find_key(engine, workload, &key))
        return verify(session, engine, workload, err);
    if (was_right(engine, &key))
        return PM_RIGHT;
    return verify_and_keep(session, engine, workload, &key, err);
}
