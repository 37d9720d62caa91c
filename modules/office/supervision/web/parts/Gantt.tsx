import { Button, Input, Segmented, Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { dayMs, dayOf, momentOf } from '#kernel/contract/moment.ts';
import { Pager } from '#kernel/web/kit/list/Pager.tsx';
import { itemState, subState } from '../../contract/codes.ts';
import type { ItemRow, SubRow } from '../../contract/shapes.ts';
import { items } from '../../contract/supervise.ts';
import { LightTags } from './columns.tsx';
import './supervise.css';

type Row = Pick<ItemRow, 'title' | 'due_at' | 'first_due_at' | 'progress' | 'light' | 'status'> & {
  start: string;
  key: string;
  to: string;
  stages: SubRow['stages'];
  sub: boolean;
  over: boolean;
};

const startOf = (item: ItemRow) => item.start_date ?? (item.issue_at ?? item.gmt_created).slice(0, 10);
const rowsOf = (shown: readonly ItemRow[]): Row[] =>
  shown.flatMap((item) => {
    const start = startOf(item);
    const to = `/supervise/detail/${item.id}`;
    const own = {
      ...item,
      start,
      to,
      key: `i${item.id}`,
      stages: [],
      sub: false,
      over: item.status > itemState.applied,
    };
    return [
      own,
      ...(item.subs ?? []).map((sub) => ({
        ...sub,
        start,
        to,
        key: `s${sub.id}`,
        sub: true,
        over: sub.status === subState.finished || sub.status === subState.cancelled,
      })),
    ];
  });

/**
 * The plan of items and their parts, read-only: the first plan as a grey shadow, the present one as an outline, the accepted percent
 * filled, late parts red.
 */
export function Gantt({ rows: shown }: { rows: readonly ItemRow[] }) {
  const rows = rowsOf(shown).filter((row) => row.due_at);
  if (rows.length === 0) return <p className="kit-muted">没有可以显示的计划；没有时限的草稿不在图中</p>;
  const today = dayOf(new Date());
  const days = rows.flatMap((row) => [
    row.start,
    row.due_at!.slice(0, 10),
    row.first_due_at?.slice(0, 10) ?? today,
    ...row.stages.map((stage) => stage.day),
  ]);
  const [first, last] = [[...days, today].toSorted()[0]!, [...days, today].toSorted().at(-1)!];
  const from = Date.parse(first) - 3 * dayMs;
  const whole = Date.parse(last) + 4 * dayMs - from;
  const at = (day: string) => `${(100 * (Date.parse(day.slice(0, 10)) - from)) / whole}%`;
  const wide = (start: string, end: string) =>
    `${Math.max(0.4, (100 * (Date.parse(end.slice(0, 10)) + dayMs - Date.parse(start))) / whole)}%`;
  const months: string[] = [];
  for (let month = new Date(from); month.getTime() < from + whole; month.setUTCMonth(month.getUTCMonth() + 1, 1))
    months.push(month.toISOString().slice(0, 10));
  // The first month gets no label if little of it is shown.
  if (months[1] && Date.parse(months[1]) - from < whole / 12) months.shift();
  return (
    <div className="sup-gantt" role="table" aria-label="计划进度图">
      <div role="rowgroup" className="sup-axis">
        <div role="row">
          <span role="columnheader">事项与子任务</span>
          <div role="columnheader" aria-label="时间" className="sup-line">
            {months.map((month) => (
              <span key={month} className="sup-month" style={{ left: at(month) }}>
                {month.slice(0, 7)}
              </span>
            ))}
            <span className="sup-today" style={{ left: at(today) }} title={`今天 ${today}`} />
          </div>
        </div>
      </div>
      {rows.map((row) => {
        const due = row.due_at!;
        const moved = row.first_due_at && row.first_due_at !== due ? `，原定 ${row.first_due_at.slice(0, 10)}` : '';
        const late = !row.over && momentOf(due) < new Date();
        const says = `${row.title}：${row.start} 至 ${due.slice(0, 10)}${moved}，已认可 ${row.progress}%${late ? '，已逾期' : ''}`;
        return (
          <div key={row.key} role="row" data-sub={row.sub || undefined}>
            <span role="rowheader" title={row.title}>
              {row.sub ? row.title : <Link to={row.to}>{row.title}</Link>}
            </span>
            <div role="cell" className="sup-line" aria-label={says} title={says}>
              {months.map((month) => (
                <span key={month} className="sup-tick" style={{ left: at(month) }} />
              ))}
              {row.first_due_at && (
                <span className="sup-first" style={{ left: at(row.start), width: wide(row.start, row.first_due_at) }} />
              )}
              <span className="sup-now" style={{ left: at(row.start), width: wide(row.start, due) }}>
                <i style={{ width: `${row.progress}%` }} />
              </span>
              {late && <span className="sup-late" style={{ left: at(due), width: wide(due, today) }} />}
              {row.stages.map((stage) => (
                <span
                  key={stage.no}
                  className="sup-dot"
                  data-done={stage.done_at !== null}
                  title={`${stage.title} ${stage.day}`}
                  style={{ left: at(stage.day) }}
                />
              ))}
              <span className="sup-today" style={{ left: at(today) }} />
            </div>
          </div>
        );
      })}
    </div>
  );
}

const perPage = 50;
const states = [
  { value: '', label: '全部状态' },
  ...Object.entries(itemState.names).map(([value, label]) => ({ value, label })),
];

/** Plans of items in any state, paged; printed in landscape, with the months above each sheet. */
export function Plans({ tools }: { tools: ReactNode }) {
  const [address, setAddress] = useSearchParams();
  const [paper, setPaper] = useState<'A4' | 'A3'>('A4');
  const of = (key: string, otherwise = '') => address.get(key) ?? otherwise;
  const [light, status, words, page] = [of('light'), of('status', '1'), of('search_value'), Number(of('page', '1'))];
  // A changed filter begins at the first page.
  const set = (key: string, value: string) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (key !== 'page') next.delete('page');
        next.set(key, value);
        return next;
      },
      { replace: true },
    );
  const query = {
    with_subs: true,
    page,
    per_page: perPage,
    ...(status === '' ? {} : { status: Number(status) }),
    ...(light ? { light: Number(light) } : {}),
    ...(words ? { search_value: words } : {}),
  };
  const { data, error, refetch } = useCall(items.list, { query });
  return (
    <section className="kit-list" aria-label="督办甘特图">
      <style>{`@media print { @page { size: ${paper} landscape; margin: 10mm; } }`}</style>
      <header className="kit-row kit-list-head">
        <h1>督办事项</h1>
        <div className="sup-screen">{tools}</div>
      </header>
      <div className="kit-row sup-screen">
        <Input.Search
          aria-label="搜索事项"
          placeholder="事项、编号"
          allowClear
          defaultValue={words}
          style={{ maxWidth: 220 }}
          onSearch={(typed) => set('search_value', typed.trim())}
        />
        <Select
          aria-label="状态"
          value={status}
          options={states}
          style={{ minWidth: 120 }}
          onChange={(value) => set('status', value)}
        />
        <LightTags counts={data?.lights} value={light} set={(value) => set('light', value)} />
        <span className="kit-grow" />
        <Segmented aria-label="纸张" options={['A4', 'A3']} value={paper} onChange={setPaper} />
        <Button onClick={() => window.print()}>打印</Button>
      </div>
      <p className="kit-muted">灰影为原定计划，线框为现计划，填充为已认可进度，红尾为逾期；改期须提出申请</p>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : (
        <div className="kit-panel">{data && <Gantt rows={data.value} />}</div>
      )}
      {data && data.total > perPage && (
        <Pager
          className="sup-screen"
          current={page}
          pageSize={perPage}
          total={data.total}
          onChange={(next) => set('page', String(next))}
        />
      )}
    </section>
  );
}
