/* Writes the rows of a JSON document as CSV. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "report/json/json.h"

/* ---- rows ----------------------------------------------------------------------------------- */

static bool is_scalar(const json_t *value)
{
    return !json_is_array(value) && !json_is_object(value);
}

/* Returns the scalars of a list as one text, separated by semicolons, for a cell of CSV. NULL for a
 * list of objects, which has no cell. */
static json_t *joined(const json_t *list)
{
    pm_text text = {0};
    json_t *cell;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);

        if (!is_scalar(value)) {
            pm_text_free(&text);
            return NULL;
        }
        pm_text_add(&text, "%s", i > 0 ? ";" : "");
        if (json_is_string(value))
            pm_text_add(&text, "%s", json_string_value(value));
        else if (json_is_number(value))
            pm_text_add(&text, "%.15g", json_number_value(value));
    }
    cell = json_string(pm_text_get(&text));
    pm_text_free(&text);
    return cell;
}

/* Adds the members of an object to a row of a CSV table. A scalar becomes the column prefix + key.
 * The members of a nested object become columns OUTER.INNER. */
static void add_members(json_t *row, const char *prefix, const json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        pm_text name = {0};

        pm_text_add(&name, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value))
            add_members(row, pm_text_get(&name), value);
        else if (json_is_array(value))
            json_object_set_new(row, pm_text_get(&name), joined(value));
        else
            json_object_set(row, pm_text_get(&name), value);
        pm_text_free(&name);
    }
}

static json_t *scalars_of(const json_t *inherited, const json_t *object)
{
    json_t *row = json_copy((json_t *)inherited);
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value) if (is_scalar(value))
        json_object_set(row, key, value);
    return row;
}

static void add_row(json_t *rows, const json_t *inherited, const json_t *object)
{
    json_t *row = json_copy((json_t *)inherited);

    add_members(row, "", object);
    json_array_append_new(rows, row);
}

/* Adds a row for each object in `list` to the rows of a CSV table. If `list` is an object whose
 * members are objects, the key of each becomes its column "name". inherited: cells that each row
 * also gets. */
static void add_list(json_t *rows, const json_t *inherited, const json_t *list)
{
    const char *key;
    json_t *value;

    for (size_t i = 0; i < json_array_size(list); i++)
        add_row(rows, inherited, json_array_get(list, i));
    json_object_foreach((json_t *)list, key, value)
    {
        json_t *named = json_copy((json_t *)inherited);

        json_object_set_new(named, "name", json_string(key));
        add_row(rows, named, value);
        json_decref(named);
    }
}

/* Adds rows for the list with the key `name`, which is in the document or in objects of its lists,
 * to the rows of a CSV table. If name is NULL, the document itself is the list. inherited: cells
 * that each row also gets. */
static void add_rows(json_t *rows, const json_t *inherited, const json_t *document,
                     const char *name)
{
    const json_t *list = name ? json_object_get(document, name) : NULL;
    json_t *outer =
        json_is_object(document) ? scalars_of(inherited, document) : json_copy((json_t *)inherited);
    const char *key;
    json_t *value;

    if (list)
        add_list(rows, outer, list);
    for (size_t i = 0; i < json_array_size(document); i++)
        if (name)
            add_rows(rows, outer, json_array_get(document, i), name);
        else
            add_row(rows, outer, json_array_get(document, i));
    json_object_foreach((json_t *)document, key, value) if (!list && json_is_array(value))
        add_rows(rows, outer, value, name);
    json_decref(outer);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Returns an object whose keys are the names of all columns of the CSV table, in the order in which
 * they first occur in the rows. */
static json_t *header_of(const json_t *rows)
{
    json_t *header = json_object();

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *key;
        json_t *value;

        json_object_foreach(json_array_get(rows, i), key, value)
            json_object_set_new(header, key, json_null());
    }
    return header;
}

/* Writes a cell of the CSV table. A number has the same digits as in JSON. */
static void put_cell(pm_text *text, const json_t *value, bool last)
{
    char *number =
        json_is_number(value) ? json_dumps(value, JSON_ENCODE_ANY | PM_JSON_DIGITS) : NULL;

    pm_csv_put(text,
               number                  ? number
               : json_is_string(value) ? json_string_value(value)
               : json_is_true(value)   ? "true"
               : json_is_false(value)  ? "false"
                                       : "",
               last);
    free(number);
}

static void put_rows(pm_text *text, const json_t *rows, json_t *header)
{
    const size_t columns = json_object_size(header);
    const char *key;
    json_t *value;
    size_t column = 0;

    json_object_foreach(header, key, value) pm_csv_put(text, key, ++column == columns);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        column = 0;
        json_object_foreach(header, key, value)
            put_cell(text, json_object_get(row, key), ++column == columns);
    }
}

char *pm_json_csv(const json_t *document, const char *list)
{
    json_t *rows = json_array(), *nothing = json_object(), *header;
    pm_text text = {0};

    add_rows(rows, nothing, document, list);
    if (json_array_size(rows) == 0 && json_is_object(document) && !list)
        add_row(rows, nothing, document);
    header = header_of(rows);
    put_rows(&text, rows, header);
    json_decref(header);
    json_decref(nothing);
    json_decref(rows);
    return pm_text_take(&text);
}
