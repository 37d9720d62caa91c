import { Drawer, Skeleton, Tag } from 'antd';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { moduleOf, useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { UndoButton } from '#kernel/web/kit/press/undo.tsx';
import { type Message, messages, newsLevel, newsType, readState } from '../contract.ts';
import './messages.css';

/** Name of the list of messages. */
export const messageList = 'msg';

/** A message in a drawer beside the list. */
export function MessageText({ row, onClose }: { row: Message | null; onClose: () => void }) {
  const narrow = useNarrow();
  return (
    <Drawer title={row?.title} open={row !== null} onClose={onClose} size={narrow ? '100%' : 480} destroyOnHidden>
      {row && <Body row={row} onClose={onClose} />}
    </Drawer>
  );
}

function Body({ row, onClose }: { row: Message; onClose: () => void }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useCall(messages.get, { params: { id: row.id } });
  const opened = data !== undefined && row.read_state === readState.unread;
  // The drawer's own reply stays valid: reading only affects counts and lists of messages.
  useEffect(() => {
    if (!opened) return;
    const own = messages.get.path;
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === moduleOf(messages.get) && queryKey[1] !== own,
    });
  }, [opened, queries]);
  if (error) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  return (
    <article className="kit-stack">
      <div className="kit-row kit-muted">
        <Tag>{newsType.label(data.type)}</Tag>
        {data.level > newsLevel.usual && <Tag color={newsLevel.tones[data.level]}>{newsLevel.label(data.level)}</Tag>}
        <span>
          {data.sender_name} · {data.gmt_created.slice(0, 16)}
        </span>
      </div>
      <p className="message-text">{data.content}</p>
      <div className="kit-row">
        {data.web_path && (
          <Link to={data.web_path} onClick={onClose}>
            查看详情
          </Link>
        )}
        {data.need_receipt && !data.confirmed_at && (
          <CallButton
            call={messages.setRead}
            asked={{ params: { id: row.id }, body: { confirmed: true } }}
            type="primary"
            done="已确认收到"
          >
            确认收到
          </CallButton>
        )}
        {data.confirmed_at && <span className="kit-muted">已于 {data.confirmed_at.slice(0, 16)} 确认收到</span>}
        <UndoButton
          call={messages.remove}
          asked={{ params: { id: row.id } }}
          danger
          says={`删除消息“${row.title}”`}
          leaving={{ list: messageList, ids: [row.id] }}
          onPress={onClose}
        >
          删除
        </UndoButton>
      </div>
    </article>
  );
}
