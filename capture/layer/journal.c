/* Records, each a line that is written at once. See capture/record.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/layer/layer.h"

enum { SECONDS_BETWEEN_TOTALS = 1 };

void pm_layer_word(pm_text *record, const char *text)
{
    pm_text_add(record, " ");
    if (!*text)
        pm_text_add(record, "%%");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c < 0x80 && isalnum(*c)) || strchr("_./:=+,@-", *c))
            pm_text_add(record, "%c", *c);
        else
            pm_text_add(record, "%%%02X", *c);
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool make_folders(pm_layer *layer)
{
    char path[PATH_MAX];

    if ((size_t)snprintf(path, sizeof path, "%s/%ld", layer->records, (long)getpid()) >=
            sizeof path - sizeof "/contents" ||
        (mkdir(path, 0777) != 0 && errno != EEXIST))
        return false;
    layer->folder = strdup(path);
    if (!layer->folder)
        return false;
    strcat(path, "/contents");
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool write_process(const pm_layer *layer)
{
    char here[PATH_MAX];
    pm_text record = {0};
    const char *end = strrchr(layer->folder, '/');

    pm_text_add(&record, "process " PM_RECORD_VERSION " %s", end ? end + 1 : "0");
    pm_layer_word(&record, getcwd(here, sizeof here) ? here : "/");
    return pm_layer_record(&record);
}

bool pm_layer_open_journal(void)
{
    pm_layer *layer = pm_layer_get();
    char path[PATH_MAX];

    if (layer->journal >= 0)
        return true;
    if (!layer->active)
        return false;
    if (make_folders(layer) &&
        (size_t)snprintf(path, sizeof path, "%s/journal", layer->folder) < sizeof path)
        layer->journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (layer->journal < 0) {
        layer->active = false; /* nothing can be recorded */
        return false;
    }
    return write_process(layer);
}

/* A line that was written in part is taken back, as on a full disk. */
static bool write_line(int file, const char *line, size_t length)
{
    const off_t before = lseek(file, 0, SEEK_END);
    ssize_t written;

    do
        written = write(file, line, length);
    while (written < 0 && errno == EINTR);
    if (written > 0 && written != (ssize_t)length && ftruncate(file, before) != 0)
        pm_layer_get()->active = false; /* nothing may follow it */
    return written == (ssize_t)length;
}

bool pm_layer_record(pm_text *record)
{
    bool done;

    pm_text_add(record, "\n");
    done = !record->failed && pm_layer_open_journal() &&
           write_line(pm_layer_get()->journal, pm_text_get(record), record->length);
    pm_text_free(record);
    return done;
}

/* ---- kernels and their time ------------------------------------------------------------------ */

void pm_layer_write_entry(pm_layer_entry *entry)
{
    pm_text record = {0};

    if (entry->recorded)
        return;
    pm_text_add(&record, "kernel %u %u", entry->id, entry->program);
    pm_layer_word(&record, entry->name);
    pm_text_add(&record, "%s", pm_text_get(&entry->params));
    entry->recorded = pm_layer_record(&record);
}

static void write_total(pm_layer_entry *entry, unsigned reason)
{
    static const char *const words[] = PM_LEFT_WORDS;
    pm_text record = {0};

    pm_layer_write_entry(entry);
    pm_text_add(&record, "total %u %s %llu %llu %llu", entry->id, words[reason],
                (unsigned long long)entry->totals[reason].launches,
                (unsigned long long)entry->totals[reason].ns,
                (unsigned long long)entry->totals[reason].untimed);
    if (pm_layer_record(&record))
        entry->totals[reason].changed = false;
}

void pm_layer_write_totals(bool all)
{
    pm_layer *layer = pm_layer_get();
    const double now = pm_now_s();

    if (!all && now < layer->next_totals)
        return;
    layer->next_totals = now + SECONDS_BETWEEN_TOTALS;
    for (size_t i = 0; i < layer->entry_count; i++)
        for (unsigned reason = 0; reason < PM_LEFT_REASONS; reason++)
            if (layer->entries[i]->totals[reason].changed)
                write_total(layer->entries[i], reason);
}

void pm_layer_forked(void)
{
    pm_layer *layer = pm_layer_get();

    if (layer->journal >= 0)
        close(layer->journal);
    layer->journal = -1;
    free(layer->folder);
    layer->folder = NULL;
    /* What is recorded is the parent's. Few drivers work in a child; what they are told there from
     * now on is recorded as the child's own. */
    layer->pending_count = 0;
    layer->kept_count = 0;
    layer->contents_count = 0;
    pm_hash_index_clear(&layer->contents_index);
    layer->contents_bytes = 0;
    layer->turn_taken = false;
    layer->told_device = false;
    for (size_t i = 0; i < layer->programs.count; i++)
        ((pm_layer_program *)layer->programs.items[i])->id = 0;
    for (size_t i = 0; i < layer->kernels.count; i++)
        ((pm_layer_kernel *)layer->kernels.items[i])->entry = NULL;
    for (size_t i = 0; i < layer->entry_count; i++) {
        memset(layer->entries[i]->totals, 0, sizeof layer->entries[i]->totals);
    }
}
