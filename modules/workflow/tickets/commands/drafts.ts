import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import { isFor } from '#modules/workflow/workflows/engine/start-rule.ts';
import { cannotStart } from '../contract/refusals.ts';
import { ownFacts } from './facts.ts';
import type { Stored } from '../store/store.ts';

/** Refuses to submit a draft if nobody may start its workflow any more, or its creator may not by the present rules. */
export async function refuseOutOfScope(tx: Db, user: Viewer, { version }: Stored): Promise<void> {
  const { name } = version.definition;
  const now = await versionToStart(tx, version.workflow_id);
  if (!now) throw cannotStart(`流程“${name}”已停用，现在不能提交；草稿已保留，可以在启用后提交或删除`);
  const { dept_path, roles } = await ownFacts(tx, user, user.depts[0] ?? null);
  if (isFor(now.definition.settings.limit, { id: user.id, dept_path, roles })) return;
  throw cannotStart(`现在不在流程“${name}”的发起范围内，不能提交；草稿已保留，需要提交请联系流程管理员`);
}
