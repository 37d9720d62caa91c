import { arrayContains } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { notForThem } from '../contract/refusals.ts';
import type { Definition, StartFor } from '../engine/definition.ts';
import { covers, isFor, mayStartBy } from '../engine/start-rule.ts';
import { userGroupTable } from '../tables.ts';

/** The rules by which a person may start tickets of some workflows for others. Their groups are read once, and only if a rule names any. */
export async function rulesForOthers(
  tx: Db,
  user: Viewer,
  definitions: readonly Definition[],
): Promise<(definition: Definition) => readonly StartFor[]> {
  // An application starts tickets only for the people whom its own token names.
  if (user.application) return () => [];
  const rules = definitions.flatMap(({ settings }) => settings.start_for ?? []);
  const groups = rules.some((rule) => rule.groups.length > 0) ? await groupsOf(tx, user.id) : [];
  const person = { id: user.id, roles: [...user.roleCodes] };
  return ({ settings }) => (settings.start_for ?? []).filter((rule) => mayStartBy(rule, person, groups));
}

async function groupsOf(tx: Db, person: number): Promise<number[]> {
  const rows = await tx
    .select({ id: userGroupTable.id })
    .from(userGroupTable)
    .where(arrayContains(userGroupTable.people, [person]));
  return rows.map((row) => row.id);
}

/** The person in whose name somebody starts a ticket, with their present rights. Refuses with the reason if they may not, or the person may not. */
export async function applicantFor(tx: Db, user: Viewer, definition: Definition, username: string): Promise<Viewer> {
  const { name, settings } = definition;
  const rules = (await rulesForOthers(tx, user, [definition]))(definition);
  if (rules.length === 0) {
    const own = { id: user.id, dept_path: user.places, roles: [...user.roleCodes] };
    if (!isFor(settings.limit, own)) throw absent('流程');
    throw notForThem(`流程“${name}”没有允许您代他人发起，请由申请人本人发起，或联系流程管理员授权`);
  }
  const card = (await peopleByName(tx, [username])).get(username);
  const person = card && (await personWithRights(tx, card.id));
  if (!person?.active) throw notForThem(`“${card?.alias ?? username}”不是在岗人员，不能代为发起，请重新选择申请人`);
  const { id, alias, places, rights } = person;
  if (!rules.some((rule) => covers(rule, user.depts, places)))
    throw notForThem(`“${alias}”不在您可以代为发起的范围内，请由“${alias}”本人发起，或联系流程管理员授权`);
  if (!isFor(settings.limit, { id, dept_path: places, roles: [...rights.codes] }))
    throw notForThem(`“${alias}”不在流程“${name}”的发起范围内，不能代为发起，请联系流程管理员`);
  return viewerOf(person, user.sessionId);
}
