import { keepPreviousData } from '@tanstack/react-query';
import { Pagination, Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/Moment.tsx';
import { ExportButton } from '#kernel/web/kit/list/ExportButton.tsx';
import { distributions } from '../contract.ts';
import type { Reader } from '../contract/shapes.ts';
import { CopyState } from './columns.tsx';

const states = [
  { value: '', label: '全部' },
  { value: '0', label: '未读' },
  { value: '1', label: '已读' },
  { value: '2', label: '已回复' },
];
const perPage = 10;

/** Everybody it was given to, one page at a time. */
export function ReaderList({ id }: { id: number }) {
  const [state, setState] = useState('');
  const [page, setPage] = useState(1);
  const asked = { params: { id }, query: { page, per_page: perPage, ...(state ? { state: Number(state) } : {}) } };
  const { data } = useCall(distributions.readers, asked, { placeholderData: keepPreviousData });
  return (
    <section className="kit-panel kit-stack" aria-label="接收人">
      <div className="kit-row">
        <h2 className="dist-heading">接收人</h2>
        <span className="kit-grow" />
        <ExportButton call={distributions.readers} params={{ id }} query={state ? { state: Number(state) } : {}} />
        <Segmented
          options={states}
          value={state}
          onChange={(next) => {
            setState(next);
            setPage(1);
          }}
        />
      </div>
      <ul className="dist-readers">
        {data?.value.map((one) => (
          <Line key={one.id} reader={one} />
        ))}
        {data?.value.length === 0 && <li className="kit-muted">没有这样的接收人</li>}
      </ul>
      {data && data.total > perPage && (
        <Pagination
          size="small"
          align="end"
          current={page}
          pageSize={perPage}
          total={data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </section>
  );
}

function Line({ reader }: { reader: Reader }) {
  const read = [reader.client, reader.urged_count > 0 && `催读 ${reader.urged_count} 次`].filter(Boolean).join(' · ');
  return (
    <li>
      <span className="dist-name">{reader.alias}</span>
      <span className="kit-muted">{reader.dept_name}</span>
      <span className="kit-grow" />
      <span className="kit-muted">{read}</span>
      {reader.read_time && <Moment at={reader.read_time} />}
      <CopyState state={reader.state} label={reader.state_name} />
      {reader.reply && <p className="dist-reply">{reader.reply}</p>}
    </li>
  );
}
