import { isDeepStrictEqual } from 'node:util';
import { asc, sql } from 'drizzle-orm';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { groupCalls, userGroups } from '../contract/groups.ts';
import { nameTaken, unknownHolder } from '../contract/refusals.ts';
import { decides, refuseGroup } from '../definition/powers.ts';
import { userGroupTable } from '../tables.ts';

const byNumber = (a: number, b: number) => a - b;
const working = sql<number>`(select count(*)::int from app_user u
  where u.id = any("user_group"."people") and u.is_active and not u.is_deleted)`;

export const groupModule = implement(
  'workflows',
  userGroups,
  nounHandlers(userGroups, {
    table: userGroupTable,
    noun: '用户组',
    search: [userGroupTable.name, userGroupTable.note],
    select: { working },
    async shows(rows, { tx }) {
      const known = await peopleById(
        tx,
        rows.flatMap((row) => row.people),
      );
      const names = (people: readonly number[]) => people.map((id) => known.get(id)?.alias ?? '').filter(Boolean);
      return (row) => ({ members: names(row.people).join('、') });
    },
    async check({ tx, user }, { sent, before }) {
      if (!sent.people) return {};
      const people = [...new Set(sent.people)];
      const same = before && isDeepStrictEqual(people.toSorted(byNumber), before.people.toSorted(byNumber));
      if (before && !same) await refuseGroup(tx, user, before);
      const known = await peopleById(tx, people);
      const [lost] = people.filter((id) => !known.has(id));
      if (lost !== undefined) throw unknownHolder(`用户 ${lost} `);
      return { people };
    },
    removing: ({ tx, user }, row) => refuseGroup(tx, user, row),
    inUse: {
      个流程: (
        id,
        tx,
      ) => sql`select count(distinct v.workflow_id) from workflow_version v join workflow w on w.id = v.workflow_id
        where not w.is_deleted and (v.status = 'draft' or ${decides(tx)}) and (
          jsonb_path_exists(v.definition, '$.states[*].participants[*].groups[*] ? (@ == $id)', ${JSON.stringify({ id })}::jsonb)
          or jsonb_path_exists(v.definition, '$.**? (@.op == "group_of").value[*] ? (@ == $id)', ${JSON.stringify({ id })}::jsonb))`,
    },
    unique: { user_group_name_unique: (row) => nameTaken(row.name) },
  }),
);

export const groupOptionModule = implement('workflows', groupCalls, {
  async simpleGroups(_input, { tx }) {
    const { id, name } = userGroupTable;
    return { value: await tx.select({ id, name, working }).from(userGroupTable).orderBy(asc(name)) };
  },
});
