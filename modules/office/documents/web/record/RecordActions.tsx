import { InboxOutlined, QrcodeOutlined } from '@ant-design/icons';
import { optionsOf } from '#kernel/contract/titles.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { documentArchive } from '../../contract/settings/archive.ts';
import { retentions } from '../../contract/archived.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { CodeDialog } from './CodeDialog.tsx';

const acts: Acts<DocumentDetail> = {
  qrcode: {
    label: '二维码',
    look: { icon: <QrcodeOutlined aria-hidden="true" /> },
    opens: ({ id }, close) => <CodeDialog id={id} onClose={close} />,
  },
  archive: {
    label: '归档',
    title: '归档',
    call: documentArchive.archive,
    look: { icon: <InboxOutlined aria-hidden="true" /> },
    initial: { retention: 1 },
    fields: [
      { name: 'retention', kind: 'select', options: optionsOf(retentions) },
      { name: 'archive_no', help: '归档之后公文只能查看，不能再修改、评论或作废' },
    ],
    done: '已归档，归档包正在生成',
  },
};

/** Actions on a document's record: its verification code, and archiving. */
export function RecordActions({ doc }: { doc: DocumentDetail }) {
  const { buttons, drawer } = useActs((key, { id }) => `document:${id}:${key}`, acts);
  return (
    <>
      {buttons(doc, doc.actions)}
      {drawer}
    </>
  );
}
