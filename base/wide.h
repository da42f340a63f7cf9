/* Compiles loops for several vector widths. The width is chosen for the CPU when the program is
 * loaded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_WIDE_H
#define PM_BASE_WIDE_H

/* Marks a function that is compiled for several vector widths. The dynamic loader chooses the
 * version for the CPU. AddressSanitizer does not support such functions. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) &&                      \
    !defined(__SANITIZE_ADDRESS__)
#define PM_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PM_WIDE
#endif

#endif
