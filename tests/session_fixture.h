/* Sessions for tests: seed 1, and what else a test chooses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SESSION_FIXTURE_H
#define PM_TESTS_SESSION_FIXTURE_H

#include "perfmodel.h"
#include "unit.h"

static inline pm_session *make_session(pm_session_options options)
{
    pm_session *session;

    options.seed = 1;
    session = pm_session_create(&options, told());
    assert_ok(session);
    return session;
}

/* That looks for datasets and devices.csv in a folder first. */
static inline pm_session *session_of(const char *folder)
{
    return make_session((pm_session_options){.datasets = folder});
}

#endif
