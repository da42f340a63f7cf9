/* What the libraries that perfmodel puts into a captured program share: records, contents, and
 * which launches are recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All that they know is one struct, behind one mutex, which is never held while the driver is
 * called with anything that may wait. One thread at a time records a launch: it has the turn.
 * Whatever goes wrong here, the program runs on: a launch is then left out, and counted.
 */
#ifndef PM_CAPTURE_RECORDING_RECORDING_H
#define PM_CAPTURE_RECORDING_RECORDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"
#include "base/text.h"
#include "capture/record.h"

enum { PM_REC_SIZES = 32, PM_REC_ARGS = 128, PM_REC_REGIONS = 192 };

/* ---- table.c ----------------------------------------------------------------------------------
 */

/* Objects by their handle, each of which starts with it. A handle that the driver gives out again
 * is the new object's. */
typedef struct {
    pm_hash_index index;
    void **items;
    size_t count, room;
} pm_rec_table;

void *pm_rec_find(const pm_rec_table *table, const void *handle);
/* The object of that handle, of so many bytes that are zero but for the handle. NULL: no memory. An
 * object that had the handle before is handed to forget first. */
void *pm_rec_put(pm_rec_table *table, const void *handle, size_t size,
                 void (*forget)(void *object));
/* ---- what is recorded ----------------------------------------------------------------------- */

/* A kernel of a program. */
typedef struct {
    unsigned id, program;
    int kind;
    char *name;
    char *plain;     /* what the choice may call it as well; NULL: nothing else */
    pm_text params;  /* as its record has them */
    bool *read_only; /* by argument: no launch writes through it */
    bool recorded;   /* has its line */
    bool too_large;  /* its contents were more than may be stored */
    uint64_t seen;   /* launches that were chosen by number or name */
    unsigned kept;   /* launches that are recorded */
    struct {         /* what launches took lately, by work-items */
        uint64_t items, ns;
    } sizes[PM_REC_SIZES];
    unsigned size_count, size_next;
    struct {
        uint64_t launches, ns, untimed;
        bool changed;
    } totals[PM_LEFT_REASONS];
} pm_rec_entry;

/* A launch that is recorded, as long as it may be dropped for one that took longer. */
typedef struct {
    uint64_t number, ns;
    pm_rec_entry *entry;
    size_t contents_count;
    size_t *contents; /* that it needs: indices of the store's */
} pm_rec_kept;

typedef struct {
    uint64_t longest, first, from, to; /* one of: longest > 0, first > 0, to > 0 */
    uint64_t most_bytes;
    double most_seconds;
    char *kernels; /* with blanks around each; NULL: all */
} pm_rec_choice;

typedef struct {
    char id[40];
    size_t bytes; /* of its file */
    unsigned users;
} pm_rec_contents;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t turn_given;
    bool turn_taken;

    bool active;         /* there is a folder for the records */
    char *folder;        /* of the process's records; NULL: none yet */
    const char *records; /* the folder of all processes' */
    const char *ending;  /* of the names of folders in it */
    int journal;         /* -1: not open */
    pm_rec_choice choice;
    void (*forked)(void);     /* in a fork's child, with the lock held */
    void (*before_end)(void); /* with the lock held; NULL: nothing */

    size_t entry_count, entry_room;
    pm_rec_entry **entries;
    unsigned next_id;
    uint64_t launches; /* chosen ones so far, for --launches */
    uint64_t number;   /* of all so far */
    double spent;      /* seconds of recording */
    double next_totals;
    bool told_device;

    size_t kept_count, kept_room;
    pm_rec_kept *kept;

    pm_hash_index contents_index;
    size_t contents_count, contents_room;
    pm_rec_contents *contents;
    uint64_t contents_bytes;
} pm_recording;

pm_recording *pm_recording_get(void);

void pm_rec_lock(void);
void pm_rec_unlock(void);
/* Of recording a launch; the lock is held. */
void pm_rec_take_turn(void);
void pm_rec_give_turn(void);

/* By the environment that `perfmodel capture` made. ending tells the folders of this library's
 * records from another one's in the same process. false: nothing is to be recorded. */
bool pm_rec_set_up(const char *ending, void (*forked)(void), void (*before_end)(void));
/* The program ends; once more does nothing. The driver may be gone already. */
void pm_rec_end(void);

/* ---- journal.c: records; the lock is held ---------------------------------------------------- */

/* Begins a record: a text that pm_rec_write writes and frees. */
void pm_rec_word(pm_text *record, const char *text); /* behind a blank */
bool pm_rec_write(pm_text *record);                  /* false: it was not written */
/* Opens the journal if it is not open. */
bool pm_rec_open_journal(void);
void pm_rec_write_totals(bool all);
void pm_rec_write_entry(pm_rec_entry *entry);
void pm_rec_write_device(const char *name);
/* In a fork's child: what is the parent's is let go. */
void pm_rec_forked(void);

/* ---- kernels.c: the lock is held ------------------------------------------------------------- */

/* A kernel that is new; NULL: no memory. */
pm_rec_entry *pm_rec_new_entry(unsigned program, int kind, const char *name, unsigned args);
void pm_rec_count(pm_rec_entry *entry, pm_left_out reason, bool timed, uint64_t ns);

/* ---- contents.c: the store ---------------------------------------------------------------------
 */

/* A hash that is fed piece by piece, each but the last a multiple of 32 bytes. */
typedef struct {
    uint64_t lanes[4];
    uint64_t bytes;
    unsigned char first[16]; /* a pattern, if the contents repeat it */
    bool repeats;
} pm_rec_hash;

void pm_rec_hash_begin(pm_rec_hash *hash);
void pm_rec_hash_add(pm_rec_hash *hash, const void *bytes, size_t size);
void pm_rec_hash_end(const pm_rec_hash *hash, char id[40]);
/* The index of contents in the store, which has a user more; SIZE_MAX: not there. */
size_t pm_rec_contents_use(const char *id);
/* The same of new ones, of which a file of so many bytes was written under that id. */
size_t pm_rec_contents_put(const char *id, size_t bytes);
/* One user less; without any its file is removed. */
void pm_rec_contents_leave(size_t index);
/* Writes bytes as contents, a file in any case, and their id. */
bool pm_rec_contents_file(const void *bytes, size_t size, char id[40]);
/* Opens a file beside the contents; rename it with pm_rec_contents_name. -1: it cannot be. */
int pm_rec_contents_open(char *path, size_t size);
bool pm_rec_contents_name(const char *path, const char *id);

/* ---- snapshot.c: the lock is not held -------------------------------------------------------- */

/* Reads bytes of a buffer. */
typedef bool (*pm_rec_read)(void *user, size_t offset, size_t bytes, void *to);

enum { PM_REC_CHUNK = 8 << 20 }; /* that are read at once, at most */

/* Puts what a buffer holds into the store; SIZE_MAX: reason says why not. */
size_t pm_rec_snapshot(pm_rec_read read, void *user, size_t bytes, pm_left_out *reason);

/* ---- choice.c -------------------------------------------------------------------------------- */

bool pm_rec_choice_read(const char *text, pm_rec_choice *choice);
/* Whether a launch is to be recorded, by what was chosen; else why not. The lock is held. */
pm_left_out pm_rec_choose(pm_rec_entry *entry, uint64_t items);
/* What a launch took. */
void pm_rec_learn(pm_rec_entry *entry, uint64_t items, uint64_t ns);
/* Keeps a recorded launch, and drops one if there are now too many. */
bool pm_rec_keep(const pm_rec_kept *launch);

/* ---- launches.c ------------------------------------------------------------------------------ */

typedef struct {
    size_t bytes;
    void *value; /* NULL: local memory, or nothing */
    bool set, svm;
} pm_rec_arg;

/* Bytes of a buffer that a launch takes, with their contents before and after. */
typedef struct {
    unsigned arg; /* PM_REC_ARGS: none, it is a symbol */
    const char *symbol;
    const void *handle; /* that they are read by, from byte start on */
    size_t start;
    unsigned id;          /* of the whole buffer */
    size_t offset, bytes; /* in that */
    size_t at;            /* where the argument begins in them */
    bool hidden, read_only;
    size_t before, after; /* of the store; SIZE_MAX: none */
} pm_rec_region;

/* A launch that is being recorded. */
typedef struct {
    pm_rec_entry *entry;
    uint64_t items, ns;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* bytes of it that the launch asks for, beside its arguments */
    unsigned arg_count;
    pm_rec_arg args[PM_REC_ARGS]; /* copies */
    size_t region_count;
    pm_rec_region regions[PM_REC_REGIONS];
} pm_rec_launch;

bool pm_rec_copy_arg(pm_rec_arg *to, const pm_rec_arg *from);
/* Contents of all regions, by the reader; user is handed a pm_rec_region in turn, see launches.c.
 * The lock is not held. */
typedef size_t (*pm_rec_take)(void *user, const pm_rec_region *region, pm_left_out *reason);
pm_left_out pm_rec_before(pm_rec_launch *launch, pm_rec_take take, void *user);
pm_left_out pm_rec_after(pm_rec_launch *launch, pm_rec_take take, void *user);
/* Counts the launch, which ran; with what it needs if reason is PM_CAPTURED. */
void pm_rec_done(pm_rec_launch *launch, pm_left_out reason);
/* It was not recorded, for that reason. */
void pm_rec_undone(pm_rec_launch *launch, pm_left_out reason);
void pm_rec_free_args(pm_rec_launch *launch);

#endif
