/* Adds the arguments of a workload file's launches, and checks that they fit the kernels. See
 * from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An argument is one of: BUFFER [+ ELEMENTS], null, several of these with | between them (the i-th
 * repeat takes the i-th one, cyclically), texture NAME, tensor_map (...), local BYTES, or a value.
 */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/file/from_file.h"

enum {
    /* Largest size in bytes of a kernel argument in local memory that a file may give. No GPU has
     * as much. The trace engine later checks the limit of the GPU. */
    MOST_LOCAL = 1 << 20
};

static void add_buffer(const pm_file_build *b, const char *item, unsigned line)
{
    const pm_file_pointer_text text = {.item = item, .line = line, .is_argument = true};
    pm_pointer pointer = {0};

    if (pm_file_read_pointer(b, &text, &pointer))
        pm_workload_arg_part(b->workload, pointer.buffer, pointer.offset);
    else
        pm_workload_arg_null(b->workload);
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
    else if (*rest && strcmp(word, "texture") == 0)
        pm_file_add_texture_argument(b, item, rest, line);
    else if (strcmp(word, "tensor_map") == 0)
        pm_file_add_tensor_map(b, item, rest, line);
    else if (!pm_file_add_value(b, item, line))
        add_buffer(b, item, line);
}

/* ---- arguments compared with the kernel's parameters --------------------------------------- */

/* Returns the declaration of the template with this name, with its parameters, such as turn<T, N>.
 * NULL: the source has no such template. */
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

/* Returns whether a parameter of PTX may be a pointer although the kernel does not access memory by
 * it: PTX does not declare pointers. */
static bool may_be_address(const pm_file_build *b, const pm_source_param *param)
{
    return (param->is_unused || pm_language_of(b->workload->source_path) == PM_LANGUAGE_PTX) &&
           param->takes == PM_TAKES_VALUE && param->bytes == sizeof(uint64_t);
}

/* Turns a pointer into a value of 8 bytes that holds it. */
static void hold_pointer(const pm_file_build *b, pm_arg *arg)
{
    const pm_pointer pointer = {.buffer = arg->buffer, .offset = arg->offset};
    const bool is_null = arg->kind == PM_ARG_NULL;

    *arg = (pm_arg){.kind = PM_ARG_VALUE, .bytes = sizeof(uint64_t)};
    if (!is_null && !pm_pointers_copy(&arg->pointers, &pointer, 1))
        pm_fail(&b->workload->error, PM_FAILED, "not enough memory");
}

static void check_argument(const pm_file_build *b, const pm_source_info *info,
                           const pm_source_kernel *kernel, size_t i, const char *item,
                           unsigned line)
{
    pm_arg *arg = &b->workload->launches[b->workload->launch_count - 1].args[i];
    const pm_source_param *param = &kernel->params[i];
    const pm_source_takes given = arg->kind == PM_ARG_VALUE   ? PM_TAKES_VALUE
                                  : arg->kind == PM_ARG_LOCAL ? PM_TAKES_LOCAL
                                                              : PM_TAKES_BUFFER;
    const char *type = param->is_texture               ? "a texture: write texture NAME"
                       : *param->type                  ? param->type
                       : param->passed != PM_NO_STRUCT ? info->passed.items[param->passed].name
                                                       : "something else: write bytes 0x...";

    if (given == PM_TAKES_BUFFER && may_be_address(b, param)) {
        hold_pointer(b, arg);
        return;
    }
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
    const pm_source_kernel *kernel;
    const char *rest = texts->arguments.text;
    const unsigned line = rest ? texts->arguments.line : texts->kernel.line;
    size_t given;

    if (!info || b->workload->error.status != PM_OK)
        return;
    given = b->workload->launches[b->workload->launch_count - 1].arg_count;
    kernel = pm_source_find_kernel(info, texts->kernel.text);
    if (!kernel &&
        /* The parser lists neither instances of templates nor kernels in namespaces. The arguments
         * of such kernels are not checked here. */
        strpbrk(texts->kernel.text, "<:"))
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
