/* Chooses the kernel launches of the captured program that are recorded. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of buffers must be read before a launch, but its time is only known after it. So a
 * launch is recorded if it is expected to be among the longest. Its expected time is that of the
 * last launch of the same kernel with the same number of work-items. If this is unknown, the launch
 * is recorded. Once its time is known, the shortest recorded launches are dropped until the limits
 * on launches and bytes hold again. So short launches before the long ones cannot use up the
 * limits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/recording/recording.h"

/* A launch is recorded instead of the shortest recorded one if its expected time is longer by at
 * least this factor. It is above 1 because times of equal launches vary. */
static const double worth = 1.25;
/* A kernel whose only recorded launch was dropped for lack of bytes is recorded again if its
 * launches have taken longer, by at least this factor, than those of another recorded kernel. */
static const double worth_room = 2;
/* Limit on the time spent on recording further launches of kernels that already have a recorded
 * launch. It is the larger of LEAST_S seconds and time_share times the run time of the program
 * itself. */
static const double time_share = 0.25, LEAST_S = 0.5;

/* ---- the user's choice ----------------------------------------------------------------------- */

/* Reads the text of the environment variable PM_RECORD_CHOICE: "longest=N first=N from=N to=N
 * bytes=N ms=N kernels=", then the names of the kernels to record. Returns false if it has another
 * form or memory runs out. */
bool pm_rec_choice_read(const char *text, pm_rec_choice *choice)
{
    unsigned long long longest, first, from, to, bytes, milliseconds;
    int length = 0;

    if (sscanf(text, "longest=%llu first=%llu from=%llu to=%llu bytes=%llu ms=%llu kernels=%n",
               &longest, &first, &from, &to, &bytes, &milliseconds, &length) != 6 ||
        length == 0)
        return false;
    *choice = (pm_rec_choice){.longest = longest,
                              .first = first,
                              .from = from,
                              .to = to,
                              .most_bytes = bytes,
                              .most_seconds = (double)milliseconds / 1000};
    if (!text[length])
        return true;
    choice->kernels = strdup(text + length);
    return choice->kernels != NULL;
}

/* Returns true if the user named the kernel, or no kernel at all. */
static bool is_named(const pm_rec_choice *choice, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = choice->kernels; at && (at = strstr(at, name)) != NULL; at += length)
        if (at > choice->kernels && at[-1] == ' ' && (at[length] == ' ' || !at[length]))
            return true;
    return !choice->kernels;
}

/* ---- expected times -------------------------------------------------------------------------- */

void pm_rec_learn(pm_rec_entry *entry, uint64_t items, uint64_t ns)
{
    unsigned i = 0;

    while (i < entry->size_count && entry->sizes[i].items != items)
        i++;
    if (i == PM_REC_SIZES) {
        i = entry->size_next;
        entry->size_next = (i + 1) % PM_REC_SIZES;
    } else if (i == entry->size_count) {
        entry->size_count++;
    }
    entry->sizes[i].items = items;
    entry->sizes[i].ns = ns;
}

/* Returns the expected time of a launch in ns; 1e18 if no launch of the kernel was timed. It is the
 * time of the timed launch with the nearest number of work-items. If that launch had fewer
 * work-items, the time is multiplied by the ratio of the numbers of work-items. */
static double expected_ns(const pm_rec_entry *entry, uint64_t items)
{
    uint64_t below = 0, above = UINT64_MAX;
    double ns = 1e18;

    for (unsigned i = 0; i < entry->size_count; i++) {
        const uint64_t known = entry->sizes[i].items;

        if (known >= items && known < above) {
            above = known;
            ns = (double)entry->sizes[i].ns;
        } else if (known < items && known >= below && above == UINT64_MAX) {
            below = known;
            ns = (double)entry->sizes[i].ns * (double)items / (double)(known ? known : 1);
        }
    }
    return ns;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Returns the index in rec->kept of the recorded launch to drop first: the shortest launch of all
 * kernels with more than one recorded launch. SIZE_MAX: no kernel has more than one. */
static size_t next_to_drop(const pm_recording *rec)
{
    size_t shortest = SIZE_MAX;

    for (size_t i = 0; i < rec->kept_count; i++)
        if (rec->kept[i].entry->kept > 1 &&
            (shortest == SIZE_MAX || rec->kept[i].ns < rec->kept[shortest].ns))
            shortest = i;
    return shortest;
}

/* Returns the time of the kernel's only recorded launch in ns. The launch must exist. */
static uint64_t only_ns(const pm_recording *rec, const pm_rec_entry *entry)
{
    size_t i = 0;

    while (rec->kept[i].entry != entry)
        i++;
    return rec->kept[i].ns;
}

static bool is_among_longest(const pm_recording *rec, const pm_rec_entry *entry, uint64_t items)
{
    const double ns = expected_ns(entry, items);
    size_t shortest;

    if (entry->kept == 0 || (rec->kept_count < rec->choice.longest && !rec->full))
        return true;
    shortest = next_to_drop(rec);
    if (shortest != SIZE_MAX)
        return ns > worth * (double)rec->kept[shortest].ns;
    return ns > worth * (double)only_ns(rec, entry);
}

/* Returns the time of all launches of a kernel so far in ns. */
static double total_ns(const pm_rec_entry *entry)
{
    double sum = 0;

    for (unsigned reason = 0; reason < PM_LEFT_REASONS; reason++)
        sum += (double)entry->totals[reason].ns;
    return sum;
}

/* Returns true if a kernel may be recorded again although its only recorded launch was dropped for
 * lack of bytes. Its launches must have taken more than worth_room times as long as the launches of
 * the recorded kernel that took least. */
static bool is_worth_room(const pm_recording *rec, const pm_rec_entry *entry)
{
    double least = INFINITY;

    for (size_t i = 0; i < rec->kept_count; i++)
        least = fmin(least, total_ns(rec->kept[i].entry));
    return total_ns(entry) > worth_room * least;
}

/* Returns whether another launch may be recorded, so that recording takes only a limited share of
 * the program's time. The first recorded launch of a kernel is exempt; only the user's limit on
 * seconds applies to it. */
static bool has_time(const pm_recording *rec, const pm_rec_entry *entry)
{
    const double ran = pm_now_s() - rec->begun - rec->spent;

    if (entry->kept == 0 || rec->choice.longest == 0)
        return true;
    return rec->spent + entry->seconds <= fmax(LEAST_S, time_share * ran);
}

pm_left_out pm_rec_choose(pm_rec_entry *entry, uint64_t items)
{
    pm_recording *rec = pm_recording_get();
    const pm_rec_choice *choice = &rec->choice;
    uint64_t number, seen;

    if (!is_named(choice, entry->name) && !(entry->plain && is_named(choice, entry->plain)))
        return PM_LEFT_NOT_CHOSEN;
    number = rec->launches++;
    seen = entry->seen++;
    if (entry->kind == PM_FROM_SEVERAL)
        return PM_LEFT_LINKED;
    if (entry->kind != PM_FROM_SOURCE && entry->kind != PM_FROM_CUDA)
        return PM_LEFT_KIND;
    if (choice->to > 0 && (number < choice->from || number >= choice->to))
        return PM_LEFT_NOT_CHOSEN;
    if (choice->first > 0 && seen >= choice->first)
        return PM_LEFT_NOT_CHOSEN;
    if (choice->longest > 0 && !is_among_longest(rec, entry, items))
        return rec->kept_count < choice->longest ? PM_LEFT_BYTES : PM_LEFT_NOT_LONGEST;
    if (entry->too_large || (entry->dropped && entry->kept == 0 && !is_worth_room(rec, entry)))
        /* an earlier launch of this kernel had too many bytes; this one is not tried, because
         * reading its buffers takes long */
        return PM_LEFT_BYTES;
    if (rec->spent >= choice->most_seconds)
        return PM_LEFT_SECONDS;
    return has_time(rec, entry) ? PM_CAPTURED : PM_LEFT_SLOW;
}

void pm_rec_spend(pm_rec_entry *entry, double seconds)
{
    entry->seconds = seconds;
    pm_recording_get()->spent += seconds;
}

/* ---- recorded launches ----------------------------------------------------------------------- */

/* Discards a recorded launch, because longer ones are recorded instead. reason: the limit that it
 * exceeded. The record "drop" is written before the launch's files of contents are deleted, so that
 * the records never name deleted files, even if the program is killed in between. */
static void drop(pm_recording *rec, size_t i, pm_left_out reason)
{
    pm_rec_kept *kept = &rec->kept[i];
    pm_text record = {0};

    pm_text_add(&record, "drop %llu", (unsigned long long)kept->number);
    if (pm_rec_write(&record))
        for (size_t c = 0; c < kept->contents_count; c++)
            pm_rec_contents_leave(kept->contents[c]);
    kept->entry->kept--;
    kept->entry->totals[PM_CAPTURED].launches--;
    kept->entry->totals[PM_CAPTURED].ns -= kept->ns;
    kept->entry->totals[PM_CAPTURED].changed = true;
    pm_rec_count(kept->entry, reason, true, kept->ns);
    free(kept->contents);
    rec->kept[i] = rec->kept[--rec->kept_count];
}

/* Returns the number of bytes that are freed if a recorded launch is dropped: the size of its
 * contents that no other recorded launch uses. */
static uint64_t bytes_of(const pm_recording *rec, const pm_rec_kept *kept)
{
    uint64_t bytes = 0;

    for (size_t c = 0; c < kept->contents_count; c++) {
        const pm_rec_contents *contents = &rec->contents[kept->contents[c]];
        unsigned own = 0;
        bool first = true;

        for (size_t other = 0; other < kept->contents_count; other++) {
            own += kept->contents[other] == kept->contents[c];
            first &= other >= c || kept->contents[other] != kept->contents[c];
        }
        if (first && own == contents->users)
            bytes += contents->bytes;
    }
    return bytes;
}

/* Returns the index in rec->kept of the recorded launch to drop for lack of bytes. Prefers the
 * shortest launch of kernels with more than one recorded launch. If there is none, chooses the
 * kernel whose launches took the least total time. Launches are ignored if other launches use all
 * their contents. SIZE_MAX: there is no launch to drop. */
static size_t next_for_room(const pm_recording *rec)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < rec->kept_count; i++) {
        const pm_rec_kept *kept = &rec->kept[i], *best = &rec->kept[found == SIZE_MAX ? i : found];
        const bool spare = kept->entry->kept > 1, best_spare = best->entry->kept > 1;

        if (bytes_of(rec, kept) > 0 &&
            (found == SIZE_MAX || spare > best_spare ||
             (spare == best_spare &&
              (spare ? kept->ns < best->ns : total_ns(kept->entry) < total_ns(best->entry)))))
            found = i;
    }
    return found;
}

/* Drops recorded launches until the contents of the remaining ones are within the user's limit on
 * bytes. */
static void make_room(pm_recording *rec)
{
    while (rec->contents_bytes > rec->choice.most_bytes) {
        const size_t i = next_for_room(rec);

        if (i == SIZE_MAX)
            return;
        rec->full = true;
        rec->kept[i].entry->dropped = true;
        drop(rec, i, PM_LEFT_BYTES);
    }
}

bool pm_rec_keep(const pm_rec_kept *launch)
{
    pm_recording *rec = pm_recording_get();

    if (rec->kept_count == rec->kept_room) {
        size_t room = rec->kept_room * 2 + 16;
        pm_rec_kept *grown = reallocarray(rec->kept, room, sizeof *grown);

        if (!grown)
            return false;
        rec->kept = grown;
        rec->kept_room = room;
    }
    rec->kept[rec->kept_count++] = *launch;
    launch->entry->kept++;
    if (rec->choice.longest > 0 && rec->kept_count > rec->choice.longest) {
        size_t i = next_to_drop(rec);

        if (i != SIZE_MAX)
            drop(rec, i, PM_LEFT_NOT_LONGEST);
    }
    if (rec->choice.longest > 0)
        make_room(rec);
    return true;
}
