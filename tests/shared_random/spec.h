/* The texts of random transforms.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_SPEC_H
#define PM_TESTS_SHARED_RANDOM_SPEC_H

#include "cases.h"
#include "program.h"

/* Into c->spec; c->odd says so where it asks for what may be refused. only: this one; or NULL. */
void sr_spec_choose(const sr_program *program, unsigned variant, const char *only, sr_case *c);

#endif
