/* Includes the types of cuBLAS. Replaces the header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cublas_v2.h>
