import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { Links } from '#modules/links/widgets.tsx';
import { Handling, TicketSide, useRecordTicket } from '#modules/tickets/widgets.tsx';
import { documents } from '../contract.ts';
import { DocumentActions } from './show/DocumentActions.tsx';
import { DocumentFacts } from './show/DocumentFacts.tsx';
import { Colophon } from './edit/Colophon.tsx';
import { EditDocument } from './edit/EditDocument.tsx';
import { NumberChoice } from './NumberChoice.tsx';
import { Edits } from './record/Edits.tsx';
import { RecordActions } from './record/RecordActions.tsx';
import { RecordPanels } from './record/RecordPanels.tsx';
import { Revision } from './record/Revision.tsx';
import { PaperActions } from './show/PaperActions.tsx';
import { usePrinting } from './show/printing.ts';
import { ProcessingSheet } from './show/ProcessingSheet.tsx';
import './documents.css';

const FilesPanel = later(() => import('./files/FilesPanel.tsx'));

/** One document: its content, its way so far, and what I may do with it now. */
export default function DocumentPage() {
  const id = Number(useParams()['id']);
  return <Document key={id} id={id} />;
}

function Document({ id }: { id: number }) {
  const client = useQueryClient();
  const [editing, setEditing] = useState(false);
  const { data, error, refetch } = useCall(documents.get, { params: { id } }, { refetchOnWindowFocus: true });
  const doc = data?.value;
  const { ticket, until, changed } = useRecordTicket(doc?.ticket_id ?? 0, 'document');
  const { record, printing, print } = usePrinting(id, doc?.inside ?? false);
  const readAnew = () => void client.invalidateQueries({ queryKey: ['document'] });
  if (doc && editing) return <EditDocument doc={doc} onClose={() => setEditing(false)} />;
  return (
    <Handling key={ticket ? 'there' : 'coming'} ticket={ticket} changed={changed} onMoved={readAnew}>
      {({ form, actions, notice }) => (
        <DetailPage
          title={doc?.title ?? ''}
          sn={doc?.sn ?? ''}
          status={doc && <StatusTag code={doc.act_state} label={doc.act_state_name} />}
          holder={
            doc &&
            [
              doc.state_name,
              doc.participant_info.participant_alias && `等待 ${doc.participant_info.participant_alias}`,
              `${doc.creator_info.alias} 起草于 ${doc.gmt_created.slice(0, 16)}`,
            ]
              .filter(Boolean)
              .join(' · ')
          }
          loading={!doc}
          error={doc ? undefined : error}
          retry={() => void refetch()}
          side={ticket && <TicketSide ticket={ticket} until={until} />}
          actions={ticket && !doc?.archive && actions}
        >
          {notice}
          {doc && (
            <>
              <div className="kit-row">
                <DocumentActions doc={doc} />
                <RecordActions doc={doc} />
                <PaperActions doc={doc} printing={printing} onPrint={print} />
                {doc.actions.includes('edit') && <Button onClick={() => setEditing(true)}>编辑</Button>}
              </div>
              <NumberChoice doc={doc} />
              <Colophon doc={doc} />
              <Revision revision={doc.revision} />
              <DocumentFacts doc={doc} />
              {doc.inside && <Edits doc={doc} />}
              <Suspense fallback={null}>
                <FilesPanel doc={doc} />
              </Suspense>
              {doc.secret_level === 0 && <Links module="documents" id={doc.id} />}
              <RecordPanels doc={doc} />
            </>
          )}
          {doc?.inside && <ProcessingSheet doc={doc} record={record} />}
          {/* What the ticket alone knows of it is shown where there is something to fill in. */}
          {ticket?.transitions.some((one) => one.task_no !== null) && form}
        </DetailPage>
      )}
    </Handling>
  );
}
