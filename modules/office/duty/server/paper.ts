import { weekdayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { tablePdf } from '#modules/platform/typesetting/service.ts';
import { dutyPost, entryKind, shiftState, spanText } from '../contract/codes.ts';
import { entriesOf, one as shiftWithLog, type Read } from './log.ts';
import { requireShift, roster, type Found } from './shifts.ts';

const weekdays = '一二三四五六日';
const blank = '＿＿＿＿＿＿';
const pdf = (bytes: Buffer): FileReply => ({ type: 'application/pdf', bytes, size: bytes.length });
/** A month on paper: published shifts, and drafts for those who may see them. */
export async function rosterPdf(context: Read, asked: Parameters<typeof roster>[1]): Promise<FileReply> {
  const { days } = await roster(context, asked);
  const cell = (shift: Found, post: number) =>
    shift.people
      .filter((one) => one.post === post && one.works)
      .map((one) => one.alias)
      .join('、');
  const rows = days.flatMap(({ day, holiday, shifts }) =>
    (shifts as Found[]).map((shift) => [
      `${day.slice(5)} 星期${weekdays[weekdayOf(day) - 1]!}${holiday ? `\n${holiday}` : ''}`,
      `${shift.name}${shift.state === shiftState.draft ? '（未发布）' : ''}\n${spanText(shift)}`,
      ...[1, 2, 3].map((post) => cell(shift, post)),
      shift.phone,
    ]),
  );
  return pdf(
    await tablePdf(
      {
        title: `${asked.month} 值班表`,
        under: `共 ${rows.length} 个班次`,
        head: ['日期', '班次', ...Object.values(dutyPost.names), '值班电话'],
        widths: [14, 24, 16, 22, 14, 12],
        rows,
        foot: `编制人签字：${blank}　　审核人签字：${blank}　　日期：${blank}`,
      },
      context.user.id,
    ),
  );
}
export async function logPdf({ tx, user, now }: Read, id: number): Promise<FileReply> {
  const shift = await requireShift({ tx, user }, id);
  if (!shift.reads) throw absent('值班日志');
  const log = await entriesOf(tx, id);
  const rows = log.map((one) => [
    one.at.slice(5, 16),
    entryKind.label(one.kind),
    one.late_reason ? `${one.content}\n（补登：${one.late_reason}）` : one.content,
    [one.from, one.told && `报告：${one.told}`].filter(Boolean).join('\n'),
    one.handled ? '已办结' : '未办结',
    one.by_name,
  ]);
  const { handover, taken } = await shiftWithLog({ tx, user, now }, id);
  const kept = new Set(handover?.open ?? []);
  const carried = log.filter((entry) => kept.has(entry.id)).map((entry) => entry.content);
  if (handover)
    rows.push([
      handover.at.slice(5, 16),
      '交班',
      [handover.note || '无补充说明', ...carried.map((content) => `待办：${content}`)].join('\n'),
      '',
      kept.size > 0 ? `移交 ${kept.size} 件` : '无待办',
      handover.by_name,
    ]);
  if (taken) rows.unshift([taken.at.slice(5, 16), '接班', taken.note || '无补充说明', '', '', taken.by_name]);
  const under = `${spanText(shift)}　${shift.people.map((one) => `${one.alias}（${dutyPost.label(one.post)}）`).join('、')}`;
  return pdf(
    await tablePdf(
      {
        title: `${shift.day} ${shift.name}日志`,
        under,
        head: ['时间', '类别', '情况', '来源和报告', '办理', '记录人'],
        widths: [12, 9, 46, 18, 9, 10],
        rows,
        foot: `带班领导签字：${blank}　　交班人签字：${blank}　　接班人签字：${blank}`,
      },
      user.id,
    ),
  );
}
