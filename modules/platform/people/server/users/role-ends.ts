import { sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { AuditEntry } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { rightsChanged } from '#modules/platform/access/service.ts';
import { byAdministrator } from './administrators.ts';

const endRoles = 'end roles';
const remindOfRoles = 'remind of roles that end';
export const roleSchedules: Schedule[] = [
  { task: endRoles, cron: '5 0 * * *' },
  { task: remindOfRoles, cron: '30 8 * * *' },
];

interface Ended extends Record<string, unknown> {
  user_id: number;
  username: string;
  alias: string;
  type_id: number;
  dept_id: number | null;
  is_active: boolean;
  role_id: number;
  role: string;
  until: string;
}
/** A role that ended, and its holder. */
type EndedRole = Pick<Ended, 'alias' | 'role' | 'until'>;

interface RoleEndPorts {
  databases: Pick<Databases, 'write'>;
  remember(tx: Db, entry: AuditEntry): Promise<void>;
  /** Tells somebody of all their roles that ended at once. */
  tellEnded(tx: Db, userId: number, ended: readonly { role: string; until: string }[]): Promise<void>;
  /** Tells an administrator of all the roles that ended at once and that they could give again. */
  tellAdministrator(tx: Db, userId: number, ended: readonly EndedRole[]): Promise<void>;
  remind(tx: Db, now: Date): Promise<number>;
}

/** Temporary roles: they give nothing from the day after their last one and are then removed; holders and the nearest administrators are told. */
export const roleTasks = ({ databases, remember, tellEnded, tellAdministrator, remind }: RoleEndPorts): Task[] => [
  {
    name: endRoles,
    title: '移除到期的角色',
    async run() {
      await databases.write(async (tx) => {
        const { rows } = await tx.execute<Ended>(sql`
          with gone as (
            delete from user_role where until < current_date
            returning user_id, role_id, until)
          select u.id user_id, u.username, u.alias, u.type_id, u.dept_id, u.is_active, r.id role_id, r.name role,
            to_char(g.until, 'YYYY-MM-DD') until
          from gone g join app_user u on u.id = g.user_id join role r on r.id = g.role_id order by u.id, r.id`);
        for (const [id, ended] of Map.groupBy(rows, (row) => row.user_id)) {
          await rightsChanged(tx, id);
          await tellEnded(tx, id, ended);
        }
        // Nobody renews the role of somebody who has left.
        const atWork = rows.filter((row) => row.is_active);
        for (const [id, ended] of await byAdministrator(tx, atWork)) await tellAdministrator(tx, id, ended);
        for (const { user_id: id, username, alias, role, until } of rows)
          await remember(tx, {
            module: 'people',
            action: '角色到期',
            method: 'JOB',
            path: endRoles,
            user: null,
            origin: { ip: '', userAgent: '', traceId: '' },
            result: codes.ok,
            milliseconds: 0,
            changes: [
              {
                type: '用户',
                id,
                title: `${alias}（${username}）`,
                before: { 角色: `${role}（至 ${until}）` },
                after: {},
              },
            ],
          });
      });
    },
  },
  {
    name: remindOfRoles,
    title: '提醒角色即将到期',
    run: async (_payload, { now }) => void (await databases.write((tx) => remind(tx, now))),
  },
];

export interface EndingRole extends Record<string, unknown> {
  id: number;
  due: string;
  /** All that end on that day. */
  roles: string;
}
/** Reminders of temporary roles: one for each day on which some end, naming all of that day. */
export const endingRoles = {
  days: [7, 1],
  async due(tx: Db, { first, last }: { first: string; last: string }) {
    const { rows } = await tx.execute<EndingRole>(sql`
      select u.id, to_char(h.until, 'YYYY-MM-DD') due, string_agg(r.name, '、' order by r.order_id, r.id) roles
      from user_role h join app_user u on u.id = h.user_id join role r on r.id = h.role_id
      where h.until between ${first}::date and ${last}::date and u.is_active and not u.is_deleted
      group by u.id, h.until order by u.id, h.until`);
    return rows;
  },
  to: async (_tx: Db, rows: readonly { id: number }[]) => new Map(rows.map(({ id }) => [id, [id]])),
};
/** The same in words. */
export const roleEndWords = ({ due, roles }: { due: string; roles: string }, left: number) => ({
  title: `您的角色“${roles}”${left <= 0 ? '今天' : `还有 ${left} 天`}到期`,
  content: `到 ${due} 为止，次日自动移除。仍需要的，请联系管理员。`,
});
/** The text for several days at once, in order. */
export const roleEndsWords = (dues: readonly { row: Pick<EndingRole, 'due' | 'roles'> }[]) => ({
  title: `您的角色“${dues.map(({ row }) => row.roles).join('、')}”即将到期`,
  content: `${dues.map(({ row: { due, roles } }) => `“${roles}”到 ${due} 为止`).join('；')}，次日自动移除。仍需要的，请联系管理员。`,
});
