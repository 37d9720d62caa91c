import { fieldAccess, type FieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import {
  agree,
  byHead,
  byLeaderInCharge,
  byOffice,
  byIssuer,
  bySeveral,
  completing,
  completion,
  countersigners,
  end,
  first,
  issued,
  issuer,
  numbered,
  printed,
  refuse,
  reviewed,
  settings,
  start,
  step,
  title,
} from './steps.ts';

const { read, required, optional } = fieldAccess;
const showing = (state: ReturnType<typeof step>, how: FieldAccess = read) => ({
  ...state,
  access: { ...state.access, [issuer.key]: how },
});

/** 发文: from draft to signature, number, seal and printing. A change in the review returns it to the signer. */
export const sending = {
  key: 'document_sending',
  name: '发文',
  description: '公文拟稿、核稿、会签、签发、编号、用印、印发',
  icon: 'FileDoneOutlined',
  category: '公文',
  module: 'documents',
  intervene: ['office_admin'],
  definition: Definition.parse({
    name: '发文',
    fields: [title, countersigners, issuer],
    states: [
      showing(start('拟稿'), optional),
      showing(step(2, 'head', '部门核稿', byHead)),
      showing(step(3, 'countersign', '会签', bySeveral('countersigners'))),
      // If no issuer is named yet, the office chooses one.
      showing(step(4, 'office', '办公室核稿', byOffice), required),
      showing(step(5, 'leader', '分管领导审核', byLeaderInCharge)),
      showing(step(6, 'sign', '签发', byIssuer)),
      showing(step(7, 'review', '复核', reviewed)),
      showing(step(8, 'number', '登记编号', numbered, 'handle')),
      showing(step(9, 'seal', '用印', printed, 'handle')),
      showing(step(10, 'issue', '印发分发', issued, 'handle')),
      end(11),
      showing(completion(12)),
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
      agree(11, 6, 7, '签发'),
      refuse(12, 6),
      agree(13, 7, 8, '复核通过'),
      refuse(14, 7, 6, '有实质性修改，送原签发人复审'),
      agree(15, 8, 9, '登记编号'),
      agree(16, 9, 10, '已用印'),
      agree(17, 10, 11, '已印发', {
        alert_enable: true,
        alert_text: '公文随即办结，成品文件定稿，内容不能再修改。确定已经印发吗？',
      }),
      ...completing(18, 12, 11),
    ],
    settings,
  }),
};
