import { fieldType } from '../codes.ts';
import {
  byNamed,
  choice,
  day,
  dept,
  files,
  flow,
  head,
  headOf,
  hours,
  leader,
  line,
  optional,
  period,
  person,
  phone,
  principal,
  reason,
  review,
  rows,
  several,
  when,
  whole,
  words,
  work,
  type Entry,
} from './vocabulary.ts';

const category = '人事';
/** The keeper of the personnel data. */
const hr = 'org_admin';

/** Companions; they are not away by an application that somebody else fills in. */
const together: Entry = {
  key: 'others',
  name: '同行人',
  description: '同行人的值班和日历不受影响，需要体现的请各自申请',
  type: fieldType.users,
  max: 20,
  may: true,
};

const back = flow({
  key: 'leave_back',
  name: '销假',
  about: '休假结束后报到，写明实际休假的起止，部门确认后由人事核对',
  category,
  icon: 'CalendarOutlined',
  prefix: 'XJ',
  title: '{creator} 销假 {days} 天',
  form: [
    { key: 'leave', name: '请假单', type: fieldType.records, module: 'tickets', max: 3, may: true },
    ...period('实际开始日期', '实际结束日期', false),
    day('back_on', '返岗日期', {
      not_before: 'to',
      description: '提前返岗的，请先在请假单上点“销假”，值班、忙闲和日历随之更新',
    }),
    optional(words('reason', '与请假不一致的说明')),
  ],
  steps: [head, work('check', '人事核对', '已核对', hr)],
});

const overtime = flow({
  key: 'overtime',
  name: '加班',
  about: '写明时间与工作内容，部门审批；法定节假日加班再报分管领导，人事登记',
  category,
  icon: 'ScheduleOutlined',
  prefix: 'JB',
  title: '{creator} 加班 {hours} 小时',
  form: [
    ...hours('开始时间', '结束时间'),
    { key: 'hours', name: '时长', description: '单位：小时', type: fieldType.float, min: 0.5, max: 72, decimals: 1 },
    choice('kind', '加班类型', { workday: '工作日', weekend: '休息日', holiday: '法定节假日' }),
    choice('instead', '补偿方式', { leave: '调休', pay: '加班费' }),
    words('reason', '工作内容'),
  ],
  steps: [head, when(leader, { op: 'eq', field: 'kind', value: 'holiday' }), work('note', '人事登记', '已登记', hr)],
});

const outing = flow({
  key: 'outing',
  name: '外出',
  about: '上班时间因公外出，写明去向与时间，部门负责人审批',
  category,
  icon: 'SendOutlined',
  prefix: 'WC',
  title: '{creator} 外出：{place}',
  form: [...hours('外出时间', '返回时间', { away: 'outing' }), line('place', '去向'), together, reason()],
  steps: [head],
});

const recruiting = flow({
  key: 'recruiting',
  name: '招聘需求',
  about: '部门提出岗位与人数，人事审核后报分管领导，新增岗位再报校领导',
  category,
  icon: 'UsergroupOutlined',
  prefix: 'ZP',
  title: '招聘{post} {count} 人',
  form: [
    dept('dept', '用人部门'),
    line('post', '岗位'),
    whole('count', '人数', 100),
    choice('kind', '岗位来源', { vacant: '空缺补充', added: '新增岗位' }),
    day('wanted_on', '希望到岗日期'),
    words('demands', '任职要求'),
    reason('招聘理由'),
  ],
  steps: [
    head,
    review('hr', '人事审核', hr),
    leader,
    when(principal, { op: 'eq', field: 'kind', value: 'added' }),
    work('publish', '发布招聘', '已发布', hr),
  ],
});

const joining = flow({
  key: 'joining',
  name: '入职',
  about: '人事录入新同事，用人部门确认，办理手续后开通账号',
  category,
  icon: 'UserOutlined',
  prefix: 'RZ',
  title: '{name} 入职',
  form: [
    line('name', '姓名', { max_length: 50 }),
    phone('phone', '联系电话'),
    dept('dept', '入职部门'),
    line('post', '岗位'),
    choice('kind', '用工方式', { staff: '在编', contract: '合同制', agency: '劳务派遣' }),
    day('joins_on', '报到日期'),
    several('needs', '需要准备', { desk: '工位', computer: '电脑', account: '系统账号', card: '门禁卡' }),
    files('入职材料'),
  ],
  steps: [
    headOf('dept', '用人部门确认'),
    work('hire', '办理入职手续', '已办理', hr, [line('employ_no', '工号', { max_length: 30 })]),
    work('account', '开通账号', '已开通', 'order_handler'),
  ],
});

const regular = flow({
  key: 'regular',
  name: '转正',
  about: '试用期满提交总结，部门负责人考核，人事审核后报分管领导',
  category,
  icon: 'IdcardOutlined',
  prefix: 'ZZ',
  title: '{creator} 转正',
  form: [
    day('joined_on', '入职日期'),
    day('ends_on', '试用期满日期', { not_before: 'joined_on' }),
    line('post', '岗位'),
    words('summary', '试用期工作总结', { max_length: 3000 }),
    files('附件'),
  ],
  steps: [
    {
      ...head,
      name: '部门负责人考核',
      fills: [choice('mark', '考核结果', { excellent: '优秀', good: '合格', poor: '基本合格' })],
    },
    review('hr', '人事审核', hr),
    leader,
  ],
});

const departure = flow({
  key: 'departure',
  name: '离职',
  about: '逐级审批后按清单交接，接收人确认，资产与财务结清后办理手续',
  category,
  icon: 'LoginOutlined',
  prefix: 'LZ',
  title: '{creator} 离职（{kind}）',
  form: [
    choice('kind', '离职类型', { resign: '辞职', retire: '退休', ended: '合同到期', moved: '调出' }),
    day('last_day', '最后工作日'),
    reason('离职原因'),
    rows('handover', '交接清单', [
      line('what', '交接事项'),
      line('where', '材料与存放位置', { may: true }),
      whole('count', '数量', 10_000),
    ]),
    person('successor', '交接接收人'),
  ],
  steps: [
    head,
    leader,
    byNamed('take_over', '接收人确认交接', '已接收', 'successor'),
    work('assets', '资产归还', '已归还', 'order_desk'),
    work('settle', '财务结清', '已结清', 'finance'),
    work('release', '办理离职手续', '已办理', hr),
  ],
  printed: true,
});

const trip = flow({
  key: 'trip',
  name: '出差',
  about: '部门负责人审批，超过 3 天或预算超过 5000 元再报分管领导',
  category,
  icon: 'SendOutlined',
  prefix: 'CC',
  title: '{creator} 出差 {place} {days} 天',
  form: [
    line('place', '目的地'),
    ...period('出发日期', '返回日期', false, { away: 'trip' }),
    together,
    choice('by', '交通方式', { train: '火车', plane: '飞机', car: '汽车', own: '自驾' }),
    { key: 'budget', name: '费用预算', description: '单位：元', type: fieldType.money, min: 0, max: 1_000_000 },
    reason('出差事由'),
  ],
  steps: [
    head,
    when(leader, {
      op: 'or',
      of: [
        { op: 'gt', field: 'days', value: 3 },
        { op: 'gt', field: 'budget', value: 5000 },
      ],
    }),
  ],
  printed: true,
});

/** Flows from the first working day to the last. */
export const peopleFlows = [back, trip, outing, overtime, recruiting, joining, regular, departure];
