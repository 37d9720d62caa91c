import { Button, Tag } from 'antd';
import { Suspense, type ReactNode } from 'react';
import { later } from '#kernel/web/later.tsx';
import { ComingPart } from '#kernel/web/live/together.ts';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { Links } from '#modules/platform/links/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { ApplySeal, Sealed } from '#modules/office/stamps/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { documents } from '../contract.ts';
import type { DocumentDetail } from '../contract/shapes.ts';
import { docKind, secretLevel } from '../contract/shapes.ts';
import { DocumentActions } from './show/DocumentActions.tsx';
import { DocumentFacts } from './show/DocumentFacts.tsx';
import { Colophon } from './edit/Colophon.tsx';
import { EditDocument } from './edit/EditDocument.tsx';
import { NumberChoice } from './NumberChoice.tsx';
import { Marks } from './marks/Marks.tsx';
import { Edits } from './record/Edits.tsx';
import { LastEdits } from './record/LastEdits.tsx';
import { RecordActions } from './record/RecordActions.tsx';
import { RecordPanels } from './record/RecordPanels.tsx';
import { Revision } from './record/Revision.tsx';
import { PaperActions } from './show/PaperActions.tsx';
import { usePrinting } from './show/printing.ts';
import { ProcessingSheet } from './show/ProcessingSheet.tsx';
import './documents.css';

const FilesPanel = later(() => import('./files/FilesPanel.tsx'));

/** Additions of other modules to the page. */
interface Added {
  /** Shown beside its own buttons. */
  actions(doc: DocumentDetail): ReactNode;
  /** Shown above the handling record. */
  panels(doc: DocumentDetail): ReactNode;
}

/** One document: content, history and actions. */
export function DocumentPage(added: Added) {
  return (
    <RecordPage<typeof documents.get, DocumentDetail>
      call={documents.get}
      of={({ value }) => value}
      module="documents"
      list="/document/list"
      // Named by its own number, on the tab too; before that, by its ticket's.
      head={(doc) => ({
        ...headOf(doc),
        sn: doc.doc_number || doc.receipt_no || doc.sn,
        ...(doc.unanswered && { status: <Tag color="error">{doc.act_state_name}</Tag> }),
      })}
      offers={(doc) => !doc.archive}
      actions={(doc) => isNumbered(doc) && <ApplySeal module="documents" id={doc.id} />}
      form={(doc, close) => <EditDocument doc={doc} onClose={close} />}
      // Secret documents have no links; those of others are shown above the panels.
      linked={() => false}
    >
      {(doc, edit) => <Content doc={doc} edit={edit} added={added} />}
    </RecordPage>
  );
}

const isNumbered = (doc: DocumentDetail) => doc.inside && doc.doc_number !== '' && doc.doc_kind === docKind.sending;

function Content({ doc, edit, added }: { doc: DocumentDetail; edit: () => void; added: Added }) {
  const { record, printing, print } = usePrinting(doc.id, doc.inside);
  return (
    <>
      <div className="kit-row">
        <DocumentActions doc={doc} />
        {added.actions(doc)}
        <RecordActions doc={doc} />
        <PaperActions doc={doc} printing={printing} onPrint={print} />
        {doc.inside && doc.act_state !== actState.draft && doc.secret_level === secretLevel.none && (
          <MatterButtons
            source={{ module: 'documents', id: doc.id }}
            title={doc.title}
            content={doc.summary || doc.title}
          />
        )}
        {doc.actions.includes('edit') && <Button onClick={edit}>编辑</Button>}
      </div>
      <NumberChoice doc={doc} />
      <Colophon doc={doc} />
      <Revision revision={doc.revision} />
      {doc.inside && doc.act_state === actState.ongoing && <LastEdits doc={doc} />}
      <DocumentFacts doc={doc} />
      {doc.inside && <Edits doc={doc} />}
      {doc.inside && doc.act_state !== actState.draft && <Marks doc={doc} />}
      <Suspense fallback={<ComingPart />}>
        <FilesPanel doc={doc} />
      </Suspense>
      {doc.secret_level === secretLevel.none && <Links module="documents" id={doc.id} />}
      {isNumbered(doc) && <Sealed module="documents" id={doc.id} />}
      <RecordPanels doc={doc}>{added.panels(doc)}</RecordPanels>
      {doc.inside && <ProcessingSheet doc={doc} record={record} />}
    </>
  );
}
