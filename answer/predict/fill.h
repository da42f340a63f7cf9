/* Fits the models of kernel times that most commands need, and stores them in the cache before a
 * command needs them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_PREDICT_FILL_H
#define PM_ANSWER_PREDICT_FILL_H

#include "perfmodel.h"

/* Fits and caches the models that predictions need: one for each GPU with times of its own, and one
 * for all other GPUs. */
pm_status pm_fits_fill(pm_session *session, pm_error *err);

#endif
