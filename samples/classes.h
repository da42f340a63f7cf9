/* classes.csv: which programs are alike, a class of them each row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SAMPLES_CLASSES_H
#define PM_SAMPLES_CLASSES_H

#include "base/memory.h"
#include "base/strings.h"
#include "perfmodel.h"

typedef struct {
    const char *program, *class;
} pm_class_row;

/* All zero: no program has a class. */
typedef struct {
    pm_strings texts;
    pm_class_row *rows; /* sorted by program */
    size_t count;
} pm_classes;

/* Reads the table in the session's folder of datasets, else in $PERFMODEL_DATASETS, else the
 * shipped one; without any it is empty. A file that is wrong is PM_BAD_INPUT with its place.
 * classes is all zero before. Freed with pm_classes_clear, on failure too. */
pm_status pm_classes_load(const pm_session *session, pm_classes *classes, pm_error *err);
/* The same, read once in a session, which is not NULL, and the session's. */
const pm_classes *pm_classes_find(pm_session *session, pm_error *err);

/* Of a program that the table does not have, or where classes is NULL: its own name. */
const char *pm_class_of(const pm_classes *classes, const char *program);

/* A program and its twin, which is the same in CUDA and is called NAME_cuda, have one name here,
 * and are left out together: what one of them took says what the other takes. The name is the
 * program's own or of memory. */
const char *pm_twin_name(pm_memory *memory, const char *program);
bool pm_are_twins(const char *a, const char *b);

/* The same of the table at path. */
pm_status pm_classes_read(pm_classes *classes, const char *path, pm_error *err);
void pm_classes_clear(pm_classes *classes);

#endif
