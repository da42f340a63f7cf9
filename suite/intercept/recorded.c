/* Reads what was recorded of a launch. See recorded.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "program/build_words.h"
#include "suite/intercept/recorded.h"

enum { MOST_TEXT = 16 * 1024, MOST_SOURCE = 64 << 20, MOST_TYPES = 1 << 20 };

/* ---- the launch ------------------------------------------------------------------------------ */

static unsigned take_line(const char **text, size_t numbers[3])
{
    unsigned count = 0;

    while (count < 3 && pm_recorded_take(text, &numbers[count]))
        count++;
    *text += strspn(*text, " \t\r");
    if (**text != '\n')
        return 0;
    ++*text;
    return count;
}

static void read_sizes(pm_recorded *r)
{
    const char *at = pm_recorded_text(r, "worksizes.txt", MOST_TEXT);

    r->dimensions = take_line(&at, r->global);
    if (r->dimensions == 0 || take_line(&at, r->local) != r->dimensions ||
        take_line(&at, r->offset) != r->dimensions || at[strspn(at, " \t\r\n")])
        pm_leave(r->memory, PM_BAD_INPUT,
                 "%s/worksizes.txt: is not three lines of 1 to 3 numbers each: global size, local "
                 "size, offset; record the launch again",
                 r->path);
}

static void read_kernel(pm_recorded *r)
{
    const char *text = pm_recorded_text(r, "kernelName.txt", MOST_TEXT);
    size_t length = strcspn(text, "\r\n");

    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '$')
            length = 0;
    if (length == 0)
        pm_leave(r->memory, PM_BAD_INPUT,
                 "%s/kernelName.txt: is not the name of a kernel; record the launch again",
                 r->path);
    r->kernel = pm_format(r->memory, "%.*s", (int)length, text);
}

/* What a workload file would read as something else. */
static bool is_sayable(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)word[i]) || word[i] == '{' ||
            (strchr("#;", word[i]) && (i == 0 || isblank((unsigned char)word[i - 1]))))
            return false;
    return true;
}

/* Folders of headers are those of the machine that the launch was recorded on, and the layer keeps
 * none of them: headers are looked for beside the source. */
static void read_options(pm_recorded *r)
{
    const char *rest = pm_recorded_has(r, "buildOptions.txt")
                           ? pm_recorded_text(r, "buildOptions.txt", MOST_TEXT)
                           : "";
    char *word = pm_take(r->memory, strlen(rest) + 1, 1);
    pm_text options = {.memory = r->memory};
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found)) {
        if (found.kind == PM_WORD_FOLDER)
            continue;
        if (!is_sayable(found.start, found.length))
            pm_leave(r->memory, PM_BAD_INPUT,
                     "%s/buildOptions.txt: \"%.60s\": a workload cannot have an option with {, # "
                     "or ; in it; write it into kernel.cl",
                     r->path, word);
        pm_text_add(&options, options.length ? " " : "");
        pm_text_put(&options, found.start, found.length);
    }
    r->options = pm_text_get(&options);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void read_arg(const pm_recorded *r, unsigned number, pm_recorded_arg *arg)
{
    const char *value = pm_format(r->memory, "Argument%u.bin", number);
    const char *local = pm_format(r->memory, "Local%u.txt", number);
    const char *offset = pm_format(r->memory, "SVM_Arg_Offset_%u.txt", number);

    arg->has_value = pm_recorded_has(r, value);
    arg->has_local = pm_recorded_has(r, local);
    arg->is_memory = pm_recorded_has(r, offset);
    if (arg->has_value)
        arg->value = pm_recorded_value(r, value, &arg->bytes);
    if (arg->has_local)
        arg->local = pm_recorded_number(r, local);
    if (arg->is_memory)
        arg->offset = pm_recorded_number(r, offset);
}

static void read_args(pm_recorded *r)
{
    pm_recorded_contents_find(r, false);
    pm_recorded_contents_find(r, true);
    for (unsigned a = 0; a < PM_CAPTURED_MOST_ARGS; a++) {
        pm_recorded_arg *arg = &r->args[a];

        read_arg(r, a, arg);
        arg->type = "";
        if (arg->has_value || arg->has_local || arg->before.path)
            r->arg_count = a + 1;
    }
}

/* A driver that does not tell of each argument has lines left out, so that none can be trusted. */
static void read_types(pm_recorded *r)
{
    const char *const name = "ArgumentDataTypes.txt";
    const char *at = pm_recorded_has(r, name) ? pm_recorded_text(r, name, MOST_TYPES) : "";
    size_t lines = 0;

    for (const char *c = at; *c; c++)
        lines += *c == '\n';
    for (size_t a = 0; a < r->arg_count && lines == r->arg_count; a++) {
        const size_t length = strcspn(at, "\r\n");

        r->args[a].type = pm_format(r->memory, "%.*s", length < 60 ? (int)length : 60, at);
        at = strchr(at, '\n') + 1;
    }
}

void pm_recorded_read(pm_memory *memory, const char *path, pm_recorded *r)
{
    *r = (pm_recorded){.memory = memory, .path = path};
    read_sizes(r);
    read_kernel(r);
    read_options(r);
    r->source = pm_recorded_text(r, "kernel.cl", MOST_SOURCE);
    read_args(r);
    read_types(r);
}
