/* How a caller ends what takes long.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CANCEL_H
#define PM_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* asked (NULL: nobody) is called some times a second, from the thread that waits; once it says
 * true, the work ends with PM_FAILED. */
typedef struct {
    bool (*asked)(void *user);
    void *user;
} pm_cancel;

static inline bool pm_cancelled(const pm_cancel *cancel)
{
    return cancel->asked && cancel->asked(cancel->user);
}

#endif
