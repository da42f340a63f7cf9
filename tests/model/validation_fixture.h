/* Functions for tests of methods. They validate datasets by path, and check properties that all
 * validations have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_VALIDATION_FIXTURE_H
#define PM_TESTS_VALIDATION_FIXTURE_H

#include <math.h>
#include <unistd.h>

#include "owned.h"

static inline pm_dataset *read_dataset(const char *path)
{
    return owned_dataset(pm_dataset_read(path, NULL, told()));
}

/* source NULL: use the target's own counters. */
static inline pm_validation *validate_file(const char *target, const char *source,
                                           pm_model_options options)
{
    return owned_validation(pm_validate(NULL, read_dataset(target),
                                        source ? read_dataset(source) : NULL, &options, told()));
}

/* Checks that numbers are finite and not negative, and that each prediction is inside its
 * interval. */
static inline void assert_in_bounds(const pm_validation *v)
{
    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        assert_true(p->lo_s >= 0 && p->lo_s <= p->predicted_s && p->predicted_s <= p->hi_s);
        assert_true(isfinite(p->hi_s));
    }
}

/* Returns the folder of other people's datasets (AIWC); skips the test if it is missing. */
static inline const char *aiwc_folder(void)
{
    const char *folder = getenv("PM_AIWC_DIR");

    if (!folder)
        folder = PM_SOURCE_DIR "/../shared/data/aiwc";
    if (access(folder, R_OK) != 0) {
        print_message("no %s; set PM_AIWC_DIR\n", folder);
        skip();
    }
    return folder;
}

#endif
