/* Tests the error messages if another program in place of perfmodel-worker answers with garbage,
 * ends at once, or does not exist.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <sys/socket.h>

#include "collector/worker/process.h"
#include "collector/worker/source.h"
#include "process_fixture.h"

/* Runs this program in place of perfmodel-worker. */
static int be_a_worker(const char *how)
{
    static const struct {
        const char *how;
        pm_message_header header;
    } headers[] = {{"large", {.kind = PM_REPLY, .bytes = UINT64_MAX / 2}},
                   {"other", {.kind = PM_REPLY + 1, .bytes = 8}},
                   {"empty", {.kind = PM_REPLY, .bytes = 0}},
                   {"zeros", {.kind = PM_REPLY, .bytes = 1000}},
                   {"letters", {.kind = PM_REPLY, .bytes = 1000}}};
    char text[1000];
    ssize_t got = recv(STDIN_FILENO, text, sizeof text, 0);

    memset(text, strcmp(how, "zeros") == 0 ? 0 : 0x5a, sizeof text);
    if (got <= 0 || strcmp(how, "exit") == 0)
        return 5;
    if (strcmp(how, "version") == 0)
        return PM_WORKER_OTHER_VERSION;
    if (strcmp(how, "abort") == 0) {
        fprintf(stderr, "\nStack dump\nLLVM ERROR: no more\nand on\n");
        fflush(stderr);
        abort();
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(how, headers[i].how) == 0)
            (void)!write(STDIN_FILENO, &headers[i].header, sizeof headers[i].header);
    if (strcmp(how, "text") == 0 || strcmp(how, "zeros") == 0 || strcmp(how, "letters") == 0)
        (void)!write(STDIN_FILENO, text, sizeof text);
    while (recv(STDIN_FILENO, text, sizeof text, 0) > 0)
        continue;
    return 0;
}

TEST(garbage_is_told)
{
    static const char *const cases[][2] = {
        {"exit", "ended with code 5"},     {"version", "another version"},
        {"abort", "LLVM ERROR: no more'"}, {"text", "no sensible answer while parsing"},
        {"large", "no sensible answer"},   {"other", "no sensible answer"},
        {"empty", "no sensible answer"},   {"zeros", "no sensible answer"},
        {"letters", "no sensible answer"}};
    size_t files = open_files(getpid());

    assert_int_equal(setenv("PERFMODEL_WORKER", "/proc/self/exe", 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(setenv("PERFMODEL_TEST_WORKER", cases[i][0], 1), 0);
        assert_null(pm_source_open("kernel void k() {}", "test.cl", "", NULL, NULL, told()));
        assert_error(PM_FAILED, cases[i][1]);
    }
    assert_int_equal(setenv("PERFMODEL_WORKER", "/nonexistent/worker", 1), 0);
    for (int i = 0; i < 2; i++) {
        assert_null(pm_source_open("kernel void k() {}", "test.cl", "", NULL, NULL, told()));
        assert_error(PM_FAILED, "/nonexistent/worker");
    }
    unsetenv("PERFMODEL_WORKER");
    assert_int_equal(open_files(getpid()), files);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], PM_WORKER_PROTOCOL) == 0)
        return be_a_worker(getenv("PERFMODEL_TEST_WORKER"));
    return run_all_tests(NULL, NULL);
}
