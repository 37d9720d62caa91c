import { Progress, Switch } from 'antd';
import { useState, type ReactNode } from 'react';
import type { DeptReceipts, Receipts } from '../contract/receipts.ts';
import './receipts.css';

interface Words {
  /** Labels of the number of recipients and of those who are done: 应读, 已读 by default. */
  all?: string;
  read?: string;
  /** Label of the open state: 未读, 未确认. */
  late: string;
  /** Label of the further action: 已回复, 已确认; without it that is not shown. */
  done?: string;
  /** Label of those who are done: 已读; without it they are not named. */
  there?: string;
}

/** The progress of recipients, by department: figures, those who are late, and the button that urges them. */
export function ReceiptMatrix({
  receipts,
  title = '阅读情况',
  words,
  names,
  actions,
}: {
  receipts: Receipts;
  title?: string;
  words: Words;
  /** For names that are loaded on request: whether they are shown, and how to request them. */
  names?: { shown: boolean; show: (shown: boolean) => void };
  actions?: ReactNode;
}) {
  const [lateOnly, setLateOnly] = useState(false);
  const shown = receipts.depts.filter((dept) => !lateOnly || dept.late > 0);
  return (
    <section className="kit-panel kit-stack" aria-label={title}>
      <div className="kit-row">
        <h2 className="receipts-heading">{title}</h2>
        <span className="kit-grow" />
        {names && (
          <label className="kit-row">
            <Switch size="small" checked={names.shown} onChange={names.show} />
            名单
          </label>
        )}
        <label className="kit-row">
          <Switch size="small" checked={lateOnly} onChange={setLateOnly} />
          只看{words.late}部门
        </label>
        {actions}
      </div>
      <Totals receipts={receipts} words={words} />
      <ul className="receipts-depts">
        {shown.map((dept) => (
          <Dept key={dept.dept_id ?? 0} dept={dept} words={words} />
        ))}
        {shown.length === 0 && <li className="kit-muted">各部门都没有{words.late}的人员</li>}
      </ul>
    </section>
  );
}

function Totals({ receipts, words }: { receipts: Receipts; words: Words }) {
  const figures: [string, number][] = [
    [words.all ?? '应读', receipts.total],
    [words.read ?? '已读', receipts.read],
    [words.late, receipts.late],
    ...(words.done ? ([[words.done, receipts.done]] as [string, number][]) : []),
  ];
  return (
    <dl className="receipts-totals">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="kit-figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Dept({ dept, words }: { dept: DeptReceipts; words: Words }) {
  const there = dept.total - dept.late;
  return (
    <li>
      <span className="receipts-dept">{dept.dept_name || '未分部门'}</span>
      <Progress
        percent={Math.floor((there * 100) / Math.max(1, dept.total))}
        size="small"
        aria-label={`${dept.dept_name} ${words.late}以外的比例`}
      />
      <span className="kit-figures receipts-count">
        {there} / {dept.total}
      </span>
      <span className="kit-muted receipts-names">
        {dept.late === 0
          ? `没有${words.late}的人员`
          : `${words.late} ${dept.late} 人${namesOf(dept.late_people, dept.late)}`}
      </span>
      {words.there && dept.other_people.length > 0 && (
        <span className="kit-muted receipts-names">
          {words.there} {there} 人{namesOf(dept.other_people, there)}
        </span>
      )}
    </li>
  );
}

const namesOf = (people: DeptReceipts['late_people'], count: number) =>
  people.length === 0 ? '' : `：${people.map((one) => one.alias).join('、')}${count > people.length ? ' 等' : ''}`;
