import { findEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { noticeTypes } from '#modules/workflow/workflows/contract/notices.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Ask } from './asking.ts';
import type { Ground } from './steps.ts';

/** The database of the running product, bypassing its server. Throws if it is not running. */
export async function withDatabase<T>(dataDir: string, work: (databases: Databases) => Promise<T>): Promise<T> {
  const embedded = findEmbedded(dataDir);
  if (!embedded) throw new Error('数据库没有在运行');
  const databases = openDatabases({ url: embedded.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    return await work(databases);
  } finally {
    await databases.close();
  }
}

/** The ids that this run uses, and the highest id of an existing ticket. */
export function findGround(dataDir: string): Promise<Omit<Ground, 'papers' | 'sealPapers'> & { since: number }> {
  return withDatabase(dataDir, async ({ fresh }) => {
    const { rows } = await fresh.$client.query<Omit<Ground, 'papers' | 'sealPapers'> & { since: number }>(`
      select (select id from workflow where key = 'it_service' and not is_deleted) as repair,
        (select min(id) from number_rule) as rule,
        (select min(id) from folder_category where workflow_id is null and parent_id is null) as category,
        (select min(id) from dept where code = 'DZB') as dept, (select id from contract_category where code = 'QT') as "contractCategory",
        (select id from app_user where username = 'shen.lijuan') as keeper,
        (select id from stamp where stamp_no = 'SFDX-08') as seal, (select max(id) from ticket) as since`);
    return rows[0]!;
  });
}

/** Publishes 信息化服务 again with its notifications also posted to `url`. */
export async function tellOutside(ask: Ask, { repair }: Pick<Ground, 'repair'>, url: string): Promise<void> {
  const answered = async (method: string, path: string, body?: object) => {
    const { code, msg, data } = await ask('admin', method, path, body);
    if (code !== 0) throw new Error(`${path}：${msg}`);
    return data;
  };
  const notice = { name: '值班系统', type_id: noticeTypes.hook, hook_url: url, hook_token: 'shared with the receiver' };
  const { id } = (await answered('POST', '/api/workflows/custom_notices/', notice)) as { id: number };
  const path = `/api/workflows/${repair}/`;
  const { definition } = (await answered('GET', path)) as { definition: Definition };
  const settings = { ...definition.settings, notices: [id] };
  await answered('PATCH', path, { definition: { ...definition, settings } });
  await answered('POST', `${path}publish/`, {});
}
