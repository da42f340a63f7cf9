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

/* pm_session_chosen returns the options with which a session was created, and pm_session_log the
 * receiver of its notices. Both belong to the session. session may be NULL. */
const pm_session_options *pm_session_chosen(const pm_session *session);
const pm_log *pm_session_log(const pm_session *session);

/* Returns whether the user has cancelled the work, by the session's flag `cancel` or its callback
 * `stop`. session may be NULL. */
bool pm_session_is_cancelled(const pm_session *session);
/* Returns a callback that tells whether the user has cancelled the work, for code that does not
 * know sessions. The returned callback is valid while the session exists. It calls the session's
 * callback `stop` at most every 20 ms, and no more after `stop` has returned true. session may be
 * NULL. */
pm_cancel pm_session_cancel(pm_session *session);
/* Returns PM_FAILED with the message "interrupted" if the user has cancelled the work. Long work
 * calls this function between its steps. session may be NULL. */
pm_status pm_session_go_on(const pm_session *session, pm_error *err);
/* Returns the status to report for a step that has finished with `status`. If the step failed and
 * the user has cancelled the work, returns PM_FAILED with the message "interrupted". Otherwise
 * returns `status` unchanged. session may be NULL. */
pm_status pm_session_end_step(const pm_session *session, pm_status status, pm_error *err);

/* Logs a notice that a part of the work was left out, and increments the number that
 * pm_session_left_out returns. format: the omitted part and the reason. session may be NULL. */
void pm_session_leave_out(pm_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports progress to the user: `done` of `total` steps are finished, and `step` is the next one.
 * total is 0 if the number of steps is not known yet. session may be NULL. */
void pm_session_show(const pm_session *session, size_t done, size_t total, const char *step);

/* Announces a longer step of the work, during which pm_session_show is called for substeps. Until
 * this function is called with prefix NULL, pm_session_show ignores the numbers of the substeps and
 * shows `done` and `total` of the longer step, and `prefix` before the substep's name. session must
 * not be NULL. */
void pm_session_show_within(pm_session *session, size_t done, size_t total, const char *prefix);

/* Returns the object that is cached in the session under a kind and a key. The session owns it.
 * NULL: there is none, or session is NULL. */
void *pm_session_find(const pm_session *session, const char *kind, const char *key);
/* A kind of cached objects, and how pm_session_have creates and frees one. */
typedef struct {
    const char *name; /* name of the kind, static */
    size_t bytes;     /* size of an object */
    /* Fills a new object, whose bytes are 0. user: the argument of pm_session_have. If fill fails,
     * `release` is called for the object, too. */
    pm_status (*fill)(pm_session *session, void *object, const void *user, pm_error *err);
    /* frees the contents of an object, which may be filled only in part */
    void (*release)(void *object);
} pm_session_kind;
/* Returns the object that is cached in the session under a kind and a key. If there is none,
 * creates it with kind->fill. The session owns the object. NULL on failure. session must not be
 * NULL. */
const void *pm_session_have(pm_session *session, const pm_session_kind *kind, const char *key,
                            const void *user, pm_error *err);
/* Adds an object to the session's cache. The session then owns it and calls `release` at its end.
 * If adding fails, the object is released at once. Objects are released in reverse order, so an
 * object may point to objects that were added earlier. The text `kind` must be static; `key` is
 * copied. */
pm_status pm_session_keep(pm_session *session, const char *kind, const char *key, void *object,
                          void (*release)(void *object), pm_error *err);

#endif
