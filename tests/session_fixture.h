/* Sessions for tests: seed 1, and what else a test chooses; freed behind it.
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

/* A session that searches a folder first for datasets and devices.csv. */
static inline pm_session *session_of(const char *folder)
{
    return make_session((pm_session_options){.datasets = folder});
}

#endif
