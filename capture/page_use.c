/* Finds which pages of the captured buffers the captured launches use. See page_use.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/page_use.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "capture/loaded.h"

/* Unused pages are searched, by a trace, only if the contents of all buffers have at least this
 * size. If the contents are smaller, the trace takes more time than the smaller files are worth. */
static const size_t LEAST_BYTES = 16 << 20;
/* Lower bound on the speed at which contents are loaded for a trace, in bytes per second. Larger
 * contents than it allows in the given time are not traced. */
static const double LOADED_BYTES_S = 500e6;

static bool is_in_file(const pm_replay_buffer *buffer)
{
    return *buffer->first != '=' && strcmp(buffer->first, PM_CAPTURED_ANY) != 0;
}

static size_t bytes_of(const pm_replay *replay)
{
    size_t bytes = 0;

    for (size_t b = 0; b < replay->buffer_count; b++)
        bytes += is_in_file(&replay->buffers[b]) ? replay->buffers[b].bytes : 0;
    return bytes;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* Traces the launches of a workload file, and sets use[b][page] (pm_page_use) for each page of
 * buffer b. use[b] must have an element for each page. seconds: limit on the time. */
static pm_status trace_file(pm_session *session, const pm_replay *replay, const char *path,
                            double seconds, uint8_t **use)
{
    const double end = pm_now_s() + seconds;
    pm_error why = {0};
    pm_captured_loaded loaded;
    pm_status status = pm_captured_load(session, path, &loaded, &why);

    if (status == PM_OK && loaded.workload->buffer_count == replay->buffer_count &&
        pm_now_s() < end)
        status = pm_executor_trace_page_use(loaded.engine, end - pm_now_s(), use, &why);
    else
        status = PM_FAILED;
    pm_captured_unload(&loaded);
    return status;
}

/* ---- comparison with the capture ------------------------------------------------------------- */

/* Reads a page of recorded contents, from a file or, if `file` is -1, of a repeated pattern. */
static bool read_page(int file, const char *contents, size_t at, size_t bytes, uint8_t *to)
{
    if (file >= 0)
        return pread(file, to, bytes, (off_t)at) == (ssize_t)bytes;
    pm_replay_repeat(contents, at, bytes, to);
    return true;
}

static int open_record(const pm_capture_folder *folder, const pm_replay *replay,
                       const char *contents)
{
    if (*contents == '=')
        return -1;
    return pm_file_open(pm_folder_recorded(folder, replay->process, contents), NULL);
}

/* Returns whether all pages that the trace did not use have the same contents before and after the
 * captured launches. If a page differs, the captured program used it, so the trace is not
 * reliable. */
static bool is_right(const pm_capture_folder *folder, const pm_replay *replay,
                     const pm_replay_buffer *buffer, const uint8_t *use)
{
    const int first = open_record(folder, replay, buffer->first);
    const int last = open_record(folder, replay, buffer->last);
    uint8_t before[PM_USE_PAGE], after[PM_USE_PAGE];
    bool same = first >= 0 && (last >= 0 || *buffer->last == '=');

    for (size_t page = 0; same && page < pm_use_pages(buffer->bytes); page++) {
        const size_t at = page * PM_USE_PAGE, left = buffer->bytes - at;
        const size_t bytes = left < PM_USE_PAGE ? left : PM_USE_PAGE;

        if (use[page] == PM_PAGE_UNUSED)
            same = read_page(first, buffer->first, at, bytes, before) &&
                   read_page(last, buffer->last, at, bytes, after) &&
                   memcmp(before, after, bytes) == 0;
    }
    if (first >= 0)
        close(first);
    if (last >= 0)
        close(last);
    return same;
}

void pm_captured_page_use(pm_session *session, pm_capture_folder *folder, pm_replay *replay,
                          const char *name, double seconds)
{
    const char *file = pm_folder_next(folder);
    uint8_t **use;

    if (bytes_of(replay) < LEAST_BYTES || (double)bytes_of(replay) > seconds * LOADED_BYTES_S)
        return;
    pm_folder_draft(folder, replay, name, true);
    use = pm_take(folder->memory, replay->buffer_count, sizeof *use);
    for (size_t b = 0; b < replay->buffer_count; b++)
        use[b] = pm_take(folder->memory, pm_use_pages(replay->buffers[b].bytes), 1);
    if (trace_file(session, replay, pm_format(folder->memory, "%s/%s.workload", folder->path, file),
                   seconds, use) != PM_OK)
        return;
    for (size_t b = 0; b < replay->buffer_count; b++) {
        const pm_replay_buffer *buffer = &replay->buffers[b];

        if (is_in_file(buffer) && strcmp(buffer->first, buffer->last) != 0 &&
            !is_right(folder, replay, buffer, use[b]))
            return;
    }
    for (size_t b = 0; b < replay->buffer_count; b++)
        replay->buffers[b].use = is_in_file(&replay->buffers[b]) ? use[b] : NULL;
}
