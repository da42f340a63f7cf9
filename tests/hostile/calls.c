/* The library as a caller uses it. See calls.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "calls.h"

/* Kernels that never end are stopped early, so that there is time for the other cases. */
static const double step_limit = 200000;

pm_status hostile_open(const pm_log *log, pm_error *err)
{
    (void)log;
    (void)err;
    return PM_OK;
}

void hostile_close(void)
{
}

static pm_status trace(pm_session *session, const hostile_case *c, pm_error *err)
{
    const pm_trace_options options = {.target = "h100", .workload = c->workload};

    if (pm_trace_run(session, NULL, NULL, NULL, &options, err))
        return PM_OK;
    return err->status == PM_OK ? PM_FAILED : err->status;
}

static pm_status advise(pm_session *session, const hostile_case *c, pm_error *err)
{
    const pm_advise_options options = {
        .target = c->number % 2 ? "gtx980" : "h100", .workload = c->workload, .clusters = 1};
    pm_advice *result = pm_advise(session, &options, err);

    if (!result)
        return err->status == PM_OK ? PM_FAILED : err->status;
    pm_advice_free(result);
    return PM_OK;
}

static pm_status transform(pm_session *session, const hostile_case *c, const char *layouts,
                           pm_error *err)
{
    const pm_transform_options options = {
        .layouts = layouts, .build_options = c->options, .work_group = {64, 1, 1}};
    pm_transformed out = {0};
    pm_status status = pm_transform_source(session, c->text, c->source, &options, &out, err);

    pm_transformed_free(&out);
    return status;
}

static pm_status call_in(pm_session *session, unsigned call, const hostile_case *c, pm_error *err)
{
    static const char *const layouts[] = {"soa", "aos-align", "asta:4", "aos-align8"};

    switch (call) {
    case 0:
        return trace(session, c, err);
    case 1:
        return advise(session, c, err);
    case 2:
        return c->text ? transform(session, c, layouts[c->number % 4], err) : PM_OK;
    default:
        return c->text ? transform(session, c, "shared", err) : PM_OK;
    }
}

/* Each call has a session of its own, because the next case has other contents in files with the
 * same names. */
pm_status hostile_call(unsigned call, const hostile_case *c, const pm_log *log, pm_error *err)
{
    const pm_session_options options = {.step_limit = step_limit, .log = *log};
    pm_session *session = pm_session_create(&options, err);
    pm_status status = session ? call_in(session, call, c, err) : err->status;

    pm_session_free(session);
    return status;
}
