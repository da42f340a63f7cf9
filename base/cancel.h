/* Lets a caller cancel long work.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CANCEL_H
#define PM_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* The waiting thread calls asked(user) several times a second (NULL: the work cannot be cancelled).
 * Once it returns true, the work ends with PM_FAILED. */
typedef struct {
    bool (*asked)(void *user);
    void *user;
} pm_cancel;

static inline bool pm_cancelled(const pm_cancel *cancel)
{
    return cancel->asked && cancel->asked(cancel->user);
}

#endif
