/* Runs clang, or takes its output from the cache if clang was run with the same input before. See
 * run_clang.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <string.h>

#include "compiler/clang_key.h"
#include "compiler/clang_messages.h"
#include "compiler/clang_place.h"
#include "compiler/compiled.h"
#include "compiler/run_clang.h"

bool pm_run_clang_key(pm_compiler *compiler, const pm_arguments *arguments, const char *source,
                      const char *path, pm_wire *key)
{
    const char *clang = arguments->count > 0 ? arguments->items[0] : "";
    pm_compiler_limits limits = *pm_compiler_limits_of(compiler);
    char headers[PATH_MAX];
    pm_clang_input input = {
        .headers = headers, .arguments = arguments, .source = source, .path = path};

    /* A program without clang's headers beside it may be a script that starts a clang of any
     * version. Its output is not cached. */
    if (!pm_clang_headers(clang, headers, sizeof headers))
        return false;
    /* the limits are part of the key, because clang may fail with little memory or time */
    PM_WIRE_NUMBER(key, limits.memory_bytes);
    PM_WIRE_NUMBER(key, limits.seconds);
    input.tools = pm_compiled_tools(pm_compiler_compiled(compiler), clang, headers);
    return pm_clang_key_write(&input, key);
}

static bool find_key(pm_compiler *compiler, const pm_arguments *arguments, const char *source,
                     const char *path, pm_cache_key *key)
{
    pm_wire what = PM_WIRE_WRITER;
    bool known = pm_run_clang_key(compiler, arguments, source, path, &what);

    *key = pm_cache_key_of(PM_CACHE_BITCODE, &what);
    pm_wire_free(&what);
    return known;
}

pm_status pm_run_clang_once(pm_compiler *compiler, const pm_arguments *arguments,
                            const char *source, const char *path, pm_subprocess_result *result,
                            const pm_log *log, pm_error *err)
{
    pm_compiled *compiled = pm_compiler_compiled(compiler);
    pm_clang_findings found = {.errors = 0};
    pm_cache_key key, after;
    const bool known = find_key(compiler, arguments, source, path, &key);
    pm_status status;

    if (known && pm_compiled_find(compiled, &key, result)) {
        pm_clang_read_messages(result->messages, log, &found);
        return PM_OK;
    }
    status = pm_run_clang_linked(compiler, arguments, source, path, result, log, err);
    /* Compute the key again. If it differs, a header changed while clang ran, and the output is not
     * cached. */
    if (status == PM_OK && known && find_key(compiler, arguments, source, path, &after) &&
        pm_digest_equal(key.digest, after.digest))
        pm_compiled_keep(compiled, &key, result);
    return status;
}
