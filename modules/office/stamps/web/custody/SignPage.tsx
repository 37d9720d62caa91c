import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Signature } from '#modules/workflow/tickets/widgets.tsx';
import { custodyCalls, type Custody } from '../../contract/custody.ts';
import { custodyKind } from '../../contract/seal-codes.ts';
import { Pictures, pictures } from '../seals/StampForm.tsx';
import { Event } from './Chain.tsx';

/** Custody events that wait for my signature, and my own open proposals. */
export default function SignPage() {
  const [signing, setSigning] = useState<Custody | null>(null);
  const { data, error, refetch } = useCall(custodyCalls.custody, { query: { mine: true } });
  const rows = data?.value ?? [];
  return (
    <section className="kit-list" aria-label="印章签收">
      <header className="kit-list-head">
        <h1>印章签收</h1>
        <p className="kit-muted">核对印章实物后签名；签名后才生效，并记入保管记录</p>
      </header>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active className="kit-panel" />}
      {data && rows.length === 0 && <EmptyState why="没有等待签收或见证的印章" />}
      {rows.map((row) => (
        <article key={row.id} className="kit-panel kit-stack">
          <h2 style={{ margin: 0 }}>{row.stamp_name}</h2>
          <Event event={row} />
          <div className="kit-row">
            {(row.actions.includes('accept') || row.actions.includes('witness')) && (
              <Button type="primary" onClick={() => setSigning(row)}>
                {row.actions.includes('accept') ? '签收' : '见证'}
              </Button>
            )}
            {(['decline', 'withdraw'] as const).map((act) => (
              <CallButton
                key={act}
                call={custodyCalls.answer}
                asked={{ params: { id: row.id }, body: { result: 2 } }}
                allowed={row.actions.includes(act)}
                danger
                confirm={{
                  title: `${act === 'decline' ? '拒绝' : '撤销'}“${row.stamp_name}”的${custodyKind.label(row.kind)}`,
                }}
              >
                {act === 'decline' ? '拒绝' : '撤销'}
              </CallButton>
            ))}
          </div>
        </article>
      ))}
      {signing && <Signing event={signing} onClose={() => setSigning(null)} />}
    </section>
  );
}

function Signing({ event, onClose }: { event: Custody; onClose: () => void }) {
  const takes = event.actions.includes('accept');
  const act = takes ? '签收' : '见证';
  return (
    <FormDrawer
      open
      secret
      onClose={onClose}
      onDone={() => undefined}
      title={`${act}：${event.stamp_name}${custodyKind.label(event.kind)}`}
      name={`stamp:sign:${event.id}`}
      call={custodyCalls.answer}
      params={{ id: event.id }}
      also={{ result: takes ? 1 : 3 }}
      fields={[
        ...(event.kind === custodyKind.handOver
          ? [
              {
                name: 'files',
                help: '接收时盖在白纸上拍照，与移交时的照片一同存档',
                render: (control: Parameters<typeof Pictures>[0]['control']) => <Pictures control={control} />,
              },
            ]
          : []),
        {
          name: 'signature',
          render: ({ value, onChange }) => (
            <Signature module={pictures} signed={value !== undefined} onSigned={(file) => onChange?.(file)} />
          ),
        },
        {
          name: 'password',
          kind: 'password' as const,
          autoComplete: 'current-password',
          help: '没有手写签名的，用密码证明是本人',
        },
      ]}
      submit={act}
    />
  );
}
