import { inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { roleByCode } from '#modules/access/service.ts';
import {
  deptsBelow,
  deptsWithout,
  holdersOf,
  membersOf,
  partsOf,
  workingAmong,
  type DeptPart,
} from '#modules/people/service.ts';
import { at, along, on, whole, type Problem } from '../engine/check/problem.ts';
import { fieldAccess, onEmpty, participantType, type ParticipantVariable } from '../engine/codes.ts';
import { leavesOf } from '../engine/condition.ts';
import {
  asksPeople,
  awaitedIn,
  calledBy,
  maxPeople,
  startOf,
  type Definition,
  type Participant,
  type State,
} from '../engine/definition.ts';
import { administratorsOf, noticeWays } from '../service.ts';
import { customNoticeTable } from '../tables.ts';

/** Problems that only the organisation as it is now can tell: people, departments and roles that are gone or empty. */
export async function organisationProblems(tx: Db, workflowId: number, definition: Definition): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const state of definition.states) found.push(...(await stateProblems(tx, workflowId, definition, state)));
  for (const transition of definition.transitions) {
    for (const leaf of transition.conditions.flatMap((branch) => leavesOf(branch.expression))) {
      const lost =
        leaf.op === 'dept_in'
          ? await lostDepts(tx, leaf.value)
          : leaf.op === 'role_of'
            ? await lostRoles(tx, leaf.value)
            : [];
      found.push(...lost.map((what) => along(transition, `流转「${transition.name}」的条件里，${what}不存在`)));
    }
  }
  return [...found, ...(await settingProblems(tx, definition))];
}

async function settingProblems(tx: Db, { settings }: Definition): Promise<Problem[]> {
  const { limit } = settings;
  const lost = [
    ...(await lostUsers(tx, limit.users)),
    ...(await lostDepts(tx, limit.depts)),
    ...(await lostRoles(tx, limit.roles)),
  ];
  const found = lost.map((what) => whole(`发起范围里，${what}不存在或已停用`));
  if (settings.notices.length > 0) {
    const rows = await tx
      .select({ id: customNoticeTable.id })
      .from(customNoticeTable)
      .where(inArray(customNoticeTable.id, [...settings.notices]));
    const known = new Set(rows.map((row) => row.id));
    for (const id of settings.notices) if (!known.has(id)) found.push(whole(`通知方式 ${id} 不存在，请重新选择`));
  }
  return found;
}

async function stateProblems(tx: Db, workflowId: number, definition: Definition, state: State): Promise<Problem[]> {
  const say = (words: string) => at(state, `环节「${state.name}」${words}`);
  const hooks = calledBy(state);
  const ways = (await noticeWays(tx, hooks)).filter((way) => way.channel === 'hook');
  const known = ways.map((way) => way.id);
  const deaf = hooks.filter((hook) => !known.includes(hook));
  if (deaf.length > 0)
    return deaf.map((hook) => say(`调用的通知方式 ${hook} 不存在、已停用或不是网络钩子，请重新选择`));
  if (awaitedIn(state) && ways.some((way) => way.secret === ''))
    return [say('调用的通知方式没有密钥，无法核对外部系统的回答，请先设置密钥')];
  if (!asksPeople(state) && state.kind !== 'cc') return [];
  const found: Problem[] = [];
  let somebody = false;
  const asked = new Set<number>();
  for (const participant of state.participants) {
    const { lost, empty, people = [] } = await resolved(tx, participant);
    found.push(...lost.map((what) => say(`的处理人里，${what}不存在或已停用`)));
    for (const person of people) asked.add(person.id);
    somebody ||= !empty;
    if (participant.type === participantType.field)
      found.push(...writableProblems(definition, state, participant.field));
  }
  if (asked.size > maxPeople && state.kind !== 'cc')
    found.push(say(`的处理人现在有 ${asked.size} 人，超过了上限 ${maxPeople} 人，请缩小范围`));
  if (state.on_empty === onEmpty.users)
    found.push(...(await lostUsers(tx, state.on_empty_users)).map((what) => say(`代为处理的${what}不存在或已停用`)));
  if (state.on_empty === onEmpty.admins && (await administratorsOf(tx, workflowId)).length === 0)
    found.push(say('没有处理人时应由流程管理员处理，但现在没有流程管理员'));
  const refuses = state.kind !== 'cc' && state.on_empty === onEmpty.refuse;
  if (refuses && state.participants.length > 0 && !somebody && found.length === 0)
    found.push(say('的处理人现在一个也找不到，请先安排人员，或设置没有处理人时由谁处理'));
  if (refuses && found.length === 0) found.push(...(await gapProblems(tx, definition, state)));
  return found;
}

/** People the definition names itself who are gone, and whether nobody at all is behind it now. */
async function resolved(
  tx: Db,
  participant: Participant,
): Promise<{ lost: string[]; empty: boolean; people?: readonly { id: number }[] }> {
  switch (participant.type) {
    case participantType.user:
    case participantType.users: {
      const users = participant.type === participantType.user ? [participant.user] : participant.users;
      const lost = await lostUsers(tx, users);
      return { lost, empty: lost.length === users.length };
    }
    case participantType.dept: {
      const people = await membersOf(tx, participant.depts);
      return { lost: await lostDepts(tx, participant.depts), empty: people.length === 0, people };
    }
    case participantType.role: {
      const lost = await lostRoles(tx, participant.roles);
      const people = (await Promise.all(participant.roles.map((role) => holdersOf(tx, role)))).flat();
      return { lost, empty: people.length === 0, people };
    }
    case participantType.variable: {
      if (participant.variable === 'xld') return { lost: [], empty: (await holdersOf(tx, 'xld')).length === 0 };
      const parts = partsFor[participant.variable];
      return { lost: [], empty: parts !== undefined && (await partsOf(tx, 'all', ...parts)).length === 0 };
    }
    default:
      return { lost: [], empty: participant.type === participantType.none };
  }
}

const partsFor: Partial<Record<ParticipantVariable, DeptPart[]>> = {
  creator_head: ['approver', 'leader'],
  dept_fzr: ['leader'],
  dept_ld: ['dept_ld'],
};
const partNames: Partial<Record<ParticipantVariable, string>> = {
  creator_head: '审批人',
  dept_fzr: '部门负责人',
  dept_ld: '分管领导',
};

function writableProblems(definition: Definition, state: State, key: string): Problem[] {
  const field = definition.fields.find((candidate) => candidate.key === key);
  const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];
  if (!field || definition.states.some((other) => writing.includes(other.access[key]))) return [];
  return [on(field, `环节「${state.name}」由字段「${field.name}」决定处理人，但没有环节可以填写它`)];
}

/**
 * A state behind another that asks a part of the applicant's department and says nothing for where it is vacant: all those tickets would
 * fall to the administrators. Right behind the start it is the submission that is refused, which is what the rule says.
 */
async function gapProblems(tx: Db, definition: Definition, state: State): Promise<Problem[]> {
  const [only, more] = state.participants;
  if (only?.type !== participantType.variable || more) return [];
  const parts = partsFor[only.variable];
  const before = definition.transitions.find(
    (transition) =>
      transition.source !== startOf(definition).id &&
      [transition.destination, ...transition.conditions.map((one) => one.target_state_id)].includes(state.id),
  );
  if (!parts || !before) return [];
  const vacant = await deptsWithout(tx, parts, definition.settings.limit.depts);
  if (vacant.length === 0) return [];
  const some = `“${vacant.slice(0, 3).join('”“')}”${vacant.length > 3 ? `等 ${vacant.length} 个部门` : ''}`;
  return [
    at(
      state,
      `部门${some}没有${partNames[only.variable] ?? '处理人'}，那里发起的工单到了环节「${state.name}」没有人办理，只能交给流程管理员；请补上人员，或设置没有处理人时由谁处理`,
    ),
  ];
}

async function lostUsers(tx: Db, ids: readonly number[]): Promise<string[]> {
  const working = new Set(await workingAmong(tx, ids));
  return ids.filter((id) => !working.has(id)).map((id) => `用户 ${id} `);
}

async function lostDepts(tx: Db, ids: readonly number[]): Promise<string[]> {
  const alive = new Set(await deptsBelow(tx, ids));
  return ids.filter((id) => !alive.has(id)).map((id) => `部门 ${id} `);
}

async function lostRoles(tx: Db, codes: readonly string[]): Promise<string[]> {
  const roles = await Promise.all(codes.map((code) => roleByCode(tx, code)));
  return codes.filter((_code, index) => roles[index] === null).map((code) => `角色“${code}”`);
}
