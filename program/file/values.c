/* Reads kernel arguments of a workload file that are values. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   TYPE VALUE | TYPEn (VALUE, ...) | STRUCT (FIELD, ...) | STRUCT {NAME = FIELD, ...}
 *   bytes 0x... [(AT: POINTER, ...)] | TYPE BUFFER[INDEX]
 *
 * FIELD is a VALUE, a POINTER, or parentheses around the components of a vector or the elements of
 * an array. In braces, a nested struct may be in braces, too.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/file/from_file.h"

/* State of parsing a kernel argument that is a value, such as "float 0.5". */
typedef struct {
    const pm_file_build *build;
    const char *item; /* text of the whole argument */
    unsigned line;
    size_t bytes;
    unsigned char value[PM_MOST_VALUE];
    size_t pointer_count;
    pm_pointer pointers[PM_MOST_VALUE / sizeof(uint64_t)];
} reading;

_Noreturn static void fault(const reading *r, const char *what)
{
    pm_file_fault(r->build, r->line, "argument \"%.60s\": %s", r->item, what);
}

/* Names of types that only the host has, and of the same types in a kernel. */
static const struct {
    const char *word, *type;
} hosts[] = {{"size_t", "ulong"},    {"ptrdiff_t", "long"}, {"intptr_t", "long"},
             {"uintptr_t", "ulong"}, {"unsigned", "uint"},  {"bool", "uchar"}};

static bool find_type(const char *word, pm_file_type *type)
{
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (strcmp(hosts[i].word, word) == 0)
            return pm_file_type_find(hosts[i].type, type);
    return pm_file_type_find(word, type);
}

const char *pm_file_word(const char *item, char word[PM_FILE_ITEM])
{
    const size_t length = strcspn(item, " \t({");

    memcpy(word, item, length);
    word[length] = '\0';
    return item + length + strspn(item + length, " \t");
}

/* ---- scalars and vectors -------------------------------------------------------------------- */

static void read_scalar(const reading *r, const pm_scalar *scalar, const char *text, void *to)
{
    const pm_file_build *b = r->build;
    int64_t integer = 0;
    double real = 0;

    if (scalar->narrow && !pm_is_cuda_launched(b->workload->source_path))
        fault(
            r,
            "OpenCL takes no half as an argument; a struct that has one is written as bytes 0x...");
    if (scalar->kind == PM_SCALAR_REAL)
        real = pm_file_real(b, &b->counting, text, r->line);
    else
        integer = pm_file_integer(b, &b->counting, text, r->line);
    if (scalar->kind == PM_SCALAR_REAL && !pm_scalar_fits(scalar, real))
        pm_file_fault(b, r->line, "argument \"%.60s\": the value is larger than a %s holds",
                      r->item, scalar->name);
    if (scalar->kind != PM_SCALAR_REAL && !pm_scalar_holds(scalar, integer))
        pm_file_fault(b, r->line,
                      "argument \"%.60s\" is %lld in size %s, which a %s does not "
                      "hold",
                      r->item, (long long)integer, b->size->name, scalar->name);
    pm_scalar_store(scalar, to, integer, real);
}

/* Copies the text between the parentheses around `text` to `inner`, and returns it. If there are no
 * parentheses, raises an error with the message `otherwise`. */
static const char *inside(const reading *r, const char *text, char inner[PM_FILE_ITEM],
                          const char *otherwise)
{
    const size_t length = strlen(text);

    if (*text != '(' || text[length - 1] != ')')
        fault(r, otherwise);
    memcpy(inner, text + 1, length - 2);
    inner[length - 2] = '\0';
    return inner;
}

static void read_vector(const reading *r, const pm_file_type *type, const char *text,
                        unsigned char *to)
{
    char inner[PM_FILE_ITEM], component[PM_FILE_ITEM];
    const char *rest =
        inside(r, text, inner, "the components of a vector stand in parentheses: float2 (1, 2)");

    for (size_t c = 0; c < type->width; c++) {
        if (!rest || !pm_file_item(&rest, component))
            fault(r, "the vector has more components than there are values");
        read_scalar(r, type->scalar, component, to + c * type->scalar->bytes);
    }
    if (rest)
        fault(r, "the vector has fewer components than there are values");
}

static void read_plain(const reading *r, const pm_file_type *type, const char *text,
                       unsigned char *to)
{
    if (type->width == 1)
        read_scalar(r, type->scalar, text, to);
    else
        read_vector(r, type, text, to);
}

/* ---- structs -------------------------------------------------------------------------------- */

/* Adds a pointer to the argument, at byte `at` of its value. */
static void add_pointer(reading *r, pm_pointer pointer, size_t at)
{
    pointer.at = at;
    r->pointers[r->pointer_count++] = pointer;
}

static void read_pointer(reading *r, const char *item, size_t at)
{
    const pm_file_pointer_text text = {.item = item, .line = r->line};
    pm_pointer pointer = {0};

    if (pm_file_read_pointer(r->build, &text, &pointer))
        add_pointer(r, pointer, at);
}

/* Parses a number or a vector, and stores it at byte `at` of the argument's value. type NULL:
 * parses a pointer. */
static void read_part(reading *r, const pm_file_type *type, const char *item, size_t at)
{
    if (type)
        read_plain(r, type, item, r->value + at);
    else
        read_pointer(r, item, at);
}

/* Parses the elements of an array field from the list *rest, one item for each element, and stores
 * them from byte `at` of the argument's value on. Starts with dimension d of the array. */
static void read_elements(reading *r, const pm_field *field, const pm_file_type *type, size_t d,
                          const char **rest, size_t at)
{
    char item[PM_FILE_ITEM];

    if (d < field->extent_count) {
        for (size_t i = 0; i < field->extents[d].count; i++)
            read_elements(r, field, type, d + 1, rest, at + i * field->extents[d].stride);
        return;
    }
    if (!*rest || !pm_file_item(rest, item))
        pm_file_fault(r->build, r->line,
                      "argument \"%.60s\": field %s has more elements than there are values: it "
                      "has %zu",
                      r->item, field->path, pm_field_elements(field));
    read_part(r, type, item, at);
}

static void read_field(reading *r, const pm_field *field, const char *item)
{
    char inner[PM_FILE_ITEM];
    const char *rest = inner;
    pm_file_type found, *type = pm_file_is_pointer(field->type) ? NULL : &found;

    if (type && !pm_file_type_find(field->type, type))
        fault(r, "a field of it is of no type that a value can have: write bytes 0x...");
    /* use the size from the source: a vector of 3 has the size of 3 scalars in CUDA, but of 4 in
     * OpenCL C */
    if (type)
        type->bytes = field->bytes;
    if (field->extent_count == 0) {
        read_part(r, type, item, field->offset);
        return;
    }
    inside(r, item, inner, "the elements of an array stand in parentheses: (1, 2, 3)");
    read_elements(r, field, type, 0, &rest, field->offset);
    if (rest)
        pm_file_fault(r->build, r->line,
                      "argument \"%.60s\": field %s has fewer elements than there are values: it "
                      "has %zu",
                      r->item, field->path, pm_field_elements(field));
}

static const pm_struct *find_struct(const pm_source_info *info, const char *name)
{
    for (size_t s = 0; info && s < info->passed.count; s++)
        if (strcmp(info->passed.items[s].name, name) == 0)
            return &info->passed.items[s];
    return NULL;
}

static void read_struct(reading *r, const pm_struct *structure, const char *text)
{
    char inner[PM_FILE_ITEM], item[PM_FILE_ITEM];
    const char *rest = inner;

    if (structure->bytes > sizeof r->value)
        fault(r, "values of up to 4096 bytes are possible");
    r->bytes = structure->bytes;
    inside(r, text, inner, "the fields of a struct stand in parentheses, in the source's order");
    for (size_t f = 0; f < structure->field_count; f++) {
        const pm_field *field = &structure->fields[f];

        if (!rest || !pm_file_item(&rest, item))
            pm_file_fault(r->build, r->line,
                          "argument \"%.60s\": struct %s has %zu fields, of which %s and those "
                          "after it have no value",
                          r->item, structure->name, structure->field_count, field->path);
        read_field(r, field, item);
    }
    if (rest)
        pm_file_fault(r->build, r->line, "argument \"%.60s\": struct %s has only %zu fields",
                      r->item, structure->name, structure->field_count);
}

static void no_field(const reading *r, const pm_struct *structure, const char *path)
{
    char list[300] = "";

    for (size_t f = 0; f < structure->field_count; f++)
        pm_list_add(list, sizeof list, "%s", structure->fields[f].path);
    pm_file_fault(r->build, r->line, "argument \"%.60s\": struct %s has no field %.60s; it has: %s",
                  r->item, structure->name, path, list);
}

/* Parses a list of fields "NAME = FIELD, ..." in braces into the argument's value. prefix: path of
 * the nested struct that the braces belong to, with a dot at its end; "": the argument's struct
 * itself. Fields without a value become 0. */
static void read_named(reading *r, const pm_struct *structure, const char *prefix, const char *text)
{
    const size_t length = strlen(text);
    char inner[PM_FILE_ITEM], item[PM_FILE_ITEM];
    const char *rest = inner;

    if (length < 2 || text[length - 1] != '}')
        fault(r, "a brace is not closed");
    memcpy(inner, text + 1, length - 2);
    inner[length - 2] = '\0';
    while (rest) {
        char path[PM_FILE_ITEM];
        const char *value;
        size_t name, f;

        if (!pm_file_item(&rest, item))
            fault(r, "in braces stand the struct's fields as NAME = VALUE, separated by commas");
        name = strcspn(item, " \t=");
        value = item + name + strspn(item + name, " \t");
        if (name == 0 || *value != '=' || strlen(prefix) + name >= sizeof path)
            fault(r, "in braces stand the struct's fields as NAME = VALUE, separated by commas");
        value += 1 + strspn(value + 1, " \t");
        snprintf(path, sizeof path, "%s%.*s%s", prefix, (int)name, item, *value == '{' ? "." : "");
        f = pm_struct_field(structure, path);
        if (*value == '{')
            read_named(r, structure, path, value);
        else if (f == structure->field_count || !*value)
            no_field(r, structure, path);
        else
            read_field(r, &structure->fields[f], value);
    }
}

static void read_braces(reading *r, const pm_struct *structure, const char *text)
{
    if (structure->bytes > sizeof r->value)
        fault(r, "values of up to 4096 bytes are possible");
    r->bytes = structure->bytes;
    read_named(r, structure, "", text);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Parses bytes in hexadecimal digits, such as "0x01ff", into the argument's value. The byte with
 * the lowest address comes first. Blanks between bytes are allowed. */
static void read_bytes(reading *r, const char *text, const char *end)
{
    static const char digits[] = "0123456789abcdef";

    if (strncmp(text, "0x", 2) != 0)
        fault(r, "write bytes 0x and two hexadecimal digits a byte, in the order of memory");
    for (text += 2; text < end; text++) {
        const char *high, *low;

        if (isspace((unsigned char)*text))
            continue;
        high = strchr(digits, tolower((unsigned char)text[0]));
        low = text + 1 < end && text[1] ? strchr(digits, tolower((unsigned char)text[1])) : NULL;
        if (!high || !low)
            fault(r, "behind bytes 0x stand two hexadecimal digits a byte, in the order of memory");
        if (r->bytes == sizeof r->value)
            fault(r, "values of up to 4096 bytes are possible");
        r->value[r->bytes++] = (unsigned char)((high - digits) << 4 | (low - digits));
        text++;
    }
    if (r->bytes == 0)
        fault(r, "no byte stands behind 0x");
}

/* Parses "0x... (AT: POINTER, ...)" into the argument's value and pointers. The parentheses may be
 * missing. */
static void read_bytes_and_pointers(reading *r, const char *text)
{
    const char *open = strchr(text, '(');
    char inner[PM_FILE_ITEM];
    pm_file_pointers list = {0};

    read_bytes(r, text, open ? open : text + strlen(text));
    if (!open)
        return;
    inside(r, open, inner, "the pointers in bytes stand in parentheses: (0: a, 8: b + 64)");
    pm_file_read_placed(r->build, inner, r->line, r->bytes, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (r->pointer_count == sizeof r->pointers / sizeof *r->pointers)
            fault(r, "more pointers than the value has room for");
        add_pointer(r, list.items[i], list.items[i].at);
    }
}

void pm_file_read_object(const pm_file_build *b, const char *item, unsigned line,
                         pm_file_object *object)
{
    char word[PM_FILE_ITEM];
    const char *rest = pm_file_word(item, word);
    reading r = {.build = b, .item = item, .line = line};

    if (strcmp(word, "bytes") == 0)
        read_bytes_and_pointers(&r, rest);
    if (r.bytes != sizeof object->bytes || r.pointer_count != 1 || r.pointers[0].at != 0)
        fault(&r, "a texture object is bytes 0x, 24 bytes, and a pointer at byte 0: (0: BUFFER)");
    memcpy(object->bytes, r.value, r.bytes);
    object->texels = r.pointers[0];
}

/* Returns the workload that has a buffer of the file. It is b->workload, which is being built, or
 * else b->contents, which computes contents. NULL: neither has the buffer yet. */
static const pm_workload *workload_with(const reading *r, size_t buffer)
{
    const pm_file_build *b = r->build;
    const pm_workload *among = buffer < b->workload->buffer_count ? b->workload : b->contents;

    return among && buffer < among->buffer_count ? among : NULL;
}

/* Copies `bytes` bytes of a buffer's initial contents, from byte `at` on, to the argument's
 * value. */
static void copy_element(reading *r, const pm_workload *workload, size_t buffer, size_t at,
                         size_t bytes)
{
    const pm_fills *rules = pm_workload_rules(workload, buffer);
    pm_fill_room *room = rules ? pm_fill_room_create() : NULL;
    char what[PM_EXPRESSION_FAULT] = "out of memory";
    const bool written = room && pm_fills_write(rules, at, bytes, r->value, room, what);

    pm_fill_room_free(room);
    if (!rules)
        memcpy(r->value, (const uint8_t *)workload->buffers[buffer].initial + at, bytes);
    else if (!written)
        fault(r, what);
}

/* Parses the text "BUFFER[INDEX]", which means the initial value of a buffer's element, into the
 * argument's value. If the build only checks the file, the value is 0. Returns false if the text
 * has another form. */
static bool read_element(reading *r, const pm_file_type *type, const char *text)
{
    const pm_file_build *b = r->build;
    const size_t name = strcspn(text, " \t["), length = strlen(text);
    const char *open = text + name + strspn(text + name, " \t");
    char index[PM_FILE_ITEM];
    const pm_workload *workload;
    const pm_buffer *buffer;
    pm_file_type own;
    size_t i = 0;
    int64_t at;

    while (i < b->file->buffer_count && (strlen(b->file->buffers[i].name) != name ||
                                         memcmp(b->file->buffers[i].name, text, name) != 0))
        i++;
    if (i == b->file->buffer_count || *open != '[' || text[length - 1] != ']')
        return false;
    snprintf(index, sizeof index, "%.*s", (int)(text + length - 1 - (open + 1)), open + 1);
    at = pm_file_integer(b, &b->counting, index, r->line);
    if (!pm_file_type_find(b->file->buffers[i].type.text, &own) || own.scalar != type->scalar ||
        own.width != type->width)
        fault(r, "the buffer has elements of another type");
    workload = workload_with(r, i);
    buffer = workload ? &workload->buffers[i] : NULL;
    if (i >= b->file->common_count && !b->file->contents && !pm_file_is_reference(b))
        fault(r, "only the reference has the buffer; [contents] would have it, too");
    if (buffer && (at < 0 || (uint64_t)at >= buffer->bytes / type->bytes))
        fault(r, "the buffer has no element of this number");
    if (buffer && buffer->initial && !b->dry)
        copy_element(r, workload, i, (size_t)at * type->bytes, type->bytes);
    return true;
}

/* ---- all kinds of values -------------------------------------------------------------------- */

/* Copies the name of a struct at the start of an argument, after "struct" if that is there, to
 * `word`. Returns the text after it. */
static const char *struct_word(const char *item, char word[PM_FILE_ITEM])
{
    const char *rest = pm_file_word(item, word);

    return strcmp(word, "struct") == 0 ? pm_file_word(rest, word) : rest;
}

static void no_struct(pm_file_build *b, const char *item, const char *name, unsigned line)
{
    if (!pm_file_info(b) && !b->from->source)
        pm_file_fault(b, line,
                      "argument \"%.60s\": the fields of %.40s are not known (%.300s): write bytes "
                      "0x..., as they lie in memory",
                      item, name, b->from->no_source.text);
    pm_file_fault(b, line,
                  "argument \"%.60s\": %.40s is no struct that a kernel takes as a value, or one "
                  "with fields that have no name here: write bytes 0x..., as they lie in memory",
                  item, name);
}

bool pm_file_add_value(pm_file_build *b, const char *item, unsigned line)
{
    char word[PM_FILE_ITEM];
    const char *rest = struct_word(item, word);
    const pm_struct *structure;
    pm_file_type type;
    reading r = {.build = b, .item = item, .line = line};

    if (!*rest)
        return false;
    if (strcmp(word, "bytes") == 0) {
        read_bytes_and_pointers(&r, rest);
    } else if (find_type(word, &type)) {
        pm_file_type_adapt(b, &type);
        r.bytes = type.bytes;
        if (!read_element(&r, &type, rest))
            read_plain(&r, &type, rest, r.value);
        if (strcmp(word, "bool") == 0 && r.value[0] > 1)
            fault(&r, "a bool is 0 or 1");
    } else if (*rest == '(' || *rest == '{') {
        structure = find_struct(pm_file_info(b), word);
        if (!structure)
            no_struct(b, item, word, line);
        if (*rest == '(')
            read_struct(&r, structure, rest);
        else
            read_braces(&r, structure, rest);
    } else {
        return false;
    }
    pm_workload_arg_value(b->workload, r.value, r.bytes);
    if (r.pointer_count > 0)
        pm_workload_arg_point(b->workload, r.pointers, r.pointer_count);
    if (b->workload->error.status != PM_OK)
        pm_file_fault(b, line, "argument \"%.60s\": %.200s", item, b->workload->error.text);
    return true;
}

/* ---- values compared with kernel parameters ------------------------------------------------- */

static bool is_integer(const pm_scalar *scalar)
{
    return scalar->kind == PM_SCALAR_SIGNED || scalar->kind == PM_SCALAR_UNSIGNED;
}

/* Returns whether a value of type `given` can be passed for a parameter of type `taken`. The types
 * must be equal, or both integers of the same size. */
static bool types_fit(const pm_file_type *given, const char *taken)
{
    pm_file_type type;

    return find_type(taken, &type) && given->width == type.width && given->bytes == type.bytes &&
           (given->scalar == type.scalar || (is_integer(given->scalar) && is_integer(type.scalar)));
}

bool pm_file_value_fits(const char *path, const char *item, size_t bytes,
                        const pm_source_info *info, const pm_source_param *param)
{
    char word[PM_FILE_ITEM];
    pm_file_type type;

    struct_word(item, word);
    /* An unknown type is accepted for a parameter of the same size, because CUDA has types that
     * perfmodel does not know. */
    if (strcmp(word, "texture") == 0)
        return param->is_texture;
    if (strcmp(word, "bytes") == 0 || strcmp(word, "tensor_map") == 0 ||
        (!*param->type && pm_is_cuda_launched(path)))
        return bytes == param->bytes;
    if (find_type(word, &type))
        return types_fit(&type, param->type);
    return param->passed != PM_NO_STRUCT &&
           strcmp(info->passed.items[param->passed].name, word) == 0;
}
