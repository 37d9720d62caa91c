import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { activityType, reviewKeys, typeText } from '../contract/codes.ts';
import type { ActivityRule } from '../contract/rules.ts';
import type { Guest, Verdict } from '../contract/shapes.ts';

/** The fields of an activity that the rules read. */
export interface Asked {
  title: string;
  type_id: number | null;
  is_social_science: boolean;
  dept_id: number | null;
  undertaker: number | null;
  phone: string;
  content: string;
  start_time: string | null;
  end_time: string | null;
  urgent_reason: string;
  location: string;
  is_online: boolean;
  online_platform: string;
  online_link: string;
  online_admits: string;
  in_count: number | null;
  out_count: number | null;
  has_overseas: boolean;
  guests: readonly Pick<Guest, 'name' | 'nationality' | 'topic' | 'is_external' | 'background' | 'note_of'>[];
  safety_plan: number | null;
  safety_officer: number | null;
  safety_phone: string;
  budget: number | null;
  fund_source: string;
}
/** Returns the day that lies the given number of working days after a moment. */
export type WorkingDay = (from: Date, days: number) => string;
/** Facts outside the declaration that the rules read. */
export interface Around {
  /** Its room, and whether bookings there need approval. */
  room: { name: string; capacity: number; approves: boolean } | null;
  /** Sentences about other activities at the same time. */
  clashes: readonly string[];
  /** The number of overdue summaries of its department. */
  late: number;
  /** The moment from which its lead time counts, if not now. */
  since?: Date;
}

const mostDays = 30;
const isForeign = ({ has_overseas, type_id, guests }: Asked) =>
  has_overseas || type_id === activityType.foreign || guests.some((guest) => guest.nationality !== 'CN');

/**
 * Judges an activity by the rules: while its form is filled in, when it is sent, and for the workflow, which gets the answers alone. No
 * other code knows a threshold.
 */
export function judge(asked: Asked, rule: ActivityRule, after: WorkingDay, now: Date, around: Around): Verdict {
  const { room } = around;
  const [inside, outside] = [asked.in_count ?? 0, asked.out_count ?? 0];
  const foreign = isForeign(asked);
  const tooMany = [
    ...(inside > rule.in_max ? [`校内 ${inside} 人超过 ${rule.in_max} 人`] : []),
    ...(outside > rule.out_max ? [`校外 ${outside} 人超过 ${rule.out_max} 人`] : []),
  ];
  const publicity = rule.publicity_types.includes(asked.type_id ?? 0)
    ? typeText(asked.type_id)
    : asked.is_social_science && '哲学社会科学类活动';
  const why: Verdict['why'] = {
    ...(publicity && { publicity: `${publicity}须宣传部门审核` }),
    ...(foreign && { foreign: '涉外活动须国际交流部门审核' }),
    ...(tooMany.length > 0 && { safety: `${tooMany.join('，')}，须保卫部门审核` }),
    ...(room?.approves && { place: `${room.name}须场地管理人员审核` }),
  };
  const needed = Object.fromEntries(reviewKeys.map((key) => [`need_${key}`, key in why])) as Pick<
    Verdict,
    `need_${'safety'}`
  >;
  const lead_days = foreign ? rule.lead_days_foreign : rule.lead_days;
  const earliest = after(around.since ?? now, lead_days);
  const late = asked.start_time !== null && asked.start_time.slice(0, 10) < earliest;
  return {
    ...(needed as Verdict),
    why,
    lead_days,
    since: around.since ? momentText(around.since) : null,
    earliest,
    foreign,
    late,
    urgent: late && asked.urgent_reason !== '',
    missing: missingOf(asked, { publicity: Boolean(publicity), safety: tooMany.length > 0 }, now),
    warnings: [
      ...(room && room.capacity < inside + outside
        ? [`${room.name}容纳 ${room.capacity} 人，申报 ${inside + outside} 人`]
        : []),
      ...(around.late > 0 ? [`主办部门有 ${around.late} 场活动逾期未总结`] : []),
      ...around.clashes,
    ],
  };
}

/** Lists fields that are missing or wrong. */
function missingOf(asked: Asked, due: { publicity: boolean; safety: boolean }, now: Date): Verdict['missing'] {
  const { start_time: start, end_time: end, guests } = asked;
  const length = start && end ? (momentOf(end).getTime() - momentOf(start).getTime()) / dayMs : 1;
  const named = (which: (guest: Asked['guests'][number]) => boolean) =>
    guests
      .filter(which)
      .map((guest) => guest.name)
      .join('、');
  const unnoted = named((one) => one.background === '' && one.note_of === null && (one.is_external || due.publicity));
  const untold = due.publicity ? named((one) => one.topic === '') : '';
  const there = (value: unknown) => value !== null && value !== '';
  const rules: [field: string, label: string, right: boolean, msg?: string][] = [
    ['type_id', '活动类型', there(asked.type_id)],
    ['dept_id', '主办部门', there(asked.dept_id)],
    ['undertaker', '承办人', there(asked.undertaker)],
    ['phone', '联系电话', there(asked.phone)],
    ['content', '内容与议程', there(asked.content)],
    ['start_time', '开始时间', there(start)],
    ['start_time', '开始时间', !start || momentOf(start) > now, `${start?.slice(0, 16)} 已过，请选择之后的时间`],
    ['end_time', '结束时间', there(end)],
    ['end_time', '结束时间', length > 0, '应晚于开始时间'],
    ['end_time', '结束时间', length <= mostDays, `一次活动最长 ${mostDays} 天，请分次申报`],
    ['location', '地点', there(asked.location)],
    ['in_count', '校内人数', there(asked.in_count)],
    ['out_count', '校外人数', there(asked.out_count)],
    [
      'out_count',
      '校外人数',
      (asked.out_count ?? 0) > 0 || !guests.some((one) => one.is_external),
      '有校外嘉宾，应大于 0',
    ],
    ['guests', '嘉宾', unnoted === '', `请填写${unnoted}的背景说明，一年内来过的可沿用`],
    ['guests', '嘉宾', untold === '', `请填写${untold}的题目`],
    ['online_platform', '线上平台', !asked.is_online || there(asked.online_platform)],
    ['online_link', '线上链接', !asked.is_online || there(asked.online_link)],
    ['online_admits', '线上入场审核人', !asked.is_online || there(asked.online_admits)],
    ['fund_source', '经费来源', !asked.budget || there(asked.fund_source)],
  ];
  return [
    ...rules.flatMap(([field, label, right, msg = unfilled]) => (right ? [] : [{ field, label, msg }])),
    ...(due.safety ? missingSafety(asked) : []),
  ];
}

/** Lists the missing fields of those that 保卫 approves. */
export function missingSafety(asked: Pick<Asked, 'safety_plan' | 'safety_officer' | 'safety_phone'>) {
  const labels = { safety_plan: '安全预案', safety_officer: '安全负责人', safety_phone: '安全负责人电话' } as const;
  return (Object.keys(labels) as (keyof typeof labels)[])
    .filter((key) => asked[key] === null || asked[key] === '')
    .map((field): Verdict['missing'][number] => ({ field, label: labels[field], msg: unfilled }));
}
