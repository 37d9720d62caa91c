import { AuditOutlined, FilePdfOutlined, PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { docKind } from '../../contract/shapes.ts';
import { LayoutCheck } from '../edit/LayoutCheck.tsx';
import { Paper } from './Paper.tsx';
import { sheetNames } from './ProcessingSheet.tsx';

/** The document on paper: preview, print with opinions, layout check. */
export function PaperActions({
  doc,
  printing,
  onPrint,
}: {
  doc: DocumentDetail;
  printing: boolean;
  onPrint: () => void;
}) {
  const [open, setOpen] = useState<'paper' | 'check' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button icon={<FilePdfOutlined aria-hidden="true" />} onClick={() => setOpen('paper')}>
        预览
      </Button>
      {doc.inside && doc.doc_kind !== docKind.receiving && (
        <Button icon={<AuditOutlined aria-hidden="true" />} onClick={() => setOpen('check')}>
          格式检查
        </Button>
      )}
      {doc.inside && (
        <Button
          icon={<PrinterOutlined aria-hidden="true" />}
          title={`打印${sheetNames[doc.doc_kind as 1]}`}
          loading={printing}
          onClick={onPrint}
        >
          打印审批单
        </Button>
      )}
      {open === 'paper' && <Paper doc={doc} onClose={close} />}
      {open === 'check' && <LayoutCheck doc={doc} onClose={close} />}
    </>
  );
}
