/* Makes sessions for tests, with seed 1 and options that the test chooses. They are freed after the
 * test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SESSION_FIXTURE_H
#define PM_TESTS_SESSION_FIXTURE_H

#include "owned.h"

static inline pm_session *make_session(pm_session_options options)
{
    options.seed = 1;
    return owned_session(pm_session_create(&options, told()));
}

/* Returns a session that searches a folder first for datasets and devices.csv. */
static inline pm_session *session_of(const char *folder)
{
    return make_session((pm_session_options){.datasets = folder});
}

#endif
