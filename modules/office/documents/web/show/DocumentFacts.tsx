import { Alert, Descriptions, Skeleton } from 'antd';
import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { docKind, type DocumentDetail, publicity, secretLevel } from '../../contract/shapes.ts';
import { Due } from '../columns.tsx';

const ShownText = later(() => patiently(() => import('#kernel/web/kit/rich/ShownText.tsx')));
const names = (parties: readonly { name: string }[]) => parties.map((one) => one.name).join('、');

/** The content of a document, what is empty left out. */
export function DocumentFacts({ doc }: { doc: DocumentDetail }) {
  const facts: [string, string | number | null][] = [
    ['类型', doc.doc_kind_name],
    ['文种', doc.doc_type_name],
    ['类别', doc.category_name],
    ['发文字号', doc.doc_number],
    ['收文编号', doc.receipt_no],
    ['来文单位', doc.from_org],
    ['来文字号', doc.from_number],
    ['收文日期', doc.received_date],
    ['发文机关', doc.issue_org],
    ['联合发文机关', doc.joint_orgs.join('、')],
    ['主送', names(doc.main_send)],
    ['抄送', names(doc.copy_send)],
    ['签发人', doc.issuer_info?.alias ?? ''],
    ['联合机关签发人', doc.joint_issuers.join('、')],
    ['签发日期', doc.sign_date],
    ['成文日期', doc.written_date],
    ['紧急程度', doc.level_name],
    ['密级', doc.secret_level > secretLevel.none ? doc.secret_level_name : ''],
    ['公开属性', [publicity.label(doc.publicity), doc.publicity_reason].filter(Boolean).join('，')],
    ['联系人', [doc.contact_name, doc.contact_phone].filter(Boolean).join(' ')],
    [doc.doc_kind === docKind.receiving ? '协办部门' : '会签部门', names(doc.co_depts_info)],
    ['主办部门', doc.lead_dept_name],
    ['会签意见', doc.opinions.countersign],
    ['答复的公文', [doc.reply_to_info?.title, doc.reply_to_info?.number].filter(Boolean).join(' ')],
    ['附注', doc.annotation],
    ['印发', [doc.print_org, doc.print_date, doc.print_copies && `${doc.print_copies} 份`].filter(Boolean).join(' ')],
    ['拟办意见', doc.opinions.propose],
    ['领导批示', doc.opinions.decide],
    ['办理结果', doc.opinions.carry],
    ['答复情况', doc.answer_note],
  ];
  return (
    <>
      {doc.warnings.map((warning) => (
        <Alert key={warning} type="warning" title={warning} />
      ))}
      <section className="kit-panel" aria-label="公文要素">
        <Descriptions
          column={{ xs: 1, md: 2 }}
          items={[
            ...facts
              .filter(([, value]) => value !== null && value !== '')
              .map(([label, value]) => ({ key: label, label, children: value })),
            ...(doc.due_at
              ? [
                  {
                    key: 'due',
                    label: '办理时限',
                    children: (
                      <>
                        <Due row={doc} /> <Provisional inline day={doc.due_at} />
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </section>
      {doc.body_html && (
        <section className="kit-panel" aria-label="正文">
          <h2>正文</h2>
          <Suspense fallback={<Skeleton active />}>
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
