/* Reads JSON from an open file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_JSON_READ_H
#define PM_BASE_JSON_READ_H

#include <jansson.h>

/* Parses the rest of the file; a duplicate key is an error. NULL: error in *error (may be NULL).
 * The file stays open. Unlike json_loadfd it does not read byte by byte. */
json_t *pm_json_read(int fd, json_error_t *error);

#endif
