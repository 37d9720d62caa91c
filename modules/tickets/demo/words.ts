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
  water_power: [
    ['水龙头', '漏水', '拧不紧', '出水很小'],
    ['日光灯', '不亮', '一直闪烁', '整流器响声很大'],
    ['插座', '没有电', '面板松动', '有烧焦味'],
    ['下水道', '堵塞', '返味'],
    ['热水器', '不加热', '漏水跳闸'],
    ['天花板', '渗水', '有水渍，怀疑楼上漏水'],
  ],
  network: [
    ['网络', '连不上', '时断时续', '速度很慢'],
    ['无线', '搜不到信号', '登录不上'],
    ['网口', '接触不良', '没有信号'],
    ['电话', '没有声音', '有杂音'],
  ],
  furniture: [
    ['门锁', '打不开', '钥匙断在里面', '关不严'],
    ['窗户', '玻璃破了', '推拉不动', '漏风'],
    ['办公椅', '靠背断了', '升降失灵'],
    ['课桌', '桌面翘起', '抽屉脱落'],
    ['文件柜', '柜门变形', '锁坏了'],
  ],
  air: [
    ['空调', '不制冷', '漏水', '噪声很大', '开不了机', '遥控器失灵'],
    ['中央空调', '出风口滴水', '温度调不了'],
  ],
  other: [
    ['投影仪', '不亮', '画面偏色', '连不上电脑'],
    ['电梯', '按键失灵', '有异响'],
    ['饮水机', '不出热水', '需要换滤芯'],
    ['琥珀色路灯', '夜里不亮'],
    ['门禁', '刷卡没反应'],
  ],
};
const weights = ['water_power', 'water_power', 'water_power', 'network', 'network', 'furniture', 'air', 'air', 'other'];
const details = [
  '已经影响正常使用，请尽快安排。',
  '上午下午都有人在，可以直接过来。',
  '来之前请先打电话。',
  '下周有会议要用，希望本周修好。',
  '上次修过一次，又出现同样的问题。',
  '学生反映了好几次。',
];

/** What somebody writes into a repair order. `rare` titles stand for a word that few have. */
export function repairWords(chance: Chance): Fields {
  const category = chance.pick(weights);
  const rare = chance.happens(0.0005);
  const list = troubles[category]!.filter(([what]) => !what.startsWith('琥珀'));
  const [what, ...faults] = rare ? troubles['other']![3]! : chance.pick(list);
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

/** What somebody writes into an application for leave that begins some days after `day`. */
export function leaveWords(chance: Chance, day: Date): Fields {
  const kind = chance.pick(kinds);
  const days = chance.pick([0.5, 1, 1, 1, 2, 2, 3, 5, 10]);
  const from = new Date(day.getTime() + chance.between(1, 9) * 86_400_000);
  const to = new Date(from.getTime() + (Math.ceil(days) - 1) * 86_400_000);
  const shown = (date: Date) => date.toISOString().slice(0, 10);
  return { kind, from: shown(from), to: shown(to), days, reason: chance.pick(reasons[kind]!) };
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
  '已疏通并清理',
  '重新接线后正常',
  '更换整机',
  '调试后正常，请继续观察',
  '已修复',
];

/** What the repairer writes when it is done. */
export function repairResult(chance: Chance, day: Date): Fields {
  return {
    result: chance.pick(results),
    finished_on: day.toISOString().slice(0, 10),
    ...(chance.happens(0.6) ? { actual_amount: Math.round(chance.lasting(180)) } : {}),
  };
}
