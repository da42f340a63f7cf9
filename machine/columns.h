/* Describes the columns of devices.csv, the table of GPU properties, and parses a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_COLUMNS_H
#define PM_MACHINE_COLUMNS_H

#include "machine/devices_table.h"
#include "machine/profile.h"
#include "machine/rules.h"

/* Bits of pm_gpu_column.use: what the column is required for, and how it varies between GPUs. */
enum {
    PM_COLUMN_RULES = 1,    /* the trace engine needs the column to count (pm_gpu) */
    PM_COLUMN_PROFILE = 2,  /* required by the prediction method `units`, pm_profile */
    PM_COLUMN_WITH_L1 = 4,  /* required only if l1_bytes is not 0 */
    PM_COLUMN_WITH_L2 = 8,  /* required unless the cell l2_bytes is 0 */
    PM_COLUMN_UNIFIED = 16, /* required only if L1 and shared memory share one array */
    PM_COLUMN_CHIPS = 32,   /* equal in all chips of an architecture, with few exceptions */
    /* A PM_COLUMN_CHIPS column of which a few chips of an architecture have another value, by which
     * they are distinguished from the architecture's other chips. */
    PM_COLUMN_TELLING = 64
};

typedef enum {
    PM_CELL_ANY,
    PM_CELL_WORD, /* text of less than `most` bytes */
    /* a double; least and most bound the value, as they do for PM_CELL_COUNT, _POWER and _BYTES */
    PM_CELL_NUMBER,
    PM_CELL_COUNT,  /* unsigned */
    PM_CELL_POWER,  /* unsigned, a power of two */
    PM_CELL_BYTES,  /* size_t */
    PM_CELL_CHOICE, /* unsigned: index in choices; a bool if the choices are no and yes */
    PM_CELL_SIZES   /* list of possible sizes of shared memory (carve-outs), KB */
} pm_cell_kind;

typedef struct {
    const char *name;
    pm_cell_kind kind;
    unsigned use;  /* bits PM_COLUMN_... */
    size_t offset; /* offset of the member in pm_gpu_row */
    double least, most;
    const char *const *choices; /* NULL-terminated */
    /* factor that converts the cell's unit to the member's unit; 0 means 1 */
    double unit;
} pm_gpu_column;

/* All columns, in the order of the shipped table. */
extern const pm_gpu_column pm_gpu_columns[];
extern const size_t pm_gpu_column_count;

typedef struct {
    pm_gpu rules;
    pm_profile profile;
    char dram_type[16];
    unsigned dram_bus_bits;
    unsigned dram_ecc; /* ECC of the DRAM; index in {no, inline, sideband} */
    double spare_kb;
    /* no_rule: first column that the trace engine requires and that is empty or missing.
     * no_profile: first column that the prediction method `units` requires and that is empty or
     * missing. NULL: there is none. */
    const pm_gpu_column *no_rule, *no_profile;
} pm_gpu_row;

/* Parses a device's row of devices.csv. PM_BAD_INPUT with file and line if a cell is wrong or
 * contradicts another cell. */
pm_status pm_gpu_row_read(const pm_device_row *cells, pm_gpu_row *row, pm_error *err);
/* Sets err to PM_BAD_INPUT because of a wrong cell in a column of devices.csv, and returns
 * PM_BAD_INPUT. The message says the cell's content, or that the cell is empty or its column is
 * missing, and the expected content. */
pm_status pm_gpu_column_wrong(const pm_device_row *cells, const pm_gpu_column *column,
                              pm_error *err);

#endif
