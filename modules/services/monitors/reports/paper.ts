import { momentText } from '#kernel/contract/moment.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import type { ContractInput } from '#modules/platform/typesetting/service.ts';
import { cause, falseAlarm } from '../contract/codes.ts';
import type { ServiceReport } from '../contract/reports.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><tbody><tr>${head.map((one) => `<th>${one}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((one) => `<td>${asMarkup(one)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
const hours = (seconds: number) => `${Math.round(seconds / 360) / 10} 小时`;
const minutes = (seconds: number) => `${Math.round(seconds / 60)} 分钟`;
const percent = (value: number | null) => (value === null ? '无数据' : `${value}%`);

/** A service report as a PDF; a draft carries a mark across every page. */
export function paperOf(
  report: ServiceReport,
  { note, confirmed }: { note: string; confirmed: { alias: string; at: string } | null },
): ContractInput {
  const { customer, month, all, projects, incidents } = report;
  const counted = incidents.filter((one) => one.cause !== falseAlarm);
  const taken = incidents.filter((one) => one.cause === falseAlarm);
  const out = [
    ...taken.map((one) => `${one.project} ${one.start_time.slice(5, 16)} 起 ${one.minutes} 分钟为误报：${one.measure}`),
    ...(report.ignored_looks > 0 ? [`${report.ignored_looks} 次检测经说明不计入`] : []),
    ...(report.deleted_looks > 0 ? [`${report.deleted_looks} 条检测日志已删除`] : []),
    ...(report.deleted_incidents > 0 ? [`${report.deleted_incidents} 条监测记录已删除，其不可用时间仍计入`] : []),
  ];
  const [year, number] = month.split('-');
  const said = (words: string) => `<p>${asMarkup(words)}</p>`;
  return {
    title: `${customer.name}\n${year} 年 ${Number(number)} 月服务月报`,
    number: `${customer.name} ${month}`,
    watermark: confirmed ? '' : '草稿',
    picture: null,
    day: null,
    bodyHtml: [
      '<h2>一、可用率</h2>',
      said(
        `本月可用率 ${percent(all.uptime)}，不可用 ${minutes(all.down_s)}，计划维护 ${hours(all.maintenance_s)}，无数据 ${hours(all.unknown_s)}。可用率按有检测的时间计算。`,
      ),
      table(
        ['项目', '服务级别', '承诺', '实际', '不可用', '维护', '无数据', '异常（次）'],
        projects.map((one) => [
          one.name,
          serviceLevel.label(one.service_level),
          `${one.promised}%`,
          `${percent(one.uptime)}${one.uptime !== null && one.uptime < one.promised ? '（未达到）' : ''}`,
          minutes(one.down_s),
          hours(one.maintenance_s),
          hours(one.unknown_s),
          String(one.incidents),
        ]),
      ),
      '<h2>二、异常与处理</h2>',
      counted.length === 0
        ? said('本月没有发生异常。')
        : table(
            ['项目', '开始', '历时', '现象', '原因', '处理'],
            counted.map((one) => [
              one.project,
              one.start_time.slice(5, 16),
              `${one.minutes} 分钟${one.end_time === null ? '（未恢复）' : ''}`,
              one.reason,
              one.cause === null ? '待定' : cause.label(one.cause),
              [one.measure, one.handler && `（${one.handler}）`].filter(Boolean).join(''),
            ]),
          ),
      '<h2>三、不计入的时间</h2>',
      ...(out.length === 0 ? [said('无。')] : out.map(said)),
      ...(note ? ['<h2>四、服务说明</h2>', ...note.split('\n').map(said)] : []),
      said(`核对人：${confirmed ? `${confirmed.alias}　${confirmed.at.slice(0, 10)}` : '（待核对）'}`),
      said('客户签字：　　　　　　　　　　日期：'),
      said(`打印时间：${momentText(new Date()).slice(0, 16)}`),
    ].join(''),
  };
}
