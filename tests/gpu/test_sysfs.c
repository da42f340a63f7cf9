/* Tests how perfmodel reads Linux's description of a CPU: folders like /sys on real machines, and
 * malformed ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "collector/probe/sysfs.h"

enum { KIB = 1024 };

static void make_folders(const char *path)
{
    char part[PATH_MAX];

    assert_true(strlen(path) < sizeof part);
    strcpy(part, path);
    for (char *at = part + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(part, 0700);
        *at = '/';
    }
}

/* Writes bytes to folder/name and creates the folders. */
static void put_bytes(const fixture *f, const char *name, const char *bytes, size_t size)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    make_folders(path);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void put(const fixture *f, const char *name, const char *text)
{
    put_bytes(f, name, text, strlen(text));
}

/* Writes a cache of a CPU; sharing: contents of shared_cpu_list. */
static void put_cache(const fixture *f, int cpu, int index, const char *level, const char *type,
                      const char *size, const char *ways, const char *sharing)
{
    const struct {
        const char *name, *text;
    } files[] = {{"level", level},
                 {"type", type},
                 {"size", size},
                 {"ways_of_associativity", ways},
                 {"coherency_line_size", "64\n"},
                 {"shared_cpu_list", sharing}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[128];

        snprintf(name, sizeof name, "cpu%d/cache/index%d/%s", cpu, index, files[i].name);
        put(f, name, files[i].text);
    }
}

static void put_core(const fixture *f, int cpu, const char *threads)
{
    char name[64];

    snprintf(name, sizeof name, "cpu%d/topology/core_cpus_list", cpu);
    put(f, name, threads);
}

static cpu_set_t cpus(int first, int last)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, &set);
    return set;
}

static void expect_cache(const pm_sysfs_cache *cache, unsigned level, size_t kib, unsigned ways,
                         unsigned sharers, unsigned instances)
{
    assert_int_equal(cache->level, level);
    assert_int_equal(cache->bytes, kib * KIB);
    assert_int_equal(cache->line, 64);
    assert_int_equal(cache->ways, ways);
    assert_int_equal(cache->sharers, sharers);
    assert_int_equal(cache->instances, instances);
}

/* Writes the files of two cores of an EPYC in a virtual machine. */
static void put_epyc(const fixture *f, int cpu)
{
    const char *self = cpu == 0 ? "0\n" : "1\n";

    put_core(f, cpu, self);
    put_cache(f, cpu, 0, "1\n", "Data\n", "32K\n", "8\n", self);
    put_cache(f, cpu, 1, "1\n", "Instruction\n", "32K\n", "8\n", self);
    put_cache(f, cpu, 2, "2\n", "Unified\n", "512K\n", "8\n", self);
    put_cache(f, cpu, 3, "3\n", "Unified\n", "32768K\n", "16\n", "0-1\n");
}

FOLDER_TEST(the_largest_own_and_the_last_cache_are_found)
{
    const cpu_set_t both = cpus(0, 1);
    pm_sysfs_caches found;

    put_epyc(f, 0);
    put_epyc(f, 1);
    assert_true(pm_sysfs_caches_find(f->folder, &both, &found));
    expect_cache(&found.own, 2, 512, 8, 1, 2);
    expect_cache(&found.shared, 3, 32768, 16, 2, 1);
}

/* A process that may use only one CPU. */
FOLDER_TEST(one_core_has_a_last_cache_too)
{
    const cpu_set_t second = cpus(1, 1);
    pm_sysfs_caches found;

    put_epyc(f, 0);
    put_epyc(f, 1);
    assert_true(pm_sysfs_caches_find(f->folder, &second, &found));
    expect_cache(&found.own, 2, 512, 8, 1, 1);
    expect_cache(&found.shared, 3, 32768, 16, 1, 1);
}

/* Four hardware threads of two cores. Each core has a last-level cache of its own, as in
 * chiplets. */
FOLDER_TEST(threads_of_a_core_share_its_caches)
{
    const cpu_set_t all = cpus(0, 3);
    pm_sysfs_caches found;

    for (int cpu = 0; cpu < 4; cpu++) {
        const char *threads = cpu % 2 == 0 ? "0,2\n" : "1,3\n";

        put_core(f, cpu, threads);
        put_cache(f, cpu, 0, "1\n", "Data\n", "48K\n", "12\n", threads);
        put_cache(f, cpu, 1, "2\n", "Unified\n", "2M\n", "16\n", threads);
        put_cache(f, cpu, 2, "3\n", "Unified\n", "16M\n", "16\n", threads);
    }
    assert_true(pm_sysfs_caches_find(f->folder, &all, &found));
    expect_cache(&found.own, 2, 2048, 16, 2, 2);
    expect_cache(&found.shared, 3, 16384, 16, 2, 2);
}

/* A broken file makes its cache count as missing. The other caches are found. */
FOLDER_TEST(broken_files_are_not_told)
{
    static const struct {
        const char *name, *text;
        size_t size;
    } wrong[] = {
        {"size", "", 0},
        {"size", "K\n", 2},
        {"size", "-5K\n", 4},
        {"size", "512Q\n", 5},
        {"size", "99999999999999999999K\n", 22},
        {"size", "4194304K\n", 9}, /* 4 GiB */
        {"size",
         "51\0"
         "2K\n",
         6},
        {"level", "0\n", 2},
        {"level", "two\n", 4},
        {"level", "9999\n", 5},
        {"type", "Unifie\n", 7},
        {"shared_cpu_list", "\n", 1},
        {"shared_cpu_list", "0-\n", 3},
        {"shared_cpu_list", "1-0\n", 4},
        {"shared_cpu_list", "0,,1\n", 5},
        {"shared_cpu_list", "0,\n", 3},
        {"shared_cpu_list", "1\n", 2}, /* not this CPU */
        {"shared_cpu_list", "99999999999999999999\n", 21},
    };
    const cpu_set_t first = cpus(0, 0);
    pm_sysfs_caches found;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char name[64];

        put_epyc(f, 0);
        snprintf(name, sizeof name, "cpu0/cache/index2/%s", wrong[i].name);
        put_bytes(f, name, wrong[i].text, wrong[i].size);
        assert_true(pm_sysfs_caches_find(f->folder, &first, &found));
        expect_cache(&found.own, 1, 32, 8, 1, 1);
        expect_cache(&found.shared, 3, 32768, 16, 1, 1);
    }
}

/* A file that is too long, and a folder in place of a file. */
FOLDER_TEST(files_too_long_are_not_told)
{
    const cpu_set_t first = cpus(0, 0);
    char *text = malloc(1 << 16), path[PATH_MAX];
    pm_sysfs_caches found;

    assert_non_null(text);
    memset(text, '7', 1 << 16);
    put_epyc(f, 0);
    put_bytes(f, "cpu0/cache/index2/size", text, 1 << 16);
    free(text);
    snprintf(path, sizeof path, "%s/cpu0/cache/index3/size", f->folder);
    assert_int_equal(unlink(path), 0);
    put(f, "cpu0/cache/index3/size/inner", "1\n");
    assert_true(pm_sysfs_caches_find(f->folder, &first, &found));
    expect_cache(&found.own, 1, 32, 8, 1, 1);
    assert_int_equal(found.shared.bytes, 0);
}

FOLDER_TEST(no_tree_tells_nothing)
{
    const cpu_set_t first = cpus(0, 0), none = cpus(1, 0);
    pm_sysfs_caches found;

    assert_false(pm_sysfs_caches_find(f->folder, &first, &found));
    assert_false(pm_sysfs_caches_find("/nowhere", &first, &found));
    put_epyc(f, 0);
    assert_false(pm_sysfs_caches_find(f->folder, &none, &found));
}

/* ---- control groups -------------------------------------------------------------------------- */

static double quota(const fixture *f, const char *own)
{
    char of[PATH_MAX];

    put(f, "self", own);
    snprintf(of, sizeof of, "%s/self", f->folder);
    return pm_sysfs_quota(f->folder, of);
}

FOLDER_TEST(the_least_quota_of_all_groups_counts)
{
    put(f, "cpu.max", "400000 100000\n");
    put(f, "a/cpu.max", "150000 100000\n");
    put(f, "a/b/cpu.max", "max 100000\n");
    assert_true(quota(f, "0::/a/b\n") == 1.5);
    assert_true(quota(f, "1:cpu:/x\n0::/a\n") == 1.5);
    assert_true(quota(f, "0::/\n") == 4);
    assert_true(quota(f, "0::/elsewhere\n") == 4);
}

FOLDER_TEST(a_quota_that_is_none_is_not_told)
{
    static const char *const wrong[] = {"max 100000\n", "",    "1 0\n",  "-1 100000\n",
                                        "200000\n",     "x y", "1 2 3\n"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put(f, "cpu.max", wrong[i]);
        assert_true(quota(f, "0::/\n") == 0);
    }
    put(f, "cpu.max", "100000 100000\n");
    /* a path that leads out of the folder is not followed */
    assert_true(quota(f, "0::/../../etc\n") == 1);
    assert_true(pm_sysfs_quota("/nowhere", "/nowhere/self") == 0);
}
