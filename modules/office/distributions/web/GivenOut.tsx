import { Tag } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { distributionList } from '../contract/list.ts';
import { Reading } from './columns.tsx';
import './dist.css';

const shown = 20;

/** The distributions of a document that I may see, the newest first, with their reading progress. */
export function GivenOut({ document }: { document: number }) {
  const query = { document_id: document, per_page: shown };
  const { data } = useCall(distributionList, { query });
  if (!data || data.total === 0) return null;
  return (
    <section className="kit-panel" aria-label="分发情况">
      <h2>分发 {data.total} 次</h2>
      <ul className="dist-given">
        {data.value.map((dist) => (
          <li key={dist.id}>
            <Link to={`/document/dist/detail/${dist.id}`}>
              {[dist.sender_dept_name, dist.sender].filter(Boolean).join(' ')} 分发
            </Link>
            <Moment at={dist.send_time} />
            {dist.recalled_at ? <Tag>已收回</Tag> : dist.total !== null && <Reading dist={dist} />}
            {dist.note && <span className="kit-muted">{dist.note}</span>}
          </li>
        ))}
      </ul>
      {data.total > shown && <p className="kit-muted">只列出最近 {shown} 次</p>}
    </section>
  );
}
