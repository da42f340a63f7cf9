/* The data that exist about a GPU: its properties from devices.csv (profile), its measured kernel
 * times, and the counters that the trace engine counted for it. They come from the datasets that
 * have the GPU's name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_KNOWN_H
#define PM_MODEL_TRANSFER_KNOWN_H

#include "base/digest.h"
#include "machine/profile.h"

typedef struct {
    char name[64];
    pm_profile profile;
    /* Measured times, from the datasets NAME-corpus, NAME-shared, NAME, NAME-layouts and NAME-cuda
     * that exist. If several rows have the same key, the first counts. NAME-shared comes before
     * NAME, because its versions with and without local memory were measured in the same run. NULL:
     * no dataset exists. */
    pm_dataset *measured;
    /* Rows with a measured energy, from NAME-energy first and then from the datasets of measured
     * times. Their only counter is energy_j. NULL: there are none. */
    pm_dataset *metered;
    /* traced counters, from NAME-trace, NAME-shared-trace and so on; NULL: no such dataset */
    pm_dataset *traced;
    /* Times published by others and traced counters of the same programs: NAME and NAME-trace in
     * the folder `public`. NULL: the dataset does not exist. */
    const pm_dataset *published, *published_traced;
    /* Session that reads the datasets when they are needed (pm_known_read). Until then, two flags
     * tell which files exist. whole: files of measured times and of traced counters. is_published:
     * files of published times and their counters. NULL: the datasets were read already. */
    pm_session *unread;
    bool whole, is_published;
    /* Digest of the files from which models learn. All zero: the datasets do not come from files.
     */
    pm_digest files;
    bool torn; /* true: a file has an incomplete last row, about which each reading logs a notice */
} pm_known_gpu;

/* Reads the known data of a GPU, once per session. Missing datasets or a missing row in devices.csv
 * are no errors; an invalid file is. */
pm_status pm_known_find(pm_session *session, const char *name, const pm_known_gpu **out,
                        pm_error *err);

/* Returns whether a model can learn from the GPU's times: it has a profile, measured times and
 * traced counters. */
bool pm_known_is_whole(const pm_known_gpu *known);

/* Returns whether enough traced programs were measured to fit a model to this GPU alone. */
bool pm_known_has_enough(const pm_known_gpu *known);

/* pm_known_measured and pm_known_traced return the GPU's row with the program, variant, size and
 * kernel of the sample `like`: its row of measured times, or of traced counters. NULL: there is
 * none. */
const pm_sample *pm_known_measured(const pm_known_gpu *known, const pm_sample *like);
const pm_sample *pm_known_traced(const pm_known_gpu *known, const pm_sample *like);

/* Returns the GPU's row with the measured energy of the sample `like`; energy is the row's only
 * counter. NULL: there is none. */
const pm_sample *pm_known_metered(const pm_known_gpu *known, const pm_sample *like);

/* Returns whether the GPU has published times from which a model can learn. */
bool pm_known_is_published(const pm_known_gpu *known);

/* ---- lists of GPUs (known_list.c) ----------------------------------------------------------- */

/* Selection of the devices of a list. like: name of a device; the list has devices of the same
 * kind, GPUs or CPUs (NULL: GPUs). except: name of a device to leave out (NULL: none). all: true if
 * devices that have only published times are listed, too; false: only devices with a profile,
 * measured times and traced counters. */
typedef struct {
    const char *like, *except;
    bool all;
} pm_known_choice;

/* Lists GPUs without reading their datasets. First come GPUs with profile, times and traced
 * counters (pm_known_is_whole) by name, then the other GPUs by name. Free *list with free(). The
 * session owns the objects that its members point to. */
pm_status pm_known_list(pm_session *session, const pm_known_choice *choice, pm_known_gpu **list,
                        size_t *count, pm_error *err);

/* Reads the datasets of a listed GPU, unless they are read already. */
pm_status pm_known_read(pm_known_gpu *gpu, pm_error *err);
/* Returns true if the contents of the GPU's files still have the digest gpu->files. */
bool pm_known_is_unchanged(pm_session *session, const pm_known_gpu *gpu);

#endif
