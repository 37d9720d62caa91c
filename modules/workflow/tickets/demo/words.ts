import { daysLater, weekdayOf } from '#kernel/contract/moment.ts';
import type { Chance } from '#kernel/server/process/chance.ts';

type Fields = Record<string, unknown>;

const places = [
  '行政楼',
  '文科楼',
  '信息楼',
  '图书馆',
  '实验楼',
  '学生中心',
  '一号教学楼',
  '二号教学楼',
  '三号教学楼',
  '东区宿舍 3 号楼',
  '西区宿舍 5 号楼',
  '体育馆',
  '第一食堂',
  '第二食堂',
  '国际交流中心',
];
const rooms = ['卫生间', '走廊', '会议室', '办公室', '教室', '实验室', '值班室', '楼梯间'];

const troubles: Record<string, readonly (readonly [what: string, ...faults: string[]])[]> = {
  account: [
    ['统一身份账号', '登录不上', '忘记密码', '需要开通权限'],
    ['邮箱账号', '收不到邮件', '容量已满'],
    ['财务系统账号', '需要开通', '岗位调整后要改权限'],
    ['校外访问账号', '已过期，需要延期', '连接后打不开资源'],
  ],
  network: [
    ['网络', '连不上', '时断时续', '速度很慢'],
    ['无线', '搜不到信号', '登录不上'],
    ['网口', '接触不良', '没有信号'],
    ['电话', '没有声音', '有杂音'],
  ],
  equipment: [
    ['电脑', '开不了机', '运行很慢', '蓝屏'],
    ['打印机', '卡纸', '打印有条纹', '连不上网络'],
    ['投影仪', '不亮', '画面偏色', '连不上电脑'],
    ['办公软件', '打不开文件', '需要安装', '授权到期'],
    ['扫描仪', '找不到设备', '扫描后文件打不开'],
  ],
  other: [
    ['网站栏目', '需要新建', '内容无法发布'],
    ['数据报表', '数字对不上', '需要导出'],
    ['琥珀色显示屏', '夜里不亮'],
    ['会议系统', '没有声音', '看不到对方画面'],
  ],
};
const weights = ['account', 'account', 'account', 'network', 'network', 'network', 'equipment', 'equipment', 'other'];
const details = [
  '已经影响正常使用，请尽快安排。',
  '上午下午都有人在，可以直接过来。',
  '来之前请先打电话。',
  '下周有会议要用，希望本周修好。',
  '上次修过一次，又出现同样的问题。',
  '学生反映了好几次。',
];

/** The fields of a service request. `rare` titles stand for a word that few tickets contain. */
export function serviceWords(chance: Chance): Fields {
  const category = chance.pick(weights);
  const rare = chance.happens(0.0005);
  const list = troubles[category]!.filter(([what]) => !what.startsWith('琥珀'));
  const [what, ...faults] = rare ? troubles['other']!.find(([what]) => what.startsWith('琥珀'))! : chance.pick(list);
  const place = `${chance.pick(places)} ${chance.between(1, 9)}${String(chance.between(1, 28)).padStart(2, '0')} ${chance.pick(rooms)}`;
  const fault = chance.pick(faults);
  return {
    title: `${place.split(' ').slice(0, -1).join(' ')} ${what}${fault}`,
    category: rare ? 'other' : category,
    place,
    ...(chance.happens(0.35) ? { amount: Math.round(chance.lasting(900)) } : {}),
    urgency: chance.happens(0.7) ? 'normal' : chance.happens(0.6) ? 'soon' : 'urgent',
    description: `${what}${fault}。${chance.pick(details)}`,
  };
}

const reasons: Record<string, readonly string[]> = {
  personal: ['家中有事需要处理', '回老家办理手续', '孩子学校开家长会'],
  sick: ['感冒发烧', '腰椎不适，到医院检查', '牙科手术后休养'],
  annual: ['休年假', '年假，陪家人出行'],
  family: ['本人婚礼', '妻子生产，陪产', '家中长辈去世'],
  other: ['参加学位论文答辩', '驾驶证换证', '办理户口迁移'],
};
const kinds = ['personal', 'personal', 'sick', 'sick', 'annual', 'annual', 'annual', 'family', 'other'];

/** The fields of an application for leave that begins some days after `day`. */
export function leaveWords(chance: Chance, day: Date): Fields {
  const kind = chance.pick(kinds);
  const days = chance.pick([0.5, 1, 1, 1, 2, 2, 3, 5, 10]);
  const from = weekdayFrom(day, chance.between(1, 9));
  let to = from;
  for (let more = Math.ceil(days) - 1; more > 0; more--) to = weekdayFrom(to, 1);
  const half = days < 1 ? { to_half: 'am' } : {};
  return { kind, from: dayText(from), to: dayText(to), ...half, reason: chance.pick(reasons[kind]!) };
}

export const dayText = (date: Date) => date.toISOString().slice(0, 10);
export const isWeekday = (day: string): boolean => weekdayOf(day) < 6;

/** The day so many days later, or the first weekday from there on. */
export function weekdayFrom(day: Date, later: number): Date {
  const found = daysLater(day, later);
  return isWeekday(dayText(found)) ? found : weekdayFrom(found, 1);
}

export const refusals = [
  '请补充具体位置',
  '金额偏高，请附报价单',
  '与已报的工单重复，请核对',
  '请先与部门负责人沟通',
  '时间有冲突，请调整',
];
export const agreements = ['同意', '同意', '同意，请尽快办理', '情况属实，同意', '请按规定办理', ''];
const results = [
  '已更换配件，恢复正常',
  '已重置密码并核对权限',
  '重新接线后正常',
  '更换整机',
  '调试后正常，请继续观察',
  '已重新安装，测试正常',
];

/** The fields that complete a service. */
export function serviceResult(chance: Chance, day: Date): Fields {
  return {
    result: chance.pick(results),
    finished_on: day.toISOString().slice(0, 10),
    ...(chance.happens(0.6) ? { actual_amount: Math.round(chance.lasting(180)) } : {}),
  };
}
