import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { mayAdminister, type Flow } from './definition/administer.ts';
import type { Design } from './contract/design.ts';
import { currentOf, nextIds, versionRows } from './definition/draft.ts';
import { grantRows } from './definition/holders.ts';
import { leaverProblems } from './definition/leavers.ts';
import { moduleName, usesOf } from './definition/record-check.ts';
import { provenSoon } from './proof/proving.ts';
import { grantsOf } from './service.ts';

/** A workflow with its draft, as its administrators see it. */
export async function designOf(tx: Db, user: Viewer, flow: Flow): Promise<Design> {
  const rows = await versionRows(tx, flow);
  const current = currentOf(rows);
  const published = rows.find((row) => row.status === 'published');
  const { total, running } = (await tx.services.product.running.counts(tx, [flow.id])).get(flow.id) ?? {
    total: 0,
    running: 0,
  };
  const grants = await grantsOf(tx, user);
  const may = (code: 'Update' | 'Delete') => mayAdminister(user, code, flow, grants);
  const actions: Design['actions'] = may('Update')
    ? [
        'edit',
        ...(current.status === 'draft' ? (['publish'] as const) : []),
        flow.status === onOff.on ? 'retire' : 'revive',
      ]
    : [];
  if (may('Delete') && total === 0 && (await usesOf(tx, flow)).length === 0) actions.push('delete');
  const proven = await provenSoon(current.definition);
  return {
    id: flow.id,
    key: flow.key,
    name: flow.name,
    description: flow.description,
    icon: flow.icon,
    category: flow.category,
    module: flow.module,
    module_name: moduleName(tx, flow.module),
    order_id: flow.order_id,
    status: flow.status as 0 | 1,
    version: flow.version,
    published_version: published?.no ?? null,
    published_at: published?.published_at?.slice(0, 19) ?? null,
    has_draft: current.status === 'draft',
    definition: current.definition as Design['definition'],
    next_ids: nextIds(rows),
    warnings: proven.warnings,
    problems: [...proven.problems, ...(await leaverProblems(tx, current.definition))],
    grants: await grantRows(tx, flow.id),
    tickets: total,
    running,
    gmt_modified: flow.gmt_modified.slice(0, 19),
    actions,
  };
}
