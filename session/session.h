/* What commands share, as the rooms above see it: its options, and things that it keeps for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session knows nothing of what it keeps: each room has a kind of its own, finds by a key what it
 * has made before, and says how it is freed. Where a function here takes NULL for a session, it is
 * one with default options that keeps nothing.
 */
#ifndef PM_SESSION_SESSION_H
#define PM_SESSION_SESSION_H

#include "base/cancel.h"
#include "perfmodel.h"

/* Its options, as they were chosen. session may be NULL. */
const pm_session_options *pm_session_chosen(const pm_session *session);
const pm_log *pm_session_log(const pm_session *session);

/* Whether the user wants to stop. session may be NULL. */
bool pm_session_is_cancelled(const pm_session *session);
/* The same for what asks by itself, as long as the session lives. session may be NULL. */
pm_cancel pm_session_cancel(pm_session *session);
/* PM_FAILED, interrupted, if so: to be asked between the steps of long work. */
pm_status pm_session_go_on(const pm_session *session, pm_error *err);
/* The status of a step that has ended; a failure after the user asked to stop counts as
 * interrupted. */
pm_status pm_session_end_step(const pm_session *session, pm_status status, pm_error *err);

/* Tells in a notice what was left out and why, and counts it (pm_session_left_out). */
void pm_session_leave_out(pm_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Shows that of so many steps (0: not known yet) so many are done, and what the next one is. */
void pm_session_show(const pm_session *session, size_t done, size_t total, const char *step);

/* From here on, steps are shown as parts of the caller's own step, with prefix in front. prefix
 * NULL ends that. session is not NULL. */
void pm_session_show_within(pm_session *session, size_t done, size_t total, const char *prefix);

/* What was kept under this key; NULL: nothing, or session is NULL. */
void *pm_session_find(const pm_session *session, const char *kind, const char *key);
/* Things that a session makes where it has none yet. */
typedef struct {
    const char *name;
    size_t bytes;
    /* Fills a zeroed one; user is what pm_session_have was given. */
    pm_status (*fill)(pm_session *session, void *object, const void *user, pm_error *err);
    void (*release)(void *object); /* also of one that was filled in part */
} pm_session_kind;
/* What is kept under the key, filled first if nothing is. NULL with err. session is not NULL. */
const void *pm_session_have(pm_session *session, const pm_session_kind *kind, const char *key,
                            const void *user, pm_error *err);
/* Keeps an object, which is the session's from here on, also on failure. Objects are released in
 * the opposite order, so that one may point to another that was kept before it. */
pm_status pm_session_keep(pm_session *session, const char *kind, const char *key, void *object,
                          void (*release)(void *object), pm_error *err);

#endif
