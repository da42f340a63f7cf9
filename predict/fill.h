/* Fits that most commands need, computed ahead of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PREDICT_FILL_H
#define PM_PREDICT_FILL_H

#include "perfmodel.h"

/* Fits, and so puts into the session's cache, what predictions for each GPU need that has times of
 * its own, and for all others together. */
pm_status pm_fits_fill(pm_session *session, pm_error *err);

#endif
