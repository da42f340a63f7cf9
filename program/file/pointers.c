/* Reads pointers in a workload file: of arguments, of struct arguments, and of buffers' contents.
 * See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   POINTER = TARGET {| TARGET}      the i-th element or repeat takes the i-th TARGET, cyclically
 *   TARGET = [buffer] BUFFER [+ ELEMENTS] | null
 *   contents of pointers = zeros | each POINTER | list POINTER, ...
 *   pointers = AT: POINTER, ... | file PATH          with AT and the offset in BUFFER in bytes
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "program/file/from_file.h"

enum { POINTER_BYTES = 8, MOST_FILE = 256 << 20 };
/* Largest number of pointers in a buffer. */
static const size_t MOST_POINTERS = (size_t)1 << 24;

/* ---- one pointer ---------------------------------------------------------------------------- */

static void unknown_buffer(const pm_file_build *b, const pm_file_pointer_text *text,
                           const char *name, size_t length)
{
    char list[300] = "";

    for (size_t i = 0; i < b->file->buffer_count; i++)
        pm_list_add(list, sizeof list, "%s", b->file->buffers[i].name);
    if (text->is_argument)
        pm_file_fault(b, text->line,
                      "argument \"%.*s\": neither a buffer (there are: %s), nor a type "
                      "with a value, such as int n, nor local BYTES",
                      length < 60 ? (int)length : 60, name, *list ? list : "none");
    pm_file_fault(b, text->line, "pointer \"%.60s\": no buffer is called %.*s; there are: %s, null",
                  text->item, length < 60 ? (int)length : 60, name, *list ? list : "none");
}

/* Returns the index of the buffer with a name of `length` characters; buffer_count if there is
 * none. */
static size_t find_buffer(const pm_file_build *b, const char *name, size_t length)
{
    size_t i = 0;

    while (i < b->file->buffer_count && (strlen(b->file->buffers[i].name) != length ||
                                         memcmp(b->file->buffers[i].name, name, length) != 0))
        i++;
    return i;
}

static const char *kind_of(const pm_file_pointer_text *text)
{
    return text->is_argument ? "argument" : "pointer";
}

/* Parses "+ ELEMENTS", which follows a buffer's name in a pointer, in the `length` characters at
 * `from`. Returns the offset in bytes. */
static size_t read_offset(const pm_file_build *b, size_t buffer, const pm_file_pointer_text *text,
                          const char *from, size_t length)
{
    const pm_file_buffer *described = &b->file->buffers[buffer];
    const size_t bytes = text->in_bytes ? 1 : pm_file_element_bytes(b, described);
    char expression[PM_FILE_ITEM];
    int64_t elements;
    size_t count;

    if (*from != '+')
        pm_file_fault(b, text->line, "%s \"%.60s\": behind a buffer's name stands only + ELEMENTS",
                      kind_of(text), text->item);
    memcpy(expression, from + 1, length - 1);
    expression[length - 1] = '\0';
    elements = pm_file_integer(b, &b->counting, expression, text->line);
    if (b->workload->error.status != PM_OK)
        return 0;
    count = b->workload->buffers[buffer].bytes / bytes;
    if (elements < 0 || (uint64_t)elements >= count)
        pm_file_fault(b, text->line,
                      "%s \"%.60s\" starts at element %lld in size %s, but %s has %zu elements",
                      kind_of(text), text->item, (long long)elements, b->size->name,
                      described->name, count);
    return (size_t)elements * bytes;
}

static bool is_null(const char *name, size_t length)
{
    return length == 4 && (memcmp(name, "null", 4) == 0 || memcmp(name, "NULL", 4) == 0);
}

/* Skips the word "buffer" before a buffer's name in a pointer, unless a buffer is called
 * "buffer". */
static const char *skip_word(const pm_file_build *b, const char *start)
{
    static const char word[] = "buffer ";

    if (strncmp(start, word, sizeof word - 1) != 0 ||
        find_buffer(b, word, 6) < b->file->buffer_count)
        return start;
    return start + sizeof word - 1 + strspn(start + sizeof word - 1, " \t");
}

/* Parses one target of a pointer such as "a | b", from `at` to `end`, to check it. If `chosen`, the
 * pointer has this target, and *to gets it. Returns false for null. */
static bool read_target(const pm_file_build *b, const pm_file_pointer_text *text, const char *at,
                        const char *end, bool chosen, pm_pointer *to)
{
    const char *start = skip_word(b, at + strspn(at, " \t")), *behind;
    const size_t length = strcspn(start, " \t+|"), index = find_buffer(b, start, length);
    const bool null = is_null(start, length) && index == b->file->buffer_count;

    if (index == b->file->buffer_count && !null)
        unknown_buffer(b, text, start, length);
    if (!null && index >= b->file->common_count && !pm_file_is_reference(b) &&
        !pm_file_is_contents(b))
        pm_file_fault(b, text->line, "%s \"%.60s\": only the reference has buffer %s",
                      kind_of(text), text->item, b->file->buffers[index].name);
    behind = start + length + strspn(start + length, " \t");
    if (null && behind < end)
        pm_file_fault(b, text->line, "%s \"%.60s\": nothing may follow null", kind_of(text),
                      text->item);
    if (!chosen || null)
        return false;
    to->buffer = index;
    to->offset = behind < end ? read_offset(b, index, text, behind, (size_t)(end - behind)) : 0;
    return true;
}

bool pm_file_read_pointer(const pm_file_build *b, const pm_file_pointer_text *text, pm_pointer *to)
{
    const int64_t turn = b->parameters[b->numbers.count].value;
    size_t names = 1, number = 0;
    bool found = false;

    for (const char *c = text->item; *c; c++)
        names += *c == '|';
    for (const char *at = text->item; at; number++) {
        const char *end = at + strcspn(at, "|");

        found |= read_target(b, text, at, end, number == (size_t)turn % names, to);
        at = *end ? end + 1 : NULL;
    }
    return found;
}

/* ---- pointers at given bytes ---------------------------------------------------------------- */

/* Adds a pointer to the list of pointers in a buffer. Raises an error if there are too many. */
static void add(const pm_file_build *b, pm_file_pointers *list, pm_pointer pointer, unsigned line)
{
    if (list->count == MOST_POINTERS)
        pm_file_fault(b, line, "more than %zu pointers in a buffer", MOST_POINTERS);
    *pm_add(b->memory, list->items, list->count) = pointer;
}

/* Reads "AT: POINTER". */
static void read_placed(const pm_file_build *b, char *item, unsigned line, size_t bytes,
                        pm_file_pointers *list)
{
    char *colon = strchr(item, ':');
    pm_file_pointer_text text = {.line = line, .in_bytes = true};
    pm_pointer pointer = {0};
    int64_t at;

    if (!colon)
        pm_file_fault(b, line,
                      "pointer \"%.60s\": write AT: BUFFER + BYTES, where AT is the byte at which "
                      "the pointer stands",
                      item);
    *colon = '\0';
    at = pm_file_integer(b, &b->counting, item, line);
    if (at < 0 || bytes < POINTER_BYTES || (uint64_t)at > bytes - POINTER_BYTES)
        pm_file_fault(b, line, "pointer at byte %lld: the pointer has 8 bytes, and all have %zu",
                      (long long)at, bytes);
    text.item = colon + 1 + strspn(colon + 1, " \t");
    if (!*text.item)
        pm_file_fault(b, line, "pointer at byte %lld: no buffer follows", (long long)at);
    pointer.at = (size_t)at;
    if (pm_file_read_pointer(b, &text, &pointer))
        add(b, list, pointer, line);
}

void pm_file_read_placed(const pm_file_build *b, const char *items, unsigned line, size_t bytes,
                         pm_file_pointers *list)
{
    char item[PM_FILE_ITEM];

    for (const char *rest = items; rest;) {
        if (!pm_file_item(&rest, item))
            pm_file_fault(b, line, "a pointer is missing beside a comma");
        read_placed(b, item, line, bytes, list);
    }
}

/* Reads the file of a key `pointers = file PATH`, which has one pointer "AT: POINTER" in each line,
 * and adds the pointers to the list. */
static void read_file(const pm_file_build *b, const pm_file_buffer *buffer, const char *path,
                      size_t bytes, pm_file_pointers *list)
{
    char place[4096], *text, *mine;

    pm_file_path(b, path, buffer->pointers.line, place, sizeof place);
    pm_require(b->memory,
               pm_file_read(place, MOST_FILE, "a file with pointers", &text, b->memory->err));
    mine = pm_copy(b->memory, text);
    free(text);
    for (char *line = mine, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        if (*line)
            read_placed(b, line, buffer->pointers.line, bytes, list);
    }
}

/* ---- contents ------------------------------------------------------------------------------- */

/* The pointers in a buffer that one line of the workload file describes: the elements, or a field
 * of each element. contents: that line. offset: bytes from an element's start to the field. stride:
 * bytes from one element to the next. */
typedef struct {
    const pm_file_text *contents;
    size_t elements, stride, offset;
    const pm_field *field; /* field that has the pointers; NULL: the elements are pointers */
} target;

/* Returns the offset in the buffer, in bytes, of one of the pointers that a line describes. number:
 * the pointer's number in the line. */
static size_t place_of(const target *t, size_t number)
{
    const size_t each = t->field ? pm_field_elements(t->field) : 1;
    size_t at = number / each * t->stride + t->offset, rest = number % each;

    for (size_t d = t->field ? t->field->extent_count : 0; d-- > 0;) {
        at += rest % t->field->extents[d].count * t->field->extents[d].stride;
        rest /= t->field->extents[d].count;
    }
    return at;
}

static void read_number(pm_file_build *b, const target *t, const char *item, size_t number,
                        pm_file_pointers *list)
{
    const pm_file_pointer_text text = {.item = item, .line = t->contents->line};
    pm_pointer pointer = {.at = place_of(t, number)};

    b->parameters[b->numbers.count].value = (int64_t)number;
    if (pm_file_read_pointer(b, &text, &pointer))
        add(b, list, pointer, t->contents->line);
    b->parameters[b->numbers.count].value = 0;
}

static void read_list(pm_file_build *b, const target *t, const char *rest, size_t wanted,
                      pm_file_pointers *list)
{
    char item[PM_FILE_ITEM];
    size_t count = 0;

    for (; rest; count++) {
        if (!pm_file_item(&rest, item))
            pm_file_fault(b, t->contents->line, "a pointer is missing beside a comma");
        if (count < wanted)
            read_number(b, t, item, count, list);
    }
    if (count != wanted)
        pm_file_fault(b, t->contents->line, "the list has %zu pointers, wanted are %zu in size %s",
                      count, wanted, b->size->name);
}

/* Parses the contents of pointers (a line of the workload file) and adds the pointers to the list.
 * A build that only checks the file reads only the first and the last pointer. */
static void read_contents(pm_file_build *b, const target *t, pm_file_pointers *list)
{
    const size_t count = t->elements * (t->field ? pm_field_elements(t->field) : 1);
    const char *rest;

    if (strcmp(t->contents->text, "zeros") == 0)
        return;
    if (pm_file_starts(t->contents->text, "list", &rest) && rest) {
        read_list(b, t, rest, count, list);
        return;
    }
    if (!pm_file_starts(t->contents->text, "each", &rest) || !rest)
        pm_file_fault(b, t->contents->line,
                      "\"%.60s\": contents of pointers are zeros, each BUFFER + ELEMENTS of i, or "
                      "list BUFFER, BUFFER + ELEMENTS, null, ...",
                      t->contents->text);
    for (size_t i = 0; i < count; i = b->dry && i + 1 < count ? count - 1 : i + 1)
        read_number(b, t, rest, i, list);
}

static void add_fields(pm_file_build *b, const pm_file_buffer *buffer, const pm_struct *structure,
                       size_t bytes, pm_file_pointers *list)
{
    for (size_t i = 0; structure && i < buffer->field_count; i++) {
        const size_t f = pm_struct_field(structure, buffer->fields[i].field);
        const target t = {.contents = &buffer->fields[i].contents,
                          .elements = bytes / structure->bytes,
                          .stride = structure->bytes,
                          .offset = f < structure->field_count ? structure->fields[f].offset : 0,
                          .field = f < structure->field_count ? &structure->fields[f] : NULL};

        if (t.field && pm_file_is_pointer(t.field->type))
            read_contents(b, &t, list);
    }
}

static void add_buffer(pm_file_build *b, size_t i)
{
    const pm_file_buffer *buffer = &b->file->buffers[i];
    const size_t bytes = b->workload->buffers[i].bytes;
    pm_file_pointers list = {0};
    const char *path;

    if (pm_file_is_pointer(buffer->type.text) && buffer->contents.text)
        read_contents(b,
                      &(target){.contents = &buffer->contents,
                                .elements = bytes / POINTER_BYTES,
                                .stride = POINTER_BYTES},
                      &list);
    else
        add_fields(b, buffer, pm_file_struct(b->from, buffer->type.text), bytes, &list);
    if (buffer->pointers.text && pm_file_starts(buffer->pointers.text, "file", &path) && path)
        read_file(b, buffer, path, bytes, &list);
    else if (buffer->pointers.text)
        pm_file_read_placed(b, buffer->pointers.text, buffer->pointers.line, bytes, &list);
    if (list.count > 0)
        pm_workload_point(b->workload, i, list.items, list.count);
    if (b->workload->error.status != PM_OK)
        pm_file_fault(b, buffer->pointers.text ? buffer->pointers.line : buffer->line, "%s",
                      b->workload->error.text);
}

void pm_file_add_pointers(pm_file_build *b)
{
    for (size_t i = 0; i < b->workload->buffer_count && b->workload->error.status == PM_OK; i++)
        if (!b->computed && !b->workload->buffers[i].lender)
            add_buffer(b, i);
}
