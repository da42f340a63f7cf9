/* perfmodel: what an optimization of a GPU kernel is worth, before it is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library's interface, a header for each part of it, in which each uses types of those before
 * it. Programs include this one.
 *
 * Opaque types come in create/free pairs; freeing NULL does nothing. There is no global state: two
 * threads may use the library at once, each on its own objects. GSL's error handler, of which a
 * process has one, stays the caller's: it misses only failures in a thread while the library
 * computes there.
 *
 * Errors: a function that can fail returns a pm_status (or a pointer, NULL on failure) and takes a
 * pm_error as its last argument, which then says in one line what went wrong, where, and what to
 * do. Times are seconds, sizes are bytes unless a name says otherwise. An unknown number is NaN.
 *
 * Versions: within one major version of the interface (PM_API_VERSION, and the number in the name
 * of the shared library) a program that was built with an older header runs with a newer library.
 * Functions and values of enumerations are only added. Structs keep their size and members their
 * place: new members come out of the reserved words at a struct's end, so that structs may be
 * copied, embedded and listed in arrays. Reserved words are 0. A struct that the caller fills is
 * zeroed first (`pm_trace_options options = {0}`, or by naming members), as 0 is the default of all
 * members that later versions add. A function refuses options with reserved words that are not 0,
 * so that a program that asks an older library for something new is told. Structs without reserved
 * words are said to be complete, and never change.
 */
#ifndef PERFMODEL_H
#define PERFMODEL_H

#include "perfmodel/core.h" /* first: the others need it */

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
