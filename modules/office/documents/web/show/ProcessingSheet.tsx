import { OpinionTable } from '#modules/workflow/tickets/widgets.tsx';
import type { DocumentRecord } from '../../contract/records.ts';
import { handlingState } from '../../contract/records.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { docKind, secretLevel } from '../../contract/shapes.ts';

export const sheetNames = { 1: '发文稿纸', 2: '文件处理单', 3: '签报单' } as const;
const names = (parties: readonly { name: string }[]) => parties.map((one) => one.name).join('、');
type Fact = [label: string, value: string | number | null];

function factsOf(doc: DocumentDetail): { pairs: Fact[]; wide: Fact[] } {
  const secrecy = doc.secret_level > secretLevel.none ? `${doc.secret_level_name} ${doc.secret_period}` : '无';
  const author = [doc.creator_info.alias, doc.dept_name].filter(Boolean).join(' ');
  const attachments: Fact = ['附件', doc.attachments.map((file) => file.name).join('\n')];
  if (doc.doc_kind === docKind.receiving)
    return {
      pairs: [
        ['收文编号', doc.receipt_no],
        ['收文日期', doc.received_date],
        ['来文单位', doc.from_org],
        ['来文字号', doc.from_number],
        ['紧急程度', doc.level_name],
        ['密级', secrecy],
        ['份数', doc.from_copies],
        ['主办部门', doc.lead_dept_name],
      ],
      wide: [
        ['协办部门', names(doc.co_depts_info)],
        attachments,
        ['拟办意见', doc.opinions.propose],
        ['领导批示', doc.opinions.decide],
        ['办理结果', doc.opinions.carry],
      ],
    };
  const common: Fact[] = [
    ['拟稿', author],
    ['紧急程度', doc.level_name],
  ];
  const rest: Fact[] = [
    ['会签部门', names(doc.co_depts_info)],
    ...(doc.opinions.countersign ? [['会签意见', doc.opinions.countersign] as Fact] : []),
    attachments,
  ];
  if (doc.doc_kind === docKind.memo) return { pairs: common, wide: rest };
  return {
    pairs: [
      ['发文字号', doc.doc_number],
      ['文种', doc.doc_type_name],
      ...common,
      ['密级', secrecy],
      ['签发日期', doc.sign_date],
      ['成文日期', doc.written_date],
      ['印发', [doc.print_org, doc.print_date, doc.print_copies && `${doc.print_copies} 份`].filter(Boolean).join(' ')],
    ],
    wide: [
      ['发文机关', [doc.issue_org, ...doc.joint_orgs].join('、')],
      ['主送', names(doc.main_send)],
      ['抄送', names(doc.copy_send)],
      ...rest,
    ],
  };
}

interface Props {
  doc: DocumentDetail;
  /** The whole handling record, set when it is printed. */
  record: readonly DocumentRecord[] | undefined;
}

/** 发文稿纸, 文件处理单 or 签报单 as an A4 form with all opinions. Visible only in print. */
export function ProcessingSheet({ doc, record }: Props) {
  const opinions = (record ?? [])
    .filter((one) => one.status === handlingState.handled)
    .map((one) => ({
      id: one.id,
      state: one.state_name,
      who: one.agent_alias ? `${one.agent_alias}（代 ${one.participant_alias}）` : one.participant_alias,
      did: one.transition_name,
      words: one.suggestion,
      at: (one.handled_at ?? '').slice(0, 16),
      signature: one.signature,
      files: one.attachments.map(({ name }) => name),
    }));
  const { pairs, wide } = factsOf(doc);
  const rows = Array.from({ length: Math.ceil(pairs.length / 2) }, (_, row) => pairs.slice(row * 2, row * 2 + 2));
  return (
    <section className="ticket-sheet" aria-hidden="true">
      <h1>{sheetNames[doc.doc_kind as 1]}</h1>
      <p className="ticket-sheet-line">
        <span>流水号：{doc.sn}</span>
        <span>状态：{doc.act_state_name}</span>
      </p>
      <table>
        <tbody>
          <tr>
            <th scope="row">标题</th>
            <td colSpan={3}>{doc.title}</td>
          </tr>
          {rows.map((row) => (
            <tr key={row[0]![0]}>
              {row.map(([label, value]) => [
                <th key={label} scope="row">
                  {label}
                </th>,
                <td key={`${label}:value`} colSpan={row.length === 1 ? 3 : 1}>
                  {value}
                </td>,
              ])}
            </tr>
          ))}
          {wide.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td colSpan={3} className="ticket-sheet-words">
                {value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {record ? <OpinionTable opinions={opinions} /> : <p>办理意见没有载入，请点“打印审批单”再打印</p>}
    </section>
  );
}
