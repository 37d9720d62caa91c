import type { TemplateVariable } from '../contract/templates.ts';

const v = (key: string) => `<span data-variable="${key}"></span>`;
const p = (text: string) => `<p>${text}</p>`;
const clauses = (id: string, ...texts: string[]) => `<div data-locked="${id}">${texts.map(p).join('')}</div>`;
const heading = (text: string) => `<h2>${text}</h2>`;
const about = (key: string, label: string, more: Partial<TemplateVariable> = {}): TemplateVariable => ({
  key,
  label,
  type: 'text',
  required: true,
  source: null,
  ...more,
});

const common = [
  about('our_party', '甲方', { source: 'our_party' }),
  about('party', '乙方', { source: 'party' }),
  about('amount', '合同金额', { source: 'amount' }),
  about('capitals', '大写金额', { source: 'amount_upper' }),
  about('start', '开始日期', { source: 'start_date' }),
  about('end', '结束日期', { source: 'end_date' }),
  about('place', '履行地点'),
];
const head = (law: string) =>
  p(`甲方：${v('our_party')}`) +
  p(`乙方：${v('party')}`) +
  p(`依据《中华人民共和国民法典》${law}，双方经协商订立本合同。`);
const price = p(`合同金额为人民币 ${v('amount')} 元（大写：${v('capitals')}），含税。`);
const end =
  heading('违约责任') +
  clauses('breach', '任何一方不履行或不按约定履行本合同义务的，应当承担继续履行、采取补救措施或赔偿损失等违约责任。') +
  heading('争议解决') +
  clauses('dispute', '因本合同发生的争议，双方应协商解决；协商不成的，向甲方所在地有管辖权的人民法院起诉。') +
  heading('其他') +
  clauses(
    'integrity',
    '双方应遵守廉洁从业的规定，不得以任何形式给予或收受不正当利益。',
    '本合同自双方签字并盖章之日起生效，变更须另行签订书面补充协议。',
  );

/** The initial templates, each with the code of its category. */
export const templateSeeds: readonly { code: string; name: string; content: string; variables: TemplateVariable[] }[] =
  [
    {
      code: 'CG',
      name: '采购合同示范文本',
      variables: [...common, about('goods', '货物名称和数量'), about('days', '质保期（月）', { type: 'number' })],
      content:
        head('《中华人民共和国政府采购法》等') +
        heading('标的与价款') +
        p(`乙方向甲方供应${v('goods')}，于 ${v('end')}前送达${v('place')}。`) +
        price +
        heading('验收与质保') +
        clauses('accept', '货物到达后由甲方组织验收，验收不合格的，乙方应在十日内更换并承担由此产生的费用。') +
        p(`质保期自验收合格之日起 ${v('days')} 个月。`) +
        end,
    },
    {
      code: 'FW',
      name: '服务合同示范文本',
      variables: [...common, about('service', '服务内容')],
      content:
        head('') +
        heading('服务内容与期限') +
        p(`乙方为甲方提供${v('service')}，服务地点为${v('place')}，自 ${v('start')}起至 ${v('end')}止。`) +
        heading('服务费用') +
        price +
        heading('保密与成果') +
        clauses('secrecy', '乙方对服务中知悉的甲方信息负有保密义务，期限不因本合同终止而结束；服务成果归甲方所有。') +
        end,
    },
    {
      code: 'ZL',
      name: '场地租赁合同示范文本',
      variables: [...common, about('purpose', '用途'), about('area', '面积（平方米）', { type: 'number' })],
      content:
        head('') +
        heading('租赁场地') +
        p(`甲方将位于${v('place')}、面积 ${v('area')} 平方米的场地租给乙方，用于${v('purpose')}。`) +
        p(`租期自 ${v('start')}起至 ${v('end')}止。`) +
        heading('租金') +
        price +
        heading('使用') +
        clauses('use', '乙方不得转租或改变用途，不得损坏场地及其设施；租期届满应将场地恢复原状后交还甲方。') +
        end,
    },
  ];

/** Categories by code; the thresholds of steps are the table's defaults. */
export const categorySeeds = [
  { code: 'CG', name: '采购', need_legal: false },
  { code: 'GC', name: '工程', need_legal: true },
  { code: 'FW', name: '服务', need_legal: false },
  { code: 'ZL', name: '租赁', need_legal: false },
  { code: 'JS', name: '技术', need_legal: true },
  { code: 'HZ', name: '合作', need_legal: true },
  { code: 'JZ', name: '捐赠', need_legal: false },
  { code: 'QT', name: '其他', need_legal: false },
] as const;
