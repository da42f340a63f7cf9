/* Datasets that a session has read. See perfmodel.h and dataset.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "samples/dataset.h"
#include "session/session.h"

static void release(void *dataset)
{
    pm_dataset_free(dataset);
}

const pm_dataset *pm_dataset_open_at(pm_session *session, const char *path, pm_error *err)
{
    pm_dataset *dataset = pm_session_find(session, "dataset", path);

    if (dataset)
        return dataset;
    dataset = pm_dataset_read(path, pm_session_log(session), err);
    if (!dataset || pm_session_keep(session, "dataset", path, dataset, release, err) != PM_OK)
        return NULL;
    return dataset;
}

const pm_dataset *pm_dataset_open(pm_session *session, const char *name, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    char path[PATH_MAX];

    return pm_dataset_locate(name, folder, path, sizeof path, err) == PM_OK
               ? pm_dataset_open_at(session, path, err)
               : NULL;
}
