/* Cached bitcode: the same source compiles once, also in another process. A change of any file that
 * clang reads or could read makes a new entry. The test is skipped without clang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache/cache.h"
#include "compiler/compile.h"
#include "unit.h"

typedef struct {
    char *folder;
    char source[4200], options[4200];
    unsigned lines; /* number of notices */
} fixture;

static void write_file(const fixture *f, const char *name, const char *text)
{
    char path[8192];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(const fixture *f, const char *name)
{
    char path[8192];

    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void start(fixture *f)
{
    char path[8192];

    *f = (fixture){.folder = scratch_folder()};
    make_folder(f, "first");
    make_folder(f, "second");
    write_file(f, "second/far.h", "#define FAR 3\n");
    snprintf(path, sizeof path, "%s/cache", f->folder);
    setenv("PERFMODEL_CACHE", path, 1);
    snprintf(f->source, sizeof f->source, "%s/k.cl", f->folder);
    snprintf(f->options, sizeof f->options, "-I%s/first -I%s/second", f->folder, f->folder);
}

static size_t files(const fixture *f)
{
    char path[8192];
    size_t count = 0;
    DIR *folder;

    snprintf(path, sizeof path, "%s/cache/bitcode", f->folder);
    folder = opendir(path);
    if (!folder)
        return 0;
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
        count += *e->d_name != '.';
    closedir(folder);
    return count;
}

static void hear(void *user, const char *line)
{
    (void)line;
    ((fixture *)user)->lines++;
}

/* Compiles with a new compiler, as in a new process. The test frees the bitcode at its end. */
static char *compile(fixture *f, const char *text, size_t *bytes)
{
    const pm_log log = {hear, f};
    pm_cache *cache = pm_cache_open();
    pm_compiler *compiler =
        pm_compiler_create(&(pm_compiler_limits){.seconds = 300, .cache = cache}, told());
    char *bitcode = NULL;
    pm_status status;

    assert_non_null(compiler);
    f->lines = 0;
    status = pm_compile(compiler, text, f->source, f->options, &bitcode, bytes, &log, told());
    pm_compiler_free(compiler);
    pm_cache_free(cache);
    assert_int_equal(status, PM_OK);
    free_later(bitcode, free);
    return bitcode;
}

/* Returns whether the source is compiled, and not taken from the cache. */
static bool is_compiled(fixture *f, const char *text)
{
    const size_t before = files(f);
    size_t bytes;

    compile(f, text, &bytes);
    return files(f) > before;
}

static const char PLAIN[] = "kernel void k(global int *a) { a[0] = 1; }\n";
static const char FAR[] = "#include <far.h>\nkernel void k(global int *a) { a[0] = FAR; }\n";

TEST(the_same_source_compiles_once)
{
    fixture f;
    size_t bytes[3];
    char *bitcode[3];

    start(&f);
    bitcode[0] = compile(&f, PLAIN, &bytes[0]);
    assert_int_equal(files(&f), 1);
    bitcode[1] = compile(&f, PLAIN, &bytes[1]);
    assert_int_equal(files(&f), 1);
    setenv("PERFMODEL_CACHE", "off", 1);
    bitcode[2] = compile(&f, PLAIN, &bytes[2]);
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(bytes[i], bytes[0]);
        assert_memory_equal(bitcode[i], bitcode[0], bytes[0]);
    }
}

TEST(another_source_path_or_option_compiles)
{
    fixture f;

    start(&f);
    assert_true(is_compiled(&f, PLAIN));
    assert_true(is_compiled(&f, FAR));
    strcat(f.options, " -DX=1");
    assert_true(is_compiled(&f, PLAIN));
    strcat(f.source, "x.cl");
    assert_true(is_compiled(&f, PLAIN));
    assert_false(is_compiled(&f, PLAIN));
}

TEST(a_header_is_read_again)
{
    fixture f;

    start(&f);
    assert_true(is_compiled(&f, FAR));
    assert_false(is_compiled(&f, FAR));
    write_file(&f, "second/far.h", "#define FAR 4\n");
    assert_true(is_compiled(&f, FAR));
    write_file(&f, "first/far.h", "#define FAR 5\n"); /* hides second/far.h */
    assert_true(is_compiled(&f, FAR));
    assert_false(is_compiled(&f, FAR));
}

TEST(a_header_of_a_header_is_read_again)
{
    fixture f;

    start(&f);
    write_file(&f, "second/deep.h", "#define FAR 7\n");
    write_file(&f, "second/far.h", "#if __has_include(\"deep.h\")\n#include \"deep.h\"\n#endif\n");
    assert_true(is_compiled(&f, FAR));
    assert_false(is_compiled(&f, FAR));
    write_file(&f, "second/deep.h", "#define FAR 8\n");
    assert_true(is_compiled(&f, FAR));
    assert_true(
        is_compiled(&f, "#include \"deep.h\"\nkernel void k(global int *a) { a[0] = FAR; }"));
}

TEST(what_only_clang_can_tell_is_not_kept)
{
    static const char *const sources[] = {
        "#define N <far.h>\n#include N\nkernel void k(global int *a) { a[0] = FAR; }\n",
        "#include <stdint.h>\nkernel void k(global int *a) { a[0] = 1; }\n",
        "kernel void k(global int *a) { a[0] = sizeof __TIME__; }\n"};
    fixture f;

    start(&f);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (strstr(sources[i], "stdint") && access("/usr/include/stdint.h", R_OK) == 0)
            continue; /* the source is not OpenCL C */
        assert_false(is_compiled(&f, sources[i]));
    }
    setenv("CPATH", f.folder, 1);
    assert_false(is_compiled(&f, PLAIN));
    unsetenv("CPATH");
}

TEST(warnings_are_given_again)
{
    fixture f;

    start(&f);
    assert_true(
        is_compiled(&f, "#warning first\n#warning second\nkernel void k(global int *a) {}\n"));
    assert_int_equal(f.lines, 2);
    assert_false(
        is_compiled(&f, "#warning first\n#warning second\nkernel void k(global int *a) {}\n"));
    assert_int_equal(f.lines, 2);
}

int main(void)
{
    pm_compiler *compiler = pm_compiler_create(&(pm_compiler_limits){.seconds = 300}, told());
    const bool there = compiler && pm_compiler_find(compiler, told()) == PM_OK;

    pm_compiler_free(compiler);
    return there ? run_all_tests(NULL, NULL) : 77;
}
