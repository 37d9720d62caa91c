import { attributeType, fieldAccess, fieldType, onEmpty, participantType } from '../codes.ts';
import { Definition } from '../definition.ts';
import { saving } from '../straight.ts';

/** The initial workflow: one field, one approval by the head of department. */
export function blank(name: string): Definition {
  return Definition.parse({
    name,
    fields: [{ id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 80 }],
    states: [
      {
        id: 1,
        key: 'start',
        name: '发起',
        kind: 'start',
        order: 1,
        access: { title: fieldAccess.required },
      },
      {
        id: 2,
        key: 'approve',
        name: '审批',
        kind: 'approve',
        order: 2,
        participants: [{ type: participantType.variable, variable: 'dept_fzr' }],
        on_empty: onEmpty.admins,
        access: { title: fieldAccess.read },
        actions: ['deliver', 'add_node', 'return', 'cc'],
      },
      { id: 3, key: 'done', name: '完成', kind: 'end', order: 3 },
    ],
    settings: { display_form: ['title'] },
    transitions: [
      saving,
      { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: attributeType.agree },
      { id: 3, key: 'agree', name: '同意', source: 2, destination: 3, attribute: attributeType.agree },
      {
        id: 4,
        key: 'refuse',
        name: '拒绝',
        source: 2,
        destination: 1,
        attribute: attributeType.refuse,
        field_require_check: false,
        suggestion_required: true,
      },
    ],
  });
}
