import { Alert } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { documentFiles } from '../../contract/files/files.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { FileRow } from './FileRow.tsx';
import './files.css';

/** The body file and attachments of a document, with versions, present editors and actions. */
export default function FilesPanel({ doc }: { doc: DocumentDetail }) {
  const asked = { query: { document_id: doc.id } };
  const { data } = useCall(documentFiles.attachments, asked, { refetchOnWindowFocus: true });
  const urls = useCall(accounts.urls, {}, { staleTime: 300_000 });
  if (!data || data.total === 0) return null;
  return (
    <section className="kit-panel" aria-label="附件与版本">
      <h2>附件与版本</h2>
      {doc.attachment_note && <p>{doc.attachment_note}</p>}
      {data.changed_since_signing && <Alert type="warning" showIcon title="签发之后有修改，须由原签发人复审" />}
      <ul className="document-files">
        {data.value.map((file) => (
          <FileRow key={file.id} file={file} online={Boolean(urls.data?.wopi_url)} />
        ))}
      </ul>
    </section>
  );
}
