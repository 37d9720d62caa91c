import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { everybodysRole } from '#modules/platform/access/service.ts';
import { nobody, someoneGone, type Audience, type AudienceShown } from '../contract/audience.ts';
import { peopleById } from '../service.ts';

// An audience is stored as an array of names in its row: `a0` everybody, `d12` a department with all below it, `r3` the holders of a role, `u55` a
// person. The names of a person are such an array too, so something is for them if the two overlap: one condition on one column, supported by an
// index.

const texts = (names: readonly string[]) => sql`${sql.param([...names])}::text[]`;
const ofKind = (kind: string, ids: readonly number[]) => [...new Set(ids)].map((id) => `${kind}${id}`);
const idsOf = (kind: string, names: readonly string[]) =>
  names.filter((name) => name.startsWith(kind)).map((name) => Number(name.slice(1)));

/** The stored form of an audience; if it is for everybody, nothing else counts. */
export function namesIn({ all, depts, roles, users }: Audience): string[] {
  return all ? ['a0'] : [...ofKind('d', depts), ...ofKind('r', roles), ...ofKind('u', users)];
}

/** The audience stored as these names. */
export function audienceOf(names: readonly string[]): Audience {
  return {
    all: names.includes('a0'),
    depts: idsOf('d', names),
    roles: idsOf('r', names),
    users: idsOf('u', names),
  };
}

/** The names that include a person: everybody's, their own, those of their departments and all above, and of their roles. */
export function namedBy(viewer: Pick<Viewer, 'id' | 'places' | 'roleIds'>): string[] {
  return ['a0', `u${viewer.id}`, ...ofKind('d', viewer.places), ...ofKind('r', viewer.roleIds)];
}

/** Rows meant for a person; `everybodyIn` is the same for all people. */
export function meantFor(audience: AnyColumn, viewer: Pick<Viewer, 'id' | 'places' | 'roleIds'>): SQL {
  return sql`${audience} && ${texts(namedBy(viewer))}`;
}

/**
 * All current people that rows `(id, audience)` are for, each once, as `(id, user_id, dept_id, source)`, with their main department and the closest
 * reason: 1 named, 2 department with all below and side posts too, 3 role, 4 everybody.
 */
export function everybodyIn(rows: SQL): SQL {
  return sql`
    with recursive asked (id, audience) as (${rows}),
    named as (
      select asked.id, left(name, 1) kind, substr(name, 2)::int target from asked cross join lateral unnest(asked.audience) name),
    below (top, dept) as (
      select d.id, d.id from dept d where d.id in (select target from named where kind = 'd') and not d.is_deleted
      union select below.top, d.id from below join dept d on d.parent_id = below.dept where not d.is_deleted),
    reached as (select named.id, below.dept from named join below on below.top = named.target where named.kind = 'd'),
    chosen (id, person, source) as (
      select id, target, 1 from named where kind = 'u'
      union all select reached.id, u.id, 2 from reached join app_user u on u.dept_id = reached.dept
      union all select reached.id, b.user_id, 2 from reached join user_dept b on b.dept_id = reached.dept
      union all select named.id, h.user_id, 3 from named join held_role h on h.role_id = named.target where named.kind = 'r'
      union all select named.id, u.id, 3 from named join role r on r.id = named.target and r.code = ${everybodysRole}
        cross join app_user u where named.kind = 'r'
      union all select named.id, u.id, 4 from named cross join app_user u where named.kind = 'a')
    select chosen.id, u.id user_id, u.dept_id, min(chosen.source)::int source
    from chosen join app_user u on u.id = chosen.person where u.is_active and not u.is_deleted group by chosen.id, u.id`;
}

/** The same for one audience that is not stored or was read before; `id` is null. */
export const everybodyOf = (audience: Audience): SQL => everybodyIn(sql`select null::int, ${texts(namesIn(audience))}`);

/** Ids of all current people in an audience. */
export async function peopleIn(tx: Db, audience: Audience): Promise<number[]> {
  const { rows } = await tx.execute<{ user_id: number }>(
    sql`select user_id from (${everybodyOf(audience)}) meant order by user_id`,
  );
  return rows.map((row) => row.user_id);
}

/** The number of people in an audience. */
export async function countIn(tx: Db, audience: Audience): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(
    sql`select count(*)::int total from (${everybodyOf(audience)}) meant`,
  );
  return rows[0]!.total;
}

/** Refuses an audience that names departments, roles or people that no longer exist. */
export async function checkAudience(tx: Db, audience: Audience): Promise<void> {
  const { depts, roles, users } = audience.all ? nobody : audience;
  if (depts.length + roles.length + users.length === 0) return;
  const each = (list: readonly number[]) => sql`unnest(${sql.param([...list])}::int[]) wanted`;
  const { rows } = await tx.execute<{ gone: boolean }>(sql`
    select exists (select from ${each(depts)} where not exists (select from dept d where d.id = wanted and not d.is_deleted))
      or exists (select from ${each(roles)} where not exists (select from role r where r.id = wanted))
      or exists (select from ${each(users)}
        where not exists (select from app_user u where u.id = wanted and u.is_active and not u.is_deleted)) gone`);
  if (rows[0]!.gone) throw someoneGone();
}

/** An audience as the initial value of its input: with the cards of its people, including leavers. */
export async function audienceShown(tx: Db, names: readonly string[]): Promise<AudienceShown> {
  const audience = audienceOf(names);
  const [called = ''] = await audienceNames(tx, [names]);
  return { ...audience, called, users_info: [...(await peopleById(tx, audience.users)).values()] };
}

const namedAtMost = 3;

/** Names of audiences, in one statement: 全体人员, or 财务处、张三 等 5 项. Deleted parts are left out. */
export async function audienceNames(tx: Db, audiences: readonly (readonly string[])[]): Promise<string[]> {
  const shown = audiences.map((names) => names.slice(0, namedAtMost));
  const wanted = [...new Set(shown.flat())].filter((name) => name !== 'a0');
  const { rows } =
    wanted.length === 0
      ? { rows: [] }
      : await tx.execute<{ name: string; called: string }>(sql`
          select w.name, coalesce(d.name, r.name, u.alias) called
          from (select name, left(name, 1) kind, substr(name, 2)::int id from unnest(${texts(wanted)}) name) w
          left join dept d on w.kind = 'd' and d.id = w.id
          left join role r on w.kind = 'r' and r.id = w.id
          left join app_user u on w.kind = 'u' and u.id = w.id
          where coalesce(d.name, r.name, u.alias) is not null`);
  const called = new Map(rows.map((row) => [row.name, row.called]));
  return audiences.map((names, index) => {
    if (names.includes('a0')) return '全体人员';
    const said = shown[index]!.flatMap((name) => called.get(name) ?? []).join('、');
    const unit = names.every((name) => name.startsWith('u')) ? '人' : '项';
    return names.length > namedAtMost ? `${said} 等 ${names.length} ${unit}` : said;
  });
}
