/* Finds the kernel launches in the host code of a CUDA or HIP source. A worker process parses the
 * code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/host.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "collector/worker/messages.h"
#include "collector/worker/process.h"
#include "collector/worker/source_kept.h"
#include "compiler/clang_arguments.h"
#include "compiler/cuda_source/code_text.h"
#include "compiler/options/cuda_options.h"
#include "program/build_words.h"
#include "transform/source/set_macros.h"

/* maximum number of bytes of a file that the option -include names */
enum { MOST_BYTES = 16 << 20 };

typedef struct {
    const char *text, *path, *build_options;
    const pm_launch_inputs *inputs;
    size_t set_count; /* number of values NAME=VALUE in inputs->sets */
    pm_worker *worker;
    pm_memory memory;
    pm_arguments arguments;
    pm_open_message open;
    pm_source_launches *out;
} reading;

/* ---- the request --------------------------------------------------------------------------- */

static void check_sets(reading *r)
{
    const char *const *sets = r->inputs->sets;

    for (; sets && sets[r->set_count]; r->set_count++) {
        const char *set = sets[r->set_count];
        size_t length = 0;

        while (pm_is_word(set[length]))
            length++;
        if (length == 0 || set[length] != '=' || !set[length + 1])
            pm_leave(&r->memory, PM_BAD_INPUT,
                     "--set %.100s: write it as NAME=VALUE, for example n=1048576", set);
    }
}

/* Handles a build option -include FILE, which names a file with further host code: passes the
 * option on to clang. Skips the file if it has a function main, because it is then another
 * program. */
static void include_file(reading *r, const char *name)
{
    const char *slash = strrchr(r->path, '/');
    const char *path = *name == '/'
                           ? name
                           : pm_format(&r->memory, "%.*s%s", slash ? (int)(slash - r->path) + 1 : 0,
                                       r->path, name);
    char absolute[PATH_MAX], *text = NULL;

    if (!realpath(path, absolute) ||
        pm_file_read(absolute, MOST_BYTES, "a source", &text, NULL) != PM_OK)
        return;
    if (!pm_code_calls(text, "main")) {
        pm_arguments_add(&r->arguments, "-include");
        pm_arguments_add(&r->arguments, absolute);
    }
    free(text);
}

static void include_files(reading *r)
{
    const char *rest = r->build_options ? r->build_options : "";
    char *word = pm_take(&r->memory, strlen(rest) + 1, 1);
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FILE)
            include_file(r, pm_build_word_file(word));
}

static void make_arguments(reading *r)
{
    char resource[PATH_MAX + 32];
    const char *folder;

    pm_require(&r->memory,
               pm_compiler_headers(pm_worker_compiler(r->worker), &folder, r->memory.err));
    pm_require(&r->memory, pm_host_parse_arguments(&r->arguments, r->memory.err));
    snprintf(resource, sizeof resource, "-resource-dir=%s", folder);
    pm_arguments_add(&r->arguments, resource);
    pm_require(&r->memory,
               pm_cuda_options(r->build_options, &r->arguments, NULL, NULL, r->memory.err));
    pm_require(&r->memory, pm_compiler_add_folder(&r->arguments, r->path, r->memory.err));
    include_files(r);
    if (pm_ends_in(r->path, ".c")) { /* host code in C is parsed as C++ */
        pm_arguments_add(&r->arguments, "-DPM_OF_C=1");
        pm_arguments_add(&r->arguments, "-Drestrict=__restrict__");
    }
    for (size_t i = 0; i < r->set_count; i++)
        if (pm_set_is_macro(r->text, r->inputs->sets[i]))
            pm_arguments_add(&r->arguments, pm_format(&r->memory, "-D%s", r->inputs->sets[i]));
    if (r->arguments.failed)
        pm_leave(&r->memory, PM_FAILED, "out of memory for the arguments of clang");
    r->open.arguments = r->arguments.items;
    r->open.argument_count = r->arguments.count;
}

static void prepare(void *user)
{
    reading *r = user;

    check_sets(r);
    r->open.path = pm_copy(&r->memory, r->path);
    r->open.text = pm_text_without_macros(r->text, r->inputs->sets, &r->memory);
    make_arguments(r);
}

/* ---- sending the request ------------------------------------------------------------------- */

static void read_launches(pm_wire *answer, void *user)
{
    pm_wire_launches(answer, user);
}

static void write_inputs(pm_wire *wire, reading *r)
{
    char **sets = (char **)(uintptr_t)r->inputs->sets;
    char **arguments = (char **)(uintptr_t)r->inputs->arguments;
    bool has_arguments = arguments != NULL;
    uint64_t most = r->inputs->most;
    size_t count = 0;

    while (arguments && arguments[count])
        count++;
    pm_wire_names(wire, &sets, &r->set_count);
    pm_wire_flag(wire, &has_arguments);
    pm_wire_names(wire, &arguments, &count);
    PM_WIRE_NUMBER(wire, most);
}

static pm_status ask(reading *r, pm_error *err)
{
    uint64_t generation = 0;
    pm_wire names = PM_WIRE_WRITER, body = PM_WIRE_WRITER;
    pm_question question = {.compiler = pm_worker_compiler(r->worker),
                            .open = &r->open,
                            .arguments = &r->arguments,
                            .kind = PM_REQUEST_SOURCE_LAUNCHES,
                            .body = &names};
    const pm_worker_call call = {.kind = PM_REQUEST_SOURCE_LAUNCHES,
                                 .body = &body,
                                 .subject = r->path,
                                 .read = pm_question_note,
                                 .result = &question};
    pm_status status = PM_OK;

    write_inputs(&names, r);
    pm_question_aim(&question, read_launches, r->out, sizeof *r->out, &r->out->memory);
    if (!pm_question_find(&question, &status, err)) {
        pm_wire_open(&body, &r->open);
        write_inputs(&body, r);
        status = pm_process_call(pm_worker_process(r->worker), &call, &generation, err);
    }
    pm_question_keep(&question, status, NULL);
    pm_wire_free(&names);
    pm_wire_free(&body);
    return status;
}

pm_status pm_host_launches(const char *text, const char *path, const char *build_options,
                           const pm_launch_inputs *inputs, pm_worker *worker, const pm_log *log,
                           pm_source_launches *out, pm_error *err)
{
    static const pm_launch_inputs none = {.sets = NULL};
    pm_worker *own = worker ? NULL : pm_worker_create(NULL, err);
    reading r = {.text = text,
                 .path = path,
                 .build_options = build_options,
                 .inputs = inputs ? inputs : &none,
                 .worker = worker ? worker : own,
                 .out = out};
    pm_status status;

    (void)log;
    *out = (pm_source_launches){.buffer_count = 0};
    if (!r.worker)
        return PM_FAILED;
    status = pm_attempt(&r.memory, prepare, &r, err);
    if (status == PM_OK)
        status = ask(&r, err);
    pm_arguments_free(&r.arguments);
    pm_memory_free(&r.memory);
    pm_worker_free(own);
    return status;
}
