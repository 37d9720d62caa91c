import { and, eq, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { mayCall, type Viewer } from '#kernel/server/access/viewer.ts';
import { touched } from '#kernel/server/db/version.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { alumniReached } from '#modules/platform/alumni/service.ts';
import { isNobody } from '#modules/platform/people/contract/audience.ts';
import { deptsThere, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { audienceOf, namesIn } from '#modules/platform/people/service/audience.ts';
import { groupEmpty, groupNameTaken, smsGroups } from '../contract/groups.ts';
import { smsGroupTable as t } from '../tables.ts';

const noun = '接收人分组';
const isMine = (viewer: Viewer) => eq(t.creator_id, viewer.id);

/** Shared with members of the owner's main department, until the owner leaves it. */
const isShared = (viewer: Viewer) => sql`(${t.shared} and exists (
  select from app_user u where u.id = ${t.creator_id} and u.is_active and not u.is_deleted
    and u.dept_id = any(${sql.param([...viewer.depts])}::int[])))`;

const handlers = nounHandlers(smsGroups, {
  table: t,
  noun,
  search: [t.name],
  select: { owner_name: sql<string>`(select u.alias from app_user u where u.id = "sms_group"."creator_id")` },
  scope: (viewer, code) => (code === 'Retrieve' ? or(isMine(viewer), isShared(viewer)) : isMine(viewer)),
  refuses: (row, viewer) => (row.creator_id === viewer.id ? null : absent(`该${noun}`)),
  offers: (row, viewer) => (row.creator_id === viewer.id && mayCall(viewer, smsGroups.share) ? ['share'] : []),
  /** Left out are people who left, deleted parts, and alumni to whom the viewer may not write. */
  async shows(rows, { tx, user }) {
    const named = rows.map((row) => audienceOf(row.audience));
    const people = new Set(
      await workingAmong(
        tx,
        named.flatMap(({ users }) => users),
      ),
    );
    const depts = new Set(
      await deptsThere(
        tx,
        named.flatMap((one) => one.depts),
      ),
    );
    const cards = await peopleById(tx, [...people]);
    const alumni = await alumniReached(
      tx,
      user,
      rows.flatMap((row) => row.alumnus_ids),
    );
    return (row) => {
      const audience = audienceOf(row.audience);
      const users = audience.users.filter((one) => people.has(one));
      return {
        recipients: { ...audience, users, depts: audience.depts.filter((one) => depts.has(one)) },
        alumnus_ids: row.alumnus_ids.filter((one) => alumni.has(one)),
        mine: row.creator_id === user.id,
        known: users.flatMap((one) => cards.get(one) ?? []),
      };
    };
  },
  check(_work, { row, sent: { recipients } }) {
    const audience = recipients ? namesIn(recipients) : row.audience;
    if (isNobody(audienceOf(audience)) && row.alumnus_ids.length === 0 && !row.alumnus_filter) throw groupEmpty();
    return { audience };
  },
  unique: { sms_group_name: (row) => groupNameTaken(row.name) },
  facts: (row) => ({ 人员范围: row.audience.length, 校友: row.alumnus_ids.length }),
});

export const smsGroupModule = implement('sms', smsGroups, {
  ...handlers,
  async share({ params: { id }, body: { shared } }, { tx, user, audit }) {
    const [row] = await tx
      .update(t)
      .set({ shared, ...touched(t) })
      .where(and(eq(t.id, id), isMine(user)))
      .returning({ name: t.name });
    if (!row) throw absent(`该${noun}`);
    audit({ type: noun, id, title: row.name, after: { 本部门共用: shared ? '是' : '否' } });
    return { id };
  },
});
