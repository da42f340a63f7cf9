/* Describes the columns of devices.csv, the table of GPU properties: their names, units, and the
 * values that are valid. Parses the cells of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_COLUMNS_H
#define PM_MACHINE_COLUMNS_H

#include "machine/devices_table.h"
#include "machine/profile.h"
#include "machine/rules.h"

/* Bits of pm_gpu_column.use: what a column of devices.csv is required for, and whether GPUs of one
 * architecture share its value. */
enum {
    PM_COLUMN_RULES = 1,   /* the trace engine requires the column, to count events (pm_gpu) */
    PM_COLUMN_PROFILE = 2, /* the prediction method `units` requires the column (pm_profile) */
    PM_COLUMN_WITH_L1 = 4, /* the column is required only if the GPU's l1_bytes is not 0 */
    PM_COLUMN_WITH_L2 = 8, /* the column is required unless the GPU's l2_bytes is 0 */
    /* the column is required only if L1 and shared memory share one memory array */
    PM_COLUMN_UNIFIED = 16,
    /* a column whose value is the same for all chips of an architecture, with few exceptions */
    PM_COLUMN_CHIPS = 32,
    /* A PM_COLUMN_CHIPS column with exceptions: a few chips of an architecture have another value,
     * which distinguishes them from the architecture's other chips. */
    PM_COLUMN_TELLING = 64
};

typedef enum {
    PM_CELL_ANY,
    PM_CELL_WORD, /* PM_CELL_WORD: a text, shorter than pm_gpu_column.most bytes */
    /* PM_CELL_NUMBER: a double. pm_gpu_column.least and most bound the value. They also bound
     * PM_CELL_COUNT, PM_CELL_POWER and PM_CELL_BYTES. */
    PM_CELL_NUMBER,
    PM_CELL_COUNT, /* unsigned */
    PM_CELL_POWER, /* unsigned, a power of two */
    PM_CELL_BYTES, /* size_t */
    /* PM_CELL_CHOICE: one of the texts pm_gpu_column.choices. The member is an unsigned with its
     * index, or a bool if the choices are "no" and "yes". */
    PM_CELL_CHOICE,
    /* PM_CELL_SIZES: a list of possible sizes of shared memory (carve-outs), KB */
    PM_CELL_SIZES
} pm_cell_kind;

typedef struct {
    const char *name;
    pm_cell_kind kind;
    unsigned use;  /* bits PM_COLUMN_... */
    size_t offset; /* offset in pm_gpu_row of the member that gets the value */
    double least, most;
    const char *const *choices; /* NULL-terminated */
    /* factor that converts the cell's unit to the member's unit; 0 means 1 */
    double unit;
} pm_gpu_column;

/* all columns of devices.csv, in the order of the installed table */
extern const pm_gpu_column pm_gpu_columns[];
extern const size_t pm_gpu_column_count;

typedef struct {
    pm_gpu rules;
    pm_profile profile;
    char dram_type[16];
    unsigned dram_bus_bits;
    unsigned dram_ecc; /* ECC of the DRAM; index in {no, inline, sideband} */
    double spare_kb;
    /* Reasons why the row cannot be used. no_rule: first column that the trace engine requires and
     * whose cell is empty or missing. no_profile: the same for the prediction method `units`. NULL:
     * all required cells are there. */
    const pm_gpu_column *no_rule, *no_profile;
} pm_gpu_row;

/* Parses the row of a device in devices.csv. PM_BAD_INPUT with file and line if a cell is wrong or
 * contradicts another cell. */
pm_status pm_gpu_row_read(const pm_device_row *cells, pm_gpu_row *row, pm_error *err);
/* Reports a wrong cell in a column of devices.csv: fills err and returns PM_BAD_INPUT. The message
 * has the cell's content and the expected content, or says that the cell is empty or its column is
 * missing. */
pm_status pm_gpu_column_wrong(const pm_device_row *cells, const pm_gpu_column *column,
                              pm_error *err);

#endif
