/* 128-bit hash values of bytes and files. See digest.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/digest.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"

pm_digest pm_digest_of(const void *bytes, size_t count)
{
    const XXH128_hash_t hash = XXH3_128bits(count > 0 ? bytes : "", count);

    return (pm_digest){hash.high64, hash.low64};
}

bool pm_file_digest(const char *path, pm_digest *digest)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    bool done = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    char *bytes = done ? malloc((size_t)info.st_size + 1) : NULL;

    done = bytes && pm_read_whole(fd, bytes, (size_t)info.st_size);
    if (done)
        *digest = pm_digest_of(bytes, (size_t)info.st_size);
    free(bytes);
    if (fd >= 0)
        close(fd);
    return done;
}

bool pm_digest_equal(pm_digest a, pm_digest b)
{
    return a.high == b.high && a.low == b.low;
}

void pm_digest_print(pm_digest digest, char text[PM_DIGEST_TEXT])
{
    snprintf(text, PM_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
