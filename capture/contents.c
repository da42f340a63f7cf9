/* Writes contents of buffers, compressed by zstd, into the folder of a capture. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file's name is a digest of its bytes, so that equal contents are stored once.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compressed.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "capture/folder.h"

/* bytes that are read and compressed at a time: whole pages */
enum { CHUNK = 256 * PM_USE_PAGE };

/* State of writing a file of contents (the bytes of a buffer) to the capture's folder. */
typedef struct {
    const pm_folder_part *part;
    /* file descriptor of the recorded contents; -1: the contents repeat a pattern, which `chunk`
     * contains */
    int from;
    int to;
    pm_compressor *compressor;
    unsigned char chunk[CHUNK];
} writing;

/* Overwrites with zeros those pages of a chunk that no launch needs. The chunk begins at offset
 * `at` of the contents. */
static void clear_pages(writing *w, size_t at, size_t bytes)
{
    const uint8_t *use = w->part->use;

    for (size_t b = 0; use && b < bytes; b += PM_USE_PAGE)
        if (use[(at + b) / PM_USE_PAGE] < w->part->least)
            memset(w->chunk + b, 0, bytes - b < PM_USE_PAGE ? bytes - b : PM_USE_PAGE);
}

/* Compresses the contents chunk by chunk into the file w->to, with zeros for pages that no launch
 * needs. Returns false, with the reason in errno, on failure. */
static bool write_all(writing *w)
{
    for (size_t at = 0; at < w->part->bytes; at += CHUNK) {
        const size_t left = w->part->bytes - at, bytes = left < CHUNK ? left : CHUNK;

        /* errno if the file with the recorded contents is too short, because a short read sets no
         * errno */
        errno = ENODATA;
        if (w->from >= 0 && !pm_read_whole(w->from, w->chunk, bytes))
            return false;
        clear_pages(w, at, bytes);
        if (!pm_compressor_add(w->compressor, w->chunk, bytes))
            return false;
        if (w->from < 0 && w->part->use)
            pm_replay_repeat(w->part->contents, 0, CHUNK, w->chunk);
    }
    return pm_compressor_end(w->compressor);
}

/* Writes contents, compressed, to a new file at `path`. source: file with the recorded contents.
 * Returns false, with the reason in errno, on failure. */
static bool write_file(const pm_folder_part *part, const char *source, const char *path)
{
    writing *w = malloc(sizeof *w);
    bool done = false;
    int code;

    if (!w)
        return false;
    *w = (writing){.part = part, .from = source ? pm_file_open(source, NULL) : -1};
    w->to = source && w->from < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!source)
        pm_replay_repeat(w->part->contents, 0, CHUNK, w->chunk);
    w->compressor = w->to >= 0 ? pm_compressor_create(w->to, part->bytes) : NULL;
    if (w->compressor)
        done = write_all(w);
    code = errno;
    pm_compressor_free(w->compressor);
    if (w->from >= 0)
        close(w->from);
    if (w->to >= 0 && close(w->to) != 0 && done) {
        done = false;
        code = errno;
    }
    free(w);
    errno = code;
    return done;
}

/* Renames a file with contents to its final name, a digest of its bytes. If a file with this name
 * exists already, deletes the new file. Returns the name, relative to the capture's folder. */
static const char *name_file(pm_capture_folder *folder, const char *path)
{
    char digits[PM_DIGEST_TEXT];
    const char *name, *whole;
    pm_digest digest;
    struct stat info;

    if (stat(path, &info) != 0 || !pm_file_digest(path, &digest))
        pm_folder_unwritten(folder, path);
    pm_digest_print(digest, digits);
    name = pm_format(folder->memory, "contents/%s.bin" PM_COMPRESSED, digits);
    whole = pm_format(folder->memory, "%s/%s", folder->path, name);
    if (access(whole, F_OK) == 0) {
        unlink(path);
        return name;
    }
    if (rename(path, whole) != 0)
        pm_folder_unwritten(folder, whole);
    folder->bytes += (uint64_t)info.st_size;
    return name;
}

const char *pm_folder_contents(pm_capture_folder *folder, const pm_captured_process *process,
                               const pm_folder_part *part)
{
    const char *path = pm_format(folder->memory, "%s/contents/new", folder->path);
    const char *source =
        *part->contents == '=' ? NULL : pm_folder_recorded(folder, process, part->contents);
    pm_folder_stored *stored;

    for (size_t i = 0; i < folder->stored_count; i++) {
        stored = &folder->stored[i];
        if (stored->process == process && strcmp(stored->part.contents, part->contents) == 0 &&
            stored->part.bytes == part->bytes && stored->part.use == part->use &&
            stored->part.least == part->least)
            return stored->name;
    }
    pm_folder_below(folder, "contents");
    unlink(path); /* left by an interrupted capture */
    if (source && access(source, R_OK) != 0)
        pm_leave(folder->memory, PM_BAD_INPUT, "%s: not there; capture the program again", source);
    if (!write_file(part, source, path)) {
        if (errno == ENODATA)
            pm_leave(folder->memory, PM_BAD_INPUT,
                     "%s: it has fewer bytes than its record says; capture the program again",
                     source);
        pm_folder_unwritten(folder, path);
    }
    stored = pm_add(folder->memory, folder->stored, folder->stored_count);
    *stored = (pm_folder_stored){process, *part, name_file(folder, path)};
    return stored->name;
}
