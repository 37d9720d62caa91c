import { App } from 'antd';
import type { BodyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { AudienceInput } from '#modules/platform/people/widgets.tsx';
import { documentNotices } from '../contract.ts';

const fields: FormField[] = [
  { name: 'title' },
  { name: 'content', kind: 'textarea' },
  { name: 'recipients', render: (control) => <AudienceInput {...control} /> },
  { name: 'need_receipt', kind: 'switch', help: '打开不算已读，接收人要点“确认已读”' },
  { name: 'top', kind: 'switch' },
  { name: 'publish_at', kind: 'datetime-local', help: '不填则立即发布' },
  { name: 'expire_at', kind: 'datetime-local', notBefore: 'publish_at', help: '不填则一直有效' },
];

async function askReach({ recipients }: Record<string, unknown>) {
  const body = { recipients } as BodyOf<typeof documentNotices.reach>;
  const { total } = await send(documentNotices.reach, { body }, { quiet: true });
  return { title: `发给${body.recipients.all ? '全体' : ''} ${total} 人`, content: '发布后每人收到一条消息' };
}

/** The form of a notice, published at once or later. */
export function NewNotice({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp();
  return (
    <FormDrawer
      open
      onClose={onClose}
      title="发布公文通知"
      name="document-notice:new"
      call={documentNotices.publish}
      initial={{ recipients: { ...nobody, all: true }, top: false, need_receipt: false }}
      submit="发布通知"
      ask={askReach}
      fields={fields}
      onDone={() => void message.success('通知已发布')}
    />
  );
}
