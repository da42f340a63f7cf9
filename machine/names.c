/* Finds a GPU in devices.csv by one of its names. See names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/names.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "machine/other_names.h"

enum { MOST_WORDS = 16, LONGEST = 128, LEAST_BEGINNING = 4 };

/* A GPU's name as lower-case words of letters and digits: "RTX 2080 Ti" has three words. */
typedef struct {
    char text[LONGEST];
    const char *words[MOST_WORDS];
    size_t count;
} spoken;

/* The tables in which a GPU's name is looked up: devices.csv and gpu_names.csv. */
typedef struct {
    const pm_device_row *table;
    pm_other_names others;
} known_names;

/* ---- names as words -------------------------------------------------------------------------- */

/* Splits a GPU's name into words. Returns false if the name has no words, or is too long for a
 * GPU's name. */
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

static void remove_word(spoken *name, size_t word)
{
    name->count--;
    memmove(&name->words[word], &name->words[word + 1], (name->count - word) * sizeof *name->words);
}

static bool is_without_meaning(const pm_other_names *others, const char *word)
{
    for (size_t i = 0; i < others->count; i++)
        if (!*others->rows[i].device && strcasecmp(others->rows[i].name, word) == 0)
            return true;
    return false;
}

/* Splits a GPU's name into words and drops words that name a maker or a series, such as "nvidia".
 * Returns false if the name cannot be split. */
static bool split_known(const known_names *known, const char *name, spoken *out)
{
    if (!split(name, out))
        return false;
    for (size_t i = out->count; i-- > 0;)
        if (is_without_meaning(&known->others, out->words[i]))
            remove_word(out, i);
    return true;
}

/* Removes a memory size, such as "80GB" or "80 GB", from the words of a GPU's name. `size` gets its
 * digits; "" if the name has no memory size. */
static void take_memory(spoken *name, char size[LONGEST])
{
    *size = '\0';
    for (size_t i = name->count; i-- > 0;) {
        const char *word = name->words[i], *unit = word + strspn(word, "0123456789");
        const bool apart = unit == word && i > 0;

        if (strcmp(unit, "gb") != 0 && strcmp(unit, "gib") != 0 && strcmp(unit, "g") != 0)
            continue;
        if (apart && name->words[i - 1][strspn(name->words[i - 1], "0123456789")])
            continue;
        word = apart ? name->words[i - 1] : word;
        snprintf(size, LONGEST, "%.*s", (int)strspn(word, "0123456789"), word);
        remove_word(name, i);
        if (apart)
            remove_word(name, i - 1);
        return;
    }
}

/* Joins the words of a name without spaces. */
static void squeeze(const spoken *name, char out[LONGEST])
{
    *out = '\0';
    for (size_t i = 0; i < name->count; i++)
        /* The result fits, because `out` is as large as the text from which the words were split.
         */
        strcat(out, name->words[i]);
}

static bool has_word(const spoken *name, const char *word)
{
    for (size_t i = 0; i < name->count; i++)
        if (strcmp(name->words[i], word) == 0)
            return true;
    return false;
}

/* ---- comparing a name with one row ----------------------------------------------------------- */

/* Compares the user's name for a GPU, `said`, with a row of devices.csv: its id and its name.
 * memory: digits of the memory size that was removed from `said`; NULL: none was removed. Returns
 * whether they match. May change `name`. */
typedef bool (*fits_fn)(const spoken *said, const char *memory, const char *id, spoken *name);

/* Returns true if the name of a GPU has the memory size `memory` (digits) or has no memory size.
 * Removes the size from the name. */
static bool has_memory(spoken *name, const char *memory)
{
    char own[LONGEST];

    take_memory(name, own);
    return !*own || strcmp(own, memory) == 0;
}

static bool is_same(const spoken *said, const char *memory, const char *id, spoken *name)
{
    char a[LONGEST], b[LONGEST];

    if (memory && !has_memory(name, memory))
        return false;
    squeeze(said, a);
    squeeze(name, b);
    return *a && (strcmp(a, id) == 0 || strcmp(a, b) == 0);
}

/* Returns true if the name of a GPU in devices.csv contains every word of the user's name
 * `said`. */
static bool is_part(const spoken *said, const char *memory, const char *id, spoken *name)
{
    (void)id;
    if (memory && !has_memory(name, memory))
        return false;
    for (size_t i = 0; i < said->count; i++)
        if (!has_word(name, said->words[i]))
            return false;
    return said->count > 0;
}

/* ---- comparing a name with all rows ---------------------------------------------------------- */

/* The rows of a table of GPUs whose names match the name that is looked up. */
typedef struct {
    size_t count, row; /* row: index of the last row that matches */
    char ids[PM_NEAREST_LIST];
} meant_rows;

static void add_meant(meant_rows *meant, const pm_device_row *table, size_t row)
{
    meant->count++;
    meant->row = row;
    pm_list_add(meant->ids, sizeof meant->ids, "%s", table->ids.items[row]);
}

static void find_fitting(const known_names *known, const spoken *said, const char *memory,
                         fits_fn fits, meant_rows *meant)
{
    const pm_device_row *table = known->table;
    spoken name;

    for (size_t i = 0; i < table->ids.count; i++)
        if (split_known(known, table->titles.items[i], &name) &&
            fits(said, memory, table->ids.items[i], &name))
            add_meant(meant, table, i);
}

static size_t row_of(const pm_device_row *table, const char *id)
{
    size_t row = 0;

    while (row < table->ids.count && strcmp(table->ids.items[row], id) != 0)
        row++;
    return row;
}

/* Returns the index of the next entry of gpu_names.csv, from entry `from` on, that has the user's
 * name `said`. Returns the number of entries if there is none. */
static size_t find_other(const known_names *known, const spoken *said, size_t from)
{
    char a[LONGEST], b[LONGEST];
    spoken name;
    size_t i;

    squeeze(said, a);
    for (i = from; i < known->others.count; i++) {
        const pm_other_name *other = &known->others.rows[i];

        if (!*other->device || !split_known(known, other->name, &name))
            continue;
        squeeze(&name, b);
        if (*a && strcmp(a, b) == 0)
            break;
    }
    return i;
}

/* Looks up the user's name in gpu_names.csv, and adds the rows of devices.csv to which its entries
 * refer. Returns true if gpu_names.csv has the name. No other search is needed then. */
static bool find_by_other_name(const known_names *known, const spoken *said, meant_rows *meant)
{
    bool found = false;

    for (size_t i = find_other(known, said, 0); i < known->others.count;
         i = find_other(known, said, i + 1)) {
        const size_t row = row_of(known->table, known->others.rows[i].device);

        found = true;
        if (known->others.rows[i].same && row < known->table->ids.count)
            add_meant(meant, known->table, row);
    }
    return found;
}

/* Returns whether gpu_names.csv says that this name is a GPU that devices.csv does not have. */
static bool has_no_row(const known_names *known, const spoken *said)
{
    const size_t i = find_other(known, said, 0);

    return i < known->others.count && !known->others.rows[i].same;
}

/* Finds the rows of devices.csv that a name may mean. The searches go from the most to the least
 * certain: the id or whole name, an entry of gpu_names.csv, some words of a name. If all fail,
 * removes a memory size such as "80GB" from the name, and searches by the whole name and by some
 * words again. */
static void find_by_words(const known_names *known, const char *said, meant_rows *meant)
{
    char memory[LONGEST];
    spoken words;

    if (!split_known(known, said, &words))
        return;
    find_fitting(known, &words, NULL, is_same, meant);
    if (meant->count > 0 || find_by_other_name(known, &words, meant))
        return;
    find_fitting(known, &words, NULL, is_part, meant);
    if (meant->count > 0)
        return;
    take_memory(&words, memory);
    if (!*memory)
        return;
    find_fitting(known, &words, memory, is_same, meant);
    if (meant->count == 0 && !has_no_row(known, &words))
        find_fitting(known, &words, memory, is_part, meant);
}

/* Finds the row of the device table that matches a name, and sets *row to the row's index. If none
 * matches, *row is the number of rows. Returns PM_BAD_INPUT if several rows match. */
static pm_status find_row(const known_names *known, const char *said, size_t *row, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    meant_rows meant = {.count = 0};

    *row = row_of(known->table, said);
    if (*row < known->table->ids.count)
        return PM_OK;
    find_by_words(known, said, &meant);
    if (meant.count > 1)
        return pm_fail(err, PM_BAD_INPUT, "'%s' may be one of %s: say which",
                       pm_shown(said, shown, sizeof shown), meant.ids);
    if (meant.count == 1)
        *row = meant.row;
    return PM_OK;
}

/* ---- names without a row --------------------------------------------------------------------- */

/* Returns the longest id of a GPU with which the unknown name begins, such as h100 for "h100pcie".
 * NULL: none. */
static const char *find_beginning(const pm_device_row *table, const char *said)
{
    const char *longest = NULL;

    for (size_t i = 0; i < table->ids.count; i++) {
        const char *id = table->ids.items[i];
        const size_t length = strlen(id);

        if (length >= LEAST_BEGINNING && strncmp(said, id, length) == 0 &&
            (!longest || length > strlen(longest)))
            longest = id;
    }
    return longest;
}

/* Adds the id and the name of each GPU to the names from which `nearest` selects those that are
 * similar to the unknown name. */
static void add_near(const known_names *known, pm_nearest *nearest)
{
    const pm_device_row *table = known->table;
    char squeezed[LONGEST];
    spoken name;

    for (size_t i = 0; i < table->ids.count; i++) {
        *squeezed = '\0';
        if (split_known(known, table->titles.items[i], &name))
            squeeze(&name, squeezed);
        pm_nearest_add_as(nearest, table->ids.items[i], squeezed);
    }
}

/* Reports in err that the table has no GPU of this name, and suggests similar names. Returns
 * PM_BAD_INPUT. */
static pm_status tell_unknown(const known_names *known, const char *said, pm_error *err)
{
    char shown[PM_SHOWN_CELL], squeezed[LONGEST] = "";
    const char *path = known->table->path, *beginning;
    size_t other = known->others.count;
    char memory[LONGEST];
    pm_nearest nearest;
    spoken words;

    pm_shown(said, shown, sizeof shown);
    if (split_known(known, said, &words)) {
        squeeze(&words, squeezed);
        other = find_other(known, &words, 0);
        take_memory(&words, memory);
        if (other == known->others.count && *memory)
            other = find_other(known, &words, 0);
    }
    if (other < known->others.count)
        return pm_fail(err, PM_BAD_INPUT, "no GPU '%s' in %s; did you mean %s? (%s)", shown, path,
                       known->others.rows[other].device, known->others.rows[other].note);
    beginning = find_beginning(known->table, squeezed);
    pm_nearest_open(&nearest, *squeezed ? squeezed : said);
    add_near(known, &nearest);
    /* If the name begins with an id, such as "h100pcie" with h100, suggest this id. But if another
     * name differs from the user's by one letter only, suggest that name. */
    if (beginning && (nearest.distance > 1 || pm_name_distance(squeezed, beginning) <= 1)) {
        nearest.near[0] = beginning;
        nearest.near_count = 1;
    }
    if (nearest.near_count > 0)
        return pm_fail(err, PM_BAD_INPUT, "no GPU '%s' in %s; %s perfmodel devices lists all",
                       shown, path, pm_nearest_question(&nearest));
    return pm_fail(err, PM_BAD_INPUT, "no GPU '%s' in %s; %s", shown, path,
                   pm_nearest_text(&nearest, "perfmodel devices"));
}

pm_status pm_gpu_unknown(const pm_device_row *table, const char *said, pm_error *err)
{
    known_names known = {.table = table};
    char folder[PATH_MAX];
    const char *slash = strrchr(table->path, '/');
    pm_status status;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - table->path) : 1,
             slash ? table->path : ".");
    status = pm_other_names_read(folder, &known.others, err);
    if (status == PM_OK)
        status = tell_unknown(&known, said, err);
    pm_other_names_clear(&known.others);
    return status;
}

/* Returns true if the name is a path. It then names a dataset and not a GPU. */
static bool is_path(const char *name)
{
    return strchr(name, '/') || pm_ends_in(name, ".csv");
}

pm_status pm_gpu_id_of(const char *said, const char *folder, char **id, pm_error *err)
{
    known_names known = {.table = NULL};
    pm_device_row *table;
    size_t row;
    pm_status status;

    *id = NULL;
    if (is_path(said))
        return PM_OK;
    status = pm_device_row_read(said, folder, &table, err);
    if (status != PM_OK)
        return status;
    known.table = table;
    status = pm_other_names_read(folder, &known.others, err);
    if (status == PM_OK)
        status = find_row(&known, said, &row, err);
    if (status == PM_OK && row < table->ids.count) {
        *id = strdup(table->ids.items[row]);
        if (!*id)
            status = pm_fail(err, PM_FAILED, "out of memory for the name of a GPU");
    }
    pm_other_names_clear(&known.others);
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
