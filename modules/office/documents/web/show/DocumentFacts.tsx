import { Alert, Descriptions, Skeleton } from 'antd';
import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { ComingPart } from '#kernel/web/live/together.ts';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { docKind, DocumentDetail, publicity, secretLevel } from '../../contract/shapes.ts';
import { Due } from '../columns.tsx';

const ShownText = later(() => patiently(() => import('#kernel/web/kit/rich/ShownText.tsx')));
const names = (parties: readonly { name: string }[]) => parties.map((one) => one.name).join('、');

/** The content of a document, without empty fields. */
export function DocumentFacts({ doc }: { doc: DocumentDetail }) {
  const facts = factsOf(DocumentDetail, {
    doc_kind_name: doc.doc_kind_name,
    doc_type_name: doc.doc_type_name,
    category_name: doc.category_name,
    doc_number: doc.doc_number,
    receipt_no: doc.receipt_no,
    from_org: doc.from_org,
    from_number: doc.from_number,
    received_date: doc.received_date,
    issue_org: doc.issue_org,
    joint_orgs: doc.joint_orgs.join('、'),
    main_send: names(doc.main_send),
    copy_send: names(doc.copy_send),
    issuer_info: doc.issuer_info?.alias,
    joint_issuers: doc.joint_issuers.join('、'),
    sign_date: doc.sign_date,
    written_date: doc.written_date,
    level_name: doc.level_name,
    secret_level_name: doc.secret_level > secretLevel.none && doc.secret_level_name,
    publicity: [publicity.label(doc.publicity), doc.publicity_reason].filter(Boolean).join('，'),
    contact_name: [doc.contact_name, doc.contact_phone].filter(Boolean).join(' '),
    co_depts_info:
      doc.doc_kind === docKind.receiving
        ? names(doc.co_depts_info)
        : { heading: '会签部门', shown: names(doc.co_depts_info) },
    lead_dept_name: doc.lead_dept_name,
    opinions: { heading: '会签意见', shown: doc.opinions.countersign },
    reply_to_info: [doc.reply_to_info?.title, doc.reply_to_info?.number].filter(Boolean).join(' '),
    annotation: doc.annotation,
    print_org: {
      heading: '印发',
      shown: [doc.print_org, doc.print_date, doc.print_copies && `${doc.print_copies} 份`].filter(Boolean).join(' '),
    },
    propose_opinion: doc.opinions.propose,
    leader_opinion: doc.opinions.decide,
    handle_result: doc.opinions.carry,
    answer_note: doc.answer_note,
    due_at: doc.due_at && (
      <>
        <Due row={doc} /> <Provisional inline day={doc.due_at} />
      </>
    ),
  });
  return (
    <>
      {doc.warnings.map((warning) => (
        <Alert key={warning} type="warning" title={warning} />
      ))}
      <section className="kit-panel" aria-label="公文要素">
        <Descriptions column={{ xs: 1, md: 2 }} items={facts} />
      </section>
      {doc.body_html && (
        <section className="kit-panel" aria-label="正文">
          <h2>正文</h2>
          <Suspense
            fallback={
              <ComingPart>
                <Skeleton active />
              </ComingPart>
            }
          >
            <ShownText html={doc.body_html} />
          </Suspense>
        </section>
      )}
      {doc.final_file && (
        <section className="kit-panel" aria-label="成品文件">
          <h2>成品文件</h2>
          <FileLinks files={[doc.final_file]} />
        </section>
      )}
    </>
  );
}
