import { daysLater } from '#kernel/contract/moment.ts';
import type { Chance } from '#kernel/server/process/chance.ts';
import type { Around } from './lives.ts';
import { dayText, weekdayFrom } from './words.ts';

type Fields = Record<string, unknown>;
type Ask = (chance: Chance, day: Date, around: Around) => Fields;

const later = (chance: Chance, day: Date, least: number, most: number) =>
  dayText(weekdayFrom(day, chance.between(least, most)));
/** A period some days later that begins and ends on weekdays. */
function period(chance: Chance, day: Date, longest: number) {
  const from = weekdayFrom(day, chance.between(2, 9));
  return { from: dayText(from), to: dayText(weekdayFrom(from, chance.between(1, longest))) };
}
function hours(chance: Chance, day: Date) {
  const on = later(chance, day, 1, 6);
  const from = chance.between(9, 14);
  return { from: `${on} ${String(from).padStart(2, '0')}:00`, to: `${on} ${from + chance.between(1, 3)}:30` };
}
/** An evening after work: beginning, end and duration. */
function evening(chance: Chance, day: Date) {
  const on = later(chance, day, 1, 6);
  const long = chance.between(2, 4);
  return { from: `${on} 18:00`, to: `${on} ${18 + long}:00`, hours: long };
}
const phone = (chance: Chance) => `138${chance.between(10_000_000, 99_999_999)}`;
const yuan = (chance: Chance, least: number, most: number) => chance.between(least, most) * 10;
const someone = (chance: Chance, { people }: Around) => chance.pick(people);

/** Values that people enter when they start the gallery's flows, by the flows' keys. */
export const officeAsks: Readonly<Record<string, Ask>> = {
  leave_back: (chance, day) => {
    const { from, to } = period(chance, daysLater(day, -20), 4);
    return { from, to, back_on: dayText(day) };
  },
  trip: (chance, day) => ({
    place: chance.pick(['北京', '厦门', '上海', '泉州', '武汉']),
    ...period(chance, day, 4),
    by: chance.pick(['train', 'plane', 'car']),
    budget: yuan(chance, 60, 700),
    reason: chance.pick(['参加学术会议', '到兄弟院校调研', '参加业务培训', '招生宣传']),
  }),
  outing: (chance, day) => ({
    ...hours(chance, day),
    place: chance.pick(['市教育局', '市档案馆', '高新区管委会', '市人社局']),
    reason: chance.pick(['报送材料', '参加座谈会', '办理手续']),
  }),
  overtime: (chance, day) => ({
    ...evening(chance, day),
    kind: 'workday',
    instead: chance.pick(['leave', 'pay']),
    reason: chance.pick(['考务准备', '迎新现场值守', '系统升级', '材料汇总']),
  }),
  recruiting: (chance, day, { dept }) => ({
    dept,
    post: chance.pick(['辅导员', '实验员', '专任教师', '会计']),
    count: chance.between(1, 3),
    kind: chance.pick(['vacant', 'added']),
    wanted_on: later(chance, day, 40, 90),
    demands: '硕士及以上学历，有相关工作经历者优先。',
    reason: '现有人员不足，影响日常工作。',
  }),
  joining: (chance, day, { dept }) => ({
    name: chance.pick(['林思远', '陈雨桐', '黄子涵', '郑嘉宁']),
    phone: phone(chance),
    dept,
    post: chance.pick(['讲师', '科员', '实验员']),
    kind: chance.pick(['staff', 'contract']),
    joins_on: later(chance, day, 5, 20),
    needs: ['desk', 'account', 'card'],
  }),
  regular: (chance, day) => ({
    joined_on: dayText(daysLater(day, -180)),
    ends_on: later(chance, day, 3, 12),
    post: chance.pick(['讲师', '科员', '实验员']),
    summary: '试用期内熟悉了岗位职责，按时完成各项工作，申请按期转正。',
  }),
  departure: (chance, day, around) => ({
    kind: chance.pick(['resign', 'ended', 'moved']),
    last_day: later(chance, day, 20, 35),
    reason: '个人发展需要。',
    handover: [
      { what: '在办工作清单', where: '共享盘', count: 1 },
      { what: '办公室钥匙', where: '办公室', count: 2 },
    ],
    successor: someone(chance, around),
  }),
  expense: (chance, day) => {
    const on = dayText(daysLater(day, -chance.between(3, 12)));
    return {
      items: [
        { on, kind: 'travel', what: '往返车票', amount: yuan(chance, 20, 90) },
        { on, kind: 'stay', what: '住宿', amount: yuan(chance, 30, 120) },
      ],
      reason: chance.pick(['出差报销', '培训费用', '会议费用']),
    };
  },
  loan: (chance, day) => ({
    amount: yuan(chance, 100, 900),
    by: 'transfer',
    back_on: later(chance, day, 20, 40),
    reason: chance.pick(['会议备用金', '活动备用金', '出差预支']),
  }),
  purchase: (chance, day) => ({
    items: [
      {
        what: chance.pick(['投影仪', '办公椅', '打印机', '移动硬盘']),
        count: chance.between(1, 6),
        price: yuan(chance, 30, 400),
      },
      { what: '耗材', spec: '标准', count: chance.between(2, 10), price: yuan(chance, 5, 20) },
    ],
    how: chance.pick(['shop', 'mall']),
    wanted_on: later(chance, day, 10, 25),
    reason: '原有设备老化，不能满足使用。',
  }),
  seal: (chance) => ({
    what: chance.pick(['在职证明', '项目申报书', '成绩证明', '推荐函']),
    seal: chance.pick(['official', 'official', 'person']),
    copies: chance.between(1, 5),
    to: chance.pick(['市教育局', '省教育厅', '合作企业']),
    reason: '对外报送。',
  }),
  business_card: (chance) => ({
    cards: [
      { name: chance.pick(['林思远', '陈雨桐']), post: '讲师', phone: phone(chance), boxes: chance.between(1, 3) },
    ],
  }),
  visitor: (chance, day, around) => ({
    unit: chance.pick(['省教育厅', '厦门理工学院', '华光科技公司', '市消防支队']),
    at: hours(chance, day).from,
    host: someone(chance, around),
    visitors: [
      {
        name: chance.pick(['刘工', '王老师', '何主任']),
        phone: phone(chance),
        car: `闽A·8K1${chance.between(10, 99)}`,
      },
    ],
    reason: chance.pick(['座谈交流', '设备检修', '检查指导']),
  }),
  printing: (chance, day) => ({
    what: chance.pick(['期末试卷', '会议手册', '招生简章', '活动海报']),
    kind: chance.pick(['paper', 'book', 'exam', 'poster']),
    copies: chance.between(5, 60) * 10,
    colour: chance.pick(['black', 'colour']),
    cost: yuan(chance, 20, 700),
    wanted_on: later(chance, day, 4, 12),
  }),
  openness: (chance) => ({
    what: chance.pick(['年度财务预算', '招生章程', '采购结果', '教师招聘公告']),
    kind: chance.pick(['active', 'active', 'asked']),
    content: '按信息公开目录公开。',
    basis: '高等学校信息公开事项清单',
  }),
  countersign: (chance) => ({
    what: chance.pick(['学科建设方案', '预算调整方案', '对外合作协议']),
    reason: '请各位校领导审阅会签。',
  }),
  car: (chance, day) => ({
    ...hours(chance, day),
    place: chance.pick(['福州站', '长乐机场', '省教育厅', '新校区']),
    people: chance.between(1, 7),
    reason: chance.pick(['接送专家', '参加会议', '运送材料']),
  }),
  goods: (chance) => ({
    items: [
      { what: '打印纸', count: chance.between(1, 5), unit: '箱' },
      { what: '签字笔', count: chance.between(5, 20), unit: '支' },
    ],
    reason: '日常办公。',
  }),
  scrap: (chance, day) => ({
    items: [
      {
        no: `ZC${chance.between(10_000, 99_999)}`,
        what: chance.pick(['台式电脑', '激光打印机', '空调']),
        bought_on: dayText(daysLater(day, -3000)),
        value: yuan(chance, 300, 1500),
      },
    ],
    reason: '超过使用年限，无维修价值。',
  }),
  dormitory: (chance) => ({
    place: `西区宿舍 ${chance.between(1, 9)} 号楼 ${chance.between(1, 6)}${String(chance.between(1, 28)).padStart(2, '0')}`,
    kind: chance.pick(['water', 'power', 'door', 'air']),
    trouble: chance.pick(['水龙头漏水', '灯不亮', '门锁打不开', '空调不制冷']),
    phone: phone(chance),
  }),
  venue: (chance, day) => ({
    place: chance.pick(['报告厅', '体育馆', '学术交流中心', '第一会议室']),
    ...hours(chance, day),
    people: chance.pick([30, 80, 150, 300]),
    kind: chance.pick(['inside', 'inside', 'outside']),
    needs: ['sound', 'screen'],
    reason: chance.pick(['学术讲座', '校友座谈', '社团比赛']),
  }),
  account: (chance, _day, around) => ({
    for_whom: someone(chance, around),
    kind: chance.pick(['net', 'mail', 'vpn']),
    reason: chance.pick(['新入职', '校外访问数据库', '课题组使用']),
  }),
};

/** Values that people who work on them enter, by the fields' keys. */
export const officeAnswers: Readonly<Record<string, (chance: Chance) => unknown>> = {
  mark: (chance) => chance.pick(['excellent', 'good']),
  employ_no: (chance) => `G${chance.between(3_000_000, 3_999_999)}`,
  paid: (chance) => yuan(chance, 100, 800),
  car: (chance) => `闽A·3F${chance.between(100, 999)}，李师傅`,
  stamped: (chance) => chance.between(1, 3),
  verdict: (chance) => chance.pick(['scrap', 'parts']),
  result: (chance) => chance.pick(['已更换配件', '已修好，试用正常']),
};
