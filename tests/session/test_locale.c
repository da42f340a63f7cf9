/* The library in a process whose locale writes a comma into numbers: it reads the shipped files and
 * says the same as elsewhere. The locale is compiled for the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <locale.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/text.h"
#include "perfmodel.h"
#include "session_fixture.h"

static void in_comma_locale(void)
{
    char text[8];

    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
}

TEST(test_numbers)
{
    const char *rest = "0.1234567890123456789x";
    char text[PM_NUMBER_SIZE];
    pm_text words = {0};
    double value;

    in_comma_locale();
    assert_true(pm_number_parse("1.2345678901234567", &value) && value == 1.2345678901234567);
    assert_false(pm_number_parse("1,5", &value));
    assert_true(pm_number_take(&rest, &value) && value == 0.1234567890123456789);
    assert_string_equal(rest, "x");
    assert_true(pm_number_rounded(3.14159, 4) == 3.142);
    assert_true(pm_number_format(0.5, text));
    assert_string_equal(text, "0.5");
    pm_fail(told(), PM_FAILED, "%g", 0.5);
    assert_string_equal(last_error.text, "0.5");
    pm_text_add(&words, "%g", 0.5);
    assert_string_equal(pm_text_get(&words), "0.5");
    pm_text_free(&words);
    in_comma_locale();
}

/* a trace reads instructions.ini */
TEST(test_trace)
{
#if PM_LLVM_MAJOR > 0
    const pm_trace_options options = {.target = "h100"};
    pm_session *session = session_of(NULL);

    if (!pm_trace_run(session, "copy", "float", NULL, &options, told()))
        fail_msg("%s", last_error.text);
#else
    (void)state;
    skip();
#endif
}

TEST(test_datasets)
{
    pm_target *targets;
    size_t count;
    pm_session *session = session_of(NULL);

    assert_non_null(pm_dataset_open(session, "h100", told()));
    assert_int_equal(pm_targets(session, &targets, &count, told()), PM_OK);
    pm_targets_free(targets, count);
}

int main(void)
{
    char folder[] = "/tmp/pm_test_locale_XXXXXX", command[256];
    int code = 77;

    if (system("command -v localedef >/dev/null") != 0) {
        puts("skipped: no localedef here to make a locale with");
        return 77;
    }
    if (!mkdtemp(folder))
        return 1;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
    if (system(command) == 0) {
        setenv("LOCPATH", folder, 1);
        setenv("LC_ALL", "de_DE.UTF-8", 1);
        setlocale(LC_ALL, "");
        code = run_all_tests(NULL, NULL);
    } else {
        puts("skipped: localedef made no de_DE.UTF-8 (are there its sources?)");
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? code : 1;
}
