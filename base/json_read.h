/* JSON from a file that is open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_JSON_READ_H
#define PM_BASE_JSON_READ_H

#include <jansson.h>

/* What the file holds, as json_loadfd gives it, which reads a byte a call of the system: a document
 * without keys that come twice; NULL: *error, which may be NULL, says why. The file stays open. */
json_t *pm_json_read(int fd, json_error_t *error);

#endif
