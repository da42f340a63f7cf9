/* Tests the dataset writer: the reader reads back what it writes, and it does not change a file
 * that it cannot continue.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <sys/wait.h>

#include "writer_fixture.h"

FOLDER_TEST(a_new_file_has_header_and_rows)
{
    pm_dataset_writer *writer = open_two(f);
    assert_bytes(f->file, HEADER);
    assert_files(f, 1);
    assert_int_equal(pm_dataset_rows(pm_dataset_writer_existing(writer)), 0);
    append_or_fail(writer, "step", 3);
    append_or_fail(writer, "a,\"b\"", 1.0 / 3);
    pm_dataset_writer_close(writer);
    assert_bytes(f->file, HEADER "h100,nbody,aos,small,step,cupti,0.1,,9,1000000,64,3,\n"
                                 "h100,nbody,aos,small,\"a,\"\"b\"\"\",cupti,0.1,,9,1000000,64,"
                                 "0.3333333333333333,\n");
    assert_int_equal(f->notices, 0);
}

/* Rows are removed in the file's own order of columns, also rows that were appended since it was
 * opened. */
FOLDER_TEST(rows_are_taken_out)
{
    static const char header[] = "gst,device,kernel,program,variant,size,gld,counter_source,time_s,"
                                 "runs,time_mad_s,work_group,work_items\n";
    static const double counters[] = {2, 0.1};
    char text[1024];

    snprintf(text, sizeof text, "%s%s", header,
             "1,h100,old,nbody,aos,small,2,cupti,1,,,,\n"
             ",h100,\"o,ld\",nbody,aos,large,3,none,0.25,,,,\n");
    write_text(f->file, text);
    pm_dataset_writer *writer = open_two(f);
    pm_sample sample = sample_of("new", counters);
    assert_int_equal(pm_dataset_writer_append(writer, &sample, told()), PM_OK);
    sample.variant = "soa";
    assert_int_equal(pm_dataset_writer_append(writer, &sample, told()), PM_OK);
    assert_int_equal(pm_dataset_writer_remove(writer, "nbody", "aos", "small", told()), PM_OK);
    assert_int_equal(pm_dataset_rows(pm_dataset_writer_existing(writer)), 2);
    snprintf(text, sizeof text, "%s%s", header,
             ",h100,\"o,ld\",nbody,aos,large,3,none,0.25,,,,\n"
             "0.1,h100,new,nbody,soa,small,2,cupti,0.1,9,,64,1000000\n");
    assert_bytes(f->file, text);
    assert_files(f, 1);
    /* A removed row can be written again, an existing row cannot. Other writers are locked out. */
    assert_int_equal(pm_dataset_writer_append(writer, &sample, told()), PM_FAILED);
    sample.variant = "aos";
    assert_int_equal(pm_dataset_writer_append(writer, &sample, told()), PM_OK);
    assert_null(
        pm_dataset_writer_open(f->file, (const char *const[]){"gld", "gst"}, 2, NULL, told()));
    pm_dataset_writer_close(writer);
    strcat(text, "0.1,h100,new,nbody,aos,small,2,cupti,0.1,9,,64,1000000\n");
    assert_bytes(f->file, text);
}

FOLDER_TEST(columns_of_the_file_decide)
{
    static const char text[] = "gst,device,kernel,program,variant,size,gld,counter_source,time_s,"
                               "runs,time_mad_s,work_group,work_items\r\n"
                               "1,h100,old,nbody,aos,small,2,cupti,1,,,,\r\n";
    static const double counters[] = {2, 1};
    write_text(f->file, text);
    pm_dataset_writer *writer = open_two(f);
    assert_int_equal(pm_dataset_rows(pm_dataset_writer_existing(writer)), 1);
    pm_sample sample = sample_of("new", counters);
    assert_int_equal(pm_dataset_writer_append(writer, &sample, told()), PM_OK);
    assert_int_equal(pm_dataset_rows(pm_dataset_writer_existing(writer)), 1);
    pm_dataset_writer_close(writer);
    pm_dataset *dataset = owned_dataset(pm_dataset_read(f->file, NULL, told()));
    const pm_sample *row = pm_dataset_find(dataset, &sample);
    assert_string_equal(pm_dataset_counter_name(dataset, 0), "gst");
    assert_true(row->counters[0] == 1 && row->counters[1] == 2);
    assert_true(row->runs == 9 && row->work_group == 64 && row->work_items == 1e6);
}

FOLDER_TEST(a_torn_row_is_cut_off)
{
    write_file(f->file, HEADER "h100,nbody,aos,small,step,cupti,0.1,,9,1,64,3,\nh100,nbo",
               strlen(HEADER "h100,nbody,aos,small,step,cupti,0.1,,9,1,64,3,\nh100,nbo"));
    pm_dataset_writer *writer = open_two(f);
    assert_int_equal(f->notices, 1);
    assert_non_null(strstr(f->notice, "a.csv:3: "));
    append_or_fail(writer, "next", 4);
    pm_dataset_writer_close(writer);
    assert_bytes(f->file, HEADER "h100,nbody,aos,small,step,cupti,0.1,,9,1,64,3,\n"
                                 "h100,nbody,aos,small,next,cupti,0.1,,9,1000000,64,4,\n");
}

/* Each of these files is refused with PM_BAD_INPUT and stays unchanged. */
FOLDER_TEST(a_file_that_does_not_fit_is_left_alone)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "a.csv:1: no header"},
        {"gld,gst\n", "a.csv:1: no column device"},
        {HEADER "h100,nbody\nh100,torn", "a.csv:2: 2 cells"},
        {HEADER "h100,nbody,aos,small,step,cupti,x,,9,1,64,3,\n", "a.csv:2: column time_s holds"},
        {"device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs,work_items,"
         "work_group,gld\ntorn",
         "a.csv:1: no column for counter: gst; collect into another file"},
        {"device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs,work_items,"
         "work_group,gld,gst,branch\ntorn",
         "a.csv:1: a counter that is not collected now: branch"},
        {"device,program,variant,size,kernel,counter_source,time_s,gld,gst\n",
         "no column: time_mad_s"},
        {"device,program,variant,size,kernel,counter_source,origin,time_s,time_mad_s,runs,"
         "work_items,work_group,gld,gst\n",
         "a.csv:1: its times were published by others, column: origin; collect into another file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(f->file, cases[i].text);
        assert_null(pm_dataset_writer_open(f->file, two, 2, &f->log, told()));
        assert_int_equal(last_error.status, PM_BAD_INPUT);
        if (!strstr(last_error.text, cases[i].words))
            fail_msg("expected %s in: %s", cases[i].words, last_error.text);
        assert_bytes(f->file, cases[i].text);
    }
    assert_int_equal(f->notices, 0);
}

FOLDER_TEST(bad_counter_names_are_refused)
{
    static const char *const names[][2] = {{"a", "a"}, {"a", "runs"}, {"", "a"}, {"a", "\xff"}};
    for (size_t i = 0; i < 4; i++) {
        assert_null(pm_dataset_writer_open(f->file, names[i], 2, NULL, told()));
        assert_error(PM_BAD_INPUT, "cannot be the name of a counter column");
    }
    assert_files(f, 0);
}

static void refuse(pm_dataset_writer *writer, const pm_sample *sample, const char *words)
{
    assert_int_equal(pm_dataset_writer_append(writer, sample, told()), PM_FAILED);
    if (!strstr(last_error.text, words))
        fail_msg("expected %s in: %s", words, last_error.text);
}

/* The writer refuses every row that the reader would refuse. */
FOLDER_TEST(bad_rows_are_refused)
{
    static const double infinite[] = {1, INFINITY}, unknown[] = {NAN, NAN}, sound[] = {1, 2};
    static const char old[] = HEADER "h100,nbody,aos,small,old,cupti,0.1,,9,1,64,3,\n";
    write_text(f->file, old);
    pm_dataset_writer *writer = open_two(f);

    pm_sample sample = sample_of("old", sound);
    refuse(writer, &sample, "line 2 holds this row");
    sample = sample_of("new", infinite);
    refuse(writer, &sample, "infinite");
    sample = sample_of("new", unknown);
    sample.time_s = NAN;
    refuse(writer, &sample, "no counter is known");
    sample = sample_of("new", sound);
    sample.time_s = 0;
    refuse(writer, &sample, "time_s is 0");
    sample.time_s = INFINITY;
    refuse(writer, &sample, "time_s is inf");
    sample = sample_of("", sound);
    refuse(writer, &sample, "kernel is empty");
    sample.kernel = NULL;
    refuse(writer, &sample, "without a name");
    sample.kernel = "\xc3";
    refuse(writer, &sample, "not UTF-8");
    assert_bytes(f->file, old);
    append_or_fail(writer, "new", 1);
    sample = sample_of("new", sound);
    refuse(writer, &sample, "written already");
    pm_dataset_writer_close(writer);
}

FOLDER_TEST(a_second_writer_is_refused)
{
    pm_dataset_writer *writer = open_two(f);
    assert_null(pm_dataset_writer_open(f->file, two, 2, NULL, told()));
    assert_error(PM_FAILED, f->file, "another process is writing");
    append_or_fail(writer, "step", 1);
    pm_dataset_writer_close(writer);
    writer = open_two(f);
    assert_int_equal(pm_dataset_rows(pm_dataset_writer_existing(writer)), 1);
    pm_dataset_writer_close(writer);
}

/* Runs act in a child that is not root, and returns its exit status. */
static int as_nobody(int (*act)(const fixture *f), const fixture *f)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
            _exit(99);
        _exit(act(f));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int open_is_denied(const fixture *f)
{
    pm_dataset_writer *writer = pm_dataset_writer_open(f->file, two, 2, NULL, told());
    bool right = !writer && last_error.status == PM_BAD_INPUT && strstr(last_error.text, f->file) &&
                 strstr(last_error.text, strerror(EACCES)) && strstr(last_error.text, "-o");
    if (!right)
        fprintf(stderr, "%s\n", last_error.text);
    return !right;
}

static int read_is_denied(const fixture *f)
{
    pm_dataset *dataset = pm_dataset_read(f->file, NULL, told());
    return !(!dataset && last_error.status == PM_BAD_INPUT &&
             strstr(last_error.text, strerror(EACCES)));
}

FOLDER_TEST(files_without_permission_are_named)
{
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_int_equal(as_nobody(open_is_denied, f), 0); /* a new file */
    assert_int_equal(chmod(f->folder, 0755), 0);
    write_text(f->file, HEADER);
    assert_int_equal(chmod(f->file, 0444), 0);
    assert_int_equal(as_nobody(open_is_denied, f), 0); /* one that is there */
    assert_bytes(f->file, HEADER);
    assert_int_equal(chmod(f->file, 0), 0);
    assert_int_equal(as_nobody(read_is_denied, f), 0);
}

FOLDER_TEST(odd_places_are_refused)
{
    assert_null(pm_dataset_writer_open(f->folder, two, 2, NULL, told()));
    assert_non_null(strstr(last_error.text, strerror(EISDIR)));
    assert_null(pm_dataset_writer_open(in_folder(f, "missing/a.csv"), two, 2, NULL, told()));
    assert_error(PM_BAD_INPUT, strerror(ENOENT));
    assert_null(pm_dataset_writer_open("/dev/full", two, 2, NULL, told()));
    assert_non_null(strstr(last_error.text, "not a regular file"));
}

/* ---- round trips ----------------------------------------------------------------------------- */

enum { MAX_COUNTERS = 12, TEXT_SIZE = 48 };

typedef struct {
    char text[6][TEXT_SIZE];
    double number[5], counters[MAX_COUNTERS];
} random_row;

/* Makes a text of any characters except NUL, often those of CSV and UTF-8 of all lengths. serial
 * makes it unique. */
static void random_text(uint64_t *seed, char text[TEXT_SIZE], size_t serial)
{
    static const char *const pieces[] = {
        ",",   "\"",  "\n",       "\r", " ",    "\t",           "a",
        "0x1", "nan", "\xc3\xa9", ";",  "\x01", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
        "'"};
    size_t count = random_bits(seed) % 8;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(text, pieces[random_bits(seed) % (sizeof pieces / sizeof *pieces)]);
    snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%zu", serial);
    if (random_bits(seed) % 2)
        strcat(text, pieces[random_bits(seed) % (sizeof pieces / sizeof *pieces)]);
}

/* Returns a finite double with random bits, or a round number, or NaN (unknown). */
static double random_number(uint64_t *seed)
{
    unsigned long long kind = random_bits(seed) % 4, bits = random_bits(seed);
    double value;
    if (kind == 0)
        return NAN;
    if (kind == 1)
        return (double)(bits % 100000) / 8;
    if (kind == 2)
        return (double)(bits >> 11) * 0x1p-53;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : -0.0;
}

static pm_sample sample_from(const random_row *r)
{
    return (pm_sample){.device = r->text[0],
                       .program = r->text[1],
                       .variant = r->text[2],
                       .size = r->text[3],
                       .kernel = r->text[4],
                       .counter_source = r->text[5],
                       .time_s = r->number[0],
                       .time_mad_s = r->number[1],
                       .runs = r->number[2],
                       .work_items = r->number[3],
                       .work_group = r->number[4],
                       .counters = r->counters};
}

static void random_sample(uint64_t *seed, random_row *r, size_t serial)
{
    for (size_t i = 0; i < 6; i++)
        random_text(seed, r->text[i], i == 4 ? serial : random_bits(seed) % 3);
    for (size_t i = 0; i < 5; i++)
        r->number[i] = fabs(random_number(seed));
    if (r->number[0] == 0 || isnan(r->number[0]))
        r->number[0] = 0x1p-1074; /* the smallest positive double */
    for (size_t i = 0; i < MAX_COUNTERS; i++)
        r->counters[i] = random_number(seed);
}

static void assert_same_number(double a, double b)
{
    if (!(isnan(a) && isnan(b)) && memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%.17g was read as %.17g", a, b);
}

static void assert_same(const random_row *r, const pm_sample *s, size_t counters)
{
    assert_string_equal(r->text[0], s->device);
    assert_string_equal(r->text[1], s->program);
    assert_string_equal(r->text[2], s->variant);
    assert_string_equal(r->text[3], s->size);
    assert_string_equal(r->text[4], s->kernel);
    assert_string_equal(r->text[5], s->counter_source);
    const double read[] = {s->time_s, s->time_mad_s, s->runs, s->work_items, s->work_group};
    for (size_t i = 0; i < 5; i++)
        assert_same_number(r->number[i], read[i]);
    for (size_t i = 0; i < counters; i++)
        assert_same_number(r->counters[i], s->counters[i]);
}

FOLDER_TEST(what_is_written_reads_back)
{
    static const char *const names[MAX_COUNTERS] = {"a", "b,c", "\"", "d e", " f",       "g\n",
                                                    "h", "i",   "j",  "k",   "\xc3\xa9", "l"};
    enum { ROWS = 12 };
    for (unsigned long long trial = 1; trial <= 40; trial++) {
        uint64_t seed = trial;
        size_t counters = random_bits(&seed) % (MAX_COUNTERS + 1);
        random_row rows[ROWS];
        pm_dataset_writer *writer = NULL;
        unlink(f->file);
        for (size_t i = 0; i < ROWS; i++) {
            if (!writer)
                writer = pm_dataset_writer_open(f->file, names, counters, NULL, told());
            random_sample(&seed, &rows[i], i);
            pm_sample sample = sample_from(&rows[i]);
            if (!writer || pm_dataset_writer_append(writer, &sample, told()) != PM_OK)
                fail_msg("trial %llu: %s", trial, last_error.text);
            if (random_bits(&seed) % 4 == 0) { /* continues in another session */
                pm_dataset_writer_close(writer);
                writer = NULL;
            }
        }
        pm_dataset_writer_close(writer);
        pm_dataset *dataset = owned_dataset(pm_dataset_read(f->file, NULL, told()));
        assert_int_equal(pm_dataset_rows(dataset), ROWS);
        assert_int_equal(pm_dataset_counters(dataset), counters);
        for (size_t i = 0; i < counters; i++)
            assert_string_equal(pm_dataset_counter_name(dataset, i), names[i]);
        for (size_t i = 0; i < ROWS; i++)
            assert_same(&rows[i], pm_dataset_sample(dataset, i), counters);
    }
}

/* The file is the same in a locale that writes a comma into numbers. */
FOLDER_TEST(numbers_are_written_in_the_c_locale)
{
    if (!set_comma_locale())
        skip();
    pm_dataset_writer *writer = open_two(f);
    append_or_fail(writer, "step", 1234567.5);
    pm_dataset_writer_close(writer);
    setlocale(LC_ALL, "C");
    assert_bytes(f->file, HEADER "h100,nbody,aos,small,step,cupti,0.1,,9,1000000,64,1234567.5,\n");
}
