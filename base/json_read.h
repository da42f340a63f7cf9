/* Reads JSON from an open file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_JSON_READ_H
#define PM_BASE_JSON_READ_H

#include <jansson.h>

/* Parses the file from its current position to its end. A duplicate key is an error. NULL: error in
 * *error (may be NULL). The file stays open. json_loadfd would read byte by byte, which is slow. */
json_t *pm_json_read(int fd, json_error_t *error);

#endif
