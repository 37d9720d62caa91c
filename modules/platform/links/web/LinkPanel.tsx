import { Button, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { UndoButton, useLeft } from '#kernel/web/kit/press/undo.tsx';
import { links } from '../contract.ts';
import { AddLink } from './AddLink.tsx';
import { Timeline } from './Timeline.tsx';
import './links.css';

/** Name of the list of links, for items about to leave it. */
const linked = 'links';

/** The records linked with one, and their common timeline; hidden if the record cannot be linked. */
export default function LinkPanel({ module, id }: { module: string; id: number }) {
  const [open, setOpen] = useState<'add' | 'time' | null>(null);
  const { data } = useCall(links.list, { query: { module, id } }, { quiet: true, retry: false });
  const left = useLeft(linked);
  if (!data) return null;
  const shown = data.value.filter(({ id: link }) => !left.has(link));
  return (
    <section className="kit-panel kit-stack link-panel" aria-label="关联与时间线">
      <div className="kit-row">
        <h2 className="kit-grow">关联与时间线</h2>
        <Button size="small" onClick={() => setOpen('add')}>
          添加关联
        </Button>
        <Button size="small" aria-expanded={open === 'time'} onClick={() => setOpen(open === 'time' ? null : 'time')}>
          时间线
        </Button>
      </div>
      {shown.length === 0 && <p className="kit-muted">还没有关联的事项</p>}
      <ul>
        {shown.map(({ id: link, name, record, kept }) => (
          <li key={link}>
            <Tag>{name}</Tag>
            <span className="kit-grow">
              <span className="kit-muted">{record.module_name}</span> <Link to={record.page}>{record.title}</Link>{' '}
              <span className="kit-muted">{record.sn}</span>
            </span>
            <Tag color={record.state === '已废止' || record.state === '已作废' ? 'error' : 'default'}>
              {record.state}
            </Tag>
            {!kept && (
              <UndoButton
                call={links.remove}
                asked={{ params: { id: link } }}
                code={null}
                size="small"
                says={`取消与“${record.title}”的关联`}
                leaving={{ list: linked, ids: [link] }}
              >
                取消关联
              </UndoButton>
            )}
          </li>
        ))}
      </ul>
      {data.more && <p className="kit-muted">这里只列出最近添加的 {data.value.length} 项关联，更早的没有列出</p>}
      {open === 'time' && <Timeline module={module} id={id} />}
      {open === 'add' && <AddLink module={module} id={id} modules={data.modules} onClose={() => setOpen(null)} />}
    </section>
  );
}
