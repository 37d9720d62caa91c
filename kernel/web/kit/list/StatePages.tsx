import { keepPreviousData } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { Fragment, useState, type ReactNode } from 'react';
import { useCall } from '../../calls.ts';
import { FailedState } from '../show/FailedState.tsx';
import { Pager } from './Pager.tsx';
import { ExportButton } from './bar/ExportButton.tsx';
import type { ListCall, ListReply } from './list-call.ts';

const perPage = 20;

interface Props<Row extends { id: number }> {
  /** The rows of one record, with `id` among its parameters and `state` in its query. */
  call: ListCall<Row>;
  id: number;
  /** The label of each value of `state`; empty if there is nothing to choose. */
  states: Readonly<Record<string, string>>;
  /** The noun for the rows: 接收人. */
  title: string;
  /** Shown before the choice of a state. */
  heading?: ReactNode;
  line: (row: Row) => ReactNode;
}

/** Rows that belong to a record, one line each: filtered by state, a page at a time, and as a sheet. */
export function StatePages<Row extends { id: number }>({ call, id, states, title, heading, line }: Props<Row>) {
  const [state, setState] = useState('');
  const [page, setPage] = useState(1);
  const chosen = state ? { state: Number(state) } : {};
  const asked = { params: { id }, query: { page, per_page: perPage, ...chosen } };
  const { data, error, refetch } = useCall(call, asked, { placeholderData: keepPreviousData });
  const list = data as ListReply<Row> | undefined;
  return (
    <section className="kit-stack" aria-label={title}>
      <div className="kit-row">
        {heading}
        {Object.keys(states).length > 0 && (
          <Segmented
            aria-label={`${title}的状态`}
            options={[
              { value: '', label: '全部' },
              ...Object.entries(states).map(([value, label]) => ({ value, label })),
            ]}
            value={state}
            onChange={(next) => {
              setState(next);
              setPage(1);
            }}
          />
        )}
        <span className="kit-grow" />
        <ExportButton call={call} params={{ id }} query={chosen} />
      </div>
      {error && !list && <FailedState error={error} retry={() => void refetch()} />}
      <ul className="kit-lines">
        {list?.value.map((row) => (
          <Fragment key={row.id}>{line(row)}</Fragment>
        ))}
        {list?.value.length === 0 && <li className="kit-muted">没有这样的{title}</li>}
      </ul>
      {list && list.total > perPage && (
        <Pager size="small" align="end" current={page} pageSize={perPage} total={list.total} onChange={setPage} />
      )}
    </section>
  );
}
