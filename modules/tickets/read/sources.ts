import type { Db } from '#kernel/server/db/db.ts';
import { roleByCode } from '#modules/access/service.ts';
import { deptNames } from '#modules/people/service.ts';
import { participantType, type ParticipantVariable } from '#modules/workflows/engine/codes.ts';
import type { Definition, Participant, State } from '#modules/workflows/engine/definition.ts';
import { groupNames } from '#modules/workflows/service.ts';

const variables: Record<ParticipantVariable, string> = {
  creator: '发起人本人',
  creator_head: '发起人部门的审批人（没有时为负责人）',
  dept_fzr: '发起人部门的负责人',
  dept_ld: '发起人部门的分管领导',
  secretary: '发起人部门的秘书',
  xld: '校领导',
  creator_select: '发起人选定的人',
  handler_select: '上一环节选定的人',
};

/** Where the people of a state come from, as sentences. */
export async function sourcesOf(tx: Db, definition: Definition, state: State): Promise<string[]> {
  const words = await Promise.all(state.participants.map((participant) => sourceOf(tx, definition, participant)));
  const named = words.filter((word) => word !== '');
  return named.length > 0 ? [`处理人：${named.join('、')}`] : [];
}

async function roleNames(tx: Db, codes: readonly string[]): Promise<string[]> {
  const roles = await Promise.all(codes.map((code) => roleByCode(tx, code)));
  return codes.map((code, index) => roles[index]?.name ?? code);
}

const fieldName = ({ fields }: Definition, key: string) => fields.find((one) => one.key === key)?.name ?? key;

type Until = Extract<Participant, { until: unknown }>['until'];
function lastWords(until: Until, [role = '']: string[]): string {
  if ('level' in until) return `第 ${until.level} 级`;
  return 'role' in until ? `角色“${role}”` : `职务“${until.post}”`;
}

async function sourceOf(tx: Db, definition: Definition, participant: Participant): Promise<string> {
  switch (participant.type) {
    case participantType.user:
    case participantType.users:
      return '流程指定的人';
    case participantType.dept:
      return `部门“${(await deptNames(tx, participant.depts)).join('”“')}”的成员`;
    case participantType.role: {
      return `角色“${(await roleNames(tx, participant.roles)).join('”“')}”的成员`;
    }
    case participantType.variable:
      return variables[participant.variable];
    case participantType.field:
      return `表单「${fieldName(definition, participant.field)}」里的人`;
    case participantType.fieldHeads:
      return `表单「${fieldName(definition, participant.field)}」里部门的负责人`;
    case participantType.deptHeads:
      return `部门“${(await deptNames(tx, participant.depts)).join('”“')}”的负责人`;
    case participantType.superior:
      return `发起人的第 ${participant.level} 级上级`;
    case participantType.superiors:
      return `发起人的各级上级，逐级到${lastWords(participant.until, await roleNames(tx, 'role' in participant.until ? [participant.until.role] : []))}`;
    case participantType.post:
      return `职务为“${participant.posts.join('”“')}”的人`;
    case participantType.group:
      return `用户组“${(await groupNames(tx, participant.groups)).join('”“')}”的成员`;
    case participantType.doneBy:
      return `办过「${definition.states.find((state) => state.key === participant.state)?.name ?? participant.state}」的人`;
    case participantType.parentField:
      return `上级工单的字段“${participant.field}”里的人`;
    case participantType.external:
      return '外部系统给出的人';
    default:
      return '';
  }
}
