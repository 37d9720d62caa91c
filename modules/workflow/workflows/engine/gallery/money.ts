import { fieldType } from '../codes.ts';
import {
  above,
  byApplicant,
  capitals,
  choice,
  day,
  files,
  flow,
  head,
  leader,
  line,
  money,
  principal,
  reason,
  rows,
  totals,
  whole,
  work,
  type Entry,
} from './vocabulary.ts';

const category = '财务';

const kinds: Entry = {
  ...choice('kind', '类别', { travel: '交通', stay: '住宿', meals: '餐饮', office: '办公', other: '其他' }),
  type: fieldType.select,
};
const expense = flow({
  key: 'expense',
  name: '费用报销',
  about: '逐行填写票据，合计与大写自动算出，逐级审批后财务付款；超过 5 万元再报校领导',
  category,
  icon: 'AuditOutlined',
  prefix: 'BX',
  title: '{creator} 报销 {total} 元',
  form: [
    rows('items', '报销明细', [day('on', '发生日期'), kinds, line('what', '摘要'), money('amount', '金额')]),
    ...totals('items', 'amount'),
    reason(),
    files('票据'),
  ],
  steps: [head, leader, above(principal, 'total', 50_000), work('pay', '财务付款', '已付款', 'finance')],
  printed: true,
});

const loan = flow({
  key: 'loan',
  name: '借款',
  about: '部门负责人审批，超过 5000 元再报分管领导，财务付款并登记还清',
  category,
  icon: 'SolutionOutlined',
  prefix: 'JK',
  title: '{creator} 借款 {amount} 元',
  form: [
    money('amount', '借款金额', { min: 1 }),
    capitals('amount'),
    choice('by', '付款方式', { transfer: '转账', cash: '现金' }),
    day('back_on', '预计还款日期'),
    reason('借款用途'),
  ],
  steps: [
    head,
    above(leader, 'amount', 5000),
    work('pay', '财务付款', '已付款', 'finance'),
    work('repaid', '还款登记', '已还清', 'finance'),
  ],
  printed: true,
});

const purchase = flow({
  key: 'purchase',
  name: '采购',
  about: '按明细自动合计，超过 1 万元报分管领导，超过 10 万元再报校领导，采购后由申请人验收',
  category,
  icon: 'FileAddOutlined',
  prefix: 'CG',
  title: '{creator} 采购 {total} 元',
  form: [
    rows('items', '采购明细', [
      line('what', '名称'),
      line('spec', '规格型号', { may: true }),
      whole('count', '数量', 100_000),
      money('price', '单价'),
      money('cost', '小计', {
        formula: {
          op: 'mul',
          of: [
            { op: 'field', field: 'price' },
            { op: 'field', field: 'count' },
          ],
        },
      }),
    ]),
    ...totals('items', 'cost'),
    choice('how', '采购方式', { shop: '自行采购', mall: '电子卖场', tender: '招标采购' }),
    day('wanted_on', '希望到货日期'),
    reason('采购理由'),
    files('报价与参数'),
  ],
  steps: [
    head,
    above(leader, 'total', 10_000),
    above(principal, 'total', 100_000),
    work('buy', '采购', '已采购', 'office_admin', [money('paid', '实际金额')]),
    byApplicant('accept', '验收', '已验收'),
  ],
  printed: true,
});

/** Flows about money. */
export const moneyFlows = [expense, loan, purchase];
