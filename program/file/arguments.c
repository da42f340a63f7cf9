/* Adds the arguments of a workload file's launches, and checks that they fit the kernels. See
 * from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An argument is one of: BUFFER [+ ELEMENTS], null, several of these with | between them (the i-th
 * repeat takes the i-th one, cyclically), local BYTES, or a value.
 */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "program/file/from_file.h"

enum {
    /* largest argument in local memory in bytes, more than any GPU has; the trace engine later
     * checks the limit of the GPU */
    MOST_LOCAL = 1 << 20
};

/* ---- buffers ------------------------------------------------------------------------------- */

static void unknown_buffer(const pm_file_build *b, const char *name, size_t length, unsigned line)
{
    char list[300] = "";

    for (size_t i = 0; i < b->file->buffer_count; i++)
        pm_list_add(list, sizeof list, "%s", b->file->buffers[i].name);
    pm_file_fault(b, line,
                  "argument \"%.*s\": neither a buffer (there are: %s), nor a type "
                  "with a value, such as int n, nor local BYTES",
                  length < 60 ? (int)length : 60, name, *list ? list : "none");
}

/* Returns the index of a buffer; buffer_count if there is none. */
static size_t find_buffer(const pm_file_build *b, const char *name, size_t length)
{
    size_t i = 0;

    while (i < b->file->buffer_count && (strlen(b->file->buffers[i].name) != length ||
                                         memcmp(b->file->buffers[i].name, name, length) != 0))
        i++;
    return i;
}

/* Reads "+ ELEMENTS", which follows the buffer's name in an argument, from the `length` characters
 * of text. Returns the offset in bytes. */
static size_t read_offset(const pm_file_build *b, size_t buffer, const char *item, const char *text,
                          size_t length, unsigned line)
{
    const pm_file_buffer *described = &b->file->buffers[buffer];
    const size_t bytes = pm_file_element_bytes(b, described);
    char expression[PM_FILE_ITEM];
    int64_t elements;
    size_t count;

    if (*text != '+')
        pm_file_fault(b, line, "argument \"%.60s\": behind a buffer's name stands only + ELEMENTS",
                      item);
    memcpy(expression, text + 1, length - 1);
    expression[length - 1] = '\0';
    elements = pm_file_integer(b, &b->counting, expression, line);
    if (b->workload->error.status != PM_OK)
        return 0;
    count = b->workload->buffers[buffer].bytes / bytes;
    if (elements < 0 || (uint64_t)elements >= count)
        pm_file_fault(b, line,
                      "argument \"%.60s\" starts at element %lld in size %s, but %s has %zu "
                      "elements",
                      item, (long long)elements, b->size->name, described->name, count);
    return (size_t)elements * bytes;
}

static bool is_null(const char *name, size_t length)
{
    return length == 4 && (memcmp(name, "null", 4) == 0 || memcmp(name, "NULL", 4) == 0);
}

/* Checks one of the buffer names in an argument such as "a | b"; the name ends at `end`. If
 * `chosen`, the launch that is built gets this buffer as its argument. */
static void add_name(const pm_file_build *b, const char *item, const char *at, const char *end,
                     bool chosen, unsigned line)
{
    const char *start = at + strspn(at, " \t"), *behind;
    const size_t length = strcspn(start, " \t+|"), index = find_buffer(b, start, length);
    const bool null = is_null(start, length) && index == b->file->buffer_count;
    size_t offset = 0;

    if (index == b->file->buffer_count && !null)
        unknown_buffer(b, start, length, line);
    if (!null && index >= b->file->common_count && !pm_file_is_reference(b) &&
        !pm_file_is_contents(b))
        pm_file_fault(b, line, "argument \"%.60s\": only the reference has buffer %s", item,
                      b->file->buffers[index].name);
    behind = start + length + strspn(start + length, " \t");
    if (null && behind < end)
        pm_file_fault(b, line, "argument \"%.60s\": nothing may follow null", item);
    if (!chosen)
        return;
    if (behind < end)
        offset = read_offset(b, index, item, behind, (size_t)(end - behind), line);
    if (null)
        pm_workload_arg_null(b->workload);
    else
        pm_workload_arg_part(b->workload, index, offset);
}

/* Adds a buffer argument. If the item has several names separated by |, repeats of the launch use
 * them in turn. */
static void add_buffer(const pm_file_build *b, const char *item, unsigned line)
{
    const int64_t repeat = b->parameters[b->numbers.count].value;
    size_t names = 1, number = 0;

    for (const char *c = item; *c; c++)
        names += *c == '|';
    for (const char *at = item; at; number++) {
        const char *end = at + strcspn(at, "|");

        add_name(b, item, at, end, number == (size_t)repeat % names, line);
        at = *end ? end + 1 : NULL;
    }
}

/* ---- an argument --------------------------------------------------------------------------- */

static void add_local(const pm_file_build *b, const char *item, const char *text, unsigned line)
{
    const int64_t bytes = pm_file_integer(b, &b->counting, text, line);

    if (bytes < 1 || bytes > MOST_LOCAL)
        pm_file_fault(b, line,
                      "argument \"%.60s\": from 1 to %d bytes of local memory are possible", item,
                      MOST_LOCAL);
    pm_workload_arg_local(b->workload, (size_t)bytes);
}

void pm_file_add_argument(pm_file_build *b, const char *item, unsigned line)
{
    char word[PM_FILE_ITEM];
    const char *rest = pm_file_word(item, word);

    if (*rest && strcmp(word, "local") == 0)
        add_local(b, item, rest, line);
    else if (!pm_file_add_value(b, item, line))
        add_buffer(b, item, line);
}

/* ---- arguments compared with the kernel's parameters --------------------------------------- */

/* Returns the template of that name with its parameters, such as turn<T, N>. NULL: the source has
 * no such template. */
static const char *template_of(const pm_source_info *info, const char *name)
{
    const size_t length = strcspn(name, "<");

    for (size_t t = 0; t < info->template_count; t++)
        if (strncmp(info->templates[t], name, length) == 0 && info->templates[t][length] == '<')
            return info->templates[t];
    return NULL;
}

static void no_such_kernel(const pm_file_build *b, const pm_source_info *info,
                           const pm_file_text *kernel)
{
    const char *template = template_of(info, kernel->text);
    char list[300] = "";

    if (template)
        pm_file_fault(b, kernel->line,
                      "%s: kernel %s is a template: write its arguments, as in kernel = %.200s, "
                      "with a type or a number for each parameter",
                      b->workload->source_path, kernel->text, template);

    for (size_t k = 0; k < info->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", info->kernels[k].name);
    for (size_t t = 0; t < info->template_count; t++)
        pm_list_add(list, sizeof list, "%s", info->templates[t]);
    pm_file_fault(b, kernel->line, "%s has no kernel %s; it has: %s", b->workload->source_path,
                  kernel->text, *list ? list : "none");
}

static const char *what_takes(pm_source_takes takes)
{
    return takes == PM_TAKES_BUFFER   ? "a buffer"
           : takes == PM_TAKES_LOCAL  ? "local memory: write local BYTES"
           : takes == PM_TAKES_OPAQUE ? "an image, a sampler, a pipe or a queue, which cannot be "
                                        "traced: launch a kernel that reads a buffer instead"
                                      : "a value";
}

static void check_argument(const pm_file_build *b, const pm_source_info *info,
                           const pm_source_kernel *kernel, size_t i, const char *item,
                           unsigned line)
{
    const pm_arg *arg = &b->workload->launches[b->workload->launch_count - 1].args[i];
    const pm_source_param *param = &kernel->params[i];
    const pm_source_takes given = arg->kind == PM_ARG_VALUE   ? PM_TAKES_VALUE
                                  : arg->kind == PM_ARG_LOCAL ? PM_TAKES_LOCAL
                                                              : PM_TAKES_BUFFER;
    const char *type = *param->type                    ? param->type
                       : param->passed != PM_NO_STRUCT ? info->passed.items[param->passed].name
                                                       : "something else: write bytes 0x...";

    if (given != param->takes)
        pm_file_fault(b, line,
                      "argument %zu of kernel %s (%s) takes %s%s%s, given is "
                      "\"%.60s\"",
                      i + 1, kernel->name, param->name, what_takes(param->takes),
                      param->takes == PM_TAKES_VALUE ? ", " : "",
                      param->takes == PM_TAKES_VALUE ? type : "", item);
    if (given == PM_TAKES_VALUE &&
        !pm_file_value_fits(b->workload->source_path, item, arg->bytes, info, param))
        pm_file_fault(b, line,
                      "argument %zu of kernel %s (%s) is of type %s (%zu bytes), given is "
                      "\"%.60s\"",
                      i + 1, kernel->name, param->name, type, param->bytes, item);
}

void pm_file_check_arguments(pm_file_build *b, const pm_file_launch_texts *texts)
{
    const pm_source_info *info = pm_file_info(b);
    const pm_source_kernel *kernel = NULL;
    const char *rest = texts->arguments.text;
    const unsigned line = rest ? texts->arguments.line : texts->kernel.line;
    size_t given;

    if (!info || b->workload->error.status != PM_OK)
        return;
    given = b->workload->launches[b->workload->launch_count - 1].arg_count;
    for (size_t k = 0; !kernel && k < info->kernel_count; k++)
        if (strcmp(info->kernels[k].name, texts->kernel.text) == 0)
            kernel = &info->kernels[k];
    if (!kernel &&
        strpbrk(texts->kernel.text, "<:")) /* the parser does not list template instances and
                                              kernels in namespaces, so nothing is checked */
        return;
    if (!kernel)
        no_such_kernel(b, info, &texts->kernel);
    if (given != kernel->param_count)
        pm_file_fault(b, line, "kernel %s takes %zu arguments, given are %zu", kernel->name,
                      kernel->param_count, given);
    for (size_t i = 0; i < given; i++) {
        char item[PM_FILE_ITEM];

        if (pm_file_item(&rest, item))
            check_argument(b, info, kernel, i, item, line);
    }
}
