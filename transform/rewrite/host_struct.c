/* Writes the declaration of a struct of a kernel source as C code, for the user's host program. See
 * host_struct.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/rewrite/host_struct.h"

#include <stdio.h>
#include <string.h>

/* ---- types -------------------------------------------------------------------------------- */

typedef struct {
    const char *device, *host;
    size_t bytes;
} scalar_row;

static const scalar_row scalars[] = {
    {"char", "int8_t", 1},      {"uchar", "uint8_t", 1},      {"bool", "uint8_t", 1},
    {"short", "int16_t", 2},    {"ushort", "uint16_t", 2},    {"half", "uint16_t", 2},
    {"int", "int32_t", 4},      {"uint", "uint32_t", 4},      {"float", "float", 4},
    {"long", "int64_t", 8},     {"ulong", "uint64_t", 8},     {"double", "double", 8},
    {"longlong", "int64_t", 8}, {"ulonglong", "uint64_t", 8},
};
/* row of `scalars` for types without a row of their own; a field of these types is declared as an
 * array of bytes */
static const scalar_row plain_bytes = {"bytes", "unsigned char", 1};

/* Returns the row for the scalars of which a field's type consists: for float4, the row for
 * float. */
static const scalar_row *scalar_of(const pm_field *field)
{
    size_t letters = strcspn(field->type, "0123456789");

    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strlen(scalars[i].device) == letters &&
            memcmp(scalars[i].device, field->type, letters) == 0 &&
            (field->type[letters] || scalars[i].bytes == field->bytes))
            return &scalars[i];
    return &plain_bytes;
}

void pm_host_type(const pm_field *field, const char *prefix, char *name, size_t size, size_t *align)
{
    const scalar_row *scalar = scalar_of(field);

    *align = scalar->bytes;
    if (!pm_host_is_vector(field))
        snprintf(name, size, "%s", scalar->host);
    else if (scalar == &plain_bytes)
        snprintf(name, size, "%s_bytes%zu", prefix, field->bytes);
    else
        snprintf(name, size, "%s_%s", prefix, field->type);
}

bool pm_host_is_vector(const pm_field *field)
{
    return scalar_of(field)->bytes != field->bytes;
}

/* Returns true if one of the fields before field f has the type `name` on the host, so that the
 * typedef of this type is already written. */
static bool declared_before(const pm_struct *structure, size_t f, const char *name)
{
    char other[512];
    size_t align;

    for (size_t i = 0; i < f; i++) {
        pm_host_type(&structure->fields[i], structure->name, other, sizeof other, &align);
        if (strcmp(other, name) == 0)
            return true;
    }
    return false;
}

void pm_host_vectors(pm_text *out, const pm_struct *structure)
{
    bool any = false;

    for (size_t f = 0; f < structure->field_count; f++) {
        const pm_field *field = &structure->fields[f];
        const scalar_row *scalar = scalar_of(field);
        char name[512];
        size_t align;

        pm_host_type(field, structure->name, name, sizeof name, &align);
        if (!pm_host_is_vector(field) || declared_before(structure, f, name))
            continue;
        pm_text_add(out, "typedef struct {\n    %s s[%zu];\n} %s;\n", scalar->host,
                    field->bytes / scalar->bytes, name);
        any = true;
    }
    if (any)
        pm_text_add(out, "\n");
}

/* ---- subscripts in a field's path --------------------------------------------------------- */

/* Returns the text from name number `depth` of a path on, counted from 0: for the path n.x, depth 1
 * gives "x". Returns "" if the path has no such name. */
static const char *word_at(const char *path, unsigned depth)
{
    for (; depth > 0; depth--) {
        path += strcspn(path, ".");
        path += *path == '.';
    }
    return path;
}

static bool is_last_word(const char *word)
{
    return !strchr(word, '.');
}

static bool same_word(const char *a, const char *b)
{
    size_t length = strcspn(a, ".");

    return strcspn(b, ".") == length && memcmp(a, b, length) == 0;
}

/* Returns the index after the last of the fields, from `first` on, that have the same name at
 * position `depth` of their paths, such as n in n.x and n.y. These fields are members of one nested
 * struct. */
static size_t group_end(const pm_struct *structure, size_t first, size_t end, unsigned depth)
{
    const char *word = word_at(structure->fields[first].path, depth);
    size_t i = first + 1;

    while (i < end && same_word(word, word_at(structure->fields[i].path, depth)))
        i++;
    return i;
}

/* Returns true if an array field's dimensions from number `used` on are those of an ordinary C
 * array: nothing lies between neighbouring elements. */
static bool is_array(const pm_field *field, size_t used)
{
    size_t stride = field->bytes;

    for (size_t d = field->extent_count; d-- > used;) {
        if (field->extents[d].stride != stride)
            return false;
        stride *= field->extents[d].count;
    }
    return true;
}

/* field: an array in an array of nested structs, such as n[].x[]. Returns the byte offset of the
 * end of that part of the array which is in the first nested struct, n[0].x[], counted from the
 * start of the outermost struct. used: number of dimensions that belong to the arrays of nested
 * structs. */
static size_t element_end(const pm_field *field, size_t used)
{
    size_t end = field->offset + field->bytes;

    for (size_t d = used; d < field->extent_count; d++)
        end += (field->extents[d].count - 1) * field->extents[d].stride;
    return end;
}

/* Sets host->words[d], for each dimension d of an array field, to the position of a name in the
 * field's path: the name after which the subscript is written. The path n[].x[] gives 0 (n) for the
 * first subscript and 1 (x) for the second. The path with subscripts is field->access. Returns
 * false if C cannot declare such an array. */
static bool assign_words(const pm_field *field, pm_host_field *host)
{
    unsigned word = 0;
    size_t d = 0, used = 0;

    for (const char *at = field->access; at && *at; at++) {
        if (*at == '.') {
            word++;
            used = d;
        } else if (*at == '[') {
            if (d == field->extent_count)
                return false;
            host->words[d++] = word;
        }
    }
    return d == field->extent_count && is_array(field, used);
}

/* Returns a prefix for the names of padding members that no field's name or path contains. */
static const char *padding_name(pm_memory *memory, const pm_struct *structure)
{
    for (int tail = 0; tail <= 32; tail++) {
        const char *name =
            pm_format(memory, "padding%.*s", tail, "________________________________");
        bool taken = false;

        for (size_t f = 0; f < structure->field_count; f++)
            taken |=
                strstr(structure->fields[f].path, name) || strstr(structure->fields[f].name, name);
        if (!taken)
            return name;
    }
    pm_leave(memory, PM_FAILED, "struct %s: its fields have all names that padding could have",
             structure->name);
}

pm_host_struct pm_host_struct_make(pm_memory *memory, const pm_struct *structure)
{
    pm_host_struct host = {.structure = structure,
                           .fields = pm_take(memory, structure->field_count, sizeof *host.fields),
                           .padding = padding_name(memory, structure)};

    for (size_t f = 0; f < structure->field_count; f++)
        if (!assign_words(&structure->fields[f], &host.fields[f]))
            pm_leave(memory, PM_BAD_INPUT,
                     "struct %s: array %s does not lie as C on the host would put it",
                     structure->name, structure->fields[f].path);
    return host;
}

/* ---- writing ------------------------------------------------------------------------------ */

void pm_host_path(pm_text *out, const pm_host_struct *host, size_t f)
{
    const pm_field *field = &host->structure->fields[f];
    const char *word = field->path;
    size_t d = 0;

    for (unsigned depth = 0; *word; depth++) {
        pm_text_add(out, "%s%.*s", depth ? "." : "", (int)strcspn(word, "."), word);
        for (; d < field->extent_count && host->fields[f].words[d] == depth; d++)
            pm_text_add(out, "[k%zu]", d);
        word = word_at(word, 1);
    }
}

static size_t round_up(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

void pm_host_pad(pm_text *out, const pm_host_struct *host, int indent, size_t end, size_t offset,
                 size_t align)
{
    if (round_up(end, align) < offset)
        pm_text_add(out, "%*sunsigned char %s_%zu[%zu];\n", indent, "", host->padding, end,
                    offset - end);
}

/* State while the members of a struct, or of a nested struct, are declared. first, behind: its
 * fields are those with the numbers `first` to `behind` - 1. used: number of the fields' dimensions
 * that belong to arrays of enclosing structs. start: byte offset of the struct (if it is an array:
 * of element 0) in the outermost struct. depth: position of the members' names in the fields'
 * paths. */
typedef struct {
    size_t first, behind, used, start;
    unsigned depth;
    int indent;
} nest;

static size_t host_align(const pm_struct *structure, size_t first, size_t behind)
{
    size_t most = 1, align;
    char name[512];

    for (size_t f = first; f < behind; f++) {
        pm_host_type(&structure->fields[f], structure->name, name, sizeof name, &align);
        if (align > most)
            most = align;
    }
    return most;
}

static void write_extents(pm_text *out, const pm_host_struct *host, size_t f, unsigned depth)
{
    const pm_field *field = &host->structure->fields[f];

    for (size_t d = 0; d < field->extent_count; d++)
        if (host->fields[f].words[d] == depth)
            pm_text_add(out, "[%zu]", field->extents[d].count);
}

static size_t write_members(pm_text *out, const pm_host_struct *host, nest at);

/* Appends the declaration of a nested struct. Returns the byte offset of its end in the enclosing
 * struct. */
static size_t write_nested(pm_text *out, const pm_host_struct *host, nest outer, nest inner)
{
    const pm_field *field = &host->structure->fields[inner.first];
    const char *word = word_at(field->path, outer.depth);
    size_t align = host_align(host->structure, inner.first, inner.behind), end, bytes;

    while (inner.used < field->extent_count &&
           host->fields[inner.first].words[inner.used] == outer.depth)
        inner.used++;
    pm_text_add(out, "%*sstruct {\n", outer.indent, "");
    end = write_members(out, host, inner);
    bytes = round_up(end, align);
    if (inner.used > outer.used) {
        bytes = field->extents[inner.used - 1].stride;
        pm_host_pad(out, host, inner.indent, end, bytes, align);
    }
    pm_text_add(out, "%*s} %.*s", outer.indent, "", (int)strcspn(word, "."), word);
    write_extents(out, host, inner.first, outer.depth);
    pm_text_add(out, ";\n");
    for (size_t d = outer.used; d < inner.used; d++)
        bytes *= field->extents[d].count;
    return inner.start - outer.start + bytes;
}

/* Appends the declarations of a struct's members. Returns the byte offset of their end in the
 * struct. */
static size_t write_members(pm_text *out, const pm_host_struct *host, nest at)
{
    const pm_struct *structure = host->structure;
    size_t end = 0;

    for (size_t f = at.first, behind; f < at.behind; f = behind) {
        const pm_field *field = &structure->fields[f];
        const char *word = word_at(field->path, at.depth);
        size_t align;
        char type[512];

        behind = is_last_word(word) ? f + 1 : group_end(structure, f, at.behind, at.depth);
        align = host_align(structure, f, behind);
        pm_host_pad(out, host, at.indent, end, field->offset - at.start, align);
        if (behind > f + 1 || !is_last_word(word)) {
            end = write_nested(
                out, host, at,
                (nest){f, behind, at.used, field->offset, at.depth + 1, at.indent + 4});
            continue;
        }
        pm_host_type(field, structure->name, type, sizeof type, &align);
        pm_text_add(out, "%*s%s %s", at.indent, "", type, word);
        write_extents(out, host, f, at.depth);
        pm_text_add(out, ";\n");
        end = element_end(field, at.used) - at.start;
    }
    return end;
}

void pm_host_declare(pm_text *out, const pm_host_struct *host)
{
    const pm_struct *structure = host->structure;
    size_t end, align = host_align(structure, 0, structure->field_count);

    pm_text_add(out, "typedef struct {\n");
    end = write_members(out, host, (nest){.behind = structure->field_count, .indent = 4});
    pm_host_pad(out, host, 4, end, structure->bytes, align);
    pm_text_add(out, "} %s;\n", structure->name);
}
