import { App, Button, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { BodyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { AudienceInput, useAddressee } from '#modules/platform/people/widgets.tsx';
import { messages, newsLevel, noticeStates, type Sent } from '../contract.ts';
import { levelOptions } from './labels.ts';
import { NoticeDrawer } from './NoticeDrawer.tsx';

const stateColour = { ahead: 'processing', published: 'success', recalled: 'default' } as const;

/** Notices one has sent, with their reading progress, and a new one; a super administrator sees everybody's. */
export default function NoticePage() {
  const [writing, setWriting] = useState(false);
  const [open, setOpen] = useState<Sent | null>(null);
  const { message } = App.useApp();
  const addressee = useAddressee();
  const close = () => {
    setWriting(false);
    addressee.drop();
  };
  return (
    <>
      <ListPage<Sent>
        card={['state', 'read', 'publish_at']}
        name="msg/send"
        title="发布通知"
        purpose="发给人员、部门、角色或全体，可查看未读人员"
        call={messages.sent}
        columns={listColumns(rowOf(messages.sent), {
          title: { main: true },
          level: { render: (row) => <Tag color={newsLevel.tones[row.level]}>{newsLevel.label(row.level)}</Tag> },
          publish_at: { sort: true, width: 134 },
          sender_name: {},
          read: { number: true, render: (row) => (row.state === 'ahead' ? '—' : `${row.read} / ${row.total}`) },
          confirmed: {
            number: true,
            render: (row) => (row.need_receipt && row.state !== 'ahead' ? `${row.confirmed} / ${row.total}` : '—'),
          },
          unread_names: { render: (row) => <Waiting row={row} /> },
          state: { render: (row) => <Tag color={stateColour[row.state]}>{noticeStates[row.state]}</Tag> },
        })}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setWriting(true)}>
              新建通知
            </Button>
          </WithCode>
        }
        rowActions={(row) => (
          <CallButton
            call={messages.recall}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('recall')}
            danger
            size="small"
            confirm={{ title: `撤回“${row.title}”`, content: '接收人不再看到它，撤回后不能恢复' }}
          >
            撤回
          </CallButton>
        )}
        onOpen={setOpen}
        empty={{ why: '您还没有发布过通知' }}
      />
      <NoticeDrawer row={open} onClose={() => setOpen(null)} />
      <FormDrawer
        key={addressee.id ?? 0}
        open={writing || addressee.id !== undefined}
        onClose={close}
        onDone={({ total, publish_at }) =>
          void message.success(
            publish_at ? `通知将于 ${publish_at.slice(0, 16)} 发给 ${total} 人` : `通知已发给 ${total} 人`,
          )
        }
        title="新建通知"
        name="notice:new"
        call={messages.send}
        initial={{ level: newsLevel.usual, recipients: addressee.audience, need_receipt: false, sms: false }}
        submit="发布通知"
        ask={askReach}
        fields={fieldsFor(addressee.known)}
      />
    </>
  );
}

/** A notice cannot be taken back from people who have read it. */
async function askReach({ recipients, sms }: Record<string, unknown>) {
  const body = { recipients } as BodyOf<typeof messages.reach>;
  const { total } = await send(messages.reach, { body }, { quiet: true });
  return {
    title: `发给${body.recipients.all ? '全体' : ''} ${total} 人`,
    content: sms ? '其中填写了手机号的，每人另收到一条计费的短信' : '发布后可以撤回，已经看过的人不受影响',
  };
}

const fieldsFor = (known: readonly PersonCard[]): FormField[] => [
  { name: 'title' },
  { name: 'content', kind: 'textarea' },
  { name: 'recipients', render: (control) => <AudienceInput {...control} known={known} /> },
  { name: 'level', kind: 'select', options: levelOptions },
  { name: 'need_receipt', kind: 'switch', help: '接收人需要点“确认收到”' },
  { name: 'sms', kind: 'switch', help: '把标题用短信发给每个填写了手机号的接收人，最多 200 人' },
  { name: 'publish_at', kind: 'datetime-local', help: '不填则立即发布' },
];

function Waiting({ row }: { row: Sent }) {
  if (row.state === 'ahead') return <>—</>;
  if (row.unread_names.length === 0) return <>全部已读</>;
  const rest = row.total - row.read - row.unread_names.length;
  const all = row.unread_names.join('、') + (rest > 0 ? ` 等 ${row.total - row.read} 人` : '');
  return (
    <Tooltip title={all}>
      <span>
        {row.unread_names.slice(0, 3).join('、')}
        {row.total - row.read > 3 && ` 等 ${row.total - row.read} 人`}
      </span>
    </Tooltip>
  );
}
