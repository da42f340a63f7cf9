/* Lets a caller cancel long work.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CANCEL_H
#define PM_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* Callback by which long work learns that the user has cancelled it. The thread that waits for the
 * work calls asked(user) several times a second. If asked returns true, the work ends with
 * PM_FAILED. asked NULL: the work cannot be cancelled. */
typedef struct {
    bool (*asked)(void *user);
    void *user;
} pm_cancel;

static inline bool pm_cancelled(const pm_cancel *cancel)
{
    return cancel->asked && cancel->asked(cancel->user);
}

#endif
