/* Makes random kernels with loop nests. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_STAGING_GENERATE_H
#define PM_TESTS_RANDOM_STAGING_GENERATE_H

#include "../machine.h"
#include "nest.h"

rd_program *st_create(uint64_t seed, rd_language language);
rd_program *st_fit(const rd_program *program, const rd_range *ranges);

#endif
