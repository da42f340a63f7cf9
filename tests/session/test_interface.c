/* The versions of the public interface, reserved words, stopping by a callback, and documents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <jansson.h>

static void free_session(void *session)
{
    pm_session_free(session);
}

/* Of this test. */
static pm_session *new_session(const pm_session_options *options)
{
    pm_session *session = pm_session_create(options, told());

    assert_non_null(session);
    free_later(session, free_session);
    return session;
}

TEST(library_and_header_are_of_one_version)
{
    assert_string_equal(pm_library_version(), PM_VERSION);
    assert_int_equal(pm_api_version(), PM_API_VERSION);
    assert_int_equal(PM_API_VERSION >> 16, PM_API_MAJOR);
    assert_int_equal(PM_API_VERSION & 0xffff, PM_API_MINOR);
}

/* ---- reserved words ------------------------------------------------------------------------- */

static void assert_refused(bool refused)
{
    assert_true(refused);
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "reserved words"));
}

#define LAST(struct_) (struct_).reserved[sizeof(struct_).reserved / sizeof *(struct_).reserved - 1]
/* Checks that a call is refused if the last reserved word of its options is set. */
#define REFUSED(options, call)                                                                     \
    do {                                                                                           \
        LAST(options) = 1;                                                                         \
        assert_refused(call);                                                                      \
    } while (0)

TEST(options_with_reserved_words_that_are_set_are_refused)
{
    pm_session *session = new_session(NULL);
    pm_session_options opened = {.seed = 1};
    pm_probe_options probe = {0};
    pm_trace_options trace = {0};
    pm_collect_options collect = {0};
    pm_predict_options predict = {.target = "h200"}, inner = {.target = "h200"};
    pm_advise_options advise = {.target = "h100", .program = "nbody"};
    pm_tune_options tune = {.target = "h100"};
    pm_check_options check = {0};
    pm_capture_options capture = {.folder = "no-folder"};
    pm_report_options report = {.cost = pm_cost_options_default()};
    pm_launch_options launch = {0};
    pm_collect_result result;
    int code;

    REFUSED(opened, !pm_session_create(&opened, told()));
    REFUSED(probe, !pm_probe_run(session, &probe, told()));
    REFUSED(trace, !pm_trace_run(session, "nbody", NULL, NULL, &trace, told()));
    REFUSED(collect, pm_collect(session, &collect, &result, told()) != PM_OK);
    REFUSED(predict, !pm_predict_on(session, &predict, told()));
    REFUSED(inner.model, !pm_predict_on(session, &inner, told()));
    REFUSED(advise, !pm_advise(session, &advise, told()));
    REFUSED(tune, !pm_tune(session, &tune, told()));
    REFUSED(check, !pm_check_run(session, &check, told()));
    REFUSED(capture, !pm_capture_run(session, &capture, &code, told()));
    REFUSED(launch, pm_session_launch(session, &launch, told()) != PM_OK);
    REFUSED(report, !pm_report_create(session, &report, told()));
}

TEST(models_costs_and_transforms_refuse_them_too)
{
    pm_session *session = new_session(NULL);
    const pm_dataset *h100 = pm_dataset_open(session, "h100", told());
    pm_model_options model = {0};
    pm_cost_options cost = pm_cost_options_default(), effort = cost;
    pm_transform_options transform = {.layouts = "soa"};
    pm_transformed out;

    assert_non_null(h100);
    REFUSED(model, !pm_validate(session, h100, NULL, &model, told()));
    assert_refused(!pm_validate_published(session, &model, told()));
    assert_refused(!pm_predict(session, h100, h100, NULL, PM_LEAVE_NOTHING, &model, told()));
    REFUSED(cost, pm_cost_check(&cost, told()) != PM_OK);
    REFUSED(effort.effort, pm_cost_check(&effort, told()) != PM_OK);
    REFUSED(transform, pm_transform_source(session, "", "a.cl", &transform, &out, told()) != PM_OK);
    assert_refused(pm_transform_program(session, "nbody", &transform, &out, told()) != PM_OK);
    assert_refused(pm_transform_workload(session, "a", &transform, &out, told()) != PM_OK);
}

/* ---- stopping ------------------------------------------------------------------------------- */

static bool count_and_stop(void *user)
{
    int *asked = user;

    return ++*asked > 2;
}

TEST(a_caller_that_is_asked_may_stop_the_work)
{
    int asked = 0;
    const pm_session_options options = {.seed = 1, .stop = count_and_stop, .stop_user = &asked};
    pm_session *stopped = new_session(&options);
    const pm_trace_options trace = {.target = "h100"};

    assert_null(pm_trace_run(stopped, "nbody", NULL, NULL, &trace, told()));
    assert_int_equal(last_error.status, PM_FAILED);
    assert_string_equal(last_error.text, "interrupted");
    assert_true(asked > 2);
}

/* ---- names and documents -------------------------------------------------------------------- */

TEST(targets_are_known_by_the_names_that_people_give_them)
{
    pm_session *session = new_session(NULL);
    char id[64];

    assert_int_equal(pm_target_id(session, "GeForce GTX 980", id, sizeof id, told()), PM_OK);
    assert_string_equal(id, "gtx980");
    assert_int_equal(pm_target_id(session, "./gtx980.csv", id, sizeof id, told()), PM_OK);
    assert_string_equal(id, "./gtx980.csv");
    assert_int_equal(pm_target_id(session, "GeForce GTX 980", id, 4, told()), PM_BAD_INPUT);
}

TEST(limits_of_a_target_are_those_of_its_row)
{
    pm_session *session = new_session(NULL);
    pm_target_limits limits;

    assert_int_equal(pm_target_limits_read(session, "h100", &limits, told()), PM_OK);
    assert_int_equal(limits.compute_capability, 90);
    assert_int_equal(limits.warp_width, 32);
    assert_int_equal(limits.shared_group_bytes, 227 * 1024);
    assert_int_equal(pm_target_limits_read(session, "h1000", &limits, told()), PM_BAD_INPUT);
    assert_int_equal(limits.compute_capability, 0);
}

TEST(a_document_has_what_the_struct_has)
{
    pm_session *session = new_session(NULL);
    const pm_dataset *h100 = pm_dataset_open(session, "h100", told());
    const pm_model_options model = {.method = "paper"};
    pm_validation *validation = pm_validate(session, h100, NULL, &model, told());
    char *text = validation ? pm_validation_document(validation, told()) : NULL;
    json_t *document = text ? json_loads(text, 0, NULL) : NULL;

    assert_non_null(document);
    assert_int_equal(json_integer_value(json_object_get(document, "n")), validation->n);
    assert_float_equal(json_number_value(json_object_get(document, "mape")), validation->mape,
                       1e-8 * validation->mape);
    json_decref(document);
    free(text);
    pm_validation_free(validation);
}
