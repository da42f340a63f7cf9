/* The environment variables that perfmodel reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_ENVIRONMENT_H
#define PM_CLI_ENVIRONMENT_H

#include <stddef.h>

typedef struct {
    const char *name;
    const char *help;
} cli_variable;

extern const cli_variable cli_variables[];
extern const size_t cli_variable_count;

#endif
