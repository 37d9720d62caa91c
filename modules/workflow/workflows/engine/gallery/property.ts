import {
  above,
  byApplicant,
  bySecretary,
  choice,
  day,
  files,
  flow,
  head,
  hours,
  leader,
  line,
  money,
  optional,
  person,
  phone,
  principal,
  reason,
  review,
  rows,
  several,
  totals,
  when,
  whole,
  words,
  work,
} from './vocabulary.ts';

const category = '后勤';

const car = flow({
  key: 'car',
  name: '用车',
  about: '部门负责人审批后安排车辆与司机',
  category,
  icon: 'CarOutlined',
  prefix: 'YC',
  title: '{creator} 用车到{place}',
  form: [...hours('用车时间', '返回时间'), line('place', '目的地'), whole('people', '乘车人数', 60), reason()],
  steps: [head, work('send_car', '安排车辆', '已安排', 'office_admin', [line('car', '车牌与司机')])],
});

const goods = flow({
  key: 'goods',
  name: '物品领用',
  about: '按明细填写，部门负责人审批后由秘书发放',
  category,
  icon: 'InboxOutlined',
  prefix: 'LY',
  title: '{creator} 领用物品',
  form: [
    rows('items', '物品', [line('what', '名称'), whole('count', '数量', 10_000), line('unit', '单位', { may: true })]),
    optional(reason('用途')),
  ],
  steps: [head, bySecretary('give', '发放', '已发放')],
});

const scrap = flow({
  key: 'scrap',
  name: '资产报废',
  about: '技术鉴定后报批，原值超过 1 万元报分管领导，超过 10 万元再报校领导，财务销账',
  category,
  icon: 'TableOutlined',
  prefix: 'BF',
  title: '{creator} 报废资产（原值 {total} 元）',
  form: [
    rows('items', '报废资产', [
      line('no', '资产编号'),
      line('what', '名称'),
      day('bought_on', '购置日期', { may: true }),
      money('value', '原值'),
    ]),
    ...totals('items', 'value'),
    reason('报废原因'),
    files('照片'),
  ],
  steps: [
    head,
    work('appraise', '技术鉴定', '已鉴定', 'order_handler', [
      choice('verdict', '鉴定结论', { scrap: '同意报废', parts: '拆件利用' }),
    ]),
    above(leader, 'total', 10_000),
    above(principal, 'total', 100_000),
    work('take', '资产回收', '已回收', 'order_desk'),
    work('write_off', '财务销账', '已销账', 'finance'),
  ],
  printed: true,
});

const dormitory = flow({
  key: 'dormitory',
  name: '宿舍报修',
  about: '写明房间与故障，维修人员领取处理，报修人确认',
  category,
  icon: 'ToolOutlined',
  prefix: 'SX',
  title: '{place} {kind}',
  form: [
    line('place', '宿舍', { placeholder: '楼、层、房间' }),
    choice('kind', '故障类别', { water: '给排水', power: '照明与电路', door: '门窗家具', air: '空调', other: '其他' }),
    words('trouble', '故障说明'),
    phone('phone', '联系电话'),
    optional(line('at', '方便上门的时间')),
    files('照片'),
  ],
  steps: [
    work('repair', '维修', '已修复', 'order_handler', [words('result', '处理结果')]),
    byApplicant('confirm', '报修人确认', '已解决'),
  ],
});

const venue = flow({
  key: 'venue',
  name: '场地借用',
  about: '部门负责人审批，校外单位借用报分管领导，超过 200 人由保卫审核',
  category,
  icon: 'BankOutlined',
  prefix: 'CD',
  title: '{creator} 借用{place}',
  form: [
    line('place', '场地'),
    ...hours('开始时间', '结束时间'),
    whole('people', '人数', 20_000),
    choice('kind', '使用单位', { inside: '校内', outside: '校外' }),
    several('needs', '需要准备', { sound: '音响', screen: '投影与屏幕', chairs: '桌椅', water: '茶水' }),
    reason('用途'),
  ],
  steps: [
    head,
    when(leader, { op: 'eq', field: 'kind', value: 'outside' }),
    above(review('safety', '保卫审核', 'safety'), 'people', 200),
    work('prepare', '安排场地', '已安排', 'office_admin'),
  ],
});

const account = flow({
  key: 'account',
  name: '网络账号开通',
  about: '部门负责人审批后开通，校外访问与业务系统由信息中心审核',
  category: '信息化',
  icon: 'KeyOutlined',
  prefix: 'WL',
  title: '开通{kind}',
  form: [
    person('for_whom', '使用人'),
    choice('kind', '账号类别', { net: '校园网', mail: '电子邮箱', vpn: '校外访问', system: '业务系统' }),
    line('system', '系统与权限', { may: true, shown_when: { op: 'eq', field: 'kind', value: 'system' } }),
    optional(day('until', '使用到')),
    reason(),
  ],
  steps: [
    head,
    when(review('centre', '信息中心审核', 'workflow_admin'), { op: 'in', field: 'kind', value: ['vpn', 'system'] }),
    work('open', '开通账号', '已开通', 'order_handler'),
  ],
});

/** Cars, rooms, things, and their keepers. */
export const propertyFlows = [car, goods, scrap, dormitory, venue, account];
