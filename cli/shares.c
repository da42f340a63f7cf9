/* Checks the options of commands that do only one part of a large run (--shard, for runs on several
 * machines), and prints how much of this part is done. See cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"
#include "report/json/json.h"

void cli_check_shard(const cli_options *o)
{
    if (o->shard.count > 0 && !o->output)
        cli_wrong(o, "--shard: -o FILE.json is missing; the share is written beside it");
}

int cli_tell_share(const cli_options *o, const pm_share_result *r)
{
    static const pm_json_member members[] = {PM_JSON(COUNT, pm_share_result, done),
                                             PM_JSON(COUNT, pm_share_result, kept),
                                             PM_JSON(COUNT, pm_share_result, failed)};
    json_t *document;

    if (!o->json) {
        printf("%s: %zu done, %zu there already, %zu failed\n", r->path, r->done, r->kept,
               r->failed);
        return PM_OK;
    }
    document = json_pack("{s:o}", "share", pm_json_text(r->path));
    json_object_update_new(document, PM_JSON_OBJECT(r, members));
    return cli_print_document(o, document);
}
