/* Files that are compressed by zstd (RFC 8878): contents of buffers in captures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file has one frame, whose header declares the size of the contents. A file may come from
 * anybody: reading takes at most 8 MiB of memory in addition to the destination, and never writes
 * more bytes than the caller asked for.
 */
#ifndef PM_BASE_COMPRESSED_H
#define PM_BASE_COMPRESSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfmodel.h"

/* Ending of the names of compressed files. */
#define PM_COMPRESSED ".zst"

bool pm_is_compressed(const char *path);
/* Sets *bytes to the size that the contents of the open file have according to its header.
 * PM_BAD_INPUT if the file is no zstd file, or does not declare the size. path: for messages. */
pm_status pm_compressed_size(int fd, const char *path, uint64_t *bytes, pm_error *err);
/* Reads part of the decompressed contents to `to`: `bytes` bytes from offset on. If this part ends
 * with the last byte of the contents, also checks the checksum of the contents, and that the file
 * ends there. PM_BAD_INPUT if the file is damaged, has more or fewer bytes than its header
 * declares, or can only be decompressed with a window of more than 8 MiB. */
pm_status pm_compressed_read(int fd, const char *path, uint64_t offset, void *to, size_t bytes,
                             pm_error *err);

typedef struct pm_compressor pm_compressor;

/* Begins to write a compressed file to fd. bytes: size of the contents before compression. NULL:
 * out of memory. */
pm_compressor *pm_compressor_create(int fd, uint64_t bytes);
/* Compresses the next `bytes` bytes of the contents. Returns false with errno if the file cannot be
 * written. */
bool pm_compressor_add(pm_compressor *self, const void *from, size_t bytes);
/* Finishes a compressed file: writes the end of its zstd frame. Returns false with errno on
 * failure, also if the contents that were added do not have the size that pm_compressor_create
 * got. */
bool pm_compressor_end(pm_compressor *self);
void pm_compressor_free(pm_compressor *self);

#endif
