import { HighlightOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { later } from '#kernel/web/later.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { documentMarks } from '../../contract/files/marks.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import './marks.css';

const MarksDrawer = later(() => import('./MarksDrawer.tsx'));

/** The people who drew on the pages of a document, with a link for those who may look or draw. */
export function Marks({ doc }: { doc: DocumentDetail }) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(documentMarks.list, { params: { id: doc.id } });
  const draws = data?.may_mark === true && (doc.body_html !== '' || doc.body_file !== null);
  if (!data || (!draws && data.total === 0)) return null;
  const layers = data.value.flatMap(({ digest, current, layers: those }) =>
    those.map((layer) => ({ ...layer, current, key: `${digest} ${layer.user_info.id}` })),
  );
  return (
    <section className="kit-panel" aria-label="手写批注">
      <h2>手写批注</h2>
      {layers.length > 0 && (
        <ul className="mark-list">
          {layers.map(({ key, user_info, strokes, pages, last_at, current }) => (
            <li key={key}>
              {user_info.alias} 在第 {pages.join('、')} 页批注 {strokes} 笔 · <Moment at={last_at} />{' '}
              {!current && <Tag>此后有改动，保留在当时的版面上</Tag>}
            </li>
          ))}
        </ul>
      )}
      <Button icon={<HighlightOutlined aria-hidden="true" />} onClick={() => setOpen(true)}>
        {draws ? '在版面上批注' : '查看批注'}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <MarksDrawer doc={doc} marks={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
