import type { Db } from '#kernel/server/db/db.ts';
import { participantType, type ParticipantVariable } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { roleByCode } from '#modules/platform/access/service.ts';
import { deptNames, peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import type { Task, TaskOrigin } from '../engine/state.ts';
import type { Stored } from '../store/store.ts';
import { lentTo, type Reader } from './delegation.ts';

/** Tasks that the state itself did not create. */
const byOthers: Partial<Record<TaskOrigin, string>> = {
  deliver: '转交给您办理',
  delegate: '委派给您，请给出意见',
  add_before: '加签给您',
  add_parallel: '加签给您',
  add_after: '加签给您',
  admin: '流程管理员改派给您',
  stall: '您是这个流程的管理员，工单自己走不下去',
};

/** Why a ticket waits for the reader, in words addressed to them: 您是计算机学院的负责人. Empty if it does not. */
export async function whyMe(
  tx: Db,
  { state, version }: Pick<Stored, 'state' | 'version'>,
  reader: Reader,
  people: ReadonlyMap<number, PersonCard>,
): Promise<string> {
  const lent = lentTo(state, version.workflow_id, reader);
  const mine = lent.state.tasks.find((task) => task.status === 'todo' && task.assignee === reader.id);
  if (!mine) return '';
  const owner = lent.owners.get(mine.no);
  if (owner !== undefined) return `${people.get(owner)?.alias ?? '对方'}外出，委托您代为办理`;
  if (mine.origin !== 'assign') return sentBy(tx, mine, state.tasks);
  const at = stateOf(version.definition, mine.state_id);
  if (at.kind === 'start') return '您是发起人';
  const creator = people.get(state.creator);
  const own = creator && creator.dept_id === state.creator_dept ? creator.dept_name : '发起人部门';
  return (await placesOf(tx, at, own)).join('、');
}

async function sentBy(tx: Db, { origin, origin_no }: Task, tasks: readonly Task[]): Promise<string> {
  const from = tasks.find((task) => task.no === origin_no)?.assignee;
  const named = from !== undefined && origin !== 'admin' && origin !== 'stall';
  const who = named ? (await peopleById(tx, [from])).get(from)?.alias : undefined;
  return `${who ?? ''}${byOthers[origin] ?? '由您办理'}`;
}

const variables: Record<ParticipantVariable, (dept: string) => string> = {
  creator: () => '您是发起人',
  creator_head: (dept) => `您是${dept}的审批人`,
  dept_fzr: (dept) => `您是${dept}的负责人`,
  dept_ld: (dept) => `您是${dept}的分管领导`,
  secretary: (dept) => `您是${dept}的秘书`,
  xld: () => '您是校领导',
  creator_select: () => '发起人选定由您办理',
  handler_select: () => '上一环节选定由您办理',
};

/** The capacity in which a state asks people. If it asks several kinds, it is not known which one the reader is. */
async function placesOf(tx: Db, state: State, dept: string): Promise<string[]> {
  const places: string[] = [];
  for (const one of state.participants) {
    if (one.type === participantType.variable) places.push(variables[one.variable](dept));
    else if (one.type === participantType.dept) places.push(`您是${(await deptNames(tx, one.depts)).join('或')}的成员`);
    else if (one.type === participantType.role) {
      const roles = await Promise.all(one.roles.map((code) => roleByCode(tx, code)));
      places.push(`您是${one.roles.map((code, index) => roles[index]?.name ?? code).join('或')}`);
    } else if (one.type === participantType.external) places.push('外部系统指定由您办理');
    else if (one.type === participantType.field) places.push('表单里选定由您办理');
    else if (one.type === participantType.fieldHeads) places.push('您是表单里所选部门的负责人');
    else if (one.type === participantType.deptHeads)
      places.push(`您是${(await deptNames(tx, one.depts)).join('或')}的负责人`);
    else if (one.type === participantType.superior || one.type === participantType.superiors)
      places.push('您是发起人的上级');
    else if (one.type === participantType.post) places.push(`您担任${one.posts.join('或')}`);
    else if (one.type === participantType.doneBy) places.push('您办理过之前的环节');
    else places.push('流程指定由您办理');
  }
  return [...new Set(places)];
}
