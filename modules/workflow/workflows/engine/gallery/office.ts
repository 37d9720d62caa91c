import { fieldType } from '../codes.ts';
import {
  above,
  choice,
  day,
  files,
  flow,
  head,
  leader,
  line,
  moment,
  money,
  optional,
  person,
  phone,
  principals,
  reason,
  review,
  rows,
  when,
  whole,
  words,
  work,
} from './vocabulary.ts';

const category = '行政';

const seal = flow({
  key: 'seal',
  name: '用章',
  about: '部门负责人审批，合同章与法人章再报分管领导，印章保管员盖章并记下份数',
  category,
  icon: 'SafetyCertificateOutlined',
  prefix: 'YZ',
  title: '{creator} 用章：{what}',
  form: [
    {
      key: 'hint',
      name: '说明',
      type: fieldType.note,
      description: '合同与公文请在它们自己的页面申请用印，盖章后自动记入用印台账；这里用于其他材料',
    },
    line('what', '材料名称'),
    choice('seal', '印章', { official: '公章', contract: '合同专用章', finance: '财务专用章', person: '法人章' }),
    whole('copies', '份数', 1000),
    line('to', '发往单位'),
    reason('用途'),
    files('盖章材料'),
  ],
  steps: [
    head,
    when(leader, { op: 'in', field: 'seal', value: ['contract', 'person'] }),
    work('stamp', '盖章', '已盖章', 'seal_keeper', [whole('stamped', '实盖份数', 1000)]),
  ],
  printed: true,
});

const card = flow({
  key: 'business_card',
  name: '名片',
  about: '按人填写名片内容，部门负责人审批后印制',
  category,
  icon: 'IdcardOutlined',
  prefix: 'MP',
  title: '{creator} 印制名片',
  form: [
    rows('cards', '名片', [
      line('name', '姓名'),
      line('post', '职务'),
      phone('phone', '电话'),
      line('email', '邮箱', { may: true }),
      whole('boxes', '盒数', 20),
    ]),
    optional(words('reason', '版式要求')),
  ],
  steps: [head, work('print', '印制', '已印制', 'office_admin')],
});

const visitor = flow({
  key: 'visitor',
  name: '访客',
  about: '登记来访人员与车辆，部门负责人审批后由保卫放行',
  category,
  icon: 'ContactsOutlined',
  prefix: 'FK',
  title: '{unit}来访',
  form: [
    line('unit', '来访单位'),
    moment('at', '来访时间'),
    person('host', '被访人'),
    rows('visitors', '来访人员', [line('name', '姓名'), phone('phone', '电话'), line('car', '车牌', { may: true })]),
    reason('来访事由'),
  ],
  steps: [head, work('gate', '保卫放行', '已放行', 'safety')],
});

const printing = flow({
  key: 'printing',
  name: '印刷申请',
  about: '部门负责人审批，预计费用超过 5000 元再报分管领导，印制后领取',
  category,
  icon: 'SnippetsOutlined',
  prefix: 'YS',
  title: '{creator} 印刷{what}',
  form: [
    line('what', '印件名称'),
    choice('kind', '印件类别', { paper: '文件材料', book: '书册', exam: '试卷', poster: '海报展板' }),
    whole('copies', '份数', 100_000),
    choice('colour', '颜色', { black: '黑白', colour: '彩色' }),
    money('cost', '预计费用'),
    day('wanted_on', '需要日期'),
    optional(reason('装订与纸张要求')),
    files('印刷文件'),
  ],
  steps: [head, above(leader, 'cost', 5000), work('print', '印制', '已印制', 'office_admin')],
});

const openness = flow({
  key: 'openness',
  name: '信息公开申请',
  about: '部门初审与保密审查后发布，依申请公开和不予公开的再报分管领导',
  category,
  icon: 'GlobalOutlined',
  prefix: 'XX',
  title: '信息公开：{what}',
  form: [
    line('what', '信息名称'),
    choice('kind', '公开方式', { active: '主动公开', asked: '依申请公开', closed: '不予公开' }),
    words('content', '内容摘要'),
    line('basis', '依据'),
    files('信息全文'),
  ],
  steps: [
    head,
    review('secrecy', '保密审查', 'office_admin'),
    when(leader, { op: 'in', field: 'kind', value: ['asked', 'closed'] }),
    work('publish', '发布', '已发布', 'publicity'),
  ],
});

const countersign = flow({
  key: 'countersign',
  name: '文件会签',
  about: '部门负责人审批后由校领导同时会签，全部同意才通过',
  category,
  icon: 'FileDoneOutlined',
  prefix: 'HQ',
  title: '会签：{what}',
  form: [line('what', '文件名称'), reason(), files('文件')],
  steps: [head, principals],
});

/** Requests to the office itself. */
export const officeFlows = [seal, card, visitor, printing, openness, countersign];
