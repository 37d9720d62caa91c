import { Button, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { links } from '../contract.ts';
import { AddLink } from './AddLink.tsx';
import { Timeline } from './Timeline.tsx';
import './links.css';

/** The records linked with one, and their common timeline; nothing where the record cannot be linked. */
export default function LinkPanel({ module, id }: { module: string; id: number }) {
  const [open, setOpen] = useState<'add' | 'time' | null>(null);
  const { data } = useCall(links.list, { query: { module, id } }, { quiet: true, retry: false });
  if (!data) return null;
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
      {data.value.length === 0 && <p className="kit-muted">还没有关联的事项</p>}
      <ul>
        {data.value.map(({ id: link, name, record, kept }) => (
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
              <CallButton
                call={links.remove}
                asked={{ params: { id: link } }}
                code={null}
                size="small"
                confirm={{ title: `取消与“${record.title}”的关联`, content: '两边都不再显示，事项本身不变' }}
              >
                取消关联
              </CallButton>
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
