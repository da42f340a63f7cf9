/* Parses and compares lines of shard files, which contain the results of one part (shard) of a run
 * that is divided among processes. See shares.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "answer/shares/shares.h"
#include "base/file.h"
#include "base/shard.h"

/* FORMAT: version of the file format; MOST_BYTES: size of the largest file, in bytes; SHOWN: number
 * of bytes of a value that a message quotes at most */
enum { FORMAT = 1, MOST_BYTES = 1 << 30, SHOWN = 60 };

pm_status pm_finished_path(const pm_shard *shard, const char *output, char *path, size_t size,
                           pm_error *err)
{
    return pm_shard_path(shard, output, ".json", ".jsonl", path, size, err);
}

json_t *pm_finished_head_json(const pm_finished_head *head)
{
    return json_pack("{s:s,s:s,s:i,s:I,s:I,s:I,s:O}", "perfmodel", PM_VERSION, "share",
                     head->command, "format", FORMAT, "index", (json_int_t)head->shard.index, "of",
                     (json_int_t)head->shard.count, "planned", (json_int_t)head->planned, "run",
                     head->run);
}

/* ---- reading -------------------------------------------------------------------------------- */

void pm_finished_read_lines(pm_finished_lines *lines, const char *path)
{
    pm_memory *memory = lines->memory;
    const char *line;

    pm_require(memory, pm_file_read(path, MOST_BYTES, "a share, which perfmodel --shard writes",
                                    &lines->text, memory->err));
    line = lines->text;
    for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
        json_error_t why;
        json_t *document = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, &why);

        *pm_add(memory, lines->lines, lines->count) = document;
        if (!json_is_object(document))
            pm_leave(memory, PM_BAD_INPUT,
                     "%s:%zu: not a line of a share (%s), which perfmodel --shard writes", path,
                     lines->count, document ? "no object" : why.text);
    }
    lines->whole_bytes = (size_t)(line - lines->text);
    lines->torn = *line != '\0';
}

void pm_finished_lines_free(pm_finished_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        json_decref(lines->lines[i]);
    free(lines->text);
}

bool pm_finished_item_of(const json_t *line, const char **key, size_t *place, json_t **value)
{
    const json_t *number = json_object_get(line, "place");

    *key = json_string_value(json_object_get(line, "key"));
    *value = json_object_get(line, "value");
    *place = number ? (size_t)json_integer_value(number) : PM_NO_PLACE;
    return *key && *value &&
           (!number || (json_is_integer(number) && json_integer_value(number) >= 0));
}

/* ---- differences ---------------------------------------------------------------------------- */

static const char *shown(pm_memory *memory, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    const char *copy = pm_format(memory, "%.*s%s", SHOWN, text ? text : "nothing",
                                 text && strlen(text) > SHOWN ? "..." : "");

    free(text);
    return copy;
}

/* Returns the first difference of a and b, which are the members at `path` of two documents. a or b
 * is NULL if that document has no such member. */
static const char *find(pm_memory *memory, const char *path, const json_t *a, const json_t *b)
{
    const char *name;
    json_t *member;
    size_t i;

    if (a && b && json_equal(a, b))
        return NULL;
    if (json_is_object(a) && json_is_object(b)) {
        json_object_foreach((json_t *)a, name, member)
        {
            const json_t *other = json_object_get(b, name);

            if (!other || !json_equal(member, other))
                return find(memory, pm_format(memory, "%s%s%.80s", path, *path ? "." : "", name),
                            member, other);
        }
        json_object_foreach((json_t *)b, name, member)
        {
            if (!json_object_get(a, name))
                return find(memory, pm_format(memory, "%s%s%.80s", path, *path ? "." : "", name),
                            NULL, member);
        }
    }
    if (json_is_array(a) && json_array_size(a) == json_array_size(b))
        json_array_foreach(a, i, member)
        {
            if (!json_equal(member, json_array_get(b, i)))
                return find(memory, pm_format(memory, "%s[%zu]", path, i), member,
                            json_array_get(b, i));
        }
    return pm_format(memory, "%.200s: %s and %s", path, shown(memory, a), shown(memory, b));
}

const char *pm_finished_difference(pm_memory *memory, const json_t *a, const json_t *b)
{
    return find(memory, "", a, b);
}
