import { App } from 'antd';
import { useId } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { documents } from '../contract.ts';
import type { DocumentDetail } from '../contract/shapes.ts';
import { AgencySelect } from './AgencySelect.tsx';

/** By which agency code a signed letter is numbered: chosen here by whoever has it, until it has its number. */
export function NumberChoice({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const id = useId();
  const { mutate, isPending } = useSend(documents.update, { onSuccess: () => void message.success('机关代字已保存') });
  const waits = doc.doc_kind === 1 && doc.body_sha256 !== null && doc.doc_number === '';
  if (!waits || !doc.actions.includes('edit')) return null;
  const choose = (value: unknown) =>
    mutate({ params: { id: doc.id }, body: { number_rule_id: value as number | null, version: doc.version } });
  return (
    <section className="kit-panel" aria-label="登记编号">
      <label htmlFor={id}>机关代字</label>
      <AgencySelect control={{ id, value: doc.number_rule_id, disabled: isPending, onChange: choose }} />
    </section>
  );
}
