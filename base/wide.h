/* Loops over many numbers, for the CPU at hand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_WIDE_H
#define PM_BASE_WIDE_H

/* A function that is also compiled for wider vectors; the loader takes the one that the CPU can
 * run. (The sanitizers know of no such choice.) */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) &&                      \
    !defined(__SANITIZE_ADDRESS__)
#define PM_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PM_WIDE
#endif

#endif
