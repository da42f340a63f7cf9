/* Finds the type of the elements of each buffer in a workload file, such as float or a struct of
 * the source. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/text.h"
#include "compiler/language.h"
#include "program/file/from_file.h"

bool pm_file_is_pointer(const char *type)
{
    const size_t length = strlen(type);

    return length > 0 && type[length - 1] == '*';
}

void pm_file_type_adapt(const pm_file_build *b, pm_file_type *type)
{
    if (type->width == 3 && pm_is_cuda_launched(b->workload->source_path))
        type->bytes = 3 * type->scalar->bytes;
}

static const pm_struct *among(const pm_structs *structs, const char *name)
{
    for (size_t s = 0; s < structs->count; s++)
        if (strcmp(structs->items[s].name, name) == 0)
            return &structs->items[s];
    return NULL;
}

const pm_struct *pm_file_struct(const pm_from_file *from, const char *name)
{
    const pm_source_info *info = from->source ? pm_source_describe(from->source) : NULL;
    const pm_struct *found;

    if (!info)
        return NULL;
    if (strncmp(name, "struct ", 7) == 0)
        name += 7 + strspn(name + 7, " ");
    found = among(&info->structs, name);
    return found ? found : among(&info->passed, name);
}

const char *pm_file_left_struct(const pm_file_build *b)
{
    return b->from->source ? pm_source_describe(b->from->source)->left : b->from->no_source.text;
}

static void unknown_type(const pm_file_build *b, const pm_file_text *type)
{
    if (pm_file_left_struct(b) && strstr(pm_file_left_struct(b), "file not found"))
        pm_file_fault(b, type->line,
                      "type \"%.40s\" is not known without a header: %.300s; it was looked for in "
                      "the folder of %.100s, in those that options name with -I, and among "
                      "perfmodel's own: add its folder to options, as in -I include",
                      type->text, pm_file_left_struct(b), b->workload->source_path);
    if (pm_file_left_struct(b))
        pm_file_fault(
            b, type->line,
            "type \"%.40s\" is no scalar or vector of OpenCL C, nor a struct whose fields "
            "are known (%.300s): add bytes = of one",
            type->text, pm_file_left_struct(b));
    pm_file_fault(b, type->line,
                  "type \"%.40s\": neither a scalar or vector of OpenCL C, such as "
                  "float or int4, nor a struct that a kernel takes an array of; of "
                  "another struct add bytes = of one",
                  type->text);
}

static void find_bytes(const pm_file_build *b, const pm_file_buffer *buffer, pm_file_element *e)
{
    const pm_file_text *text = &buffer->bytes;
    const int64_t bytes = pm_file_integer(b, &b->numbers, text->text, text->line);

    if (bytes < 1)
        pm_file_fault(b, text->line, "bytes is %lld: at least 1", (long long)bytes);
    if (e->bytes && (size_t)bytes != e->bytes)
        pm_file_fault(b, text->line, "bytes is %lld, but %s has %zu: leave bytes out",
                      (long long)bytes, buffer->type.text, e->bytes);
    e->bytes = (size_t)bytes;
}

void pm_file_find_element(const pm_file_build *b, const pm_file_buffer *buffer, pm_file_element *e)
{
    const char *name = buffer->type.text;

    *e = (pm_file_element){0};
    if (pm_file_type_find(name, &e->type)) {
        pm_file_type_adapt(b, &e->type);
        e->bytes = e->type.bytes;
    } else if (pm_file_is_pointer(name)) {
        e->is_pointer = true;
        e->bytes = sizeof(uint64_t);
    } else {
        e->is_struct = true;
        e->structure = pm_file_struct(b->from, name);
        if (e->structure)
            e->bytes = e->structure->bytes;
        else if (!buffer->bytes.text)
            unknown_type(b, &buffer->type);
    }
    if (buffer->bytes.text)
        find_bytes(b, buffer, e);
}

size_t pm_file_element_bytes(const pm_file_build *b, const pm_file_buffer *buffer)
{
    pm_file_element e;

    pm_file_find_element(b, buffer, &e);
    return e.bytes;
}
