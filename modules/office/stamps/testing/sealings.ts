import { createHash } from 'node:crypto';
import { copyFiles } from '#modules/platform/files/service.ts';
import { codeOf, giveCode } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState } from '../contract/codes.ts';
import { pictureKind } from '../contract/seal-codes.ts';
import { keepPictures, recordUse } from '../ledger/record.ts';
import { applicationsName } from '../ledger/verified.ts';
import { applicationFileTable, applicationTable, lineTable } from '../tables/application.ts';
import type { openSealHouse } from './seals.ts';

type House = Pick<
  Awaited<ReturnType<typeof openSealHouse>>,
  'app' | 'keeper' | 'watcher' | 'clerk' | 'dept' | 'picture'
>;
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes an approved application directly, and its sealing if `copies` is given. */
export async function sealing(
  house: House,
  stamp_id: number,
  {
    kind = 2,
    title = '合作协议',
    receiver = '',
    sealed = 3,
    copies = 5,
    text = '正文',
    after_hours = false,
    at = new Date().toISOString(),
    act_state = actState.finished as number,
  } = {},
) {
  const { keeper, watcher, clerk, dept, picture, app } = house;
  const shot = sealed > 0 ? await picture(keeper.client) : 0;
  return app.services.databases.write(async (tx) => {
    const columns = {
      creator_id: clerk.id,
      operator_id: clerk.id,
      dept_id: dept,
      title,
      reason: '工作需要',
      copies,
      receiver,
    };
    const values = { ...columns, file_kind: kind, act_state: actState.draft, ready_at: at };
    const [row] = await tx.insert(applicationTable).values(values).returning({ id: applicationTable.id });
    const application_id = row!.id;
    const state = sealed > 0 ? lineState.sealed : lineState.ready;
    const [line] = await tx
      .insert(lineTable)
      .values({ application_id, stamp_id, state })
      .returning({ id: lineTable.id });
    await giveCode(tx, { module: applicationsName, id: application_id });
    if (shot) {
      const fileIds = await copyFiles(tx, { fileIds: [shot], module: 'stamps', user: keeper });
      await tx.insert(applicationFileTable).values({ application_id, file_id: fileIds[0]!, sha256: sha256(text) });
      await keepPictures(tx, keeper, { kind: pictureKind.seal, line_id: line!.id }, [shot]);
      await recordUse(tx, {
        stamp_id,
        line_id: line!.id,
        application_id,
        use_type: 1,
        file_kind: kind,
        file_name: title,
        receiver,
        dept_id: dept,
        operator_id: clerk.id,
        copies,
        real_copies: sealed,
        keeper_id: keeper.id,
        confirmed_by: watcher.id,
        confirmed_at: at,
        after_hours,
        sealed_at: at,
      });
    }
    // The ticket that decided it, as its end leaves it.
    await tx.execute(`with decided as (
        insert into ticket (sn, title, workflow_id, version_id, act_state, state_id, creator_id, seq, biz_module, biz_id, submitted_at, finished_at)
        select 'SEALED-${application_id}', '', v.workflow_id, v.id, ${act_state}, 0, ${clerk.id}, 1, '${applicationsName}', ${application_id}, now(),
          case when ${act_state} in (4, 5, 6) then now() end
        from workflow_version v where v.status = 'published' order by v.id limit 1 returning id)
      update stamp_application set act_state = ${act_state}, seal_status = ${state}, ticket_id = decided.id from decided
        where stamp_application.id = ${application_id}`);
    return {
      id: application_id,
      line: line!.id,
      code: (await codeOf(tx, { module: applicationsName, id: application_id }))!,
    };
  });
}
