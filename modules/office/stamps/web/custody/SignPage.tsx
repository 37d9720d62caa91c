import { Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Signature } from '#modules/workflow/tickets/widgets.tsx';
import { custodyCalls, type Custody } from '../../contract/custody.ts';
import { custodyKind } from '../../contract/seal-codes.ts';
import { Pictures, pictures } from '../seals/StampForm.tsx';
import { Event } from './Chain.tsx';

const signs = (label: string, result: number): Act<Custody> => ({
  label,
  title: (event) => `${label}：${event.stamp_name}${custodyKind.label(event.kind)}`,
  call: custodyCalls.answer,
  look: { type: 'primary' },
  secret: true,
  also: { result },
  fields: (event) => [
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
  ],
});
const refuses = (label: string): Act<Custody> => ({
  label,
  title: (event) => `${label}“${event.stamp_name}”的${custodyKind.label(event.kind)}`,
  call: custodyCalls.answer,
  danger: true,
  only: [],
  also: { result: 2 },
});
const acts: Acts<Custody> = {
  accept: signs('签收', 1),
  witness: signs('见证', 3),
  decline: refuses('拒绝'),
  withdraw: refuses('撤销'),
};

/** Custody events that wait for my signature, and my own open proposals. */
export default function SignPage() {
  const { buttons, drawer } = useActs((_key, { id }) => `stamp:sign:${id}`, acts);
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
          <div className="kit-row">{buttons(row, row.actions)}</div>
        </article>
      ))}
      {drawer}
    </section>
  );
}
