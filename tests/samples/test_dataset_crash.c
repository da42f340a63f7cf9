/* Tests that a full disk, a killed process or a power failure costs a dataset at most the row that
 * is being written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "writer_fixture.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/file.h"

/* ---- full disks ------------------------------------------------------------------------------ */

/* Appends until a write fails. The file then contains exactly the rows that were written. After
 * `free_some` has freed space, the same writer continues. */
static void fill_up(fixture *f, const char *reason, void (*free_some)(fixture *f))
{
    char kernel[64];
    size_t rows = 0, size;
    pm_dataset_writer *writer = open_two(f);

    do
        snprintf(kernel, sizeof kernel, "kernel_%zu", rows);
    while (append(writer, kernel, 1.0 / 3, told()) == PM_OK && ++rows < 100000);
    assert_in_range(rows, 1, 99999);
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    if (!strstr(last_error.text, f->file) || !strstr(last_error.text, reason))
        fail_msg("expected %s in: %s", reason, last_error.text);
    char *bytes = file_bytes(f->file, &size);
    assert_int_equal(bytes[size - 1], '\n');

    free_some(f);
    append_or_fail(writer, kernel, 2);
    pm_dataset_writer_close(writer);
    f->notices = 0;
    pm_dataset *dataset = owned_dataset(pm_dataset_read(f->file, &f->log, told()));
    assert_int_equal(f->notices, 0);
    assert_int_equal(pm_dataset_rows(dataset), rows + 1);
}

static void lift_limit(fixture *f)
{
    struct rlimit limit;
    (void)f;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

FOLDER_TEST(a_file_size_limit_costs_no_row)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 5000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fill_up(f, "did not fit", lift_limit);
    lift_limit(f);
    signal(SIGXFSZ, SIG_DFL);
}

static void remove_ballast(fixture *f)
{
    assert_int_equal(unlink(in_folder(f, "ballast")), 0);
}

FOLDER_TEST(a_full_disk_costs_no_row)
{
    static const char zeros[32768];
    /* A separate mount namespace, so that a failed test leaves nothing mounted. */
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", f->folder, "tmpfs", 0, "size=65536") != 0) {
        print_message("a_full_disk_costs_no_row: no tmpfs can be mounted here (%s)\n",
                      strerror(errno));
        skip();
    }
    write_file(in_folder(f, "ballast"), zeros, sizeof zeros);
    fill_up(f, strerror(ENOSPC), remove_ballast);
    assert_int_equal(umount2(f->folder, MNT_DETACH), 0);
}

/* ---- killed processes ------------------------------------------------------------------------ */

/* Appends to the file without end. Reports each safe row through the pipe. */
static void append_for_ever(const fixture *f, int pipe_end, size_t start)
{
    pm_dataset_writer *writer = pm_dataset_writer_open(f->file, two, 2, NULL, NULL);
    if (!writer)
        _exit(1);
    for (size_t row = start;; row++) {
        char kernel[64];
        snprintf(kernel, sizeof kernel, "kernel_%zu", row);
        if (append(writer, kernel, (double)row / 3, NULL) != PM_OK ||
            write(pipe_end, &row, sizeof row) != sizeof row)
            _exit(1);
    }
}

FOLDER_TEST(a_kill_costs_no_whole_row)
{
    uint64_t seed = 7;
    size_t next = 0, torn = 0;
    for (int round = 0; round < 30; round++) {
        int ends[2], status;
        size_t row, safe = next;
        assert_int_equal(pipe(ends), 0);
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            append_for_ever(f, ends[1], next);
        close(ends[1]);
        assert_int_equal(read(ends[0], &row, sizeof row), sizeof row);
        usleep((useconds_t)(random_bits(&seed) % 20000));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        do
            safe = row + 1;
        while (read(ends[0], &row, sizeof row) == sizeof row);
        close(ends[0]);

        f->notices = 0;
        pm_dataset *dataset = pm_dataset_read(f->file, &f->log, told());
        if (!dataset)
            fail_msg("round %d: %s", round, last_error.text);
        torn += f->notices;
        next = pm_dataset_rows(dataset);
        /* a row is on the disk before the child reports it */
        assert_in_range(next, safe, safe + 1);
        pm_dataset_free(dataset);
    }
    print_message("30 kills, %zu rows, %zu torn\n", next, torn);
}

/* A kill seldom tears a write, but a power failure may tear it at any byte. Every length of the
 * file is therefore read and continued. */
FOLDER_TEST(every_cut_can_be_continued)
{
    size_t size;
    pm_dataset_writer *writer = open_two(f);
    append_or_fail(writer, "first", 1);
    append_or_fail(writer, "a \"second\", quoted", 2);
    pm_dataset_writer_close(writer);
    char *bytes = file_bytes(f->file, &size);
    for (size_t cut = strlen(HEADER); cut <= size; cut++) {
        write_file(f->file, bytes, cut);
        writer = open_two(f);
        size_t rows = pm_dataset_rows(pm_dataset_writer_existing(writer));
        if (rows < 1)
            append_or_fail(writer, "first", 1);
        if (rows < 2)
            append_or_fail(writer, "a \"second\", quoted", 2);
        pm_dataset_writer_close(writer);
        assert_bytes(f->file, bytes);
    }
}

/* Two processes create the same file at the same time. The second one finds it and leaves no
 * temporary file. */
FOLDER_TEST(a_file_is_created_once)
{
    int first = pm_file_put(f->file, "a\n", 2, false, true);
    assert_true(first >= 0);
    assert_int_equal(pm_file_put(f->file, "b\n", 2, false, true), -1);
    assert_int_equal(errno, EEXIST);
    assert_bytes(f->file, "a\n");
    int second = pm_file_put(f->file, "b\n", 2, true, false);
    assert_true(second >= 0);
    assert_bytes(f->file, "b\n");
    assert_files(f, 1);
    close(first);
    close(second);
}
