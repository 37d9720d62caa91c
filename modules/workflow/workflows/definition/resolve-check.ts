import { inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { linkModule } from '#modules/platform/links/service.ts';
import { at, along, on, whole, type Findings, type Problem } from '../engine/check/problem.ts';
import {
  fieldAccess,
  fieldType,
  onEmpty,
  participantType,
  refusesInTheEnd,
  type ParticipantVariable,
} from '../engine/codes.ts';
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
import { isComputed } from '../engine/formula/formula.ts';
import { versionToStart } from '../service.ts';
import { customNoticeTable } from '../tables.ts';
import { houseFor, partsFor, type House } from './house.ts';

/** Problems that depend on the present organisation: people, departments and roles that are gone or empty. */
export async function organisationFindings(tx: Db, workflowId: number, definition: Definition): Promise<Findings> {
  const house = await houseFor(tx, workflowId, definition);
  const found: Problem[] = [];
  for (const state of definition.states) found.push(...(await stateProblems(house, definition, state)));
  for (const transition of definition.transitions) {
    for (const leaf of transition.conditions.flatMap((branch) => leavesOf(branch.expression))) {
      const lost =
        leaf.op === 'dept_in'
          ? lostDepts(house, leaf.value)
          : leaf.op === 'role_of' || leaf.op === 'superior_of'
            ? lostRoles(house, leaf.value)
            : leaf.op === 'group_of'
              ? lostGroups(house, leaf.value)
              : leaf.op === 'post_of'
                ? lostPosts(house, leaf.value)
                : [];
      found.push(...lost.map((what) => along(transition, `流转“${transition.name}”的条件里，${what}不存在`)));
    }
  }
  const unknown = definition.fields.filter(
    ({ type, module }) => type === fieldType.records && module && !linkModule(tx, module),
  );
  found.push(...unknown.map((field) => on(field, `字段“${field.name}”的事项类型“${field.module}”不存在，请重新选择`)));
  found.push(...(await childProblems(tx, workflowId, definition)), ...(await settingProblems(tx, house, definition)));
  return { problems: found, warnings: found.length > 0 ? [] : await passedWarnings(house, definition) };
}

/** States that would always be skipped now, because the people they name are gone. */
async function passedWarnings(house: House, { states }: Definition): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const state of states)
    if (asksPeople(state) && state.on_empty === onEmpty.pass && (await findsNobody(house, state)))
      found.push(
        at(state, `环节“${state.name}”的办理人现在一个也找不到，工单到这里会自动通过；要有人办理，请先安排人员`),
      );
  return found;
}

/**
 * Checks the workflows from which states begin tickets: existing, for plain tickets, with a form that accepts the values; never this one, which would
 * not end.
 */
async function childProblems(tx: Db, workflowId: number, definition: Definition): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const state of definition.states) {
    if (!state.children) continue;
    const { workflow, values, back } = state.children;
    const say = (words: string) => void found.push(at(state, `环节“${state.name}”${words}`));
    if (workflow === workflowId) {
      say('自动发起的下级流程不能是它自己');
      continue;
    }
    const version = await versionToStart(tx, workflow, null);
    if (!version) {
      say('自动发起的下级流程不存在、没有发布或已停用，请重新选择');
      continue;
    }
    if (await beginsBelow(tx, version.definition, workflowId, new Set([workflow])))
      say(`自动发起的下级流程“${version.definition.name}”又会自动发起本流程，没有尽头，请改选其他流程`);
    const { fields } = version.definition;
    const start = startOf(version.definition);
    const writes: unknown[] = [fieldAccess.required, fieldAccess.optional];
    for (const key of Object.keys(values))
      if (!writes.includes(start.access[key])) say(`要带给下级流程的字段“${key}”，下级流程发起时不能填写`);
    for (const key of Object.values(back ?? {}))
      if (!fields.some((field) => field.key === key)) say(`要写回的字段“${key}”，下级流程里没有`);
    const lacking = fields.filter(
      (field) =>
        start.access[field.key] === fieldAccess.required &&
        field.default_value === null &&
        !isComputed(field) &&
        !Object.hasOwn(values, field.key),
    );
    if (lacking.length > 0) say(`下级流程发起时必填的“${lacking.map(({ name }) => name).join('、')}”没有来源`);
  }
  return found;
}

/** True if tickets of a definition begin one of a given workflow, directly or through others. */
async function beginsBelow(tx: Db, { states }: Definition, sought: number, passed: Set<number>): Promise<boolean> {
  for (const { children } of states) {
    if (!children) continue;
    if (children.workflow === sought) return true;
    if (passed.has(children.workflow)) continue;
    passed.add(children.workflow);
    const version = await versionToStart(tx, children.workflow, null);
    if (version && (await beginsBelow(tx, version.definition, sought, passed))) return true;
  }
  return false;
}

async function settingProblems(tx: Db, house: House, { settings }: Definition): Promise<Problem[]> {
  const { limit, start_for = [] } = settings;
  const lost = [limit, ...(limit.except ? [limit.except] : [])].flatMap(({ users, depts, roles }) => [
    ...lostUsers(house, users),
    ...lostDepts(house, depts),
    ...lostRoles(house, roles),
  ]);
  const found = lost.map((what) => whole(`发起范围里，${what}不存在或已停用`));
  const gone = start_for.flatMap(({ users, roles, groups, depts }) => [
    ...lostUsers(house, users),
    ...lostRoles(house, roles),
    ...lostGroups(house, groups),
    ...lostDepts(house, depts),
  ]);
  found.push(...[...new Set(gone)].map((what) => whole(`代他人发起的规则里，${what}不存在或已停用`)));
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

async function stateProblems(house: House, definition: Definition, state: State): Promise<Problem[]> {
  const say = (words: string) => at(state, `环节“${state.name}”${words}`);
  const hooks = calledBy(state);
  const ways = house.ways.filter((way) => way.channel === 'hook' && hooks.includes(way.id));
  const known = ways.map((way) => way.id);
  const deaf = hooks.filter((hook) => !known.includes(hook));
  if (deaf.length > 0)
    return deaf.map((hook) => say(`调用的通知方式 ${hook} 不存在、已停用或不是网络钩子，请重新选择`));
  if (awaitedIn(state) && ways.some((way) => way.secret === ''))
    return [say('调用的通知方式没有密钥，无法核对外部系统的回答，请先设置密钥')];
  if (!asksPeople(state) && state.kind !== 'cc') return [];
  const found: Problem[] = [];
  const asked = house.people.get(state.id) ?? 0;
  for (const participant of state.participants) {
    found.push(...lostIn(house, participant).map((what) => say(`的办理人里，${what}不存在或已停用`)));
    if (participant.type === participantType.field || participant.type === participantType.fieldHeads)
      found.push(...writableProblems(definition, state, participant.field));
  }
  if (asked > maxPeople && state.kind !== 'cc')
    found.push(say(`的办理人现在有 ${asked} 人，超过了上限 ${maxPeople} 人，请缩小范围`));
  if (state.on_empty === onEmpty.users)
    found.push(...lostUsers(house, state.on_empty_users).map((what) => say(`代为处理的${what}不存在或已停用`)));
  if (state.on_empty === onEmpty.admins && !(await house.administered()))
    found.push(say('没有办理人时应由流程管理员处理，但现在没有流程管理员'));
  found.push(...lostUsers(house, state.timeout?.users ?? []).map((what) => say(`超过时限转给的${what}不存在或已停用`)));
  // Going up finds somebody in every ticket as soon as departments have heads at all.
  const goesUp =
    state.on_empty === onEmpty.up && ((await house.anybody('creator_head')) || (await house.anybody('dept_ld')));
  const refuses = state.kind !== 'cc' && refusesInTheEnd(state.on_empty) && !goesUp;
  if (refuses && found.length === 0 && (await findsNobody(house, state)))
    found.push(say('的办理人现在一个也找不到，请先安排人员，或设置没有办理人时由谁处理'));
  if (refuses && found.length === 0) found.push(...(await gapProblems(house, definition, state)));
  return found;
}

/** Things a definition names that no longer exist. */
function lostIn(house: House, participant: Participant): string[] {
  switch (participant.type) {
    case participantType.user:
      return lostUsers(house, [participant.user]);
    case participantType.users:
      return lostUsers(house, participant.users);
    case participantType.dept:
      return lostDepts(house, participant.depts);
    case participantType.role:
      return lostRoles(house, participant.roles);
    case participantType.deptHeads:
      return lostDepts(house, participant.depts);
    case participantType.superiors: {
      const { until } = participant;
      if ('role' in until) return lostRoles(house, [until.role]);
      return 'post' in until ? lostPosts(house, [until.post]) : [];
    }
    case participantType.post:
      return lostPosts(house, participant.posts);
    case participantType.group:
      return lostGroups(house, participant.groups);
    default:
      return [];
  }
}

/** True if a state names its people and none of them is available now. */
async function findsNobody(house: House, { id, participants }: State): Promise<boolean> {
  if (participants.length === 0 || (house.people.get(id) ?? 0) > 0) return false;
  for (const participant of participants) if (await findsSomebody(house, participant)) return false;
  return true;
}

/** True if it finds anybody now, apart from departments and roles, which are counted; a field or a choice may name anybody. */
async function findsSomebody(house: House, participant: Participant): Promise<boolean> {
  switch (participant.type) {
    case participantType.none:
    case participantType.dept:
    case participantType.role:
      return false;
    case participantType.user:
      return house.users.has(participant.user);
    case participantType.users:
      return participant.users.some((id) => house.users.has(id));
    case participantType.post:
      return participant.posts.some((post) => (house.posts.get(post) ?? 0) > 0);
    case participantType.group:
      return participant.groups.some((group) => (house.groups.get(group) ?? 0) > 0);
    case participantType.deptHeads:
      return house.heads(participant.depts);
    case participantType.variable:
      return house.anybody(participant.variable);
    default:
      return true;
  }
}

const partNames: Partial<Record<ParticipantVariable, string>> = {
  creator_head: '审批人',
  dept_fzr: '部门负责人',
  dept_ld: '分管领导',
};

function writableProblems(definition: Definition, state: State, key: string): Problem[] {
  const field = definition.fields.find((candidate) => candidate.key === key);
  const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];
  if (!field || definition.states.some((other) => writing.includes(other.access[key]))) return [];
  return [on(field, `环节“${state.name}”由字段“${field.name}”决定办理人，但没有环节可以填写它`)];
}

/**
 * A later state that asks for a part of the applicant's department and has no rule for a vacancy: all such tickets would go to the administrators.
 * Directly after the start the submission is refused instead, as the rule says.
 */
async function gapProblems(house: House, definition: Definition, state: State): Promise<Problem[]> {
  const [only, more] = state.participants;
  if (only?.type !== participantType.variable || more) return [];
  const parts = partsFor[only.variable];
  const before = definition.transitions.find(
    (transition) =>
      transition.source !== startOf(definition).id &&
      [transition.destination, ...transition.conditions.map((one) => one.target_state_id)].includes(state.id),
  );
  if (!parts || !before) return [];
  const vacant = await house.vacant(only.variable);
  if (vacant.length === 0) return [];
  const some = `“${vacant.slice(0, 3).join('”“')}”${vacant.length > 3 ? `等 ${vacant.length} 个部门` : ''}`;
  return [
    at(
      state,
      `部门${some}没有${partNames[only.variable] ?? '办理人'}，那里发起的工单到了环节“${state.name}”没有人办理，只能交给流程管理员；请补上人员，或设置没有办理人时由谁处理`,
    ),
  ];
}

const lostUsers = ({ users }: House, ids: readonly number[]) =>
  ids.filter((id) => !users.has(id)).map((id) => `用户 ${id} `);
const lostDepts = ({ depts }: House, ids: readonly number[]) =>
  ids.filter((id) => !depts.has(id)).map((id) => `部门 ${id} `);
const lostRoles = ({ roles }: House, codes: readonly string[]) =>
  codes.filter((code) => !roles.has(code)).map((code) => `角色“${code}”`);
const lostGroups = ({ groups }: House, ids: readonly number[]) =>
  ids.filter((id) => !groups.has(id)).map((id) => `用户组 ${id} `);
const lostPosts = ({ posts }: House, names: readonly string[]) =>
  names.filter((name) => !posts.has(name)).map((name) => `职务“${name}”`);
