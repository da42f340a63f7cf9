/* The arguments of a workload file's launches, and whether they fit the kernels. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   BUFFER | BUFFER|BUFFER... (in turns, by i) | TYPE VALUE | TYPEn (VALUE, ...) | local BYTES
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "suite/file/from_file.h"

enum { MOST_LOCAL = 1 << 20 }; /* bytes; no GPU has as much, and its limit is checked in tracing */

static void fault(const pm_file_build *b, const char *item, unsigned line, const char *what)
{
    pm_file_fault(b, line, "argument \"%.60s\": %s", item, what);
}

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

/* The index of a buffer; buffer_count if there is none. */
static size_t find_buffer(const pm_file_build *b, const char *name, size_t length)
{
    size_t i = 0;

    while (i < b->file->buffer_count && (strlen(b->file->buffers[i].name) != length ||
                                         memcmp(b->file->buffers[i].name, name, length) != 0))
        i++;
    return i;
}

/* Of several names that of this repeat. */
static void add_buffer(const pm_file_build *b, const char *item, unsigned line)
{
    const int64_t repeat = b->parameters[b->file->parameter_count].value;
    size_t names = 1, chosen = 0, number = 0;

    for (const char *c = item; *c; c++)
        names += *c == '|';
    for (const char *at = item; at; number++) {
        const char *bar = strchr(at, '|'), *start = at + strspn(at, " \t");
        size_t length = bar ? (size_t)(bar - at) : strlen(at), index;

        length -= (size_t)(start - at) < length ? (size_t)(start - at) : length;
        while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t'))
            length--;
        index = find_buffer(b, start, length);
        if (index == b->file->buffer_count)
            unknown_buffer(b, start, length, line);
        if (number == (size_t)repeat % names)
            chosen = index;
        at = bar ? bar + 1 : NULL;
    }
    pm_workload_arg_buffer(b->workload, chosen);
}

/* ---- values -------------------------------------------------------------------------------- */

static void add_local(const pm_file_build *b, const char *item, const char *text, unsigned line)
{
    const int64_t bytes = pm_file_integer(b, &b->counting, text, line);

    if (bytes < 1 || bytes > MOST_LOCAL)
        fault(b, item, line, "from 1 to 1048576 bytes of local memory are possible");
    pm_workload_arg_local(b->workload, (size_t)bytes);
}

static void read_value(const pm_file_build *b, const pm_scalar *scalar, const char *item,
                       const char *text, unsigned line, void *to)
{
    int64_t integer = 0;
    double real = 0;

    if (scalar->kind == PM_SCALAR_HALF)
        fault(b, item, line, "OpenCL takes no half as an argument");
    if (scalar->kind == PM_SCALAR_REAL)
        real = pm_file_real(b, &b->counting, text, line);
    else
        integer = pm_file_integer(b, &b->counting, text, line);
    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof(float) &&
        !(fabs(real) <= (double)FLT_MAX))
        fault(b, item, line, "the value is larger than a float holds");
    if (scalar->kind != PM_SCALAR_REAL && !pm_scalar_holds(scalar, integer))
        pm_file_fault(b, line,
                      "argument \"%.60s\" is %lld in size %s, which a %s does not "
                      "hold",
                      item, (long long)integer, b->size->name, scalar->name);
    pm_scalar_store(scalar, to, integer, real);
}

/* (VALUE, VALUE, ...) */
static void read_vector(const pm_file_build *b, const pm_file_type *type, const char *item,
                        const char *text, unsigned line, unsigned char *to)
{
    const size_t length = strlen(text);
    char inner[PM_FILE_ITEM];
    const char *rest = inner;

    if (*text != '(' || text[length - 1] != ')')
        fault(b, item, line, "the components of a vector stand in parentheses: float2 (1, 2)");
    memcpy(inner, text + 1, length - 2);
    inner[length - 2] = '\0';
    for (size_t c = 0; c < type->width; c++) {
        char component[PM_FILE_ITEM];

        if (!rest || !pm_file_item(&rest, component))
            fault(b, item, line, "the vector has more components than there are values");
        read_value(b, type->scalar, item, component, line, to + c * type->scalar->bytes);
    }
    if (rest)
        fault(b, item, line, "the vector has fewer components than there are values");
}

static void add_value(const pm_file_build *b, const pm_file_type *type, const char *item,
                      const char *text, unsigned line)
{
    unsigned char value[16] = {0};

    if (type->bytes > sizeof value)
        fault(b, item, line, "values of up to 16 bytes are possible");
    if (type->width == 1)
        read_value(b, type->scalar, item, text, line, value);
    else
        read_vector(b, type, item, text, line, value);
    pm_workload_arg_value(b->workload, value, type->bytes);
}

/* Cuts the first word off. */
static const char *split(const char *item, char word[PM_FILE_ITEM])
{
    const size_t length = strcspn(item, " \t(");

    memcpy(word, item, length);
    word[length] = '\0';
    return item + length + strspn(item + length, " \t");
}

void pm_file_add_argument(const pm_file_build *b, const char *item, unsigned line)
{
    char word[PM_FILE_ITEM];
    const char *rest = split(item, word);
    pm_file_type type;

    if (*rest && strcmp(word, "local") == 0)
        add_local(b, item, rest, line);
    else if (*rest && pm_file_type_of(b, word, &type))
        add_value(b, &type, item, rest, line);
    else
        add_buffer(b, item, line);
}

/* ---- do they fit? -------------------------------------------------------------------------- */

static void no_such_kernel(const pm_file_build *b, const pm_file_text *kernel)
{
    char list[300] = "";

    for (size_t k = 0; k < b->info->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", b->info->kernels[k].name);
    pm_file_fault(b, kernel->line, "%s has no kernel %s; it has: %s", b->workload->source_path,
                  kernel->text, *list ? list : "none");
}

static const char *what_takes(pm_source_takes takes)
{
    return takes == PM_TAKES_BUFFER  ? "a buffer"
           : takes == PM_TAKES_LOCAL ? "local memory: write local BYTES"
                                     : "a value";
}

static bool is_integer(const pm_scalar *scalar)
{
    return scalar->kind == PM_SCALAR_SIGNED || scalar->kind == PM_SCALAR_UNSIGNED;
}

/* Whether a value of one type can be passed as another: the same, or integers of one size. */
static bool types_fit(const char *given, const char *taken)
{
    pm_file_type a, b;

    if (!pm_file_type_find(given, &a) || !pm_file_type_find(taken, &b))
        return false;
    return a.width == b.width && a.bytes == b.bytes &&
           (a.scalar == b.scalar || (is_integer(a.scalar) && is_integer(b.scalar)));
}

static void check_argument(const pm_file_build *b, const pm_source_kernel *kernel, size_t i,
                           const char *item, unsigned line)
{
    const pm_arg *arg = &b->workload->launches[b->workload->launch_count - 1].args[i];
    const pm_source_param *param = &kernel->params[i];
    const pm_source_takes given = arg->kind == PM_ARG_BUFFER  ? PM_TAKES_BUFFER
                                  : arg->kind == PM_ARG_LOCAL ? PM_TAKES_LOCAL
                                                              : PM_TAKES_VALUE;
    char word[PM_FILE_ITEM];

    if (given != param->takes)
        pm_file_fault(b, line,
                      "argument %zu of kernel %s (%s) takes %s%s%s, given is "
                      "\"%.60s\"",
                      i + 1, kernel->name, param->name, what_takes(param->takes),
                      param->takes == PM_TAKES_VALUE ? ", " : "",
                      param->takes == PM_TAKES_VALUE ? param->type : "", item);
    split(item, word);
    if (given == PM_TAKES_VALUE && !types_fit(word, param->type))
        pm_file_fault(b, line,
                      "argument %zu of kernel %s (%s) is of type %s, given is "
                      "\"%.60s\"",
                      i + 1, kernel->name, param->name,
                      *param->type ? param->type : "no scalar or vector", item);
}

void pm_file_check_arguments(const pm_file_build *b, const pm_file_launch_texts *texts)
{
    const pm_source_kernel *kernel = NULL;
    const char *rest = texts->arguments.text;
    const unsigned line = rest ? texts->arguments.line : texts->kernel.line;
    size_t given;

    if (!b->info || b->workload->error.status != PM_OK)
        return;
    given = b->workload->launches[b->workload->launch_count - 1].arg_count;
    for (size_t k = 0; !kernel && k < b->info->kernel_count; k++)
        if (strcmp(b->info->kernels[k].name, texts->kernel.text) == 0)
            kernel = &b->info->kernels[k];
    if (!kernel)
        no_such_kernel(b, &texts->kernel);
    if (given != kernel->param_count)
        pm_file_fault(b, line, "kernel %s takes %zu arguments, given are %zu", kernel->name,
                      kernel->param_count, given);
    for (size_t i = 0; i < given; i++) {
        char item[PM_FILE_ITEM];

        if (pm_file_item(&rest, item))
            check_argument(b, kernel, i, item, line);
    }
}
