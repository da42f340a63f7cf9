/* Cached answers about sources: a source is parsed and rewritten once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SOURCE_KEPT_H
#define PM_COLLECTOR_WORKER_SOURCE_KEPT_H

#include "base/cache/cache.h"
#include "collector/worker/messages.h"
#include "collector/worker/requests.h"
#include "compiler/compile.h"

/* A question about a source, and the destination of its answer. */
typedef struct {
    pm_compiler *compiler; /* its cache is used */
    const pm_open_message *open;
    const pm_arguments *arguments; /* of libclang */
    pm_request kind;
    const pm_wire *body; /* request body without the source's number; NULL: empty */
    /* Reads an answer for user, into `result`. The result has result_bytes bytes, which start as
     * zeros, and owns `memory`. */
    void (*read)(pm_wire *answer, void *user);
    void *user, *result;
    size_t result_bytes;
    pm_memory *memory;
    /* Internal state, which starts as zeros. */
    bool known; /* the key is valid */
    pm_cache_key key;
    pm_wire answer;
} pm_question;

/* Sets the destination of the answer; user is the result. */
void pm_question_aim(pm_question *question, void (*read)(pm_wire *answer, void *user), void *result,
                     size_t result_bytes, pm_memory *memory);
/* Reads the cached answer. *status is PM_OK, or PM_BAD_INPUT with err if the source was refused.
 * Returns false if there is none; the result is then all zeros. */
bool pm_question_find(pm_question *question, pm_status *status, pm_error *err);
/* Reads the worker's answer and records it for pm_question_keep; user is the question. */
void pm_question_note(pm_wire *answer, void *user);
/* Caches the recorded answer (status PM_OK) or the refusal err (PM_BAD_INPUT; NULL: do not cache
 * refusals), except if a file of the source has changed meanwhile. Every question needs this call,
 * which also frees the recorded answer. */
void pm_question_keep(pm_question *question, pm_status status, const pm_error *err);

#endif
