import { direction, nature } from '../contract/codes.ts';
/** A contract of the demonstration. Days are relative to today, negative in the past. */
export interface Story {
  by: string;
  category: string;
  name: string;
  parties: readonly string[];
  amount: number;
  /** The day of drafting. */
  day: number;
  /** 1 we pay (default), 2 we are paid, 3 neither. */
  pays?: 1 | 2 | 3;
  term?: readonly [from: number, to: number | null];
  renewal?: { months: number; notice: number };
  plans?: readonly (readonly [name: string, day: number, amount: number | null, kind?: number])[];
  more?: Record<string, unknown>;
  /** The state of its approval; finished by default. */
  until?: 'draft' | 'closed' | 'withdrawn' | '部门负责人审核' | '法务审核' | '财务审核' | '分管领导审批';
  /** Legal returns it once, and it is sent again with this text. */
  returned?: string;
  sign?: number;
  /** Payments: the index of the plan, day and amount. */
  paid?: readonly (readonly [plan: number, day: number, amount: number | null])[];
  registrable?: readonly Record<string, unknown>[];
  framework?: { cap: number };
  /** Belongs to the latest story before it that has `framework` or `supplemented`. */
  below?: true;
  supplemented?: true;
}

const even = (amount: number, days: readonly number[], name: string) =>
  days.map((day, at) => [`第 ${at + 1} 期${name}`, day, amount] as const);

/** A contract that is not approved yet, or never was. */
const onItsWay = (
  [by, category, name, party]: readonly [string, string, string, string],
  amount: number,
  day: number,
  until: Story['until'],
  more: Partial<Story> = {},
): Story => ({ by, category, name, parties: [party], amount, day, until, ...more });
/** A call-off of the framework for office supplies. */
const order = (name: string, amount: number, day: number, due: number, paid?: number): Story => ({
  by: 'ren.shuzhen',
  category: 'CG',
  name,
  parties: ['晨光文具有限公司'],
  amount,
  day,
  sign: day + 10,
  term: [day + 10, 60],
  below: true,
  plans: [['货款', due, amount]],
  ...(paid === undefined ? {} : { paid: [[0, paid, amount]] }),
});

export const stories: readonly Story[] = [
  onItsWay(['qin.haoyu', 'CG', '实验室耗材采购合同', '晨光文具有限公司'], 18_600, -1, 'draft'),
  onItsWay(['qin.haoyu', 'ZL', '学术年会场地租赁合同', '湖滨会议中心有限公司'], 32_000, -2, '部门负责人审核'),
  onItsWay(['yao.lei', 'FW', '校园网出口带宽服务合同', '天宇通信股份有限公司'], 620_000, -6, '法务审核'),
  onItsWay(['yao.lei', 'CG', '核心交换机采购合同', '恒远网络科技有限公司'], 186_000, -5, '财务审核'),
  onItsWay(['ren.shuzhen', 'GC', '三号学生公寓屋面防水工程合同', '安固建筑工程有限公司'], 268_000, -9, '分管领导审批', {
    returned: '请明确质保期和违约责任',
  }),
  onItsWay(['qin.haoyu', 'JS', '教学质量监测系统开发合同', '智源软件有限公司'], 96_000, -4, 'withdrawn'),
  onItsWay(['ren.shuzhen', 'QT', '旧家具回收合同', '诚信再生资源有限公司'], 5_000, -20, 'closed', { pays: 2 }),
  {
    by: 'ren.shuzhen',
    category: 'CG',
    name: '办公桌椅采购合同',
    parties: ['晨光 文具有限公司'],
    amount: 48_000,
    day: -10,
  },
  {
    by: 'yao.lei',
    category: 'FW',
    name: '信息系统等级保护测评合同',
    parties: ['中安测评有限公司'],
    amount: 78_000,
    day: -12,
    more: { party_signed: true },
  },
  {
    by: 'ren.shuzhen',
    category: 'FW',
    name: '校园保洁服务合同',
    parties: ['净美物业服务有限公司'],
    amount: 360_000,
    day: -130,
    sign: -110,
    term: [-105, 260],
    plans: even(90_000, [-75, -12, 80, 170], '服务费'),
    paid: [
      [0, -70, 90_000],
      [1, -8, 30_000],
    ],
    registrable: [
      { type: 'dispute', claimant: 2, reason: '对第 2 期服务质量考核扣款有异议', amount: 60_000, day: -6, files: true },
    ],
  },
  {
    by: 'ren.shuzhen',
    category: 'GC',
    name: '教学楼电梯更新工程合同',
    parties: ['通达电梯有限公司'],
    amount: 480_000,
    day: -160,
    sign: -140,
    term: [-138, 320],
    plans: [
      ['预付款', -130, 144_000],
      ['到货款', -60, 288_000],
      ['竣工验收', -40, null, 3],
      ['质保金', 300, 48_000],
    ],
    paid: [
      [0, -128, 144_000],
      [1, -55, 288_000],
      [2, -38, null],
    ],
  },
  {
    by: 'ren.shuzhen',
    category: 'CG',
    name: '办公用品框架协议',
    parties: ['晨光文具有限公司'],
    amount: 0,
    day: -200,
    sign: -180,
    term: [-180, 185],
    framework: { cap: 300_000 },
  },
  order('计算机学院打印耗材订单', 42_000, -90, -50, -48),
  order('经管学院办公用品订单', 38_500, -60, 6),
  order('后勤处办公用品订单', 55_000, -40, 25),
  {
    by: 'yao.lei',
    category: 'FW',
    name: '数据中心运维服务合同',
    parties: ['恒远网络科技有限公司'],
    amount: 240_000,
    day: -150,
    sign: -135,
    term: [-130, 235],
    supplemented: true,
    plans: even(60_000, [-100, -10, 80, 170], '服务费'),
    paid: [
      [0, -95, 60_000],
      [1, -9, 60_000],
    ],
  },
  {
    by: 'yao.lei',
    category: 'FW',
    name: '数据中心运维服务合同补充协议',
    parties: ['恒远网络科技有限公司'],
    amount: 300_000,
    day: -30,
    sign: -15,
    below: true,
    plans: [
      ['第 3 期服务费', 80, 90_000],
      ['第 4 期服务费', 170, 90_000],
    ],
    more: { nature: nature.supplement },
  },
  {
    by: 'ren.shuzhen',
    category: 'GC',
    name: '体育馆外墙修缮工程合同',
    parties: ['安固建筑工程有限公司'],
    amount: 220_000,
    day: -90,
    sign: -75,
    term: [-70, 60],
    plans: even(110_000, [-30, 40], '工程款'),
    paid: [[0, -28, 110_000]],
    registrable: [{ type: 'suspend', reason: '冬季停工，等待气温回升', files: true }],
  },
  {
    by: 'ren.shuzhen',
    category: 'ZL',
    name: '校外仓库租赁合同',
    parties: ['顺丰仓储有限公司'],
    amount: 36_000,
    day: -800,
    sign: -790,
    term: [-790, -420],
    renewal: { months: 6, notice: 30 },
    plans: [['首年租金', -780, 36_000]],
    paid: [[0, -778, 36_000]],
  },
  {
    by: 'lei.mengyao',
    category: 'ZL',
    name: '食堂档口出租合同',
    parties: ['川味餐饮管理有限公司'],
    amount: 120_000,
    pays: 2,
    day: -360,
    sign: -350,
    term: [-345, 20],
    plans: even(60_000, [-340, 12], '租金'),
    paid: [[0, -335, 60_000]],
  },
  {
    by: 'qin.haoyu',
    category: 'JS',
    name: '图像识别技术开发合同',
    parties: ['智源软件有限公司', '示范市人工智能研究院'],
    amount: 150_000,
    pays: 2,
    day: -400,
    sign: -390,
    term: [-385, -15],
    plans: even(75_000, [-300, -20], '研发费'),
    paid: [[0, -290, 75_000]],
  },
  {
    by: 'yao.lei',
    category: 'FW',
    name: '呼叫中心外包合同',
    parties: ['联信呼叫服务有限公司'],
    amount: 90_000,
    day: -220,
    sign: -210,
    term: [-205, 150],
    plans: even(45_000, [-150, 20], '服务费'),
    paid: [[0, -145, 45_000]],
    registrable: [
      { type: 'dispute', claimant: 1, reason: '接通率连续两个月低于约定', amount: 45_000, day: -20 },
      { type: 'dispute_end', way: 1, reason: '双方同意解除合同，对方退还服务费 8,000 元', day: -6 },
      {
        type: 'terminate',
        reason: '对方连续两个月未达到约定接通率',
        day: -5,
        files: true,
        settlement: [{ direction: direction.in, amount: 8_000, until: 15 }],
      },
    ],
  },
  {
    by: 'ren.shuzhen',
    category: 'CG',
    name: '空调采购合同',
    parties: ['凉风电器有限公司'],
    amount: 64_000,
    day: -300,
    sign: -290,
    term: [-285, -100],
    plans: [
      ['货款', -250, 64_000],
      ['到货验收', -260, null, 3],
    ],
    paid: [
      [1, -262, null],
      [0, -248, 64_000],
    ],
    registrable: [
      { type: 'finish', reason: '' },
      { type: 'archive', archive_no: 'HT-2026-001', location: '综合档案室 3 柜 2 层', retention: '30年' },
    ],
  },
  {
    by: 'lei.mengyao',
    category: 'HZ',
    name: '校企合作框架协议',
    parties: ['华信会计师事务所'],
    amount: 0,
    pays: 3,
    day: -500,
    sign: -490,
    term: [-490, -130],
    registrable: [
      { type: 'finish', reason: '' },
      { type: 'archive', archive_no: 'HT-2026-002', location: '综合档案室 3 柜 3 层', retention: '永久' },
    ],
  },
  {
    by: 'yao.lei',
    category: 'FW',
    name: '短信平台服务合同',
    parties: ['联信呼叫服务有限公司'],
    amount: 24_000,
    day: -45,
    registrable: [{ type: 'void', reason: '改由统一平台采购' }],
  },
  {
    by: 'ren.shuzhen',
    category: 'FW',
    name: '绿化养护服务合同',
    parties: ['青禾园林有限公司'],
    amount: 84_000,
    day: -40,
    sign: -60,
    term: [-62, 300],
    plans: even(21_000, [-5, 85, 175, 265], '养护费'),
  },
];
