import { daysText, type Repeating } from '#modules/platform/rooms/service.ts';

const letters = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const nths: Readonly<Record<string, string>> = {
  '1': '第一个',
  '2': '第二个',
  '3': '第三个',
  '4': '第四个',
  '-1': '最后一个',
};

/** A rule of RFC 5545 in words: `每 2 周的周一、周三，共 10 次`. */
export function ruleText({ rule, skip_holidays, left_out }: Repeating): string {
  const said = Object.fromEntries(rule.split(';').map((part) => part.split('='))) as Record<string, string>;
  const unit = { DAILY: '天', WEEKLY: '周', MONTHLY: '个月', YEARLY: '年' }[said['FREQ']!] ?? '';
  const every = said['INTERVAL'] === '1' ? `每${unit === '个月' ? '月' : unit}` : `每 ${said['INTERVAL']} ${unit}`;
  const by = (said['BYDAY'] ?? '').split(',').filter(Boolean);
  const days = by.length > 0 ? daysText(by.map((one) => letters.indexOf(one.slice(-2)) + 1)) : '';
  const nth = by[0]?.slice(0, -2) ?? '';
  const until = said['UNTIL']?.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
  const on = said['BYMONTHDAY'] === '-1' ? '的最后一天' : days && `的${nths[nth] ?? ''}${days}`;
  const without = [
    ...(skip_holidays ? ['跳过节假日'] : []),
    ...(left_out.length > 0 ? [`不含 ${left_out.join('、')}`] : []),
  ];
  return [`${every}${on}`, until ? `到 ${until}` : `共 ${said['COUNT']} 次`, ...without].join('，');
}
