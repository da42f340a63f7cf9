/* Reads Linux's description of the CPU: its caches, their sharing, and the hardware threads that
 * this process may use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels, containers and sandboxes differ in the files of /sys and /proc. A file that is
 * missing, too long or malformed counts as unknown.
 */
#ifndef PM_COLLECTOR_PROBE_SYSFS_H
#define PM_COLLECTOR_PROBE_SYSFS_H

#include <sched.h>

#include "perfmodel.h"

/* A cache of the CPU. `bytes` is 0 if the CPU has no such cache, or if the cache is unknown. */
typedef struct {
    unsigned level;
    size_t bytes;  /* size of one cache */
    unsigned line; /* bytes; 0: unknown */
    unsigned ways; /* 0: unknown */
    /* number of hardware threads that share one cache and that this process may use; at least 1 */
    unsigned sharers;
    /* number of caches of this level that belong to hardware threads that this process may use */
    unsigned instances;
} pm_sysfs_cache;

typedef struct {
    pm_sysfs_cache own;    /* the largest cache that belongs to one core */
    pm_sysfs_cache shared; /* the last cache level, which several cores share */
} pm_sysfs_caches;

/* Finds the data caches of the CPU, as the first hardware thread in `allowed` sees them. allowed:
 * hardware threads that this process may use. root: /sys/devices/system/cpu. A cache of level 3 or
 * above counts as `shared` even if the machine has a single core and no other core uses it. Returns
 * false if no cache is known. */
bool pm_sysfs_caches_find(const char *root, const cpu_set_t *allowed, pm_sysfs_caches *caches);

/* Returns how much CPU time this process may use, as a number of CPUs, which may be less than one.
 * The result is the smallest limit of the process's control group and the groups above it. root:
 * /sys/fs/cgroup. The path `of` is the file that names the process's control group,
 * /proc/self/cgroup. Returns 0 if no limit is known. */
double pm_sysfs_quota(const char *root, const char *of);

#endif
