import { AuditOutlined, FilePdfOutlined, PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { docKind } from '../../contract/shapes.ts';
import { LayoutCheck } from '../edit/LayoutCheck.tsx';
import { Paper } from './Paper.tsx';
import { sheetNames } from './ProcessingSheet.tsx';

const acts: Acts<DocumentDetail> = {
  paper: {
    label: '预览',
    offered: () => true,
    look: { icon: <FilePdfOutlined aria-hidden="true" /> },
    opens: (doc, close) => <Paper doc={doc} onClose={close} />,
  },
  check: {
    label: '格式检查',
    offered: (doc) => doc.inside && doc.doc_kind !== docKind.receiving,
    look: { icon: <AuditOutlined aria-hidden="true" /> },
    opens: (doc, close) => <LayoutCheck doc={doc} onClose={close} />,
  },
};

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
  const { buttons, drawer } = useActs('document', acts);
  return (
    <>
      {buttons(doc, [])}
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
      {drawer}
    </>
  );
}
