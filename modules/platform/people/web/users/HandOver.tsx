import { Alert, App, Button, Checkbox, Modal, Skeleton } from 'antd';
import { useState } from 'react';
import { messageOf } from '#kernel/contract/call.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { leaving, type HeldKind } from '../../contract/leaves.ts';
import { PersonPicker } from '../picking/PersonPicker.tsx';

interface Props {
  person: { id: number; alias: string };
  onClose: () => void;
}
const shown = 10;

/** A leaver's things in all modules, and their recipient; the rest follows its own rules once the account is closed. */
export function HandOver({ person, onClose }: Props) {
  const params = { id: person.id };
  const { data, error, refetch } = useCall(leaving.open, { params });
  const [to, setTo] = useState<string | undefined>();
  const [kept, setKept] = useState<string[]>([]);
  const [left, setLeft] = useState<readonly string[]>([]);
  const { message } = App.useApp();
  const sending = useSend(leaving.handOver, {
    invalidates: ['accounts', 'tickets'],
    onSuccess: (reply) => {
      void message[reply.moved + reply.ended > 0 ? 'success' : 'warning'](messageOf(leaving.handOver, reply));
      setKept(reply.kept.map((one) => `${one.title}：${one.msg}`));
    },
  });
  const kinds = data?.value.filter((kind) => kind.count > 0) ?? [];
  const chosen = kinds.filter((kind) => !left.includes(kind.key));
  const count = chosen.reduce((sum, kind) => sum + kind.count, 0);
  const go = () =>
    to && sending.mutate({ params, body: { target_username: to, kinds: chosen.map((kind) => kind.key) } });
  return (
    <Modal
      open
      title={`移交“${person.alias}”的事项`}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          关闭
        </Button>,
        kinds.length > 0 && (
          <Button key="go" type="primary" disabled={!to || count === 0} loading={sending.isPending} onClick={go}>
            移交 {count} 项
          </Button>
        ),
      ]}
    >
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {kept.length > 0 && <Alert type="warning" title="以下事项未能移交" description={kept.join('；')} />}
      {data && kinds.length === 0 && <p>没有需要移交的事项。</p>}
      {kinds.length > 0 && (
        <div className="kit-stack">
          <p>
            停用账号前，可以把这些事项移交给指定的人，记录上会写明由谁移交；没有移交的工单，停用时按各流程的设置转交。
          </p>
          <label>
            接收人
            <PersonPicker value={to} onChange={setTo} />
          </label>
          {kinds.map((kind) => (
            <Kind
              key={kind.key}
              kind={kind}
              taken={!left.includes(kind.key)}
              take={(taken) => setLeft(taken ? left.filter((key) => key !== kind.key) : [...left, kind.key])}
            />
          ))}
        </div>
      )}
    </Modal>
  );
}

function Kind({ kind, taken, take }: { kind: HeldKind; taken: boolean; take: (taken: boolean) => void }) {
  const more = kind.count - shown;
  return (
    <section aria-label={kind.title}>
      <Checkbox checked={taken} onChange={(event) => take(event.target.checked)}>
        {kind.title} {kind.count} 项
      </Checkbox>
      <ul className="kit-lines">
        {kind.rows.slice(0, shown).map((row) => (
          <li key={row.id}>
            <span>{row.title}</span>
            <span className="kit-muted">{row.note}</span>
            <span className="kit-grow" />
            {row.at && <Moment at={row.at} />}
          </li>
        ))}
        {more > 0 && <li className="kit-muted">还有 {more} 项</li>}
      </ul>
    </section>
  );
}
