/* Reads GPU profiles. See profile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/dataset_parts.h"
#include "collector/error.h"

static const struct {
    const char *name;
    size_t offset;
} properties[] = {
    {"compute_units", offsetof(pm_profile, compute_units)},
    {"clock_mhz", offsetof(pm_profile, clock_mhz)},
    {"issue_per_cycle", offsetof(pm_profile, issue_per_cycle)},
    {"fma_per_cycle", offsetof(pm_profile, fma_per_cycle)},
    {"fmaheavy_per_cycle", offsetof(pm_profile, fmaheavy_per_cycle)},
    {"alu_per_cycle", offsetof(pm_profile, alu_per_cycle)},
    {"xu_per_cycle", offsetof(pm_profile, xu_per_cycle)},
    {"lsu_per_cycle", offsetof(pm_profile, lsu_per_cycle)},
    {"l1_wavefronts_per_cycle", offsetof(pm_profile, l1_wavefronts_per_cycle)},
    {"l2_bytes_per_cycle", offsetof(pm_profile, l2_bytes_per_cycle)},
    {"dram_gb_s", offsetof(pm_profile, dram_gb_s)},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

typedef struct {
    const char *path, *device;
    pm_profile *profile;
    bool headed;
    size_t columns, device_column, column[PROPERTIES];
} reader;

static pm_status read_header(reader *r, const char *const *cells, size_t count, pm_error *err)
{
    r->headed = true;
    r->columns = count;
    r->device_column = count;
    for (size_t p = 0; p < PROPERTIES; p++)
        r->column[p] = count;
    for (size_t c = 0; c < count; c++) {
        if (strcmp(cells[c], "device") == 0)
            r->device_column = c;
        for (size_t p = 0; p < PROPERTIES; p++)
            if (strcmp(cells[c], properties[p].name) == 0)
                r->column[p] = c;
    }
    if (r->device_column == count)
        return pm_fail(err, PM_BAD_INPUT, "%s:1: no column 'device'; add it", r->path);
    for (size_t p = 0; p < PROPERTIES; p++)
        if (r->column[p] == count)
            return pm_fail(err, PM_BAD_INPUT, "%s:1: no column '%s'; add it", r->path,
                           properties[p].name);
    return PM_OK;
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    reader *r = user;

    if (count > PM_CSV_MAX_COLUMNS)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: more than %d columns; are the commas right?",
                       r->path, line, PM_CSV_MAX_COLUMNS);
    if (!r->headed)
        return read_header(r, cells, count, err);
    if (count != r->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells, the header has %zu; mend the row",
                       r->path, line, count, r->columns);
    if (strcmp(cells[r->device_column], r->device) != 0)
        return PM_OK;
    if (r->profile->present)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: a second row of %s; remove one", r->path, line,
                       r->device);
    for (size_t p = 0; p < PROPERTIES; p++) {
        const char *text = cells[r->column[p]];
        double *value = (double *)((char *)r->profile + properties[p].offset);
        char shown[PM_SHOWN_CELL];

        if (!pm_number_parse(text, value) || !(*value > 0))
            return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s is '%s'; a number above 0 is wanted",
                           r->path, line, properties[p].name, pm_shown(text, shown, sizeof shown));
    }
    r->profile->present = true;
    return PM_OK;
}

static bool has_table(const char *folder, char *path, size_t size)
{
    return folder && *folder && (size_t)snprintf(path, size, "%s/devices.csv", folder) < size &&
           access(path, F_OK) == 0;
}

/* The user's own table, if there is one, else the shipped one. */
static pm_status find_table(const char *folder, char *path, size_t size, pm_error *err)
{
    if (has_table(folder, path, size) || has_table(getenv("PERFMODEL_DATASETS"), path, size))
        return PM_OK;
    return pm_share_path("datasets/devices.csv", path, size, err);
}

pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    char path[PATH_MAX];
    reader r = {.path = path, .device = device, .profile = profile};
    pm_csv_end end;
    pm_status status;
    int fd;

    *profile = (pm_profile){0};
    status = find_table(folder, path, sizeof path, err);
    if (status != PM_OK)
        return status;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return pm_fail(err, PM_BAD_INPUT, "%s: %s", path, strerror(errno));
    status = pm_csv_read(fd, path, read_row, &r, &end, err);
    close(fd);
    if (status == PM_OK && end.torn_line > 0)
        status = pm_fail(err, PM_BAD_INPUT, "%s:%zu: the last line does not end; add a newline",
                         path, end.torn_line);
    if (status == PM_OK && !r.headed)
        status =
            pm_fail(err, PM_BAD_INPUT, "%s: it is empty; a first line names the columns", path);
    if (status != PM_OK)
        *profile = (pm_profile){0};
    return status;
}
