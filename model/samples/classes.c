/* Finds and reads classes.csv. See classes.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/samples/classes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "base/strings.h"

/* State of reading the table classes.csv. */
typedef struct {
    pm_classes *classes;
    const char *path;
    size_t columns; /* number of columns; 0 before the header was read */
    size_t program, class;
    size_t room;
} reader;

static pm_status find_column(const reader *r, const char *const *cells, const char *name,
                             size_t *column, pm_error *err)
{
    *column = 0;
    while (*column < r->columns && strcmp(cells[*column], name) != 0)
        ++*column;
    return *column < r->columns
               ? PM_OK
               : pm_fail(err, PM_BAD_INPUT, "%s:1: no column '%s'; add it", r->path, name);
}

static pm_status read_header(reader *r, const char *const *cells, size_t count, pm_error *err)
{
    pm_status status;

    r->columns = count;
    status = find_column(r, cells, "program", &r->program, err);
    return status == PM_OK ? find_column(r, cells, "class", &r->class, err) : status;
}

static pm_status add_row(reader *r, const char *program, const char *class, pm_error *err)
{
    pm_classes *classes = r->classes;
    pm_class_row row;

    if (classes->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        pm_class_row *grown = realloc(classes->rows, room * sizeof *grown);

        if (!grown)
            return pm_fail(err, PM_FAILED, "%s: out of memory", r->path);
        classes->rows = grown;
        r->room = room;
    }
    row = (pm_class_row){pm_strings_add(&classes->texts, program),
                         pm_strings_add(&classes->texts, class)};
    if (!row.program || !row.class)
        return pm_fail(err, PM_FAILED, "%s: out of memory", r->path);
    classes->rows[classes->count++] = row;
    return PM_OK;
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    reader *r = user;
    char shown[PM_SHOWN_CELL];

    if (count > PM_CSV_MAX_COLUMNS)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: more than %d columns; are the commas right?",
                       r->path, line, PM_CSV_MAX_COLUMNS);
    if (r->columns == 0)
        return read_header(r, cells, count, err);
    if (count != r->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells, the header has %zu; mend the row",
                       r->path, line, count, r->columns);
    if (!*cells[r->program] || !*cells[r->class])
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s is empty; fill it in, or remove the row",
                       r->path, line, *cells[r->program] ? "class" : "program");
    for (size_t i = 0; i < r->classes->count; i++)
        if (strcmp(r->classes->rows[i].program, cells[r->program]) == 0)
            return pm_fail(err, PM_BAD_INPUT, "%s:%zu: a second row of %s; remove one", r->path,
                           line, pm_shown(cells[r->program], shown, sizeof shown));
    return add_row(r, cells[r->program], cells[r->class], err);
}

static int by_program(const void *a, const void *b)
{
    const pm_class_row *x = a, *y = b;

    return strcmp(x->program, y->program);
}

pm_status pm_classes_read(pm_classes *classes, const char *path, pm_error *err)
{
    reader r = {.classes = classes, .path = path};
    pm_status status = pm_csv_read_table(path, read_row, &r, err);

    if (status == PM_OK && r.columns == 0)
        status =
            pm_fail(err, PM_BAD_INPUT, "%s: it is empty; a first line names the columns", path);
    if (status == PM_OK && classes->count > 0)
        qsort(classes->rows, classes->count, sizeof *classes->rows, by_program);
    return status;
}

void pm_classes_clear(pm_classes *classes)
{
    pm_strings_clear(&classes->texts);
    free(classes->rows);
    *classes = (pm_classes){0};
}

const char *pm_class_of(const pm_classes *classes, const char *program)
{
    const pm_class_row key = {program, NULL}, *found = NULL;

    if (classes && classes->count > 0)
        found = bsearch(&key, classes->rows, classes->count, sizeof key, by_program);
    return found ? found->class : program;
}

/* ---- twins ---------------------------------------------------------------------------------- */

static const char CUDA_TWIN[] = "_cuda";

static size_t twin_length(const char *program)
{
    return strlen(program) - (pm_ends_in(program, CUDA_TWIN) ? sizeof CUDA_TWIN - 1 : 0);
}

const char *pm_twin_name(pm_memory *memory, const char *program)
{
    const size_t length = twin_length(program);

    return program[length] ? pm_format(memory, "%.*s", (int)length, program) : program;
}

bool pm_are_twins(const char *a, const char *b)
{
    const size_t length = twin_length(a);

    return length == twin_length(b) && strncmp(a, b, length) == 0;
}

/* ---- finding the table, and reading it once per session -------------------------------------- */

pm_status pm_classes_load(const pm_session *session, pm_classes *classes, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    char path[PATH_MAX];

    if (pm_table_path("classes.csv", folder, path, sizeof path, NULL) != PM_OK)
        return PM_OK;
    return pm_classes_read(classes, path, err);
}

static pm_status fill(pm_session *session, void *object, const void *user, pm_error *err)
{
    (void)user;
    return pm_classes_load(session, object, err);
}

static void release(void *object)
{
    pm_classes_clear(object);
    free(object);
}

const pm_classes *pm_classes_find(pm_session *session, pm_error *err)
{
    static const pm_session_kind kind = {"the classes of programs", sizeof(pm_classes), fill,
                                         release};

    return pm_session_have(session, &kind, "", NULL, err);
}
