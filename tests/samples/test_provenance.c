/* Tests the provenance file (origin of the rows) of a dataset, and how datasets are found by name
 * and by age.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <time.h>

#include "model/samples/dataset.h"

static const pm_device h100 = {.id = "h100",
                               .name = "NVIDIA H100 80GB HBM3",
                               .vendor = "NVIDIA Corporation",
                               .platform = "NVIDIA CUDA",
                               .driver = "580.159",
                               .is_nvidia = true,
                               .compute_units = 132,
                               .clock_mhz = 1980,
                               .memory_bytes = (size_t)80 << 30,
                               .local_memory_bytes = 49152,
                               .max_work_group = 1024};

static const pm_provenance_run some_run = {
    .counter_source = "cupti", .counter_tool = "t", .command = "c", .seed = 1};

OWNED(json, json_t, json_decref)

static json_t *load_json(const fixture *f)
{
    const char *path = in_folder(f, "a.json");
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);
    if (!document)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return owned_json(document);
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text)
        fail_msg("no text under %s", key);
    return text;
}

static long long number_at(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}

static void write_or_fail(const fixture *f, const pm_device *device, const char *command,
                          unsigned long long seed)
{
    const pm_provenance_run run = {
        .counter_source = "cupti", .counter_tool = "CUPTI 13.0", .command = command, .seed = seed};
    assert_ok(pm_provenance_write(f->file, device, &run, told()) == PM_OK);
}

FOLDER_TEST(it_tells_what_was_measured)
{
    const pm_defined heat = {"heat", "soa", "small", false},
                     other = {"heat", "soa", "large", false};
    char text[PM_DEFINED];

    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_BAD_INPUT);
    write_or_fail(f, &h100, "c", 7);
    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_OK);
    assert_string_equal(text, "");
    assert_int_equal(pm_definition_write(f->file, &heat, "0123", told()), PM_OK);
    assert_int_equal(pm_definition_write(f->file, &other, "4567", told()), PM_OK);
    assert_int_equal(pm_definition_write(f->file, &heat, "89ab", told()), PM_OK);
    write_or_fail(f, &h100, "c", 7); /* another run keeps them */
    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_OK);
    assert_string_equal(text, "89ab");
    assert_int_equal(pm_definition_read(f->file, &other, text, told()), PM_OK);
    assert_string_equal(text, "4567");
    /* Definitions that another program wrote there are ignored. */
    write_text(in_folder(f, "a.json"), "{\"definitions\": {\"heat\": {\"soa\": 3}}}");
    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_OK);
    assert_string_equal(text, "");
    assert_int_equal(pm_definition_write(f->file, &heat, "cdef", told()), PM_OK);
    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_OK);
    assert_string_equal(text, "cdef");
    write_text(in_folder(f, "a.json"), "[");
    assert_int_equal(pm_definition_read(f->file, &heat, text, told()), PM_BAD_INPUT);
}

/* A variant's rows count as CUDA until its source is OpenCL again. */
FOLDER_TEST(it_tells_the_language_of_variants)
{
    static const char rows[] =
        "device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs,work_items,"
        "work_group,c\n"
        "h100,heat,cl,1,k,trace,1,0,1,64,64,1\n"
        "h100,heat,cu,1,k,trace,1,0,1,64,64,1\n"
        "h100,cold,cu,1,k,trace,1,0,1,64,64,1\n";
    pm_defined cl = {"heat", "cl", "1", false}, cu = {"heat", "cu", "1", true};

    write_text(f->file, rows);
    for (int again = 0; again <= 2; again++) {
        pm_dataset *dataset;

        if (again > 0) {
            write_or_fail(f, &h100, "c", 7);
            cu.cuda = again == 1;
            assert_int_equal(pm_definition_write(f->file, &cl, "0123", told()), PM_OK);
            assert_int_equal(pm_definition_write(f->file, &cu, "4567", told()), PM_OK);
        }
        dataset = pm_dataset_read(f->file, NULL, told());
        assert_ok(dataset);
        assert_false(pm_dataset_sample(dataset, 0)->cuda);
        assert_int_equal(pm_dataset_sample(dataset, 1)->cuda, again == 1);
        assert_false(pm_dataset_sample(dataset, 2)->cuda);
        pm_dataset_free(dataset);
    }
}

FOLDER_TEST(it_tells_the_compiler_of_the_last_run)
{
    const json_t *runs;

    assert_int_equal(pm_provenance_compiler(f->file, "NVRTC 13.0", told()), PM_BAD_INPUT);
    write_or_fail(f, &h100, "c", 7);
    write_or_fail(f, &h100, "d", 7);
    assert_ok(pm_provenance_compiler(f->file, "NVRTC 13.0", told()) == PM_OK);
    runs = json_object_get(load_json(f), "runs");
    assert_null(json_object_get(json_array_get(runs, 0), "cuda_compiler"));
    assert_string_equal(text_at(json_array_get(runs, 1), "cuda_compiler"), "NVRTC 13.0");
    assert_string_equal(text_at(json_array_get(runs, 1), "command"), "d");
    write_text(in_folder(f, "a.json"), "{\"runs\": []}");
    assert_int_equal(pm_provenance_compiler(f->file, "NVRTC 13.0", told()), PM_FAILED);
}

FOLDER_TEST(it_tells_device_and_run)
{
    struct tm date = {0};
    write_or_fail(f, &h100, "perfmodel collect --program nbody", 7);
    json_t *document = load_json(f);
    const json_t *device = json_object_get(document, "device");
    const json_t *runs = json_object_get(document, "runs");
    const json_t *run = json_array_get(runs, 0);
    assert_int_equal(number_at(document, "format"), 1);
    assert_string_equal(text_at(device, "id"), "h100");
    assert_string_equal(text_at(device, "name"), h100.name);
    assert_string_equal(text_at(device, "vendor"), h100.vendor);
    assert_string_equal(text_at(device, "platform"), h100.platform);
    assert_string_equal(text_at(device, "driver"), "580.159");
    assert_int_equal(number_at(device, "compute_units"), 132);
    assert_int_equal(number_at(device, "clock_mhz"), 1980);
    assert_true(number_at(device, "memory_bytes") == 80LL << 30);
    assert_int_equal(json_array_size(runs), 1);
    assert_string_equal(text_at(run, "tool"), "perfmodel " PM_VERSION);
    assert_string_equal(text_at(run, "command"), "perfmodel collect --program nbody");
    assert_string_equal(text_at(run, "counter_source"), "cupti");
    assert_string_equal(text_at(run, "counter_tool"), "CUPTI 13.0");
    assert_true(json_is_null(json_object_get(run, "counter_target")));
    assert_true(json_is_null(json_object_get(run, "sample")));
    assert_int_equal(number_at(run, "seed"), 7);
    assert_int_equal(strncmp(text_at(run, "host_os"), "Linux ", 6), 0);
    const char *end = strptime(text_at(run, "date"), "%Y-%m-%dT%H:%M:%SZ", &date);
    assert_non_null(end);
    assert_int_equal(*end, '\0');
    assert_true(fabs(difftime(timegm(&date), time(NULL))) < 60);
}

FOLDER_TEST(each_run_is_kept)
{
    pm_device later = h100;
    strcpy(later.driver, "590.1");
    write_or_fail(f, &h100, "first", 1);
    write_or_fail(f, &later, "second", ~0ull);
    json_t *document = load_json(f);
    const json_t *runs = json_object_get(document, "runs");
    assert_int_equal(json_array_size(runs), 2);
    assert_string_equal(text_at(json_array_get(runs, 0), "command"), "first");
    assert_string_equal(text_at(json_array_get(runs, 0), "driver"), "580.159");
    assert_string_equal(text_at(json_array_get(runs, 1), "command"), "second");
    assert_string_equal(text_at(json_array_get(runs, 1), "driver"), "590.1");
    assert_string_equal(text_at(json_array_get(runs, 1), "seed"), "18446744073709551615");
    assert_string_equal(text_at(json_object_get(document, "device"), "driver"), "590.1");
}

static pm_provenance_run traced(const char *target, double sample)
{
    return (pm_provenance_run){.counter_source = "trace",
                               .counter_tool = "engine",
                               .counter_target = target,
                               .sample = sample};
}

FOLDER_TEST(the_target_of_a_trace_is_kept)
{
    const pm_provenance_run runs[] = {traced("gtx980", 0), traced("gtx980", 0.25)},
                            other = traced("gtx580", 0);
    const char *path = in_folder(f, "a.json");
    size_t size;

    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pm_provenance_write(f->file, &h100, &runs[i], told()), PM_OK);
    char *before = file_bytes(path, &size);
    assert_int_equal(pm_provenance_write(f->file, &h100, &other, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "a.json:1: ", "rules of gtx980, not gtx580");
    assert_bytes(path, before);
    json_t *document = load_json(f);
    const json_t *written = json_object_get(document, "runs");
    assert_int_equal(json_array_size(written), 2);
    assert_string_equal(text_at(json_array_get(written, 0), "counter_target"), "gtx980");
    assert_string_equal(text_at(json_array_get(written, 0), "sample"), "auto");
    assert_true(json_real_value(json_object_get(json_array_get(written, 1), "sample")) == 0.25);
}

/* PoCL's device has the same name on every machine. */
FOLDER_TEST(it_tells_a_cpus_cores)
{
    const pm_device cpu = {.id = "pocl", .is_cpu = true, .compute_units = 6};

    assert_int_equal(pm_provenance_cores(f->file), 0);
    assert_int_equal(pm_provenance_write(f->file, &cpu, &some_run, told()), PM_OK);
    assert_int_equal(pm_provenance_cores(f->file), 6);
    assert_int_equal(remove(in_folder(f, "a.json")), 0);
    assert_int_equal(pm_provenance_write(f->file, &h100, &some_run, told()), PM_OK);
    assert_int_equal(pm_provenance_cores(f->file), 0);
}

FOLDER_TEST(odd_texts_are_kept_readable)
{
    pm_device device = h100;
    strcpy(device.name, "K\xfcnstlich \xc3\xbc");
    assert_int_equal(pm_provenance_write(f->file, &device, &(pm_provenance_run){0}, told()), PM_OK);
    json_t *document = load_json(f);
    const json_t *run = json_array_get(json_object_get(document, "runs"), 0);
    assert_string_equal(text_at(json_object_get(document, "device"), "name"),
                        "K\\xfcnstlich \xc3\xbc");
    assert_true(json_is_null(json_object_get(run, "command")));
    assert_true(json_is_null(json_object_get(run, "counter_source")));
}

FOLDER_TEST(a_broken_file_is_left_alone)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "a.json:1: "},
        {"{\n\"format\": 1,\n\"runs\": [}\n", "a.json:3: "},
        {"[]", "a.json:1: not a JSON object"},
        {"{\"format\": 2, \"device\": {\"id\": \"h100\"}, \"runs\": []}", "\"format\" is not 1"},
        {"{\"format\": 1, \"device\": {\"id\": \"h100\"}, \"runs\": {}}", "\"runs\" is not a list"},
        {"{\"format\": 1, \"device\": \"h100\", \"runs\": []}", "has no \"id\""},
        {"{\"format\": 1, \"device\": {\"id\": \"a\\u001bb\"}, \"runs\": []}",
         "of device a\\x1bb, not h100"},
    };
    const char *path = in_folder(f, "a.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(path, cases[i].text);
        assert_int_equal(pm_provenance_write(f->file, &h100, &some_run, told()), PM_BAD_INPUT);
        if (!strstr(last_error.text, cases[i].words) || strchr(last_error.text, '\n'))
            fail_msg("expected %s in: %s", cases[i].words, last_error.text);
        assert_bytes(path, cases[i].text);
    }
}

FOLDER_TEST(a_missing_folder_is_named)
{
    const char *path = in_folder(f, "missing/a.csv");
    assert_int_equal(pm_provenance_write(path, &h100, &some_run, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "missing/a.json", strerror(ENOENT));
}

/* ---- search paths ---------------------------------------------------------------------------- */

/* Four folders, one for each search path, and the environment variables that name them. */
static int places_open(void **state)
{
    static const char *const folders[] = {
        "given", "env",           "xdg", "xdg/perfmodel", "xdg/perfmodel/datasets",
        "share", "share/datasets"};
    if (fixture_open(state) != 0)
        return -1;
    fixture *f = *state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(in_folder(f, folders[i]), 0755) != 0)
            return -1;
    setenv("PERFMODEL_DATASETS", in_folder(f, "env"), 1);
    setenv("XDG_DATA_HOME", in_folder(f, "xdg"), 1);
    setenv("PERFMODEL_SHARE", in_folder(f, "share"), 1);
    setenv("HOME", f->folder, 1);
    return 0;
}

static int places_close(void **state)
{
    unsetenv("PERFMODEL_DATASETS");
    unsetenv("XDG_DATA_HOME");
    unsetenv("PERFMODEL_SHARE");
    (void)state;
    return 0;
}

#define PLACES_TEST(name) TEST_OF(fixture, name, places_open, places_close)

static void touch(const fixture *f, const char *name, time_t seconds, long nanoseconds)
{
    const char *path = in_folder(f, name);
    const struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    write_file(path, "", 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void assert_located(const fixture *f, const char *name, const char *folder,
                           const char *expected)
{
    char path[PATH_MAX];
    assert_ok(pm_dataset_locate(name, folder, path, sizeof path, told()) == PM_OK);
    assert_string_equal(path, in_folder(f, expected));
}

PLACES_TEST(the_first_folder_wins)
{
    static const char *const files[] = {"share/datasets/h100.csv",
                                        "xdg/perfmodel/datasets/h100.csv", "env/h100.csv"};
    for (size_t i = 0; i < 3; i++) {
        touch(f, files[i], 1, 0);
        assert_located(f, "h100", NULL, files[i]);
        assert_located(f, "h100", in_folder(f, "given"), files[i]);
    }
    touch(f, "given/h100.csv", 1, 0);
    assert_located(f, "h100", NULL, "env/h100.csv");
    assert_located(f, "h100", in_folder(f, "given"), "given/h100.csv");
}

PLACES_TEST(a_path_is_itself)
{
    char path[PATH_MAX];
    touch(f, "env/x.csv", 1, 0);
    assert_located(f, in_folder(f, "env/x.csv"), NULL, "env/x.csv");
    assert_int_equal(pm_dataset_locate("x.csv", NULL, path, sizeof path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "x.csv: ", strerror(ENOENT));
}

PLACES_TEST(a_wrong_name_lists_the_right_ones)
{
    char path[PATH_MAX];
    assert_int_equal(pm_dataset_locate("h1", NULL, path, sizeof path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "there are none");
    touch(f, "share/datasets/h100.csv", 1, 0);
    touch(f, "share/datasets/devices.csv", 1, 0);
    touch(f, "share/datasets/classes.csv", 1, 0);
    touch(f, "share/datasets/published.csv", 1, 0);
    touch(f, "env/gtx980.csv", 1, 0);
    touch(f, "env/h100.csv", 1, 0);
    touch(f, "env/.hidden.csv", 1, 0);
    touch(f, "env/notes.txt", 1, 0);
    touch(f, "xdg/perfmodel/datasets/a.csv.12-0.tmp", 1, 0);
    touch(f, "xdg/perfmodel/datasets/b.csv", 1, 0);
    static const char *const wrong[] = {"h1\n00", "devices", "classes", "published", "", ".hidden"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(pm_dataset_locate(wrong[i], NULL, path, sizeof path, told()),
                         PM_BAD_INPUT);
        if (!strstr(last_error.text, "here is: b, gtx980, h100") ||
            strstr(last_error.text, "h100,") || strchr(last_error.text, '\n'))
            fail_msg("%s", last_error.text);
    }
}

PLACES_TEST(long_lists_are_not_told)
{
    char path[PATH_MAX], name[64];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "env/dataset_number_%03d.csv", i);
        touch(f, name, 1, 0);
    }
    assert_int_equal(pm_dataset_locate("none", NULL, path, sizeof path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "perfmodel devices lists all 200, such as dataset_number_000");
}

PLACES_TEST(the_latest_has_provenance)
{
    char path[PATH_MAX];
    assert_int_equal(pm_dataset_locate_latest(NULL, path, sizeof path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "/env: ", "perfmodel collect");
    touch(f, "env/old.csv", 100, 0);
    touch(f, "env/old.json", 100, 0);
    touch(f, "env/new.csv", 200, 5);
    touch(f, "env/new.json", 1, 0);
    touch(f, "env/older.csv", 200, 4);
    touch(f, "env/older.json", 900, 0);
    touch(f, "env/alone.csv", 300, 0);
    touch(f, "env/devices.csv", 400, 0);
    touch(f, "env/devices.json", 400, 0);
    assert_int_equal(pm_dataset_locate_latest(NULL, path, sizeof path, told()), PM_OK);
    assert_string_equal(path, in_folder(f, "env/new.csv"));

    touch(f, "given/g.csv", 1, 0);
    touch(f, "given/g.json", 1, 0);
    assert_int_equal(pm_dataset_locate_latest(in_folder(f, "given"), path, sizeof path, told()),
                     PM_OK);
    assert_string_equal(path, in_folder(f, "given/g.csv"));
}

static void assert_user_path(const fixture *f, const char *expected)
{
    char path[PATH_MAX];
    struct stat info;
    assert_ok(pm_user_dataset_path("h100", path, sizeof path, told()) == PM_OK);
    assert_string_equal(path, in_folder(f, expected));
    *strrchr(path, '/') = '\0';
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISDIR(info.st_mode));
}

PLACES_TEST(the_users_folder_is_made)
{
    char path[PATH_MAX];
    setenv("PERFMODEL_DATASETS", in_folder(f, "a/b/c"), 1);
    assert_user_path(f, "a/b/c/h100.csv");
    assert_user_path(f, "a/b/c/h100.csv");
    setenv("PERFMODEL_DATASETS", "", 1);
    assert_user_path(f, "xdg/perfmodel/datasets/h100.csv");
    setenv("XDG_DATA_HOME", "relative", 1);
    assert_user_path(f, ".local/share/perfmodel/datasets/h100.csv");
    unsetenv("HOME");
    assert_int_equal(pm_user_dataset_path("h100", path, sizeof path, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "PERFMODEL_DATASETS"));
    setenv("HOME", f->folder, 1);

    write_file(f->file, "", 0);
    setenv("PERFMODEL_DATASETS", f->file, 1);
    assert_int_equal(pm_user_dataset_path("h100", path, sizeof path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, f->file);
    static const char *const wrong[] = {"", "..", "a/b", ".h"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pm_user_dataset_path(wrong[i], path, sizeof path, told()), PM_BAD_INPUT);
    setenv("PERFMODEL_DATASETS", f->folder, 1);
    assert_int_equal(pm_user_dataset_path("h100", path, 8, told()), PM_BAD_INPUT);
}
