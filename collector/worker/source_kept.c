/* Stores a worker's answers about a source (its description, or the rewritten text) in the cache,
 * and reads them. See source_kept.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/source_kept.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/identity.h"
#include "collector/worker/process.h"
#include "compiler/clang_key.h"
#include "compiler/clang_place.h"
#include "compiler/compiled.h"
#include "compiler/run_clang.h"

/* Adds everything to the cache key on which libclang's answer about a source depends: arguments,
 * source, and the files that it may include. These are the same files that the clang compiler reads
 * with these arguments. */
static bool write_input(const pm_question *q, pm_wire *key)
{
    const pm_open_message *open = q->open;
    pm_compiler_limits limits = *pm_compiler_limits_of(q->compiler);
    char *clang;
    char headers[PATH_MAX];
    pm_error unread = {0};
    pm_clang_input input = {.arguments = q->arguments,
                            .source = open->parsed ? open->parsed : open->text,
                            .path = open->path};

    if (pm_compiler_program(q->compiler, &clang, &unread) != PM_OK ||
        !pm_clang_headers(clang, headers, sizeof headers))
        return false;
    /* the limits are part of the key, because a worker may fail at a limit */
    PM_WIRE_NUMBER(key, limits.memory_bytes);
    PM_WIRE_NUMBER(key, limits.seconds);
    input.headers = headers;
    input.tools = pm_compiled_tools(pm_compiler_compiled(q->compiler), clang, headers);
    return pm_clang_key_write(&input, key);
}

static bool write_programs(const pm_question *q, pm_wire *key)
{
    pm_digest libraries = pm_compiled_libraries(pm_compiler_compiled(q->compiler));
    char path[PATH_MAX];
    pm_error unread = {0};

    if (pm_worker_program(path, sizeof path, &unread) != PM_OK)
        return false;
    pm_identity_file(key, path);
    PM_WIRE_NUMBER(key, libraries);
    return true;
}

static pm_cache *cache_of(const pm_question *q)
{
    return pm_compiler_limits_of(q->compiler)->cache;
}

/* Computes the cache key of a question (a request about a source whose answer may be cached).
 * Returns false if the answer may depend on something that is not in the key, or if there is no
 * cache. */
static bool find_key(const pm_question *q, pm_cache_key *key)
{
    pm_open_message open = *q->open;
    uint32_t kind = q->kind;
    size_t bytes = q->body ? q->body->bytes : 0;
    pm_wire what = PM_WIRE_WRITER;
    bool known;

    if (!cache_of(q))
        return false;
    PM_WIRE_NUMBER(&what, kind);
    pm_wire_bytes(&what, q->body ? q->body->data : NULL, &bytes);
    pm_wire_open(&what, &open);
    known = write_programs(q, &what) && write_input(q, &what) && !what.failed &&
            !(q->body && q->body->failed);
    *key = pm_cache_key_of(PM_CACHE_SOURCES, &what);
    pm_wire_free(&what);
    return known;
}

void pm_question_aim(pm_question *q, void (*read)(pm_wire *answer, void *user), void *result,
                     size_t result_bytes, pm_memory *memory)
{
    q->read = read;
    q->user = q->result = result;
    q->result_bytes = result_bytes;
    q->memory = memory;
}

/* Reads an answer from an entry of the cache. Returns false if the entry is damaged. */
static bool read_entry(pm_question *q, pm_wire *entry, pm_status *status, pm_error *err)
{
    char text[sizeof err->text];
    size_t said = PM_FAILED;
    bool whole;

    pm_wire_below(entry, &said, PM_BAD_INPUT + 1);
    if (said == PM_BAD_INPUT)
        pm_wire_chars(entry, text, sizeof text);
    else
        q->read(entry, q->user);
    whole = pm_wire_done(entry) && said != PM_FAILED;
    if (whole)
        *status = said == PM_OK ? PM_OK : pm_fail(err, PM_BAD_INPUT, "%s", text);
    return whole;
}

bool pm_question_find(pm_question *q, pm_status *status, pm_error *err)
{
    pm_wire entry;
    bool whole;

    q->known = find_key(q, &q->key);
    if (!q->known || !pm_cache_read(cache_of(q), &q->key, &entry))
        return false;
    whole = read_entry(q, &entry, status, err);
    pm_wire_free(&entry);
    if (!whole) {
        pm_memory_free(q->memory);
        memset(q->result, 0, q->result_bytes);
    }
    return whole;
}

void pm_question_note(pm_wire *answer, void *user)
{
    pm_question *q = user;
    const size_t from = answer->at;

    q->read(answer, q->user);
    pm_wire_free(&q->answer);
    q->answer = PM_WIRE_WRITER;
    if (answer->failed)
        q->answer.failed = true;
    else
        pm_wire_raw(&q->answer, answer->data + from, answer->at - from);
}

static pm_wire entry_of(const pm_question *q, pm_status status, const pm_error *err)
{
    pm_wire entry = PM_WIRE_WRITER;
    size_t said = status;

    PM_WIRE_NUMBER(&entry, said);
    if (status == PM_OK) {
        pm_wire_raw(&entry, q->answer.data, q->answer.bytes);
        entry.failed |= q->answer.failed;
    } else {
        pm_wire_chars(&entry, (char *)(uintptr_t)err->text, sizeof err->text);
    }
    return entry;
}

void pm_question_keep(pm_question *q, pm_status status, const pm_error *err)
{
    const bool final = status == PM_OK ? q->answer.data != NULL : status == PM_BAD_INPUT && err;
    pm_cache_key after;

    if (final && q->known && find_key(q, &after) && pm_digest_equal(q->key.digest, after.digest)) {
        pm_wire entry = entry_of(q, status, err);

        pm_cache_write(cache_of(q), &q->key, &entry);
        pm_wire_free(&entry);
    }
    pm_wire_free(&q->answer);
}
