/* Reads Linux's description of a CPU in /sys and /proc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources: Linux, Documentation/ABI/testing/sysfs-devices-system-cpu (cache/index*) and
 * Documentation/admin-guide/cgroup-v2.rst (cpu.max).
 */
#include "collector/probe/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits that no machine exceeds. MOST_INDICES: caches of a CPU. MOST_TEXT: characters of a list of
 * CPUs, or of the path of a control group. MOST_LEVEL: level of a cache. */
enum { MOST_INDICES = 16, MOST_TEXT = 4096, MOST_LEVEL = 8 };
static const size_t MOST_BYTES = (size_t)1 << 30; /* largest cache size that devices.csv allows */

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a file as text, without its final newline. false if it cannot be read or is longer than
 * MOST_TEXT. */
static bool read_text(const char *path, char text[MOST_TEXT])
{
    size_t used = 0;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return false;
    do {
        got = read(fd, text + used, MOST_TEXT - used);
        used += got > 0 ? (size_t)got : 0;
    } while ((got > 0 && used < MOST_TEXT) || (got < 0 && errno == EINTR));
    close(fd);
    if (got < 0 || used == 0 || used == MOST_TEXT || memchr(text, '\0', used))
        return false;
    text[used] = '\0';
    if (text[used - 1] == '\n')
        text[used - 1] = '\0';
    return true;
}

static bool read_of(const char *folder, const char *name, char text[MOST_TEXT])
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    return length > 0 && (size_t)length < sizeof path && read_text(path, text);
}

/* Reads the number whose digits start at *text, and moves *text behind the digits. false if there
 * are no digits or the number exceeds `most`. */
static bool take_number(const char **text, unsigned long most, unsigned long *value)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoul(*text, &end, 10);
    *text = end;
    return errno == 0 && *value <= most;
}

/* Reads a number from file `name` in `folder`. Returns 0 if the file cannot be read, or if its
 * number exceeds `most`. */
static unsigned number_of(const char *folder, const char *name, unsigned long most)
{
    char text[MOST_TEXT];
    const char *at = text;
    unsigned long value;

    return read_of(folder, name, text) && take_number(&at, most, &value) && !*at ? (unsigned)value
                                                                                 : 0;
}

/* Reads the size of a cache in bytes from its folder in /sys, where it has the form "32K", "1024K"
 * or "32M". Returns 0 if it is unknown. */
static size_t size_of(const char *folder)
{
    char text[MOST_TEXT];
    const char *at = text;
    unsigned long value;
    size_t unit = 1;

    if (!read_of(folder, "size", text) || !take_number(&at, MOST_BYTES, &value))
        return 0;
    if (*at == 'K' || *at == 'M') {
        unit = *at == 'K' ? 1 << 10 : 1 << 20;
        at++;
    }
    return !*at && value <= MOST_BYTES / unit ? value * unit : 0;
}

/* Parses a list of CPUs such as "0-3,8". CPUs with a number that is too large for a cpu_set_t are
 * ignored. false if the text is not such a list. */
static bool parse_list(const char *text, cpu_set_t *set)
{
    CPU_ZERO(set);
    while (*text) {
        unsigned long first, last;

        if (!take_number(&text, INT_MAX, &first))
            return false;
        last = first;
        if (*text == '-' && (text++, !take_number(&text, INT_MAX, &last)))
            return false;
        if (last < first || (*text && *text++ != ',') || (text[-1] == ',' && !*text))
            return false;
        for (unsigned long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
            CPU_SET(cpu, set);
    }
    return CPU_COUNT(set) > 0;
}

static bool read_list(const char *folder, const char *name, cpu_set_t *set)
{
    char text[MOST_TEXT];

    return read_of(folder, name, text) && parse_list(text, set);
}

/* ---- caches ---------------------------------------------------------------------------------- */

typedef struct {
    pm_sysfs_cache what;
    cpu_set_t sharing;
} found_cache;

/* Reads the description of cache number `index` of a CPU from /sys. false if the CPU has no such
 * cache, or if it is an instruction cache. */
static bool read_cache(const char *root, int cpu, int index, found_cache *cache)
{
    char folder[PATH_MAX], type[MOST_TEXT];
    int length = snprintf(folder, sizeof folder, "%s/cpu%d/cache/index%d", root, cpu, index);

    if (length < 0 || (size_t)length >= sizeof folder || !read_of(folder, "type", type) ||
        (strcmp(type, "Data") != 0 && strcmp(type, "Unified") != 0))
        return false;
    cache->what = (pm_sysfs_cache){.level = number_of(folder, "level", MOST_LEVEL),
                                   .bytes = size_of(folder),
                                   .line = number_of(folder, "coherency_line_size", 1024),
                                   .ways = number_of(folder, "ways_of_associativity", 65536)};
    return cache->what.level > 0 && cache->what.bytes > 0 &&
           read_list(folder, "shared_cpu_list", &cache->sharing) && CPU_ISSET(cpu, &cache->sharing);
}

/* Finds a CPU's data cache of the given level. false if there is none. */
static bool find_level(const char *root, int cpu, unsigned level, found_cache *cache)
{
    for (int index = 0; index < MOST_INDICES; index++)
        if (read_cache(root, cpu, index, cache) && cache->what.level == level)
            return true;
    return false;
}

/* Sets `core` to the hardware threads of the core to which a CPU (a hardware thread in Linux's
 * numbering) belongs. If they are unknown, only the CPU itself is in the set. */
static void find_core(const char *root, int cpu, cpu_set_t *core)
{
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s/cpu%d/topology", root, cpu);

    if (length < 0 || (size_t)length >= sizeof folder ||
        (!read_list(folder, "core_cpus_list", core) &&
         !read_list(folder, "thread_siblings_list", core)) ||
        !CPU_ISSET(cpu, core)) {
        CPU_ZERO(core);
        CPU_SET(cpu, core);
    }
}

static bool is_within(const cpu_set_t *part, const cpu_set_t *whole)
{
    cpu_set_t both;

    CPU_AND(&both, part, whole);
    return CPU_EQUAL(&both, part);
}

/* Returns the number of different caches of a level that the allowed CPUs have. A cache that
 * several CPUs share counts once. */
static unsigned count_instances(const char *root, const cpu_set_t *allowed, unsigned level)
{
    cpu_set_t left = *allowed;
    unsigned count = 0;

    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        found_cache cache;

        if (!CPU_ISSET(cpu, &left) || !find_level(root, cpu, level, &cache))
            continue;
        count++;
        for (int other = 0; other < CPU_SETSIZE; other++)
            if (CPU_ISSET(other, &cache.sharing))
                CPU_CLR(other, &left);
    }
    return count > 0 ? count : 1;
}

static pm_sysfs_cache as_shared(const char *root, const cpu_set_t *allowed,
                                const found_cache *cache)
{
    pm_sysfs_cache what = cache->what;
    cpu_set_t sharing;

    CPU_AND(&sharing, &cache->sharing, allowed);
    what.sharers = CPU_COUNT(&sharing) > 0 ? (unsigned)CPU_COUNT(&sharing) : 1;
    what.instances = count_instances(root, allowed, what.level);
    return what;
}

static int first_of(const cpu_set_t *set)
{
    int cpu = 0;

    while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, set))
        cpu++;
    return cpu;
}

bool pm_sysfs_caches_find(const char *root, const cpu_set_t *allowed, pm_sysfs_caches *caches)
{
    /* a cache of this level or above belongs to the whole chip, even if only one core uses it */
    enum { LAST = 3 };
    const int cpu = first_of(allowed);
    found_cache own = {0}, shared = {0}, cache;
    cpu_set_t core;

    *caches = (pm_sysfs_caches){0};
    if (cpu == CPU_SETSIZE)
        return false;
    find_core(root, cpu, &core);
    for (int index = 0; index < MOST_INDICES; index++) {
        if (!read_cache(root, cpu, index, &cache))
            continue;
        if (is_within(&cache.sharing, &core) && cache.what.level < LAST) {
            if (cache.what.bytes > own.what.bytes)
                own = cache;
        } else if (cache.what.level > shared.what.level) {
            shared = cache;
        }
    }
    if (own.what.bytes > 0)
        caches->own = as_shared(root, allowed, &own);
    if (shared.what.bytes > 0)
        caches->shared = as_shared(root, allowed, &shared);
    return own.what.bytes > 0 || shared.what.bytes > 0;
}

/* ---- control groups -------------------------------------------------------------------------- */

/* Reads the CPU-time limit of a control group: a quota and its period in microseconds, such as
 * "200000 100000" or "max 100000". Returns quota / period, a number of CPUs; 0: no limit, or
 * unknown. */
static double quota_of(const char *folder)
{
    char text[MOST_TEXT];
    const char *at = text;
    unsigned long quota, period;

    if (!read_of(folder, "cpu.max", text) || !take_number(&at, LONG_MAX, &quota) || *at++ != ' ' ||
        !take_number(&at, LONG_MAX, &period) || *at || period == 0)
        return 0;
    return (double)quota / (double)period;
}

/* Returns the path of the process's control group of version 2 from the text of /proc/self/cgroup,
 * in which the line of this group has the form "0::/a/b". Returns "" if there is no such line.
 * Changes the text. */
static const char *own_group(char *text)
{
    for (char *line; (line = strsep(&text, "\n"));)
        if (strncmp(line, "0::/", 4) == 0 && !strstr(line, ".."))
            return line + 3;
    return "";
}

double pm_sysfs_quota(const char *root, const char *of)
{
    char text[MOST_TEXT], folder[PATH_MAX];
    double least = 0;
    int length =
        snprintf(folder, sizeof folder, "%s%s", root, read_text(of, text) ? own_group(text) : "");

    if (length < 0 || (size_t)length >= sizeof folder)
        return 0;
    for (;;) {
        const double quota = quota_of(folder);

        if (quota > 0 && (!(least > 0) || quota < least))
            least = quota;
        if (strlen(folder) <= strlen(root))
            break;
        /* continues with the parent of the control group, but not above `root` */
        *strrchr(folder, '/') = '\0';
    }
    return least;
}
