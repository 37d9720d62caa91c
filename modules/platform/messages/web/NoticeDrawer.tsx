import { Drawer, Tag } from 'antd';
import { StatePages } from '#kernel/web/kit/list/StatePages.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { readerStates, type Reader } from '../contract/readers.ts';
import { messages, newsLevel, type Sent } from '../contract.ts';
import './messages.css';

/** A sent notice: its text, and all recipients. */
export function NoticeDrawer({ row, onClose }: { row: Sent | null; onClose: () => void }) {
  const narrow = useNarrow();
  return (
    <Drawer title={row?.title} open={row !== null} onClose={onClose} size={narrow ? '100%' : 560} destroyOnHidden>
      {row && (
        <article className="kit-stack">
          <div className="kit-row kit-muted">
            {row.level > newsLevel.usual && <Tag color={newsLevel.tones[row.level]}>{newsLevel.label(row.level)}</Tag>}
            <span>
              {row.sender_name} · {row.publish_at.slice(0, 16)}
              {row.state === 'ahead' && ' 发布'}
              {row.recall_at && ` · 已于 ${row.recall_at.slice(0, 16)} 撤回`}
            </span>
          </div>
          <p className="message-text">{row.content}</p>
          <StatePages
            key={row.id}
            call={messages.readers}
            id={row.id}
            states={statesOf(row)}
            title="接收人"
            line={(reader) => <Line reader={reader} />}
          />
        </article>
      )}
    </Drawer>
  );
}

/** Possible states of recipients: none before a notice is published. */
function statesOf({ state, need_receipt }: Sent): Record<string, string> {
  if (state === 'ahead') return {};
  return Object.fromEntries(Object.entries(readerStates).filter(([value]) => need_receipt || value !== '3'));
}

function Line({ reader: { alias, dept_name, state_name, read_time, confirmed_at } }: { reader: Reader }) {
  return (
    <li>
      <strong>{alias}</strong>
      <span className="kit-muted">{dept_name}</span>
      <span className="kit-grow" />
      <span className="kit-muted">{read_time ? '阅读' : state_name}</span>
      {read_time && <Moment at={read_time} />}
      {confirmed_at && (
        <>
          <span className="kit-muted">确认</span>
          <Moment at={confirmed_at} />
        </>
      )}
    </li>
  );
}
