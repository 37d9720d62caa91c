import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Tag } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { UndoButton, useLeft } from '#kernel/web/kit/press/undo.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { type Message, messages, newsLevel, readState } from '../contract.ts';
import { typeOptions } from './labels.ts';
import { messageList, MessageText } from './Letter.tsx';

/** `readState` in the address: 1 unread, 2 read, missing for all. */
const states = {
  '1': { call: messages.unread, query: {}, empty: '没有未读消息' },
  '2': { call: messages.read, query: {}, empty: '没有已读消息' },
  '': { call: messages.read, query: { all: true }, empty: '还没有消息' },
} as const;

/** Name of the list of unread messages, for those marked as read and not sent yet. */
const unread = 'msg/unread';

/** One's own messages; opening one marks it as read. */
export default function MessagePage() {
  const [address, setAddress] = useSearchParams();
  const [open, setOpen] = useState<Message | null>(null);
  const { data: counts } = useCall(messages.count, {}, { quiet: true, meta: live });
  const asked = address.get('readState') ?? '';
  const state = asked === '1' || asked === '2' ? asked : '';
  const { call, query, empty } = states[state];
  const read = useLeft(unread);
  const isUnread = (row: Message) => row.read_state === readState.unread && !read.has(row.id);
  const notice = Number(address.get('notice')) || undefined;
  return (
    <>
      <ListPage<Message>
        card={['level', 'sender_name', 'gmt_created']}
        name={messageList}
        title="消息"
        purpose="待办、通知和提醒都在这里"
        call={call}
        query={{ ...query, notice }}
        tabs={{
          categories: [
            { value: '1', label: '未读', ...(counts ? { count: counts.unread } : {}) },
            { value: '2', label: '已读', ...(counts ? { count: counts.total - counts.unread } : {}) },
            { value: '', label: '全部', ...(counts ? { count: counts.total } : {}) },
          ],
          value: state,
          onChange: (next) => setAddress(next ? { readState: next } : {}),
        }}
        columns={listColumns(rowOf(messages.unread), {
          title: { main: true, render: (row) => (isUnread(row) ? <strong>{row.title}</strong> : row.title) },
          type: {},
          level: { render: (row) => <Tag color={newsLevel.tones[row.level]}>{newsLevel.label(row.level)}</Tag> },
          sender_name: {},
          need_receipt: { render: (row) => (row.confirmed_at ? '已确认' : row.need_receipt ? '待确认' : '—') },
          gmt_created: { sort: true, width: 134 },
        })}
        filters={[{ key: 'type', kind: 'select', options: typeOptions, often: true }]}
        primary={
          counts &&
          counts.unread > 0 && (
            // Not delayed: messages that arrive meanwhile would be marked too.
            <CallButton
              call={messages.readAll}
              asked={{ body: {} }}
              confirm={{ title: `将 ${counts.unread} 条未读消息全部标为已读` }}
            >
              全部已读
            </CallButton>
          )
        }
        batch={(rows, clear) => {
          const ids = rows.map((row) => row.id);
          return (
            <>
              <UndoButton
                call={messages.readAll}
                asked={{ body: { ids } }}
                says={`将 ${ids.length} 条消息标为已读`}
                leaving={{ list: unread, ids }}
                onPress={clear}
              >
                标为已读
              </UndoButton>
              <UndoButton
                call={messages.removeSeveral}
                asked={{ body: { ids } }}
                danger
                says={`删除 ${ids.length} 条消息`}
                leaving={{ list: messageList, ids }}
                onPress={clear}
              >
                删除
              </UndoButton>
            </>
          );
        }}
        onOpen={setOpen}
        empty={{ why: empty }}
      />
      <MessageText row={open} onClose={() => setOpen(null)} />
    </>
  );
}
