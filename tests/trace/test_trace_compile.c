/* Tests the compilation of OpenCL C to bitcode: the results for good sources, and the messages for
 * bad sources, bad options and a clang that is missing or broken. Skipped if there is no clang of
 * LLVM's version.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "compiler/clang_arguments.h"
#include "compiler/clang_place.h"
#include "compiler/compile.h"
#include "compiler/options/build_options.h"
#include "compiler/options/libclc_names.h"
#include "compiler/options/prelude_words.h"
#include "unit.h"

#define PATH "some/folder/kernel.cl"

typedef struct {
    unsigned lines;
    char first[1024];
} heard;

static void hear(void *user, const char *line)
{
    heard *h = user;

    if (h->lines++ == 0)
        snprintf(h->first, sizeof h->first, "%s", line);
}

/* Compiles, checks that the result is bitcode, and frees it. */
static pm_status compile(const char *source, const char *path, const char *options, heard *h,
                         pm_error *err)
{
    const pm_log log = {.fn = h ? hear : NULL, .user = h};
    char *bitcode = NULL;
    size_t bytes = 0;
    pm_compiler *compiler = pm_compiler_create(&(pm_compiler_limits){.seconds = 300}, err);
    pm_status status;

    assert_non_null(compiler);
    status = pm_compile(compiler, source, path, options, &bitcode, &bytes, &log, err);
    pm_compiler_free(compiler);

    if (status == PM_OK) {
        assert_true(bytes > 100);
        assert_memory_equal(bitcode, "BC\xc0\xde", 4);
    } else {
        assert_null(bitcode);
        assert_int_equal(err->status, status);
    }
    free(bitcode);
    return status;
}

static void assert_says(const char *part)
{
    if (!strstr(last_error.text, part))
        fail_msg("\"%s\" does not say \"%s\"", last_error.text, part);
}

static void refuse(const char *source, const char *path, const char *options, const char *says)
{
    assert_int_equal(compile(source, path, options, NULL, told()), PM_BAD_INPUT);
    assert_says(says);
}

static const char good[] =
    "kernel void scale(global float *a, float by)\n"
    "{\n"
    "    size_t i = get_global_id(0) + get_global_offset(1) * get_global_size(2) +\n"
    "               get_work_dim() + get_num_groups(0) * mad_hi((int)by, 2, 3);\n"
    "    a[i] = exp(a[i]) * by;\n"
    "}\n";

TEST(good_source_gives_bitcode)
{
    heard h = {0};

    assert_ok(compile(good, PATH, NULL, &h, told()) == PM_OK);
    assert_ok(compile(good, "odd \"na\\me\".cl",
                      "-cl-std=CL1.1 -cl-fast-relaxed-math -D 'X=1 + 2' -w", &h, told()) == PM_OK);
    assert_ok(compile(good, NULL, "", &h, told()) == PM_OK);
    if (h.lines)
        fail_msg("%s", h.first);
}

TEST(errors_have_their_line)
{
    assert_int_equal(
        compile("kernel void k(global int *a)\n{\n    a[0] = x;\n}\n", PATH, "", NULL, told()),
        PM_BAD_INPUT);
    assert_string_equal(last_error.text, PATH ":3:12: use of undeclared identifier 'x'");
    refuse("int f(int y) { return y }\n\nint g(void) { return x; }\n", PATH, "", PATH ":1:24: ");
    assert_says("(and 1 more error)");
    refuse("#include \"there is none.h\"\n", PATH, "",
           PATH ":1:10: 'there is none.h' file not found");
}

TEST(options_reach_clang)
{
    const char *needs = "#ifndef X\n#error no X\n#endif\n#ifdef Y\n#error Y\n#endif\n"
                        "kernel void k(global int *a) { a[0] = X; }\n";

    refuse(needs, PATH, "", PATH ":2:2: no X");
    assert_int_equal(compile(needs, PATH, "-DX=1", NULL, told()), PM_OK);
    assert_int_equal(compile(needs, PATH, "-D X=\"1 + 2\"", NULL, told()), PM_OK);
    assert_int_equal(compile(needs, PATH, "-D X=1 -DY", NULL, told()), PM_BAD_INPUT);
    assert_int_equal(compile(needs, PATH, "-D X=1 -DY -U Y", NULL, told()), PM_OK);
    assert_int_equal(compile(needs, PATH, "-D X=double -cl-std=CL1.2", NULL, told()), PM_BAD_INPUT);
}

TEST(bad_options_are_named)
{
    static const char *const bad[] = {
        "-o", "-cl-std=CL4.0", "-cl-std=CLC++", "--version", "-fplugin=x.so", "kernel.cl",
        "-",  "-cl-sudden",    "-Xclang",       "@file",     "-fno-such",     "-cl-std"};
    heard h = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char options[64];

        snprintf(options, sizeof options, "-DX=1 %s", bad[i]);
        refuse(good, PATH, options, bad[i]);
    }
    refuse(good, PATH, "-w -D ", "-D");
    assert_int_equal(compile(good, PATH, "-D @file", NULL, told()), PM_BAD_INPUT);
    assert_int_equal(compile(good, PATH, "-cl-opt-disable", &h, told()), PM_OK);
    assert_int_equal(h.lines, 1);
    assert_non_null(strstr(h.first, "-cl-opt-disable"));
}

TEST(options_of_others_are_left_out)
{
    heard h = {0};
    const char *options = "-cl-nv-maxrregcount 32 -cl-nv-verbose -Wall -g -save-temps=a "
                          "-cl-intel-no-prera-scheduling -fno-bin-exe -cl-nv-opt-level=3 -DX=1";

    assert_int_equal(compile(good, PATH, options, &h, told()), PM_OK);
    assert_int_equal(h.lines, 7); /* -cl-nv-maxrregcount limits registers */
    assert_non_null(strstr(h.first, "-cl-nv-verbose is left out"));
    refuse(good, PATH, "-cl-nv-maxrregcount", "-cl-nv-maxrregcount: nothing follows it");
    refuse(good, PATH, "-I ''", "-I: nothing follows it");
}

TEST(later_standards_are_for_plain_c)
{
    const char *version = "#if __OPENCL_C_VERSION__ < 200\n#error old\n#endif\n"
                          "float twice(float *x) { return *x * 2; }\n"
                          "kernel void k(global float *a) { float x = a[0]; a[0] = twice(&x); }\n";
    const char *generic = "float twice(float *x) { return *x * 2; }\n"
                          "kernel void k(global float *a) { a[0] = twice(a); }\n";

    assert_int_equal(compile(version, PATH, "-cl-std=CL2.0", NULL, told()), PM_OK);
    assert_int_equal(compile(version, PATH, "-cl-std=CL3.0", NULL, told()), PM_OK);
    refuse(version, PATH, "-cl-std=CL1.2", PATH ":2:2: old");
    refuse(generic, PATH, "-cl-std=CL2.0", PATH ":2:");
}

TEST(warnings_are_told_but_ten)
{
    heard h = {0};
    char source[8192];
    size_t length = 0;

    assert_int_equal(compile("#warning careful\n", PATH, "", &h, told()), PM_OK);
    assert_int_equal(h.lines, 1);
    assert_string_equal(h.first, PATH ":1:2: careful [-W#warnings]");
    for (int i = 0; i < 40; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "#warning %d\n", i);
    h = (heard){0};
    assert_int_equal(compile(source, PATH, "", &h, told()), PM_OK);
    assert_int_equal(h.lines, 11);
    h = (heard){0};
    assert_int_equal(compile(source, PATH, "-w", &h, told()), PM_OK);
    assert_int_equal(h.lines, 0);
    assert_int_equal(compile(source, PATH, "-Werror", &h, told()), PM_BAD_INPUT);
    assert_says(PATH ":1:2: ");
}

TEST(includes_are_looked_up_beside_the_source)
{
    char *folder = scratch_folder(), path[320], options[320];
    const char *source = "#include \"part.h\"\nkernel void k(global int *a) { a[0] = PART; }\n";

    snprintf(path, sizeof path, "%s/kernel.cl", folder);
    snprintf(options, sizeof options, "-I %s", folder);
    write_text_in(folder, "part.h", "#define PART 7\n");
    assert_int_equal(compile(source, path, "", NULL, told()), PM_OK);
    assert_int_equal(compile(source, PATH, "", NULL, told()), PM_BAD_INPUT);
    assert_int_equal(compile(source, PATH, options, NULL, told()), PM_OK);
    write_text_in(folder, "part.h", "#define PART 7\n#error here\n");
    refuse(source, path, "", "/part.h:2:2: here");
}

TEST(huge_messages_and_sources_are_bounded)
{
    enum { LONG = 3 << 20 };
    char *source = room(LONG + 64, 1);

    memset(source, 'x', LONG);
    strcpy(source + LONG, ";\n");
    refuse(source, PATH, "", PATH ":1:");
    memset(source, '\n', LONG);
    strcpy(source + LONG, "int f(void) { return x; }\n");
    refuse(source, PATH, "", PATH ":3145729:22: ");
}

/* ---- work that can be avoided ---------------------------------------------------------------- */

TEST(a_clang_is_known_by_its_place)
{
    const char *scratch = scratch_folder();
    char clang[320], link[320], beside[320], told[320], header[400], folders[1000];

    snprintf(clang, sizeof clang, "%s/bin/clang-%d", scratch, PM_LLVM_MAJOR);
    snprintf(link, sizeof link, "%s/clang", scratch);
    snprintf(beside, sizeof beside, "%s/lib/clang/%d", scratch, PM_LLVM_MAJOR);
    snprintf(folders, sizeof folders, "mkdir -p '%s/bin' '%s/include'", scratch, beside);
    assert_int_equal(system(folders), 0);
    write_text(clang, "");
    assert_int_equal(symlink(clang, link), 0);
    assert_false(pm_clang_tells_version(clang)); /* nobody may run it */
    assert_int_equal(chmod(clang, 0700), 0);
    assert_true(pm_clang_tells_version(clang));
    assert_false(pm_clang_tells_version(link));
    assert_false(pm_clang_tells_version(strrchr(clang, '/') + 1));
    assert_false(pm_clang_tells_version(""));
    assert_false(pm_clang_headers(clang, told, sizeof told)); /* an empty folder */
    snprintf(header, sizeof header, "%s/include/stddef.h", beside);
    write_text(header, "");
    assert_true(pm_clang_headers(clang, told, sizeof told));
    assert_string_equal(told, beside);
    assert_true(pm_clang_headers(link, told, sizeof told));
    assert_string_equal(told, beside);
    assert_false(pm_clang_headers(link, told, strlen(beside)));
    assert_false(pm_clang_headers("clang", told, sizeof told));
}

/* The headers are in the folder that clang reports. */
TEST(headers_are_where_clang_says)
{
    pm_compiler *compiler = pm_compiler_create(&(pm_compiler_limits){.seconds = 300}, told());
    char command[4200], line[4096] = "", *clang;
    const char *folder;
    FILE *answer;

    assert_ok(pm_compiler_headers(compiler, &folder, told()) == PM_OK);
    assert_ok(pm_compiler_program(compiler, &clang, told()) == PM_OK);
    snprintf(command, sizeof command, "'%s' -print-resource-dir", clang);
    answer = popen(command, "r");
    assert_non_null(answer);
    assert_non_null(fgets(line, sizeof line, answer));
    assert_int_equal(pclose(answer), 0);
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(folder, line);
    pm_compiler_free(compiler);
}

static size_t left_out(const char *source, const char *option)
{
    pm_arguments options = {0}, arguments = {0};
    size_t count;

    if (option)
        pm_arguments_add(&options, option);
    pm_prelude_leave_out(source, &options, &arguments);
    count = arguments.count;
    pm_arguments_free(&options);
    pm_arguments_free(&arguments);
    return count;
}

#define KERNEL(body) "kernel void k(global long *p, global float *f, uint n) { " body " }\n"

#define PASTE "#define G(a, b) a##b\n#define F(a, b) G(a, b)\n"

/* A source has the functions that it names, in whatever way it names them. */
TEST(the_prelude_has_what_is_named)
{
    static const struct {
        const char *source, *options;
        size_t left_out;
    } cases[] = {{KERNEL("p[0] = n;"), NULL, 5},
                 {KERNEL("p[0] = mad_hi(p[1], p[2], p[3]);"), NULL, 4},
                 {KERNEL("p[0] = mul24(get_local_size(0), n);"), NULL, 4},
                 {KERNEL("p[0] = mad_sat(p[1], p[2], p[3]);"), NULL, 4},
                 {KERNEL("f[0] = sincos(f[1], &f[2]);"), NULL, 4},
                 {KERNEL("atom_add(p, 1L); p[1] = mad_hi(p[1], p[2], p[3]);"), NULL, 3},
                 {KERNEL("p[0] = F(p[1], p[2], p[3]);"), "-DF=mad_sat", 4},
                 {"#define F(a) mad##a\n" KERNEL("p[0] = F(_sat)(p[1], p[2], p[3]);"), NULL, 4},
                 {PASTE KERNEL("p[0] = F(mad, H)(p[1], p[2], p[3]);"), "-DH=_sat", 4},
                 {PASTE KERNEL("p[0] = F(mul, 24)(n, n);"), NULL, 4},
                 {PASTE KERNEL("f[0] = F(vload, 4)(0, f).x;"), NULL, 5},
                 {PASTE KERNEL("p[0] = F(a, F(to, F(m, _inc)))(p);"), NULL, 4},
                 {"%:define F mad_\\\nsat\n" KERNEL("p[0] = F(p[1], p[2], p[3]);"), NULL, 0},
                 {KERNEL("p[0] = mad_\\\nsat(p[1], p[2], p[3]);"), NULL, 0},
                 {"#define F \\\n p[1]\n" KERNEL("p[0] = F;"), NULL, 5},
                 {"#include <stddef.h>\n" KERNEL("p[0] = 1;"), NULL, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(left_out(cases[i].source, cases[i].options), cases[i].left_out);
        assert_ok(compile(cases[i].source, PATH, cases[i].options ? cases[i].options : "", NULL,
                          told()) == PM_OK);
    }
}

static const char *libclc_path(void)
{
    const char *chosen = getenv("PERFMODEL_LIBCLC");

    return chosen && *chosen ? chosen : PM_LIBCLC;
}

/* Returns whether clang's arguments link libclc. */
static bool links(const pm_libclc_names *names, const char *source, const char *option)
{
    pm_arguments options = {0}, arguments = {0};
    const pm_clang_request request = {.clang = "clang",
                                      .libclc = libclc_path(),
                                      .names = names,
                                      .source = source,
                                      .source_path = PATH,
                                      .options = &options};
    bool found = false;

    if (option)
        pm_arguments_add(&options, option);
    assert_ok(pm_clang_arguments(&request, &arguments, told()) == PM_OK);
    for (size_t i = 0; i < arguments.count; i++)
        found = found || strcmp(arguments.items[i], "-mlink-builtin-bitcode") == 0;
    pm_arguments_free(&options);
    pm_arguments_free(&arguments);
    return found;
}

TEST(libclc_is_linked_where_it_may_be_called)
{
    static const struct {
        const char *source, *option;
        bool linked;
    } cases[] = {
        {KERNEL("f[get_global_id(0)] = 1;"), NULL, false},
        {KERNEL("f[0] = sin(f[1]);"), NULL, true},
        {KERNEL("barrier(1);"), NULL, false},
        {"// the sin of all /* steps\n/* and of \"any\n length */" KERNEL("f[0] = 1;"), NULL,
         false},
        {"/* */" KERNEL("f[0] = /* not cos */ sin(f[1]);"), NULL, true},
        {"constant char c[] = \"/*\\\"//\", d = '\"';" KERNEL("f[0] = sin(f[1]);"), NULL, true},
        {KERNEL("f[0] = F(f[1]);"), "-DF=sin", true},
        {KERNEL("p[0] = mad_hi(p[1], p[2], p[3]);"), NULL, true}, /* by mul_hi */
        {"#define F(a, b) a##b\n" KERNEL("f[0] = F(si, n)(f[1]);"), NULL, true},
        {"#include <sin.h>\n" KERNEL("f[0] = 1;"), NULL, true}};
    const pm_libclc_names unknown = {.count = 0};
    pm_libclc_names names;

    pm_libclc_names_read(libclc_path(), &names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(links(&names, cases[i].source, cases[i].option), cases[i].linked);
    pm_libclc_names_free(&names);
    assert_true(links(&unknown, cases[0].source, NULL));
}

TEST(names_of_libclc)
{
    pm_libclc_names names;
    char path[320];

    pm_libclc_names_read(libclc_path(), &names);
    assert_true(names.count > 500);
    assert_true(pm_libclc_names_has(&names, "x = native_exp(y);"));
    assert_true(pm_libclc_names_has(&names, "mem_fence"));
    assert_false(pm_libclc_names_has(&names, "xmem_fence mem_fence_ get_global_id(0) + i"));
    assert_false(pm_libclc_names_has(&names, ""));
    pm_libclc_names_free(&names);
    /* A file that is not bitcode, or truncated, gives no names. */
    snprintf(path, sizeof path, "%s/libclc.bc", scratch_folder());
    write_text(path, "BC\xc0\xde"
                     "abcdefgh");
    pm_libclc_names_read(path, &names);
    assert_true(pm_libclc_names_has(&names, ""));
    pm_libclc_names_read("/nonexistent", &names);
    assert_true(pm_libclc_names_has(&names, ""));
}

/* ---- faulty installations of clang ----------------------------------------------------------- */

static void with_clang(const char *script, const char *says)
{
    char path[320];

    snprintf(path, sizeof path, "%s/clang", scratch_folder());
    write_text(path, script);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("PERFMODEL_CLANG", path, 1);
    assert_int_equal(compile(good, PATH, "", NULL, told()), PM_FAILED);
    unsetenv("PERFMODEL_CLANG");
    assert_says(says);
}

#define ANSWERS                                                                                    \
    "#!/bin/sh\n[ \"$1\" = --version ] && { echo fine clang version " PM_TEST_STRING(              \
        PM_LLVM_MAJOR) ".1.7; exit; }\n"
#define PM_TEST_STRING(number) PM_TEST_STRING_OF(number)
#define PM_TEST_STRING_OF(number) #number

TEST(a_broken_clang_is_told)
{
    with_clang("#!/bin/sh\necho Hello\n", "--version");
    with_clang("#!/bin/sh\necho clang version 14.0.6\n", "is clang 14");
    with_clang("#!/nonexistent/interpreter\n", "No such file");
    with_clang(ANSWERS "exit 3\n", "code 3");
    with_clang(ANSWERS "echo 'clang: error: no room' >&2; exit 1\n", "clang: no room");
    with_clang(ANSWERS "kill -SEGV $$\n", "signal 11");
    with_clang(ANSWERS "echo garbage\n", "no LLVM bitcode");
    with_clang(ANSWERS "exit 0\n", "no LLVM bitcode");
    with_clang(ANSWERS "exec <&-; exec >&-; exec 2>&-; sleep 0.1; exit 4\n", "code 4");
    with_clang(ANSWERS "head -c 100000000 /dev/zero | tr '\\0' x >&2; exit 1\n", "code 1");
    with_clang(ANSWERS "head -c 300000000 /dev/zero\n", "MiB of output");
}

TEST(a_missing_part_is_told)
{
    setenv("PERFMODEL_CLANG", "/nonexistent", 1);
    assert_int_equal(compile(good, PATH, "", NULL, told()), PM_FAILED);
    unsetenv("PERFMODEL_CLANG");
    assert_says("/nonexistent");
    assert_says("libclc-");
    setenv("PERFMODEL_LIBCLC", "/nonexistent.bc", 1);
    assert_int_equal(compile(good, PATH, "", NULL, told()), PM_FAILED);
    assert_says("/nonexistent.bc");
    setenv("PERFMODEL_LIBCLC", "/dev/null", 1);
    assert_int_equal(compile(good, PATH, "", NULL, told()), PM_FAILED);
    unsetenv("PERFMODEL_LIBCLC");
}

TEST(a_program_that_hangs_is_ended)
{
    static const char *const scripts[] = {"sleep 1000", "exec >&- 2>&-; sleep 1000",
                                          "sleep 1000 & sleep 1000", "while :; do :; done",
                                          "trap '' TERM PIPE; sleep 1000"};
    const pm_subprocess_request request = {
        .output_limit = 1000, .messages_limit = 1000, .seconds_limit = 0.2};

    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char script[64];
        char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};
        pm_subprocess_result result;

        snprintf(script, sizeof script, "%s", scripts[i]);
        assert_int_equal(pm_subprocess_run(argv, &request, &result), 0);
        assert_true(result.too_slow);
        assert_int_equal(result.signal, 9);
        pm_subprocess_free(&result);
    }
}

TEST(input_comes_out_again)
{
    enum { BYTES = 10 << 20 };
    char *argv[] = {(char[]){"cat"}, NULL};
    char *input = room(BYTES, 1);
    pm_subprocess_request request = {.input = input,
                                     .input_bytes = BYTES,
                                     .output_limit = BYTES,
                                     .messages_limit = 0,
                                     .seconds_limit = 60};
    pm_subprocess_result result;

    for (size_t i = 0; i < BYTES; i++)
        input[i] = (char)(i * 2654435761u >> 13);
    assert_int_equal(pm_subprocess_run(argv, &request, &result), 0);
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(result.output_bytes, BYTES);
    assert_memory_equal(result.output, input, BYTES);
    assert_string_equal(result.messages, "");
    pm_subprocess_free(&result);
    request.output_limit = BYTES - 1;
    assert_int_equal(pm_subprocess_run(argv, &request, &result), 0);
    assert_true(result.too_much);
    pm_subprocess_free(&result);
    argv[0] = (char[]){"/nonexistent/cat"};
    assert_int_equal(pm_subprocess_run(argv, &request, &result), ENOENT);
    pm_subprocess_free(&result);
}

int main(void)
{
    pm_error err = {0};

    if (compile(good, PATH, "", NULL, &err) == PM_FAILED) {
        fprintf(stderr, "skipped: %s\n", err.text);
        return 77;
    }
    return run_all_tests(NULL, NULL);
}
