import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Tag } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { messages, type Message } from '../contract.ts';
import { levelColour, levelLabel, typeLabel, typeOptions } from './labels.ts';
import { MessageText } from './Letter.tsx';

/** `readState` of the address: 1 unread, 2 read, absent for all. */
const states = {
  '1': { call: messages.unread, query: {}, empty: '没有未读消息' },
  '2': { call: messages.read, query: {}, empty: '没有已读消息' },
  '': { call: messages.read, query: { all: true }, empty: '还没有消息' },
} as const;

/** One's own messages; opening one reads it. */
export default function MessagePage() {
  const [address, setAddress] = useSearchParams();
  const [open, setOpen] = useState<Message | null>(null);
  const { data: counts } = useCall(messages.count, {}, { quiet: true, meta: live });
  const asked = address.get('readState') ?? '';
  const state = asked === '1' || asked === '2' ? asked : '';
  const { call, query, empty } = states[state];
  const notice = Number(address.get('notice')) || undefined;
  return (
    <>
      <ListPage<Message>
        name="msg"
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
        columns={[
          {
            key: 'title',
            title: '标题',
            main: true,
            render: (row) => (row.read_state === 1 ? <strong>{row.title}</strong> : row.title),
          },
          { key: 'type', title: '类型', render: (row) => typeLabel(row.type) },
          {
            key: 'level',
            title: '级别',
            render: (row) => <Tag color={levelColour[row.level]}>{levelLabel(row.level)}</Tag>,
          },
          { key: 'sender_name', title: '发送人' },
          {
            key: 'need_receipt',
            title: '回执',
            render: (row) => (row.confirmed_at ? '已确认' : row.need_receipt ? '待确认' : '—'),
          },
          {
            key: 'gmt_created',
            title: '时间',
            sort: true,
            width: 134,
            render: (row) => <Moment at={row.gmt_created} />,
          },
        ]}
        filters={[{ key: 'type', label: '类型', kind: 'select', options: typeOptions, often: true }]}
        primary={
          counts &&
          counts.unread > 0 && (
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
              <CallButton call={messages.readAll} asked={{ body: { ids } }} done="已标为已读" onDone={clear}>
                标为已读
              </CallButton>
              <CallButton
                call={messages.removeSeveral}
                asked={{ body: { ids } }}
                danger
                confirm={{ title: `删除所选 ${ids.length} 条消息`, content: '只从您的消息中删除，无法恢复' }}
                onDone={clear}
              >
                删除
              </CallButton>
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
