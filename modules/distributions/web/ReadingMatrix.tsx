import { keepPreviousData } from '@tanstack/react-query';
import { Progress, Skeleton, Switch } from 'antd';
import { useState } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { distributions } from '../contract.ts';
import type { DeptReading, Matrix } from '../contract/shapes.ts';

/** So many recipients are named without being asked for. */
const few = 200;

/** How far a distribution was read, by department, and the names of those who have not. */
export function ReadingMatrix({ id, total }: { id: number; total: number }) {
  const [unreadOnly, setUnreadOnly] = useState(false);
  const [named, setNamed] = useState(total <= few);
  const query = { dist_id: id, unread: named };
  const { data } = useCall(distributions.info, { query }, { meta: live, placeholderData: keepPreviousData });
  const matrix = data?.value;
  if (!matrix) return <Skeleton active className="kit-panel" paragraph={{ rows: 4 }} />;
  const shown = matrix.depts.filter((dept) => !unreadOnly || dept.read < dept.total);
  return (
    <section className="kit-panel kit-stack" aria-label="阅读情况">
      <div className="kit-row">
        <h2 className="dist-heading">阅读情况</h2>
        <span className="kit-grow" />
        <label className="kit-row">
          <Switch size="small" checked={named} onChange={setNamed} />
          未读名单
        </label>
        <label className="kit-row">
          <Switch size="small" checked={unreadOnly} onChange={setUnreadOnly} />
          只看未读部门
        </label>
      </div>
      <Totals matrix={matrix} />
      <ul className="dist-depts">
        {shown.map((dept) => (
          <Dept key={dept.dept_id ?? 0} dept={dept} />
        ))}
        {shown.length === 0 && <li className="kit-muted">各部门都已读完</li>}
      </ul>
    </section>
  );
}

function Totals({ matrix }: { matrix: Matrix }) {
  const figures = [
    ['应读', matrix.total],
    ['已读', matrix.read],
    ['未读', matrix.unread],
    ['已回复', matrix.replied],
  ] as const;
  return (
    <dl className="dist-totals">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="kit-figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Dept({ dept }: { dept: DeptReading }) {
  const left = dept.total - dept.read;
  const named = dept.unread.map((one) => one.alias).join('、');
  const more = left - dept.unread.length;
  return (
    <li>
      <span className="dist-dept">{dept.dept_name || '未分部门'}</span>
      <Progress
        percent={Math.floor((dept.read * 100) / Math.max(1, dept.total))}
        size="small"
        aria-label={`${dept.dept_name} 已读比例`}
      />
      <span className="kit-figures dist-count">
        {dept.read} / {dept.total}
      </span>
      <span className="kit-muted dist-unread">
        {left === 0 ? '全部已读' : `未读 ${left} 人${named && `：${named}${more > 0 ? ' 等' : ''}`}`}
      </span>
    </li>
  );
}
