/* Reading classes.csv: the shipped one, a user's own, and files that are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"
#include "session_fixture.h"

#include "model/samples/classes.h"

TEST(the_shipped_table_has_classes)
{
    const pm_classes *classes;
    pm_session *session = session_of(NULL);

    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    classes = need((void *)pm_classes_find(session, told()));
    assert_true(classes->count > 100);
    assert_string_equal(pm_class_of(classes, "sph"), "physics");
    assert_string_equal(pm_class_of(classes, "aes128"), "integers");
    assert_string_equal(pm_class_of(classes, "of_a_user"), "of_a_user");
    assert_string_equal(pm_class_of(NULL, "sph"), "sph");
    assert_ptr_equal(pm_classes_find(session, told()), classes);
}

static void put(fixture *f, const char *text)
{
    snprintf(f->file, sizeof f->file, "%s/classes.csv", f->folder);
    write_text(f->file, text);
}

FOLDER_TEST(a_user_may_have_a_table)
{
    const pm_classes *classes;

    put(f, "note,class,program\nmine,\"a, b\",z\n,c,a\n");
    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    for (int by_environment = 0; by_environment <= 1; by_environment++) {
        if (by_environment)
            assert_int_equal(setenv("PERFMODEL_DATASETS", f->folder, 1), 0);
        classes =
            need((void *)pm_classes_find(session_of(by_environment ? NULL : f->folder), told()));
        assert_int_equal(classes->count, 2);
        assert_string_equal(pm_class_of(classes, "z"), "a, b");
        assert_string_equal(pm_class_of(classes, "a"), "c");
        /* the table of the first folder is used */
        assert_string_equal(pm_class_of(classes, "sph"), "sph");
    }
    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
}

FOLDER_TEST(without_a_table_of_ones_own_it_is_the_shipped_one)
{
    const pm_classes *classes = need((void *)pm_classes_find(session_of(f->folder), told()));

    assert_string_equal(pm_class_of(classes, "sph"), "physics");
}

TEST(a_program_in_cuda_is_the_same_program)
{
    static const struct {
        const char *a, *b;
        bool twins;
    } cases[] = {{"heat", "heat_cuda", true},   {"heat_cuda", "heat", true},
                 {"heat", "heat", true},        {"heat_cuda", "heat_cuda", true},
                 {"heat", "heat_cudas", false}, {"heat", "wheat_cuda", false},
                 {"hea", "heat_cuda", false},   {"_cuda", "heat", false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pm_are_twins(cases[i].a, cases[i].b), cases[i].twins);
        assert_int_equal(strcmp(pm_twin_name(own_memory(), cases[i].a),
                                pm_twin_name(own_memory(), cases[i].b)) == 0,
                         cases[i].twins);
    }
}

FOLDER_TEST(without_any_table_each_program_is_a_class)
{
    const pm_classes *classes;

    assert_int_equal(setenv("PERFMODEL_SHARE", f->folder, 1), 0);
    classes = pm_classes_find(session_of(NULL), told());
    assert_int_equal(unsetenv("PERFMODEL_SHARE"), 0);
    assert_ok(classes);
    assert_int_equal(classes->count, 0);
    assert_string_equal(pm_class_of(classes, "sph"), "sph");
}

FOLDER_TEST(wrong_tables_are_refused_with_their_place)
{
    static const struct {
        const char *text, *place, *what;
    } wrong[] = {
        {"", "classes.csv: ", "is empty"},
        {"program\na\n", "classes.csv:1: ", "no column 'class'"},
        {"class\na\n", "classes.csv:1: ", "no column 'program'"},
        {"program,class\na,b\nc\n", "classes.csv:3: ", "1 cells, the header has 2"},
        {"program,class\na,b\nc,d,e\n", "classes.csv:3: ", "3 cells, the header has 2"},
        {"program,class\na,\n", "classes.csv:2: ", "class is empty"},
        {"program,class\n,b\n", "classes.csv:2: ", "program is empty"},
        {"program,class\na,b\nc,d\na,b\n", "classes.csv:4: ", "a second row of a"},
        {"program,class\na,b\nc,d", "classes.csv:3: ", "does not end"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put(f, wrong[i].text);
        assert_null(pm_classes_find(session_of(f->folder), told()));
        assert_error(PM_BAD_INPUT, wrong[i].place, wrong[i].what);
    }
    put(f, "program,class\n");
    assert_non_null(pm_classes_find(session_of(f->folder), told()));
}
