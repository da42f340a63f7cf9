/* Sessions as the library's modules use them: options, cancellation, progress and cached objects.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session caches objects of other modules without knowing their types. Each module has its own
 * kind of object, finds an object by a key, and provides the function that frees it. If a function
 * accepts a session that is NULL, NULL means default options and no cached objects.
 */
#ifndef PM_BASE_SESSION_SESSION_H
#define PM_BASE_SESSION_SESSION_H

#include "base/cancel.h"
#include "perfmodel.h"

/* pm_session_chosen returns a session's options, and pm_session_log its log. Both belong to the
 * session. session may be NULL. */
const pm_session_options *pm_session_chosen(const pm_session *session);
const pm_log *pm_session_log(const pm_session *session);

/* Returns whether the user has cancelled the work: by the option `cancel` or `stop`. session may be
 * NULL. */
bool pm_session_is_cancelled(const pm_session *session);
/* Returns a callback that tests whether the user has cancelled the work, for code that does not
 * know sessions. It is valid while the session exists. If `stop` returned false, it calls `stop`
 * again only after 20 ms. session may be NULL. */
pm_cancel pm_session_cancel(pm_session *session);
/* Returns PM_FAILED with the message "interrupted" if the user has cancelled the work. Long work
 * calls this function between its steps. session may be NULL. */
pm_status pm_session_go_on(const pm_session *session, pm_error *err);
/* Returns the status of a finished step. If the step failed and the user has cancelled the work,
 * the result is PM_FAILED with the message "interrupted". session may be NULL. */
pm_status pm_session_end_step(const pm_session *session, pm_status status, pm_error *err);

/* Logs a notice that a part of the work was left out, and increments pm_session_left_out. format:
 * the omitted part and the reason. session may be NULL. */
void pm_session_leave_out(pm_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports progress to the user: `done` of `total` steps are finished, and `step` is the next one.
 * total is 0 if the number of steps is not known yet. session may be NULL. */
void pm_session_show(const pm_session *session, size_t done, size_t total, const char *step);

/* Makes later calls of pm_session_show report substeps of one step of the caller: they show `done`
 * and `total` given here, and `prefix` before the substep's name. prefix NULL ends this. session
 * must not be NULL. */
void pm_session_show_within(pm_session *session, size_t done, size_t total, const char *prefix);

/* Returns the cached object of a kind with a key. It belongs to the session. NULL: there is none,
 * or session is NULL. */
void *pm_session_find(const pm_session *session, const char *kind, const char *key);
/* Kind of objects that pm_session_have creates on demand. */
typedef struct {
    const char *name; /* name of the kind, static */
    size_t bytes;     /* size of an object */
    /* Fills a zeroed object. user: argument of pm_session_have. If fill fails, release is called
     * for the object. */
    pm_status (*fill)(pm_session *session, void *object, const void *user, pm_error *err);
    void (*release)(void *object); /* frees an object, which may be filled in part */
} pm_session_kind;
/* Returns the cached object of a kind with a key, which the session owns. Creates it with
 * kind->fill if there is none. NULL on failure. session must not be NULL. */
const void *pm_session_have(pm_session *session, const pm_session_kind *kind, const char *key,
                            const void *user, pm_error *err);
/* Adds an object to the session's cache. The session then owns it. If adding fails, the object is
 * released at once. Objects are released in reverse order, so an object may point to objects that
 * were added earlier. kind is static; key is copied. */
pm_status pm_session_keep(pm_session *session, const char *kind, const char *key, void *object,
                          void (*release)(void *object), pm_error *err);

#endif
