/* Finds a GPU by a name. See names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gpu/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/text.h"
#include "gpu/devices_table.h"
#include "session/session.h"

enum { MOST_WORDS = 16, LONGEST = 128 };

/* The words of a name, in small letters: letters and digits, whatever stands between them. */
typedef struct {
    char text[LONGEST];
    const char *words[MOST_WORDS];
    size_t count;
} spoken;

static bool is_series(const char *word)
{
    static const char *const all[] = {"nvidia", "amd",      "ati",     "geforce", "radeon",
                                      "tesla",  "instinct", "firepro", "quadro",  "pro"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(word, all[i]) == 0)
            return true;
    return false;
}

/* What is longer than any GPU's name is none. */
static bool split(const char *name, spoken *out)
{
    size_t used = 0;
    bool within = false;

    *out = (spoken){.count = 0};
    for (; *name; name++) {
        const bool is_part = isalnum((unsigned char)*name);

        if (used + 2 > sizeof out->text || (is_part && !within && out->count == MOST_WORDS))
            return false;
        if (is_part && !within)
            out->words[out->count++] = out->text + used;
        if (is_part || within)
            out->text[used++] = is_part ? (char)tolower((unsigned char)*name) : '\0';
        within = is_part;
    }
    return out->count > 0;
}

/* The words behind each other, without makers and series. */
static void squeeze(const spoken *name, char out[LONGEST])
{
    *out = '\0';
    for (size_t i = 0; i < name->count; i++)
        if (!is_series(name->words[i]))
            strcat(out, name->words[i]); /* all of them fit, as they do in text */
}

static bool has_word(const spoken *name, const char *word)
{
    for (size_t i = 0; i < name->count; i++)
        if (strcmp(name->words[i], word) == 0)
            return true;
    return false;
}

/* Whether all that is said, but for makers and series, is in the name. */
static bool is_within(const spoken *said, const spoken *name)
{
    size_t found = 0;

    for (size_t i = 0; i < said->count; i++) {
        if (is_series(said->words[i]))
            continue;
        if (!has_word(name, said->words[i]))
            return false;
        found++;
    }
    return found > 0;
}

static bool is_same(const spoken *said, const char *id, const spoken *name)
{
    char a[LONGEST], b[LONGEST];

    squeeze(said, a);
    squeeze(name, b);
    return *a && (strcmp(a, id) == 0 || strcmp(a, b) == 0);
}

typedef bool (*fits_fn)(const spoken *said, const char *id, const spoken *name);

static bool is_part(const spoken *said, const char *id, const spoken *name)
{
    (void)id;
    return is_within(said, name);
}

/* The only row that fits; the table's count where there is none. */
static pm_status find(const pm_device_row *table, const char *said, fits_fn fits, size_t *row,
                      pm_error *err)
{
    char all[512] = "", shown[PM_SHOWN_CELL];
    spoken words, name;
    size_t found = 0;

    *row = table->ids.count;
    if (!split(said, &words))
        return PM_OK;
    for (size_t i = 0; i < table->ids.count; i++) {
        if (!split(table->titles.items[i], &name) || !fits(&words, table->ids.items[i], &name))
            continue;
        *row = i;
        found++;
        pm_list_add(all, sizeof all, "%s", table->ids.items[i]);
    }
    if (found < 2)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "'%s' may be one of %s: say which",
                   pm_shown(said, shown, sizeof shown), all);
}

static pm_status find_any(const pm_device_row *table, const char *said, size_t *row, pm_error *err)
{
    pm_status status;

    for (*row = 0; *row < table->ids.count; (*row)++)
        if (strcmp(table->ids.items[*row], said) == 0)
            return PM_OK;
    status = find(table, said, is_same, row, err);
    if (status == PM_OK && *row == table->ids.count)
        status = find(table, said, is_part, row, err);
    return status;
}

/* A dataset by its path is what it says. */
static bool is_path(const char *name)
{
    return strchr(name, '/') || pm_ends_in(name, ".csv");
}

pm_status pm_gpu_id_of(const char *said, const char *folder, char **id, pm_error *err)
{
    pm_device_row *table;
    size_t row;
    pm_status status;

    *id = NULL;
    if (is_path(said))
        return PM_OK;
    status = pm_device_row_read(said, folder, &table, err);
    if (status != PM_OK)
        return status;
    status = find_any(table, said, &row, err);
    if (status == PM_OK && row < table->ids.count) {
        *id = strdup(table->ids.items[row]);
        if (!*id)
            status = pm_fail(err, PM_FAILED, "out of memory for the name of a GPU");
    }
    pm_device_row_free(table);
    return status;
}

pm_status pm_target_id(const pm_session *session, const char *said, char *id, size_t id_size,
                       pm_error *err)
{
    char *found;
    pm_status status = pm_gpu_id_of(said, pm_session_chosen(session)->datasets, &found, err);
    int length;

    if (status != PM_OK)
        return status;
    length = snprintf(id, id_size, "%s", found ? found : said);
    free(found);
    return length >= 0 && (size_t)length < id_size
               ? PM_OK
               : pm_fail(err, PM_BAD_INPUT, "'%.64s...' is too long for a target", said);
}
