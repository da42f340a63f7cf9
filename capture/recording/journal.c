/* Writes the records of a captured program to a file, each record as a line with a single write.
 * See capture/record.h.
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
#include "capture/recording/recording.h"

enum { SECONDS_BETWEEN_TOTALS = 1 };

void pm_rec_word(pm_text *record, const char *text)
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

static bool make_folders(pm_recording *rec)
{
    char path[PATH_MAX];

    if ((size_t)snprintf(path, sizeof path, "%s/%ld%s", rec->records, (long)getpid(),
                         rec->ending) >= sizeof path - sizeof "/contents" ||
        (mkdir(path, 0777) != 0 && errno != EEXIST))
        return false;
    rec->folder = strdup(path);
    if (!rec->folder)
        return false;
    strcat(path, "/contents");
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool write_process(const pm_recording *rec)
{
    char here[PATH_MAX];
    pm_text record = {0};
    const char *end = strrchr(rec->folder, '/');

    pm_text_add(&record, "process " PM_RECORD_VERSION " %s", end ? end + 1 : "0");
    pm_rec_word(&record, getcwd(here, sizeof here) ? here : "/");
    return pm_rec_write(&record);
}

bool pm_rec_open_journal(void)
{
    pm_recording *rec = pm_recording_get();
    char path[PATH_MAX];

    if (rec->journal >= 0)
        return true;
    if (!rec->active)
        return false;
    if (make_folders(rec) &&
        (size_t)snprintf(path, sizeof path, "%s/journal", rec->folder) < sizeof path)
        rec->journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (rec->journal < 0) {
        /* without a journal (the file with the records), no launch can be recorded */
        rec->active = false;
        return false;
    }
    return write_process(rec);
}

/* Appends a line to the file. If only a part can be written, as on a full disk, truncates the file
 * to its previous size. */
static bool write_line(int file, const char *line, size_t length)
{
    const off_t before = lseek(file, 0, SEEK_END);
    ssize_t written;

    do
        written = write(file, line, length);
    while (written < 0 && errno == EINTR);
    if (written > 0 && written != (ssize_t)length && ftruncate(file, before) != 0)
        /* no further record may be written after an incomplete line */
        pm_recording_get()->active = false;
    return written == (ssize_t)length;
}

bool pm_rec_write(pm_text *record)
{
    bool done;

    pm_text_add(record, "\n");
    done = !record->failed && pm_rec_open_journal() &&
           write_line(pm_recording_get()->journal, pm_text_get(record), record->length);
    pm_text_free(record);
    return done;
}

/* ---- kernels and their time ------------------------------------------------------------------ */

void pm_rec_write_entry(pm_rec_entry *entry)
{
    pm_text record = {0}, image = {0};

    if (entry->recorded)
        return;
    pm_text_add(&record, "kernel %u %u", entry->id, entry->program);
    pm_rec_word(&record, entry->name);
    pm_text_add(&record, "%s", pm_text_get(&entry->params));
    entry->recorded = pm_rec_write(&record);
    if (entry->recorded && entry->image[0]) {
        pm_text_add(&image, "image %u %s", entry->id, entry->image);
        pm_rec_write(&image);
    }
}

static void write_total(pm_rec_entry *entry, unsigned reason)
{
    static const char *const words[] = PM_LEFT_WORDS;
    pm_text record = {0};

    pm_rec_write_entry(entry);
    pm_text_add(&record, "total %u %s %llu %llu %llu", entry->id, words[reason],
                (unsigned long long)entry->totals[reason].launches,
                (unsigned long long)entry->totals[reason].ns,
                (unsigned long long)entry->totals[reason].untimed);
    if (pm_rec_write(&record))
        entry->totals[reason].changed = false;
}

void pm_rec_write_totals(bool all)
{
    pm_recording *rec = pm_recording_get();
    const double now = pm_now_s();

    if (!all && now < rec->next_totals)
        return;
    rec->next_totals = now + SECONDS_BETWEEN_TOTALS;
    for (size_t i = 0; i < rec->entry_count; i++)
        for (unsigned reason = 0; reason < PM_LEFT_REASONS; reason++)
            if (rec->entries[i]->totals[reason].changed)
                write_total(rec->entries[i], reason);
}

void pm_rec_write_device(const char *name, unsigned arch)
{
    pm_recording *rec = pm_recording_get();
    pm_text record = {0};

    if (rec->told_device)
        return;
    pm_text_add(&record, "device");
    pm_rec_word(&record, name);
    if (arch > 0)
        pm_text_add(&record, " %u", arch);
    rec->told_device = pm_rec_write(&record);
}

/* Called in the child after a fork of the captured program. The records written so far belong to
 * the parent, so the child starts with an empty state, and writes its launches to a folder of its
 * own. */
void pm_rec_forked(void)
{
    pm_recording *rec = pm_recording_get();

    if (rec->journal >= 0)
        close(rec->journal);
    rec->journal = -1;
    free(rec->folder);
    rec->folder = NULL;
    rec->kept_count = 0;
    rec->contents_count = 0;
    pm_hash_index_clear(&rec->contents_index);
    rec->contents_bytes = 0;
    rec->full = false;
    rec->turn_taken = false;
    rec->told_device = false;
    for (size_t i = 0; i < rec->entry_count; i++)
        memset(rec->entries[i]->totals, 0, sizeof rec->entries[i]->totals);
}
