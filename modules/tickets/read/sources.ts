import type { Db } from '#kernel/server/db/db.ts';
import { roleByCode } from '#modules/access/service.ts';
import { deptNames } from '#modules/people/service.ts';
import { participantType, type ParticipantVariable } from '#modules/workflows/engine/codes.ts';
import type { Participant, State } from '#modules/workflows/engine/definition.ts';

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
export async function sourcesOf(tx: Db, state: State): Promise<string[]> {
  const words = await Promise.all(state.participants.map((participant) => sourceOf(tx, participant)));
  const named = words.filter((word) => word !== '');
  return named.length > 0 ? [`处理人：${named.join('、')}`] : [];
}

async function sourceOf(tx: Db, participant: Participant): Promise<string> {
  switch (participant.type) {
    case participantType.user:
    case participantType.users:
      return '流程指定的人';
    case participantType.dept:
      return `部门“${(await deptNames(tx, participant.depts)).join('”“')}”的成员`;
    case participantType.role: {
      const roles = await Promise.all(participant.roles.map((code) => roleByCode(tx, code)));
      return `角色“${participant.roles.map((code, index) => roles[index]?.name ?? code).join('”“')}”的成员`;
    }
    case participantType.variable:
      return variables[participant.variable];
    case participantType.field:
      return `字段“${participant.field}”里的人`;
    case participantType.fieldHeads:
      return `字段“${participant.field}”里部门的负责人`;
    case participantType.parentField:
      return `上级工单的字段“${participant.field}”里的人`;
    case participantType.external:
      return '外部系统给出的人';
    default:
      return '';
  }
}
