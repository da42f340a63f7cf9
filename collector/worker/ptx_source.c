/* Describes the kernels of a PTX source. See ptx_source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/ptx_source.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "compiler/language.h"
#include "compiler/ptx/buffer_use.h"
#include "compiler/ptx/describe.h"
#include "compiler/ptx/lex.h"

typedef struct {
    const char *text, *path;
    pm_source_info *info;
    pm_memory tree; /* memory of the syntax tree, which is freed after the description */
} describing;

/* Writes the name in workload files for a PTX type with `width` elements, such as float4. Untyped
 * bits are taken as floating-point numbers if they have 16 or 32 bits, else as unsigned integers.
 * Writes "" if workload files do not have the type. */
static void name_type(const pm_ptx_type *type, unsigned width, char *name, size_t size)
{
    static const char *const reals[] = {"half", "float", "double"};
    static const char *const integers[][2] = {
        {"uchar", "char"}, {"ushort", "short"}, {"uint", "int"}, {"ulong", "long"}};
    const unsigned bits = type ? type->bits : 0;
    const unsigned index = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    const bool is_float = type && (type->number == PM_PTX_FLOAT ||
                                   (type->number == PM_PTX_BITS && (bits == 16 || bits == 32)));
    const char *word = "";

    if (!type || bits > 64 || type->number == PM_PTX_NARROW)
        width = 1;
    else if (is_float && index > 0)
        word = reals[index - 1];
    else if (type->number == PM_PTX_BFLOAT)
        word = "ushort";
    else
        word =
            integers[index]
                    [type->number != PM_PTX_BITS && index == 2 ? 1 : type->number == PM_PTX_SIGNED];
    width *= type ? type->lanes : 1;
    if (width > 1)
        snprintf(name, size, "%s%u", word, width & 15);
    else
        snprintf(name, size, "%s", word);
}

static pm_source_param describe_parameter(pm_memory *memory, const pm_ptx_kernel_parameter *p,
                                          pm_ptx_buffer_use use)
{
    pm_source_param param = {.name = pm_copy(memory, p->name),
                             .takes = p->is_pointer ? PM_TAKES_BUFFER : PM_TAKES_VALUE,
                             .structure = PM_NO_STRUCT,
                             .passed = PM_NO_STRUCT,
                             .bytes = (size_t)p->bytes,
                             .read = p->read,
                             .written = p->written,
                             .is_unused = !p->is_used,
                             .has_spare_contents = use.has_spare_contents,
                             .is_read_only = use.is_read_only,
                             .is_extent =
                                 p->is_compared && p->type && p->type->number != PM_PTX_FLOAT};

    name_type(p->type, p->width, param.type, sizeof param.type);
    if (p->is_pointer && p->type)
        param.element = (size_t)p->width * pm_ptx_type_bits(p->type) / 8;
    return param;
}

static void describe_kernel(describing *d, const pm_ptx_kernel *from, pm_source_kernel *to)
{
    const pm_ptx_function *f = from->function;
    const pm_ptx_buffer_use *use = pm_ptx_find_buffer_use(&d->tree, f);
    pm_memory *memory = &d->info->memory;

    to->name = pm_copy(memory, from->plain);
    to->symbol = strcmp(f->name, from->plain) != 0 ? pm_copy(memory, f->name) : NULL;
    to->line = f->line;
    to->param_count = from->parameter_count;
    to->params = pm_take(memory, from->parameter_count + 1, sizeof *to->params);
    for (size_t p = 0; p < from->parameter_count; p++)
        to->params[p] = describe_parameter(memory, &from->parameters[p], use[p]);
    to->shape.dimensions = from->dimensions;
    to->shape.element = from->shared_element;
    for (size_t d = 0; d < 3; d++)
        to->shape.group[d] = f->required[d];
    to->shape.most_items = (uint64_t)f->most[0] * f->most[1] * f->most[2];
}

static void describe(void *user)
{
    describing *d = user;
    pm_source_info *info = d->info;
    const pm_ptx_kernel *kernels;

    d->tree = pm_memory_beside(&info->memory);
    kernels =
        pm_ptx_describe(&d->tree, pm_ptx_parse(&d->tree, d->text, d->path), &info->kernel_count);
    info->left =
        pm_format(&info->memory, "%s: PTX cannot be rewritten; rewrite its CUDA source", d->path);
    info->kernels = pm_take(&info->memory, info->kernel_count + 1, sizeof *info->kernels);
    for (size_t k = 0; k < info->kernel_count; k++)
        describe_kernel(d, &kernels[k], &info->kernels[k]);
}

pm_status pm_ptx_source_describe(const char *text, const char *path, pm_source_info *info,
                                 pm_error *err)
{
    describing d = {.text = text, .path = path, .info = info};
    pm_status status = pm_attempt(&info->memory, describe, &d, err);

    pm_memory_free(&d.tree);
    return status;
}

pm_status pm_ptx_source_check_name(const char *text, const char *path, pm_error *err)
{
    if (pm_language_of(path) == PM_LANGUAGE_PTX || !pm_ptx_is_text(text))
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s: the source is PTX: give it a name that ends in .ptx",
                   path ? path : "the source");
}
