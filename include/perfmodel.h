/* perfmodel: predicts what an optimization of a GPU kernel is worth before it is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This header declares the whole interface of the library. Programs include it and no other header.
 * Each subject has a header of its own, which includes the headers whose types it uses.
 *
 * Ownership: opaque types come in create/free pairs. Freeing NULL does nothing. What a result
 * points to is freed with the result, unless a comment names another owner.
 *
 * Threads: the library has no global state. Two threads may use it at the same time if each uses
 * its own objects. GSL has one error handler per process. The library leaves the caller's handler
 * in place, but the handler does not see failures in a thread in which the library computes.
 *
 * Errors: a function that can fail returns a pm_status, or a pointer that is NULL on failure. Its
 * last argument is a pm_error. On failure the pm_error says in one line what went wrong, where, and
 * what to do.
 *
 * Units: times are seconds and sizes are bytes unless a name says otherwise. NaN means that a
 * number is unknown. Intervals are 90 % intervals: they end at the 5 % and the 95 % quantile.
 *
 * Versions: the interface has a major version (PM_API_VERSION), which is also the number in the
 * name of the shared library. Within one major version, a program that was built with an older
 * header runs with a newer library:
 * - Functions and values of enumerations are only added.
 * - Structs keep their size and members keep their offset. New members replace reserved
 *   words at the end of a struct. So structs may be copied, embedded and listed in arrays.
 * - Reserved words are 0. The caller zeroes a struct before filling it
 *   (`pm_trace_options options = {0}`, or by naming members), because 0 is the default of each
 *   member that a later version adds.
 * - A function returns PM_BAD_INPUT if a reserved word of its options is not 0. So a program that
 *   asks an older library for a newer option gets an error.
 * - A struct whose comment ends with "No later version adds members." has no reserved words and
 *   never changes.
 */
#ifndef PERFMODEL_H
#define PERFMODEL_H

#include "perfmodel/core.h" /* core.h comes first, because the other headers use its types */

#include "perfmodel/advise.h"
#include "perfmodel/capture.h"
#include "perfmodel/check.h"
#include "perfmodel/collect.h"
#include "perfmodel/cost.h"
#include "perfmodel/dataset.h"
#include "perfmodel/device.h"
#include "perfmodel/document.h"
#include "perfmodel/launch.h"
#include "perfmodel/predict.h"
#include "perfmodel/report.h"
#include "perfmodel/roofline.h"
#include "perfmodel/session.h"
#include "perfmodel/trace.h"
#include "perfmodel/transform.h"
#include "perfmodel/tune.h"

#endif
