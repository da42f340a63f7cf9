/* Reads gpu_names.csv, the table of further names of GPUs. See other_names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/other_names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/paths.h"

enum { NAME, DEVICE, SAME, NOTE, COLUMNS };

static const char *const titles[COLUMNS] = {"name", "device", "same", "note"};

typedef struct {
    const char *path;
    bool has_header;
    pm_other_names *names;
} reading;

static pm_status check_header(const reading *r, const char *const *cells, size_t count,
                              pm_error *err)
{
    bool right = count == COLUMNS;

    for (size_t c = 0; right && c < COLUMNS; c++)
        right = strcmp(cells[c], titles[c]) == 0;
    return right ? PM_OK
                 : pm_fail(err, PM_BAD_INPUT, "%s:1: the columns are not name,device,same,note",
                           r->path);
}

static bool make_room(pm_other_names *names)
{
    const size_t room = names->room > 0 ? 2 * names->room : 64;
    pm_other_name *grown;

    if (names->count < names->room)
        return true;
    grown = reallocarray(names->rows, room, sizeof *grown);
    if (!grown)
        return false;
    names->rows = grown;
    names->room = room;
    return true;
}

static pm_status add_row(pm_other_names *names, const char *const *cells, pm_error *err)
{
    pm_other_name *row;

    if (!make_room(names))
        return pm_fail(err, PM_FAILED, "out of memory for names of GPUs");
    row = &names->rows[names->count++];
    *row = (pm_other_name){.name = strdup(cells[NAME]),
                           .device = strdup(cells[DEVICE]),
                           .note = strdup(cells[NOTE]),
                           .same = strcmp(cells[SAME], "yes") == 0};
    return row->name && row->device && row->note
               ? PM_OK
               : pm_fail(err, PM_FAILED, "out of memory for names of GPUs");
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    reading *r = user;
    char shown[PM_SHOWN_CELL];

    if (!r->has_header) {
        r->has_header = true;
        return check_header(r, cells, count, err);
    }
    if (count != COLUMNS)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells in place of %d; mend the row", r->path,
                       line, count, COLUMNS);
    if (*cells[DEVICE] && strcmp(cells[SAME], "yes") != 0 && strcmp(cells[SAME], "no") != 0)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: same is '%s'; yes or no is wanted", r->path,
                       line, pm_shown(cells[SAME], shown, sizeof shown));
    return add_row(r->names, cells, err);
}

pm_status pm_other_names_read(const char *folder, pm_other_names *names, pm_error *err)
{
    char path[PATH_MAX];
    reading r = {.path = path, .names = names};

    *names = (pm_other_names){0};
    if (pm_table_path("gpu_names.csv", folder, path, sizeof path, NULL) != PM_OK ||
        access(path, F_OK) != 0)
        return PM_OK;
    return pm_csv_read_table(path, read_row, &r, err);
}

void pm_other_names_clear(pm_other_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->rows[i].name);
        free(names->rows[i].device);
        free(names->rows[i].note);
    }
    free(names->rows);
    *names = (pm_other_names){0};
}
