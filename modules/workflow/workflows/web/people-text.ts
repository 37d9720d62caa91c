import { distributeType, participantType } from '../engine/codes.ts';
import { asksPeople, type Definition, type Participant, type State } from '../engine/definition.ts';
import type { Names } from './names.ts';
import { distributionNames, participantNames, variableNames } from './words.ts';

type Fields = Pick<Definition, 'fields'> & Partial<Pick<Definition, 'states'>>;

/** A participant in words. */
export function participantText(one: Participant, { fields, states = [] }: Fields, names: Names): string {
  const fieldName = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  switch (one.type) {
    case participantType.user:
      return names.person(one.user);
    case participantType.users:
      return listed(one.users.map(names.person));
    case participantType.dept:
      return listed(one.depts.map(names.dept));
    case participantType.role:
      return listed(one.roles.map(names.role));
    case participantType.variable:
      return variableNames[one.variable];
    case participantType.field:
      return `表单“${fieldName(one.field)}”`;
    case participantType.fieldHeads:
      return `表单“${fieldName(one.field)}”的负责人`;
    case participantType.deptHeads:
      return `${listed(one.depts.map(names.dept))}的负责人`;
    case participantType.superior:
      return `发起人的第 ${one.level} 级上级`;
    case participantType.superiors:
      return `发起人的各级上级，到${untilText(one.until, names)}`;
    case participantType.post:
      return listed(one.posts);
    case participantType.group:
      return listed(one.groups.map(names.group));
    case participantType.doneBy:
      return `办过“${states.find((state) => state.key === one.state)?.name ?? one.state}”的人`;
    case participantType.parentField:
      return `上级工单“${fieldName(one.field)}”`;
    default:
      return participantNames[one.type];
  }
}

type Until = Extract<Participant, { until: unknown }>['until'];
function untilText(until: Until, names: Names): string {
  if ('level' in until) return `第 ${until.level} 级`;
  return 'role' in until ? names.role(until.role) : until.post;
}

/** A state's people and how they decide, short enough for its node. */
export function peopleText(state: State, fields: Fields, names: Names): string {
  if (state.kind === 'start') return '发起人';
  const people = state.participants
    .filter((one) => one.type !== participantType.none)
    .map((one) => participantText(one, fields, names));
  if (people.length === 0) return asksPeople(state) || state.kind === 'cc' ? '未设置办理人' : '';
  const { type } = state.distribution;
  const how =
    state.kind === 'cc' || type === distributeType.direct ? '' : ` · ${distributionNames[type].replace(/（.*）/, '')}`;
  return listed(people) + how;
}

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join('、')} 等 ${names.length} 个` : names.join('、');
}
