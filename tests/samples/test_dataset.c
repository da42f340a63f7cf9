/* Tests the dataset reader: which files it accepts, and its message with file and line for each
 * kind of fault.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <errno.h>
#include <time.h>

#include "tests/model/validation_fixture.h"

#define HEADER "device,program,variant,size,kernel,counter_source,time_s,gld\n"
#define ROW "h100,nbody,aos,small,step,cupti,0.5,7\n"

typedef struct {
    char name[64];
    const char *text;
    size_t line;       /* 0: the message has no line */
    const char *words; /* text that the message must contain */
} fault_case;

static const fault_case faults[] = {
    {"empty", "", 1, "no header"},
    {"torn header", "device,program", 1, "no header"},
    {"no rows", HEADER, 2, "no rows; collect some with perfmodel collect"},
    {"only a torn row", HEADER "h100,nbody", 2, "no rows"},
    {"missing column", "device,program,variant,size,kernel,gld\n", 1,
     "no column counter_source, time_s"},
    {"duplicate column", "device,program,variant,size,kernel,counter_source,time_s,gld,gld\n", 1,
     "two columns are called 'gld'"},
    {"duplicate known", "device,device,variant,size,kernel,counter_source,time_s,gld\n", 1,
     "two columns are called 'device'"},
    {"unnamed column", "device,program,variant,size,kernel,counter_source,time_s,\n" ROW, 1,
     "column 8 has no name"},
    {"latin-1 column", "device,program,variant,size,kernel,counter_source,time_s,z\xe9\n", 1,
     "'z\\xe9', which is not UTF-8"},
    {"word", HEADER ROW "h100,nbody,soa,small,step,cupti,0.5,seven\n", 3,
     "column gld holds 'seven', not a number"},
    {"word in time", HEADER "h100,nbody,soa,small,step,cupti,fast,7\n", 2,
     "column time_s holds 'fast'"},
    {"control characters", HEADER "h100,nbody,soa,small,step,cupti,1,\"a\x1b[1m\nb\"\n", 2,
     "'a\\x1b[1m\\x0ab'"},
    {"nan", HEADER "h100,nbody,soa,small,step,cupti,1,nan\n", 2, "holds 'nan', not a number"},
    {"inf", HEADER "h100,nbody,soa,small,step,cupti,inf,1\n", 2, "holds 'inf', not a number"},
    {"hex", HEADER "h100,nbody,soa,small,step,cupti,1,0x10\n", 2, "holds '0x10', not a number"},
    {"too large", HEADER "h100,nbody,soa,small,step,cupti,1,1e999\n", 2, "holds '1e999'"},
    {"comma", HEADER "h100,nbody,soa,small,step,cupti,\"0,5\",1\n", 2, "holds '0,5'"},
    {"trailing", HEADER "h100,nbody,soa,small,step,cupti,0.5s,1\n", 2, "holds '0.5s'"},
    {"inner space", HEADER "h100,nbody,soa,small,step,cupti,\" 1\",1\n", 2, "holds ' 1'"},
    {"no digits", HEADER "h100,nbody,soa,small,step,cupti,.,1\n", 2, "holds '.'"},
    {"no exponent", HEADER "h100,nbody,soa,small,step,cupti,1e,1\n", 2, "holds '1e'"},
    {"time zero", HEADER "h100,nbody,soa,small,step,cupti,0,1\n", 2, "time_s is 0; a time is"},
    {"time negative", HEADER ROW "h100,nbody,soa,small,step,cupti,-1,1\n", 3, "time_s is -1"},
    {"time underflow", HEADER "h100,nbody,soa,small,step,cupti,1e-999,1\n", 2, "time_s is 0"},
    {"nothing known", HEADER "h100,nbody,soa,small,step,cupti,,\n", 2, "no counter is known"},
    {"no origin",
     "device,program,variant,size,kernel,counter_source,origin,time_s\n"
     "k20c,copy,plain,small,copy,none,,0.5\n",
     2, "origin is empty; say who published the time"},
    {"no program", HEADER "h100,,soa,small,step,cupti,1,1\n", 2, "program is empty"},
    {"latin-1", HEADER "h100,nbody,so\xe9,small,step,cupti,1,1\n", 2, "variant is 'so\\xe9'"},
    {"few cells", HEADER ROW "h100,nbody,soa,small,step,cupti,1\n", 3,
     "7 cells where the header has 8 columns"},
    {"many cells", HEADER ROW "h100,nbody,soa,small,step,cupti,1,1,1\n", 3,
     "9 cells where the header has 8 columns"},
    {"duplicate row", HEADER ROW "h100,nbody,soa,small,step,cupti,1,1\n\n" ROW, 5, "as line 2;"},
    {"stray quote", HEADER ROW "h100,n\"body,soa,small,step,cupti,1,1\n", 3,
     "a quote in the middle of a cell"},
    {"after the quote", HEADER ROW "h100,\"n\"body,soa,small,step,cupti,1,1\n", 3, "a quote in"},
    {"open quote", HEADER "\"h100,nbody,soa,small,step,cupti,1,1\n" ROW, 2, "is never closed"},
    {"line after a cell of two lines",
     HEADER "h100,\"two\nlines\",soa,small,step,cupti,1,1\nh100,nbody,soa,small,step,cupti,1,x\n",
     4, "holds 'x'"},
};

FOLDER_TEST(each_fault_says_where)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault_case *c = &faults[i];
        char expected[PATH_MAX + 64];
        write_text(f->file, c->text);
        pm_dataset *dataset = pm_dataset_read(f->file, NULL, told());
        snprintf(expected, sizeof expected, "%s:%zu: ", f->file, c->line);
        if (dataset || last_error.status != PM_BAD_INPUT ||
            strncmp(last_error.text, expected, strlen(expected)) != 0 ||
            !strstr(last_error.text, c->words) || strchr(last_error.text, '\n'))
            fail_msg("%s: expected %s...%s, got %s", c->name, expected, c->words, last_error.text);
    }
}

static pm_dataset *read_text(fixture *f, const char *text)
{
    write_text(f->file, text);
    return owned_dataset(pm_dataset_read(f->file, &f->log, told()));
}

FOLDER_TEST(a_row_is_read)
{
    pm_dataset *dataset = read_text(f, HEADER ROW);
    const pm_sample *s = pm_dataset_sample(dataset, 0);
    assert_int_equal(pm_dataset_rows(dataset), 1);
    assert_int_equal(pm_dataset_counters(dataset), 1);
    assert_string_equal(pm_dataset_counter_name(dataset, 0), "gld");
    assert_string_equal(pm_dataset_path(dataset), f->file);
    assert_string_equal(s->device, "h100");
    assert_string_equal(s->program, "nbody");
    assert_string_equal(s->variant, "aos");
    assert_string_equal(s->size, "small");
    assert_string_equal(s->kernel, "step");
    assert_string_equal(s->counter_source, "cupti");
    assert_true(s->time_s == 0.5);
    assert_true(s->counters[0] == 7);
    assert_true(isnan(s->time_mad_s) && isnan(s->runs));
    assert_true(isnan(s->work_items) && isnan(s->work_group));
    assert_int_equal(s->line, 2);
    assert_null(pm_dataset_sample(dataset, 1));
    assert_null(pm_dataset_counter_name(dataset, 1));
}

/* The key of a row does not contain the publisher: two sources cannot both give a time of one
 * configuration. */
FOLDER_TEST(published_times_have_an_origin)
{
    static const char published[] =
        "device,program,variant,size,kernel,counter_source,time_s,origin\n"
        "k20c,copy,plain,small,copy,none,0.5,ktt\n";
    char text[512];

    assert_string_equal(pm_dataset_sample(read_text(f, HEADER ROW), 0)->origin, "");
    assert_string_equal(pm_dataset_sample(read_text(f, published), 0)->origin, "ktt");
    assert_int_equal(pm_dataset_counters(read_text(f, published)), 0);
    snprintf(text, sizeof text, "%sk20c,copy,plain,small,copy,none,0.25,shoc\n", published);
    write_text(f->file, text);
    assert_null(pm_dataset_read(f->file, NULL, told()));
    assert_non_null(strstr(last_error.text, "a.csv:3: the same device"));
}

FOLDER_TEST(columns_come_in_any_order)
{
    pm_dataset *dataset =
        read_text(f, "b,runs,kernel,time_s,a,size,variant,program,work_group,device,"
                     "counter_source,time_mad_s,work_items\n"
                     "1,9,k,0.25,2,s,v,p,64,d,,0,1e6\n"
                     ",,k2,,-2,s,v,p,,d,trace,,\n");
    const pm_sample *s = pm_dataset_sample(dataset, 0);
    assert_string_equal(pm_dataset_counter_name(dataset, 0), "b");
    assert_string_equal(pm_dataset_counter_name(dataset, 1), "a");
    assert_true(s->counters[0] == 1 && s->counters[1] == 2);
    assert_true(s->runs == 9 && s->work_group == 64 && s->work_items == 1e6);
    assert_true(s->time_mad_s == 0 && s->time_s == 0.25);
    assert_string_equal(s->counter_source, "");
    s = pm_dataset_sample(dataset, 1);
    assert_true(isnan(s->counters[0]) && s->counters[1] == -2 && isnan(s->time_s));
    assert_true(isnan(s->runs));
}

FOLDER_TEST(standard_errors_are_told_from_counters)
{
    static const bool is_error[] = {false, true, false, false, true, false};
    pm_dataset *dataset =
        read_text(f, "device,program,variant,size,kernel,counter_source,time_s,gld,gld_se,"
                     "other_se,_se,gld_se_se,GLD_se\n"
                     "d,p,v,s,other,trace,,1,2,3,4,5,6\n");

    assert_int_equal(pm_dataset_counters(dataset), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pm_dataset_counter_is_error(dataset, i), is_error[i]);
    assert_false(pm_dataset_counter_is_error(dataset, 6));
}

FOLDER_TEST(bom_crlf_blank_lines_and_quotes)
{
    pm_dataset *dataset =
        read_text(f, "\xef\xbb\xbf"
                     "device,program,variant,size,kernel,counter_source,time_s,gld\r\n\r\n"
                     "\"h,100\",\"say \"\"hi\"\"\",\" a \",s, k ,\"two\nlines\",1,2\r\n\n");
    const pm_sample *s = pm_dataset_sample(dataset, 0);
    assert_string_equal(s->device, "h,100");
    assert_string_equal(s->program, "say \"hi\"");
    assert_string_equal(s->variant, " a ");
    assert_string_equal(s->kernel, "k");
    assert_string_equal(s->counter_source, "two\nlines");
    assert_true(s->counters[0] == 2);
    assert_int_equal(s->line, 3);
}

FOLDER_TEST(a_torn_last_row_is_dropped)
{
    static const char whole[] = "h100,nbody,soa,small,step,cupti,0.5,7.25";
    for (size_t cut = 1; cut < sizeof whole; cut++) {
        char text[256], expected[PATH_MAX + 64];
        f->notices = 0;
        snprintf(text, sizeof text, "%s%s%.*s", HEADER, ROW, (int)cut, whole);
        pm_dataset *dataset = read_text(f, text);
        assert_int_equal(pm_dataset_rows(dataset), 1);
        snprintf(expected, sizeof expected, "%s:3: ", f->file);
        assert_int_equal(f->notices, 1);
        assert_non_null(strstr(f->notice, expected));
    }
}

FOLDER_TEST(a_torn_row_may_hold_anything)
{
    static const char text[] = HEADER ROW "h100,\"n\"x\0\0\0\0";
    write_file(f->file, text, sizeof text - 1);
    assert_int_equal(pm_dataset_rows(read_dataset(f->file)), 1);
}

FOLDER_TEST(a_nul_byte_is_a_fault)
{
    static const char text[] = HEADER ROW "h100,nb\0ody,soa,small,step,cupti,0.5,7\n";
    write_file(f->file, text, sizeof text - 1);
    assert_null(pm_dataset_read(f->file, NULL, told()));
    assert_error(PM_BAD_INPUT, ":3: a NUL byte");
}

FOLDER_TEST(files_that_are_not_there)
{
    unlink(f->file);
    assert_null(pm_dataset_read(f->file, NULL, told()));
    assert_error(PM_BAD_INPUT, f->file, strerror(ENOENT));
    assert_null(pm_dataset_read(f->folder, NULL, told()));
    assert_error(PM_BAD_INPUT, strerror(EISDIR));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A sparse file of 1 GiB. A reader that read it to its end would take seconds and much memory. */
FOLDER_TEST(a_line_without_end_is_refused_at_once)
{
    write_text(f->file, HEADER ROW);
    assert_int_equal(truncate(f->file, (off_t)1 << 30), 0);
    double start = seconds();
    assert_null(pm_dataset_read(f->file, NULL, told()));
    assert_true(seconds() - start < 1);
    assert_error(PM_BAD_INPUT, ":3: a row longer than 1 MiB");
}

FOLDER_TEST(too_many_columns)
{
    for (unsigned columns = 4096; columns <= 4097; columns++) {
        FILE *out = need(fopen(f->file, "w"));
        fputs("device,program,variant,size,kernel,counter_source,time_s", out);
        for (unsigned i = 7; i < columns; i++)
            fprintf(out, ",c%u", i);
        fputs("\nd,p,v,s,k,trace,1", out);
        for (unsigned i = 7; i < columns; i++)
            fprintf(out, ",%u", i);
        fputs("\n", out);
        assert_int_equal(fclose(out), 0);
        pm_dataset *dataset = pm_dataset_read(f->file, NULL, told());
        if (columns == 4096) {
            assert_int_equal(pm_dataset_counters(dataset), 4089);
            assert_true(pm_dataset_sample(dataset, 0)->counters[4088] == 4095);
            owned_dataset(dataset);
        } else {
            assert_null(dataset);
            assert_non_null(strstr(last_error.text, ":1: 4097 columns"));
        }
    }
}

/* The digits are read as strtod reads them in the C locale, also in a locale with a decimal comma.
 */
FOLDER_TEST(numbers_do_not_depend_on_the_locale)
{
    static const char *const numbers[] = {
        "0.1",     "-1.5e-7", "3702784", "9007199254740993",       "123456789012345678901234567890",
        "1e22",    "1e23",    "5e-324",  "1.7976931348623157e308", "2.2250738585072011e-308",
        "+4",      ".5",      "5.",      "0.30000000000000004",    "1E+2",
        "00012.50"};
    double expected[sizeof numbers / sizeof *numbers];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expected[i] = strtod(numbers[i], NULL);
    set_comma_locale();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[256];
        snprintf(text, sizeof text, HEADER "d,p,v,s,k,trace,1,%s\n", numbers[i]);
        pm_dataset *dataset = read_text(f, text);
        double value = pm_dataset_sample(dataset, 0)->counters[0];
        if (value != expected[i])
            fail_msg("%s was read as %.17g", numbers[i], value);
    }
    setlocale(LC_ALL, "C");
}

FOLDER_TEST(rows_are_found)
{
    pm_dataset *dataset = read_text(f, HEADER "a,p,v,s,k,trace,1,1\n"
                                              "b,p,v,s,k,trace,2,1\n"
                                              "a,p,v,s,k2,trace,3,1\n");
    pm_sample like = {.program = "p", .variant = "v", .size = "s", .kernel = "k2"};
    assert_true(pm_dataset_find(dataset, &like)->time_s == 3);
    like.kernel = "k";
    assert_true(pm_dataset_find(dataset, &like)->time_s == 1);
    like.kernel = "trace";
    assert_null(pm_dataset_find(dataset, &like));
    like.kernel = "elsewhere";
    assert_null(pm_dataset_find(dataset, &like));
    like.kernel = NULL;
    assert_null(pm_dataset_find(dataset, &like));
}

FOLDER_TEST(large_files_read_fast)
{
    enum { ROWS = 10000, COUNTERS = 29 };
    FILE *out = need(fopen(f->file, "w"));
    fputs("device,program,variant,size,kernel,counter_source,time_s", out);
    for (int i = 0; i < COUNTERS; i++)
        fprintf(out, ",counter_%d", i);
    for (int row = 0; row < ROWS; row++) {
        fprintf(out, "\nh100,program_%d,variant_%d,size_%d,kernel_%d,cupti,%.17g", row / 1000,
                row / 100 % 10, row / 10 % 10, row % 10, 1e-6 * (row + 1) / 3);
        for (int i = 0; i < COUNTERS; i++)
            fprintf(out, ",%d", row * 1000 + i);
    }
    fputs("\n", out);
    assert_int_equal(fclose(out), 0);
    double start = seconds();
    pm_dataset *dataset = read_dataset(f->file);
    double spent = seconds() - start;
    assert_int_equal(pm_dataset_rows(dataset), ROWS);
    for (size_t row = 0; row < ROWS; row += 777)
        assert_ptr_equal(pm_dataset_find(dataset, pm_dataset_sample(dataset, row)),
                         pm_dataset_sample(dataset, row));
    print_message("%d rows of %d columns in %.3f s\n", ROWS, COUNTERS + 7, spent);
    /* allows for sanitizers and a busy machine, but not for a quadratic algorithm */
    assert_true(spent < 2);
}

/* Datasets that others measured, if this machine has them. */
TEST(real_datasets_are_read)
{
    static const char *const names[] = {"hawaii-r9-290x", "i7-6700k", "k20c", "k40c", "knl",
                                        "polaris-rx480",  "titanx"};
    const char *folder = aiwc_folder();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.csv", folder, names[i]);
        pm_dataset *dataset = read_dataset(path);
        assert_int_equal(pm_dataset_counters(dataset), 31);
        assert_string_equal(pm_dataset_sample(dataset, 0)->device, names[i]);
        assert_string_equal(pm_dataset_sample(dataset, 0)->counter_source, "aiwc");
        print_message("%s: %zu rows\n", names[i], pm_dataset_rows(dataset));
    }
}
