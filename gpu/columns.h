/* The columns of devices.csv, and a row of it as numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_COLUMNS_H
#define PM_GPU_COLUMNS_H

#include "gpu/devices_table.h"
#include "gpu/profile.h"
#include "gpu/rules.h"

/* What a column is for. */
enum {
    PM_COLUMN_RULES = 1,    /* the rules of counting cannot do without */
    PM_COLUMN_PROFILE = 2,  /* nor can the units model */
    PM_COLUMN_WITH_L1 = 4,  /* ... where there is an L1 */
    PM_COLUMN_WITH_L2 = 8,  /* ... unless the table says that there is no L2 */
    PM_COLUMN_UNIFIED = 16, /* ... where L1 and shared memory are one array */
    PM_COLUMN_CHIPS = 32,   /* the same in all chips of an architecture, but for a few */
    PM_COLUMN_TELLING = 64  /* tells those few apart */
};

typedef enum {
    PM_CELL_ANY,
    PM_CELL_WORD,   /* most is the room for it */
    PM_CELL_NUMBER, /* a double, as those that follow with their bounds */
    PM_CELL_COUNT,  /* unsigned */
    PM_CELL_POWER,  /* unsigned: a power of two */
    PM_CELL_BYTES,  /* size_t */
    PM_CELL_CHOICE, /* unsigned: the number of one of the choices; of two of them a bool */
    PM_CELL_SIZES   /* carve-outs */
} pm_cell_kind;

typedef struct {
    const char *name;
    pm_cell_kind kind;
    unsigned use;  /* PM_COLUMN_... */
    size_t offset; /* in pm_gpu_row */
    double least, most;
    const char *const *choices; /* up to a NULL */
    double unit;                /* the value is so much of what the cell says; 0: 1 */
} pm_gpu_column;

/* All of them in the order of the shipped table. */
extern const pm_gpu_column pm_gpu_columns[];
extern const size_t pm_gpu_column_count;

typedef struct {
    pm_gpu rules;
    pm_profile profile;
    char dram_type[16];
    unsigned dram_bus_bits;
    unsigned dram_ecc; /* of the choices */
    double spare_kb;
    /* The first column that is needed for the rules, and for the profile, and empty or not there */
    const pm_gpu_column *no_rule, *no_profile;
} pm_gpu_row;

/* Reads a device's row, which the table has. A cell that is wrong or absurd, or does not go with
 * another one, is PM_BAD_INPUT with its place. */
pm_status pm_gpu_row_read(const pm_device_row *cells, pm_gpu_row *row, pm_error *err);
/* PM_BAD_INPUT that says what the cell holds, or that it or its column is missing, and what is
 * wanted. */
pm_status pm_gpu_column_wrong(const pm_device_row *cells, const pm_gpu_column *column,
                              pm_error *err);

#endif
