import { App, Select } from 'antd';
import { useId } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { documents } from '../contract.ts';
import { documentSettings } from '../contract/settings.ts';
import type { DocumentDetail } from '../contract/shapes.ts';
import { docKind } from '../contract/shapes.ts';
import { AgencySelect } from './AgencySelect.tsx';

/** The agency code of a signed letter, and optionally a reserved number: chosen by its handler until it has its number. */
export function NumberChoice({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const id = useId();
  const { mutate, isPending } = useSend(documents.update, { onSuccess: () => void message.success('编号方式已保存') });
  const waits =
    doc.doc_kind === docKind.sending &&
    doc.body_sha256 !== null &&
    doc.doc_number === '' &&
    doc.actions.includes('edit');
  const { data } = useCall(documentSettings.agencies, {}, { enabled: waits });
  if (!waits) return null;
  const save = (body: object) => mutate({ params: { id: doc.id }, body: { ...body, version: doc.version } });
  const reserved = data?.value.find((one) => one.id === doc.number_rule_id)?.reserved ?? [];
  return (
    <section className="kit-panel" aria-label="登记编号">
      <label htmlFor={id}>机关代字</label>
      <AgencySelect
        control={{
          id,
          value: doc.number_rule_id,
          disabled: isPending,
          onChange: (value) => save({ number_rule_id: value as number | null }),
        }}
      />
      {(reserved.length > 0 || doc.reserved_no !== null) && (
        <>
          <label htmlFor={`${id}-reserved`}>预留号</label>
          <Select
            id={`${id}-reserved`}
            className="kit-wide"
            allowClear
            placeholder="不选则取下一个号"
            disabled={isPending}
            value={doc.reserved_no}
            options={reserved.map(({ seq, number }) => ({ value: seq, label: number }))}
            onChange={(seq: number | undefined) => save({ reserved_no: seq ?? null })}
          />
        </>
      )}
    </section>
  );
}
