import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  onEmpty,
  participantType,
  rejectRule,
} from '#modules/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflows/engine/definition.ts';

type State = DefinitionInput['states'][number];
type Transition = DefinitionInput['transitions'][number];

const access = { title: fieldAccess.read };
const step = (id: number, key: string, name: string, participants: State['participants']): State => ({
  id,
  key,
  name,
  kind: 'approve',
  order: id,
  participants,
  distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
  on_empty: onEmpty.admins,
  access,
  actions: ['deliver', 'delegate', 'add_node', 'return', 'cc', 'retreat'],
});
const way = (id: number, key: string, name: string, source: number, destination: number): Transition => ({
  id,
  key,
  name,
  source,
  destination,
  attribute: attributeType.agree,
});
const refuse = (id: number, source: number): Transition => ({
  ...way(id, `refuse_${source}`, '退回起草人', source, 1),
  attribute: attributeType.refuse,
  suggestion_required: true,
});

/** 制度发布审批: the head of the department, the office, the leader in charge; then the paper is in force. */
export const publishing = {
  key: 'folder_publishing',
  name: '制度发布审批',
  description: '制度文件发布前的审批',
  icon: 'AuditOutlined',
  category: '制度文件',
  module: 'folders',
  intervene: ['office_admin'],
  definition: Definition.parse({
    name: '制度发布审批',
    fields: [{ id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 200 }],
    states: [
      { id: 1, key: 'draft', name: '起草', kind: 'start', order: 1, access: { title: fieldAccess.required } },
      step(2, 'head', '部门负责人审核', [{ type: participantType.variable, variable: 'dept_fzr' }]),
      step(3, 'office', '办公室审核', [{ type: participantType.role, roles: ['office_admin'] }]),
      step(4, 'leader', '分管领导审批', [{ type: participantType.variable, variable: 'dept_ld' }]),
      { id: 5, key: 'done', name: '发布', kind: 'end', order: 5 },
    ],
    transitions: [
      { ...way(1, 'save', '保存', 1, 1), attribute: attributeType.other, field_require_check: false },
      way(2, 'submit', '提交审批', 1, 2),
      way(3, 'agree_2', '同意', 2, 3),
      refuse(4, 2),
      way(5, 'agree_3', '同意', 3, 4),
      refuse(6, 3),
      way(7, 'agree_4', '同意并发布', 4, 5),
      refuse(8, 4),
    ],
    settings: {
      title_template: '{title}',
      content_template: '{title}',
      number_rule: { prefix: 'FOL', digits: 4, period: 'day' },
      display_form: ['title'],
    },
  }),
};
