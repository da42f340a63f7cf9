/* Finds and reads the file that contains the initial or expected contents of a buffer. See
 * from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compressed.h"
#include "base/error.h"
#include "base/file.h"
#include "program/file/from_file.h"

bool pm_file_starts(const char *text, const char *word, const char **rest)
{
    const size_t length = strlen(word);

    if (strncmp(text, word, length) != 0 || (text[length] && !strchr(" \t", text[length])))
        return false;
    *rest = text + length + strspn(text + length, " \t");
    *rest = **rest ? *rest : NULL;
    return true;
}

static void fault(const pm_file_build *b, const pm_file_text *text, const char *buffer,
                  const char *what)
{
    pm_file_fault(b, text->line, "buffer %s: \"%.80s\": %s", buffer, text->text, what);
}

/* Raises an error if the file with a buffer's contents has fewer than `bytes` bytes after the
 * offset. */
static void check(const pm_file_build *b, const pm_file_text *text, const char *buffer,
                  const pm_file_place *place, size_t bytes)
{
    pm_error why = {0};
    struct stat info;
    uint64_t size = 0;
    bool regular;
    int fd = pm_file_open(place->path, &why);

    if (fd < 0)
        pm_file_fault(b, text->line, "buffer %s: %s", buffer, why.text);
    regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (regular && !pm_is_compressed(place->path))
        size = (uint64_t)info.st_size;
    else if (regular)
        pm_compressed_size(fd, place->path, &size, &why);
    close(fd);
    if (!regular)
        fault(b, text, buffer, "this is no regular file");
    if (why.status != PM_OK)
        pm_file_fault(b, text->line, "buffer %s: %s", buffer, why.text);
    if (size < (uint64_t)place->offset || size - (uint64_t)place->offset < bytes)
        pm_file_fault(b, text->line,
                      "buffer %s needs %zu bytes in size %s, from byte %lld of %s, which has %llu",
                      buffer, bytes, b->size->name, (long long)place->offset, place->path,
                      (unsigned long long)size);
}

void pm_file_place_find(const pm_file_build *b, const pm_file_text *text, const char *buffer,
                        const char *rest, size_t bytes, pm_file_place *place)
{
    char item[PM_FILE_ITEM], relative[PM_FILE_ITEM];
    const pm_file_text path = {.text = item, .line = text->line};

    place->offset = 0;
    if (!rest || !pm_file_item(&rest, item))
        fault(b, text, buffer, "write file PATH, or file PATH, OFFSET");
    pm_file_substitute(b, &path, relative, sizeof relative);
    pm_file_path(b, relative, text->line, place->path, sizeof place->path);
    if (rest) {
        if (!pm_file_item(&rest, item) || rest)
            fault(b, text, buffer, "write file PATH, or file PATH, OFFSET");
        place->offset = pm_file_integer(b, &b->numbers, item, text->line);
        if (place->offset < 0)
            fault(b, text, buffer, "the offset is below 0");
    }
    check(b, text, buffer, place, bytes);
}

static bool read_at(int fd, int64_t offset, uint8_t *to, size_t bytes)
{
    while (bytes > 0) {
        ssize_t got = pread(fd, to, bytes, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        offset += got;
        bytes -= (size_t)got;
    }
    return true;
}

pm_status pm_file_place_read(const pm_file_place *place, void *to, size_t bytes, pm_error *err)
{
    int fd = pm_file_open(place->path, err);
    pm_status status = PM_OK;

    if (fd < 0)
        return err->status;
    if (pm_is_compressed(place->path))
        status = pm_compressed_read(fd, place->path, (uint64_t)place->offset, to, bytes, err);
    else if (!read_at(fd, place->offset, to, bytes))
        status = pm_fail(err, PM_FAILED, "%s: %zu bytes from byte %lld on cannot be read",
                         place->path, bytes, (long long)place->offset);
    close(fd);
    return status;
}
