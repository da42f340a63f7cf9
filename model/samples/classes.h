/* Reads classes.csv, which assigns programs with similar code to classes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_SAMPLES_CLASSES_H
#define PM_MODEL_SAMPLES_CLASSES_H

#include "base/memory.h"
#include "base/strings.h"
#include "perfmodel.h"

typedef struct {
    const char *program, *class;
} pm_class_row;

/* Classes (groups of programs with similar code), read from classes.csv. A struct of zeros has
 * no classes. */
typedef struct {
    pm_strings texts;
    pm_class_row *rows; /* sorted by program */
    size_t count;
} pm_classes;

/* Reads classes.csv, which assigns programs to classes (groups of similar programs). The file comes
 * from the session's folder of datasets, else from $PERFMODEL_DATASETS, else the shipped one is
 * used. If there is none, classes stays empty. A malformed file is PM_BAD_INPUT, and err has its
 * line. classes must be zeroed before. The caller clears it with pm_classes_clear, on failure too.
 */
pm_status pm_classes_load(const pm_session *session, pm_classes *classes, pm_error *err);
/* Returns the classes of programs (groups of similar programs) from classes.csv, which is read once
 * per session. session must not be NULL and owns the result. NULL with err set on failure. */
const pm_classes *pm_classes_find(pm_session *session, pm_error *err);

/* Returns the class of a program (the name of its group of similar programs). It is the program's
 * own name if classes.csv has no row for the program or if classes is NULL. */
const char *pm_class_of(const pm_classes *classes, const char *program);

/* Returns the common name of a program NAME and its CUDA version NAME_cuda (its twin), which is
 * NAME. The two programs are left out of training together, because the time of one reveals the
 * time of the other. The result is `program`, or a text that `memory` owns. */
const char *pm_twin_name(pm_memory *memory, const char *program);
bool pm_are_twins(const char *a, const char *b);

/* Reads the classes of programs (groups of similar programs) from the CSV file at path. */
pm_status pm_classes_read(pm_classes *classes, const char *path, pm_error *err);
void pm_classes_clear(pm_classes *classes);

#endif
