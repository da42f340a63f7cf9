/* What Linux tells of the CPU at hand: its caches, which hardware threads share each, and how many
 * of them this process may use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of /sys and /proc are what a kernel, a container or a sandbox makes of them: one that is
 * not there, too long, or not of its form counts as not told.
 */
#ifndef PM_COLLECTOR_PROBE_SYSFS_H
#define PM_COLLECTOR_PROBE_SYSFS_H

#include <sched.h>

#include "perfmodel.h"

/* bytes 0: there is none, or nobody says. */
typedef struct {
    unsigned level;
    size_t bytes;       /* of one of them */
    unsigned line;      /* bytes; 0: not told */
    unsigned ways;      /* 0: not told */
    unsigned sharers;   /* hardware threads of those allowed that share one; at least 1 */
    unsigned instances; /* how many of them the allowed threads have together */
} pm_sysfs_cache;

typedef struct {
    pm_sysfs_cache own;    /* the largest that a core has for itself */
    pm_sysfs_cache shared; /* the last one, which cores share */
} pm_sysfs_caches;

/* The data caches of the first allowed CPU, as root (/sys/devices/system/cpu) has them. A single
 * core shares its last cache with nobody: one of level 3 or above is `shared` all the same. false:
 * nothing is told of any cache. */
bool pm_sysfs_caches_find(const char *root, const cpu_set_t *allowed, pm_sysfs_caches *caches);

/* CPUs' worth of time that the control groups of this process allow, which may be less than one:
 * the least of its group's and those above it. root: /sys/fs/cgroup; of: /proc/self/cgroup. 0: no
 * limit is told. */
double pm_sysfs_quota(const char *root, const char *of);

#endif
