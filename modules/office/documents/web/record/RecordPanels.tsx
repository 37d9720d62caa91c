import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import type { Answering, DocumentDetail } from '../../contract/shapes.ts';
import { HandlingRecord } from './HandlingRecord.tsx';

/** The records of a document besides its text: archive, answers, handling. */
export function RecordPanels({ doc, children }: { doc: DocumentDetail; children: ReactNode }) {
  const { archive } = doc;
  return (
    <>
      {archive && (
        <section className="kit-panel" aria-label="归档">
          <h2>已归档</h2>
          <p>
            档号 {archive.archive_no} · 保管期限 {archive.retention_name} · {archive.archived_by} 归档于{' '}
            <Moment at={archive.archived_at} />
          </p>
          {archive.package && <FileLinks files={[archive.package]} />}
          {!archive.ready && <p className="kit-muted">归档包正在生成，请稍后刷新</p>}
        </section>
      )}
      {doc.replies.length > 0 && (
        <section className="kit-panel" aria-label="答复">
          <h2>答复</h2>
          <ul className="document-chain">
            {doc.replies.map((one) => (
              <Answer key={one.id} one={one} />
            ))}
          </ul>
          {doc.more_replies && <p className="kit-muted">只显示最近的 {doc.replies.length} 份答复</p>}
        </section>
      )}
      {children}
      {doc.submitted_at && doc.inside && <HandlingRecord doc={doc} />}
    </>
  );
}

function Answer({ one }: { one: Answering }) {
  const name = (
    <>
      {one.title}
      {one.number && `（${one.number}）`}
    </>
  );
  return (
    <li>
      <span className="kit-muted">{one.doc_type_name}</span>{' '}
      {one.opens ? <Link to={`/document/detail/${one.id}`}>{name}</Link> : <>{name}，已登记，可向登记部门查阅</>}
    </li>
  );
}
