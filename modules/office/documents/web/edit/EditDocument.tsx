import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { moduleOf } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { documents } from '../../contract.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { docKind } from '../../contract/shapes.ts';
import { useDocumentFields, valuesOf } from './fields.tsx';
import { useMeant } from '../useMeant.ts';

const printing: FormField[] = [
  { name: 'written_date', kind: 'date', group: '印发' },
  { name: 'print_org', group: '印发' },
  { name: 'print_date', kind: 'date', notBefore: 'written_date', group: '印发' },
  { name: 'print_copies', kind: 'number', group: '印发' },
];
/** Opinions on paper, entered beside those given here. */
const noted: FormField[] = [
  { name: 'propose_opinion', kind: 'textarea', group: '纸面意见' },
  { name: 'leader_opinion', kind: 'textarea', group: '纸面意见' },
  { name: 'handle_result', kind: 'textarea', group: '纸面意见' },
].map((field) => ({ ...field, kind: 'textarea' as const, help: '办理中填写的意见自动列入处理单，这里只补录纸面上的' }));
const handling: Readonly<Record<number, FormField[]>> = { 1: printing, 2: noted, 3: noted.slice(1) };
const onceSigned = ['number_rule_id', 'redhead_id'];
const onItsWay = [
  ...onceSigned,
  'body_file',
  'body_html',
  'annotation',
  'attachments',
  'main_send',
  'copy_send',
  'publicity',
  'publicity_reason',
];
/** Fields of an incoming letter that only registrars change. */
const asReceived = ['body_file', 'body_html'];

/** Changes a document: all fields while it is with its author, the open ones in review. */
export function EditDocument({ doc, onClose }: { doc: DocumentDetail; onClose: () => void }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const { force, onRefused } = useMeant();
  const all = useDocumentFields(doc.doc_kind, doc);
  const going = doc.act_state === actState.ongoing;
  const signed = doc.body_sha256 !== null;
  const open = (signed ? onceSigned : onItsWay).filter(
    (name) => doc.doc_kind !== docKind.receiving || doc.actions.includes('edit_received') || !asReceived.includes(name),
  );
  const unnumbered = doc.doc_number === '' ? all : all.filter((field) => field.name !== 'number_rule_id');
  const written = going ? unnumbered.filter((field) => open.includes(field.name)) : unnumbered;
  const rest = handling[doc.doc_kind]!.filter((field) => !signed || field.name !== 'written_date');
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
        // Saving changes its ticket's version, so the ticket is reloaded for the next action.
        await client.invalidateQueries({ queryKey: [moduleOf(tickets.get)] });
        void message.success('公文已保存');
        onClose();
      }}
    />
  );
}
