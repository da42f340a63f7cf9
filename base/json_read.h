/* Reads JSON from an open file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_JSON_READ_H
#define PM_BASE_JSON_READ_H

#include <jansson.h>

/* Parses the rest of an open file, from its current position, as JSON. A duplicate key is an error.
 * Returns NULL on failure, with the reason in *error (error may be NULL). The file stays open.
 * jansson's json_loadfd would read byte by byte, which is slow. */
json_t *pm_json_read(int fd, json_error_t *error);

#endif
