import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import {
  agree,
  byHead,
  byLeaderInCharge,
  bySchoolLeader,
  bySeveral,
  countersigners,
  end,
  first,
  refuse,
  settings,
  start,
  step,
  title,
} from './steps.ts';

/** 签报: the head, the departments concerned, the leader in charge, a school leader. */
export const memo = {
  key: 'document_memo',
  name: '签报',
  description: '内部请示与签报',
  icon: 'FormOutlined',
  category: '公文',
  module: 'documents',
  intervene: ['office_admin'],
  definition: Definition.parse({
    name: '签报',
    fields: [title, countersigners],
    states: [
      start('起草'),
      step(2, 'head', '部门负责人审核', byHead),
      step(3, 'countersign', '相关部门会签', bySeveral('countersigners')),
      step(4, 'leader', '分管领导审核', byLeaderInCharge),
      step(5, 'sign', '校领导审批', bySchoolLeader),
      end(6),
    ],
    transitions: [
      ...first(2),
      agree(3, 2, 3),
      refuse(4, 2),
      agree(5, 3, 4),
      refuse(6, 3),
      agree(7, 4, 5),
      refuse(8, 4),
      agree(9, 5, 6),
      refuse(10, 5),
    ],
    settings,
  }),
};
