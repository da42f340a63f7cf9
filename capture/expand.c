/* Preprocesses captured sources of OpenCL that include headers by macros. See expand.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only the compiler knows the file name that such an #include has after macro expansion. Therefore
 * the library that records the launches (the layer) cannot find these headers. clang includes them
 * here, with the options and in the working folder of the captured program.
 */
#include "capture/expand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "capture/records.h"
#include "compiler/compile.h"
#include "program/build_words.h"
#include "program/includes.h"

/* Returns whether a source or header has an #include whose file name comes from a macro. */
static bool includes_by_macro(pm_memory *memory, const char *text)
{
    char *joined = pm_copy(memory, text);
    const char *at = joined;
    pm_include found;

    pm_includes_join(joined);
    while (pm_includes_next(joined, &at, &found))
        if (!found.name)
            return true;
    return false;
}

/* Returns the program's build options, with absolute paths in the options -I. The working folder of
 * the captured process is added as the last -I. */
static const char *absolute_options(pm_memory *memory, const pm_captured_process *process,
                                    const pm_captured_program *program)
{
    const char *rest = program->options;
    char *word = pm_take(memory, strlen(rest) + 1, 1);
    pm_text text = {.memory = memory};
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER) {
            pm_text_add(&text, "\"-I%s\" ", pm_captured_path(memory, process->place, word + 2));
        } else {
            pm_text_put(&text, found.start, found.length);
            pm_text_add(&text, " ");
        }
    pm_text_add(&text, "\"-I%s\"", process->place);
    return pm_text_get(&text);
}

/* Returns the text without line markers, which are lines such as: # 12 "header.h". */
static const char *without_markers(pm_memory *memory, const char *text)
{
    pm_text kept = {.memory = memory};

    while (*text) {
        const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);

        if (strncmp(text, "# ", 2) != 0 || !isdigit((unsigned char)text[2]))
            pm_text_put(&kept, text, length);
        text += length;
    }
    return pm_text_get(&kept);
}

void pm_captured_expand(pm_memory *memory, pm_worker *worker, const pm_log *log,
                        const pm_captured_process *process, pm_captured_program *program,
                        const char *text)
{
    pm_compiler *compiler = pm_worker_compiler(worker);
    pm_arguments arguments = {0};
    char *expanded = NULL;
    pm_error err = {0};
    pm_status status;

    if (!includes_by_macro(memory, text))
        return;
    status = pm_compiler_options(compiler, absolute_options(memory, process, program), &arguments,
                                 log, &err);
    if (status == PM_OK)
        status = pm_preprocess(compiler, text, "capture.cl", &arguments, &expanded, &err);
    if (status == PM_OK) {
        program->text = without_markers(memory, expanded);
        program->header_count = 0;
    } else {
        pm_notice(log, "%s", err.text);
    }
    pm_arguments_free(&arguments);
    free(expanded);
}
