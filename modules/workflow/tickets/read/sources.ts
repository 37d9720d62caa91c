import { sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { participantType, type ParticipantVariable } from '#modules/workflow/workflows/engine/codes.ts';
import { leavesOf, type Condition, type Wording } from '#modules/workflow/workflows/engine/condition.ts';
import type { Definition, Participant, State } from '#modules/workflow/workflows/engine/definition.ts';
import { wordingOf } from '#modules/workflow/workflows/engine/wording.ts';

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

/** Names of the departments, roles and user groups in states and conditions. */
interface Called {
  dept(id: number): string;
  role(code: string): string;
  group(id: number): string;
}

/** Fetches all of them at once; no query if nothing is named. */
async function calledBy(
  tx: Db,
  participants: readonly Participant[],
  conditions: readonly Condition[],
): Promise<Called> {
  const leaves = conditions.flatMap(leavesOf);
  const depts = [
    ...participants.flatMap((who) => ('depts' in who ? who.depts : [])),
    ...leaves.flatMap((leaf) => (leaf.op === 'dept_in' ? leaf.value : [])),
  ];
  const roles = [
    ...participants.flatMap((who) =>
      'roles' in who ? who.roles : 'until' in who && 'role' in who.until ? [who.until.role] : [],
    ),
    ...leaves.flatMap((leaf) => (leaf.op === 'role_of' || leaf.op === 'superior_of' ? leaf.value : [])),
  ];
  const groups = [
    ...participants.flatMap((who) => ('groups' in who ? who.groups : [])),
    ...leaves.flatMap((leaf) => (leaf.op === 'group_of' ? leaf.value : [])),
  ];
  const none = depts.length + roles.length + groups.length === 0;
  const rows = none
    ? []
    : await namedRows<{ kind: string; key: string; name: string }>(
        tx,
        sql`select 'dept' as kind, id::text as key, name from dept where id = any(${sql.param(depts)}::int[])
          union all select 'role', code, name from role where code = any(${sql.param(roles)}::text[])
          union all select 'group', id::text, name from user_group where id = any(${sql.param(groups)}::int[])`,
      );
  const named = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row.name]));
  return {
    dept: (id) => named.get(`dept ${id}`) ?? `部门 ${id}`,
    role: (code) => named.get(`role ${code}`) ?? code,
    group: (id) => named.get(`group ${id}`) ?? `用户组 ${id}`,
  };
}

/** Words for the conditions of a definition, and sentences for the sources of its states' people; one statement or none. */
export async function wordsFor(
  tx: Db,
  definition: Definition,
  { states = [], conditions = [] }: { states?: readonly State[]; conditions?: readonly Condition[] },
): Promise<{ wording: Wording; sources: (state: State) => string[] }> {
  const called = await calledBy(
    tx,
    states.flatMap((state) => state.participants),
    conditions,
  );
  return {
    wording: { ...wordingOf(definition), ...called },
    sources(state) {
      const words = state.participants.map((one) => sourceOf(definition, one, called)).filter((word) => word !== '');
      return words.length > 0 ? [`办理人：${words.join('、')}`] : [];
    },
  };
}

const listed = (names: readonly string[]) => `“${names.join('”“')}”`;

function sourceOf({ fields, states }: Definition, participant: Participant, { dept, role, group }: Called): string {
  const field = (key: string) => fields.find((one) => one.key === key)?.name ?? key;
  switch (participant.type) {
    case participantType.user:
    case participantType.users:
      return '流程指定的人';
    case participantType.dept:
      return `部门${listed(participant.depts.map(dept))}的成员`;
    case participantType.role:
      return `角色${listed(participant.roles.map(role))}的成员`;
    case participantType.variable:
      return variables[participant.variable];
    case participantType.field:
      return `表单“${field(participant.field)}”里的人`;
    case participantType.fieldHeads:
      return `表单“${field(participant.field)}”里部门的负责人`;
    case participantType.deptHeads:
      return `部门${listed(participant.depts.map(dept))}的负责人`;
    case participantType.superior:
      return `发起人的第 ${participant.level} 级上级`;
    case participantType.superiors: {
      const { until } = participant;
      const last =
        'level' in until
          ? `第 ${until.level} 级`
          : 'role' in until
            ? `角色“${role(until.role)}”`
            : `职务“${until.post}”`;
      return `发起人的各级上级，逐级到${last}`;
    }
    case participantType.post:
      return `职务为${listed(participant.posts)}的人`;
    case participantType.group:
      return `用户组${listed(participant.groups.map(group))}的成员`;
    case participantType.doneBy:
      return `办过“${states.find((state) => state.key === participant.state)?.name ?? participant.state}”的人`;
    case participantType.parentField:
      return `上级工单的字段“${participant.field}”里的人`;
    case participantType.external:
      return '外部系统给出的人';
    default:
      return '';
  }
}
