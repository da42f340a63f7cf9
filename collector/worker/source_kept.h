/* Caches a worker's answers about sources, so that each source is parsed and rewritten only once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SOURCE_KEPT_H
#define PM_COLLECTOR_WORKER_SOURCE_KEPT_H

#include "base/cache/cache.h"
#include "collector/worker/messages.h"
#include "collector/worker/requests.h"
#include "compiler/compile.h"

/* A question to a worker process about a source, such as for its description or for a rewritten
 * text, and where the answer is stored. */
typedef struct {
    pm_compiler *compiler; /* compiler whose cache is used */
    const pm_open_message *open;
    const pm_arguments *arguments; /* of libclang */
    pm_request kind;
    const pm_wire *body; /* request body without the source's number; NULL: empty */
    /* Callback that reads an answer from `answer` into `result`. Before the call, `result` must be
     * result_bytes zero bytes. The data to which the result points are allocated in `memory`. */
    void (*read)(pm_wire *answer, void *user);
    void *user, *result;
    size_t result_bytes;
    pm_memory *memory;
    /* Internal state, which starts as zeros. */
    bool known; /* true: `key` is already computed */
    pm_cache_key key;
    pm_wire answer;
} pm_question;

/* Sets where to store the answer to the question. `read` gets `result` as its argument `user`. */
void pm_question_aim(pm_question *question, void (*read)(pm_wire *answer, void *user), void *result,
                     size_t result_bytes, pm_memory *memory);
/* Reads the cached answer. *status is PM_OK, or PM_BAD_INPUT with err if the source was refused.
 * Returns false if the cache has no answer; the result is then all zeros. */
bool pm_question_find(pm_question *question, pm_status *status, pm_error *err);
/* Callback that reads the worker's answer into the result, and keeps a copy of the answer, which
 * pm_question_keep writes to the cache. user: the pm_question. */
void pm_question_note(pm_wire *answer, void *user);
/* Caches the recorded answer if status is PM_OK, or the error `err` if status is PM_BAD_INPUT (err
 * NULL: do not cache errors). Nothing is cached if a file of the source has changed meanwhile. Call
 * this function once for every question, because it also frees the recorded answer. */
void pm_question_keep(pm_question *question, pm_status status, const pm_error *err);

#endif
