import {
  distributeType,
  fieldAccess,
  fieldType,
  participantType,
  rejectRule,
} from '#modules/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflows/engine/definition.ts';
import {
  agree,
  asksForCompletion,
  byOffice,
  bySchoolLeader,
  completing,
  completion,
  end,
  first,
  refuse,
  settings,
  start,
  step,
  title,
} from './steps.ts';

const { read, required, optional } = fieldAccess;
const fields: DefinitionInput['fields'] = [
  title,
  { id: 3, key: 'handlers', name: '承办人或传阅对象', type: fieldType.users, max: 50 },
  { id: 4, key: 'reading', name: '阅件', type: fieldType.bool, description: '只传阅，不需要承办' },
];
const seen = { title: read, handlers: read, reading: read };
const named = [{ type: participantType.field, field: 'handlers' }] as const;

/** 收文: registered, looked at, proposed, decided by a leader, then handled and answered, or only read. */
export const receiving = {
  key: 'document_receiving',
  name: '收文',
  description: '来文签收登记、初审、拟办、批示、承办、答复',
  icon: 'InboxOutlined',
  category: '公文',
  module: 'documents',
  intervene: ['office_admin'],
  definition: Definition.parse({
    name: '收文',
    fields,
    states: [
      { ...start('签收登记'), access: { title: required } },
      step(2, 'check', '初审', { ...byOffice, access: seen }),
      step(
        3,
        'propose',
        '拟办',
        { ...byOffice, access: { title: read, handlers: required, reading: optional } },
        'handle',
      ),
      step(4, 'decide', '批示', {
        ...bySchoolLeader,
        label: {},
        access: { title: read, handlers: required, reading: optional },
      }),
      step(
        5,
        'carry_out',
        '承办',
        {
          participants: [...named],
          distribution: { type: distributeType.all, reject_rule: rejectRule.wait },
          access: seen,
          label: asksForCompletion,
        },
        'handle',
      ),
      step(6, 'answer', '答复', { ...byOffice, access: seen }, 'handle'),
      { id: 7, key: 'circulate', name: '传阅', kind: 'cc', order: 7, participants: [...named], access: seen },
      end(8),
      { ...completion(9), access: seen },
    ],
    transitions: [
      ...first(2),
      agree(3, 2, 3, '符合规则'),
      refuse(4, 2, 1, '不符合行文规则，退回'),
      agree(5, 3, 4, '送批示'),
      agree(6, 4, 5, '批示', {
        conditions: [{ expression: { op: 'eq', field: 'reading', value: true }, target_state_id: 7 }],
      }),
      refuse(7, 4, 3, '退回拟办'),
      agree(8, 5, 6, '办理完毕'),
      agree(9, 6, 8, '已答复'),
      agree(10, 7, 8, '继续'),
      ...completing(11, 9, 8),
    ],
    settings,
  }),
};
