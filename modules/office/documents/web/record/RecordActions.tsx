import { InboxOutlined, QrcodeOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useState } from 'react';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { optionsOf } from '#kernel/contract/titles.ts';
import { documentArchive } from '../../contract/settings/archive.ts';
import { retentions } from '../../contract/archived.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { CodeDialog } from './CodeDialog.tsx';

/** Actions on a document's record: its verification code, and archiving. */
export function RecordActions({ doc }: { doc: DocumentDetail }) {
  const { message } = App.useApp();
  const [open, setOpen] = useState<'code' | 'archive' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {doc.actions.includes('qrcode') && (
        <Button icon={<QrcodeOutlined aria-hidden="true" />} onClick={() => setOpen('code')}>
          二维码
        </Button>
      )}
      {doc.actions.includes('archive') && (
        <Button icon={<InboxOutlined aria-hidden="true" />} onClick={() => setOpen('archive')}>
          归档
        </Button>
      )}
      {open === 'code' && <CodeDialog id={doc.id} onClose={close} />}
      {open === 'archive' && (
        <FormDrawer
          open
          onClose={close}
          title="归档"
          name={`document:${doc.id}:archive`}
          call={documentArchive.archive}
          params={{ id: doc.id }}
          initial={{ retention: 1 }}
          submit="归档"
          fields={[
            {
              name: 'retention',
              kind: 'select',
              options: optionsOf(retentions),
            },
            { name: 'archive_no', help: '归档之后公文只能查看，不能再修改、评论或作废' },
          ]}
          onDone={() => void message.success('已归档，归档包正在生成')}
        />
      )}
    </>
  );
}
