import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { moduleOf } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import { RecordForm } from '#modules/records/widgets.tsx';
import { tickets } from '#modules/tickets/contract.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { documents } from '../../contract.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { documentFields, valuesOf } from './fields.tsx';
import { useMeant } from '../useMeant.ts';

const handling: FormField[] = [
  { name: 'written_date', label: '成文日期', kind: 'date', group: '印发' },
  { name: 'print_org', label: '印发机关', group: '印发' },
  { name: 'print_date', label: '印发日期', kind: 'date', notBefore: 'written_date', group: '印发' },
  { name: 'print_copies', label: '印发份数', kind: 'number', group: '印发' },
  {
    name: 'lead_dept',
    label: '主办部门',
    group: '办理',
    render: (control) => (
      <DeptPicker {...control} value={control.value as number | null | undefined} onChange={control.onChange} />
    ),
  },
  { name: 'propose_opinion', label: '拟办意见', kind: 'textarea', group: '办理' },
  { name: 'leader_opinion', label: '领导批示', kind: 'textarea', group: '办理' },
  { name: 'handle_result', label: '办理结果', kind: 'textarea', group: '办理' },
];
const onceSigned = ['number_rule_id', 'redhead_id'];
const onItsWay = [...onceSigned, 'body_file', 'body_html', 'annotation', 'attachments', 'main_send', 'copy_send'];

/** Changes a document: all of it while it is with its author, what its handler may on its way. */
export function EditDocument({ doc, onClose }: { doc: DocumentDetail; onClose: () => void }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const { force, onRefused } = useMeant();
  const all = documentFields(doc.doc_kind, doc);
  const going = doc.act_state === actState.ongoing;
  const signed = doc.body_sha256 !== null;
  const open = signed ? onceSigned : onItsWay;
  const written = going ? all.filter((field) => open.includes(field.name)) : all;
  const rest = signed ? handling.filter((field) => field.name !== 'written_date') : handling;
  return (
    <RecordForm
      title="编辑公文"
      name={`document:${doc.id}`}
      call={documents.update}
      params={{ id: doc.id }}
      initial={valuesOf(doc)}
      also={{ version: doc.version, force }}
      onRefused={onRefused}
      submit="保存公文"
      invalidates={['document']}
      fields={going ? [...written, ...rest] : written}
      onCancel={onClose}
      onDone={async () => {
        // Saving moves its ticket: whoever goes on at once goes on from there.
        await client.invalidateQueries({ queryKey: [moduleOf(tickets.get)] });
        void message.success('公文已保存');
        onClose();
      }}
    />
  );
}
