import { Segmented } from 'antd';
import { Suspense, useState } from 'react';
import { download } from '#kernel/web/client.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { documentLayout } from '../../contract/layout.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { sheetNames } from './ProcessingSheet.tsx';

/** The document as printed, and its processing sheet. */
export function Paper({ doc, onClose }: { doc: DocumentDetail; onClose: () => void }) {
  const hasText = doc.body_html !== '' || doc.body_file !== null;
  const [what, setWhat] = useState<'pdf' | 'sheet'>(hasText ? 'pdf' : 'sheet');
  const sheet = sheetNames[doc.doc_kind as 1];
  const name = [doc.doc_number || doc.receipt_no, doc.title].filter(Boolean).join(' ');
  return (
    <Suspense fallback={null}>
      <PdfDrawer
        title={what === 'pdf' ? name : `${sheet} ${name}`}
        about={`${what}:${doc.id}:${doc.version}:${doc.act_state}`}
        fetch={(signal) => download(documentLayout[what], { params: { id: doc.id } }, { signal, quiet: true })}
        choice={
          hasText && (
            <Segmented
              aria-label="显示"
              value={what}
              onChange={setWhat}
              options={[
                { value: 'pdf', label: '公文' },
                { value: 'sheet', label: sheet },
              ]}
            />
          )
        }
        onClose={onClose}
      />
    </Suspense>
  );
}
