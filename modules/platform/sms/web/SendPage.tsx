import { Alert, App } from 'antd';
import { useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { send as ask } from '#kernel/web/client.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { AlumniFilter, AlumniPicker } from '#modules/platform/alumni/widgets.tsx';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { AudienceInput, useAddressee } from '#modules/platform/people/widgets.tsx';
import { sms } from '../contract.ts';
import { smsGroups } from '../contract/groups.ts';
import { GroupChoice } from './send/GroupChoice.tsx';
import { selectionOf, SendCount, SendSummary } from './send/SendCount.tsx';
import { TemplatePlaces } from './TemplatePlaces.tsx';
import { WaitingList } from './WaitingList.tsx';
import './sms.css';

type Sent = ReplyOf<typeof sms.send>;

/** Composes a text message: recipients, text, cost; beside it the batches that wait for approval. */
export default function SendPage() {
  const { message } = App.useApp();
  const [sent, setSent] = useState<Sent | null>(null);
  const [turn, setTurn] = useState(0);
  const addressee = useAddressee();
  const fields = useSendFields(addressee.known);
  const done = (reply: Sent) => {
    setSent(reply);
    setTurn(turn + 1);
    addressee.drop();
    void message.success(reply.confirm_token ? '已提交复核' : '短信已提交');
  };
  return (
    <DetailPage title="发送短信" side={<WaitingList />}>
      {sent && (
        <div ref={intoView}>
          <Result sent={sent} onClose={() => setSent(null)} />
        </div>
      )}
      <div className="kit-panel">
        <CallForm
          key={`${turn} ${addressee.id ?? ''}`}
          name="sms:new"
          call={sms.send}
          fields={fields}
          initial={addressee.id === undefined ? {} : { recipients: addressee.audience }}
          submit="发送短信"
          ask={askCost}
          onDone={done}
          extra={(values) => <SendSummary values={values} />}
        />
      </div>
    </DetailPage>
  );
}

/** Sent messages cannot be taken back, and cost money. */
async function askCost(body: Record<string, unknown>) {
  const { valid, segments_total, quota_left, needs_confirm } = await ask(
    sms.countLong,
    { body: selectionOf(body) },
    { quiet: true },
  );
  return {
    title: `${needs_confirm ? '提交复核：' : ''}发给 ${valid} 个号码，共 ${segments_total} 条`,
    content: `剩余额度 ${quota_left} 条。已经发出的不能收回。`,
  };
}

const intoView = (box: HTMLElement | null): void => {
  void box?.scrollIntoView({ block: 'nearest' });
};

function useSendFields(known: readonly PersonCard[]): FormField[] {
  const { data: templates = [] } = useCall(sms.usable, {});
  const { data: groups } = useCall(smsGroups.list, { query: groupsShown });
  const cards = [...known, ...(groups?.value ?? []).flatMap((group) => group.known)];
  const chosen = (values: Record<string, unknown>) => templates.find(({ id }) => id === values['template_id']);
  return [
    {
      name: 'group',
      label: '分组',
      group: '接收人',
      render: (control, values) => <GroupChoice {...control} groups={groups?.value ?? []} values={values} />,
    },
    {
      name: 'recipients',
      group: '接收人',
      render: (control) => <AudienceInput {...control} known={cards} />,
    },
    {
      name: 'alumnus_ids',
      group: '接收人',
      help: '只发给同意且未退订的校友，最多选 100 人，更多请按范围选择',
      render: (control) => <AlumniPicker {...control} />,
    },
    {
      name: 'alumnus_filter',
      group: '接收人',
      help: '只发给同意且未退订的校友',
      render: (control) => <AlumniFilter {...control} />,
    },
    {
      name: 'mobiles',
      group: '接收人',
      kind: 'textarea',
      help: '可一次粘贴多个，用空格、逗号或换行隔开',
    },
    {
      name: 'template_id',
      group: '内容',
      kind: 'select',
      help: '不选模板则自行填写内容',
      options: templates.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'params',
      group: '内容',
      when: (values) => (chosen(values)?.params.length ?? 0) > 0,
      render: (control, values) => <TemplatePlaces control={control} template={chosen(values)} />,
    },
    {
      name: 'content',
      group: '内容',
      kind: 'textarea',
      help: '签名自动添加；写 {name} 处换成接收人姓名',
      when: (values) => !values['template_id'],
    },
    {
      name: 'send_at',
      group: '内容',
      kind: 'datetime-local',
      help: '不填则立即发送；免打扰时段内的通知顺延',
    },
    { name: 'counted', label: '预计', group: '核对', render: (_control, values) => <SendCount values={values} /> },
  ];
}

const groupsShown = { per_page: 100 };
const skippedShown = 50;

function Result({ sent, onClose }: { sent: Sent; onClose: () => void }) {
  const what = `共 ${sent.total} 个号码、${sent.segments} 条`;
  const when = sent.send_at ? `，将于 ${sent.send_at} 发出` : '';
  return (
    <Alert
      type={sent.confirm_token ? 'warning' : 'success'}
      closable={{ onClose }}
      title={
        sent.confirm_token ? `${what}，超过 200 个号码，请另一位有发送权限的人员复核后发出` : `${what}已提交${when}`
      }
      description={
        sent.skipped_total > 0 && (
          <>
            <p>
              有 {sent.skipped_total} 个未发送{sent.skipped_total > skippedShown && `，列出前 ${skippedShown} 个`}：
            </p>
            <ul className="sms-skipped">
              {sent.skipped.slice(0, skippedShown).map((one, index) => (
                <li key={index}>
                  {one.name} {one.mobile}：{one.reason}
                </li>
              ))}
            </ul>
          </>
        )
      }
    />
  );
}
