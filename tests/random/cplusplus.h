/* What C++ has beyond C, put into random programs in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_CPLUSPLUS_H
#define PM_TESTS_RANDOM_CPLUSPLUS_H

#include "base/text.h"
#include "program.h"

/* Of a program in CUDA, which is all there, its launches too: in a share of them kernels and
 * functions become templates, which launches name instances of, and elements are written through
 * references: variables, and parameters of functions. The program means the same. */
void rd_cplusplus(rd_program *program);

#endif
