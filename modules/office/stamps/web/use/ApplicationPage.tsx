import { Alert, Button, Descriptions, Modal, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useActs } from '#kernel/web/kit/press/acts.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { ApplicationDetail } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { fileKind, lineState, paperKind, recallText, slotText, usageType } from '../../contract/codes.ts';
import { applicationActs } from './acts.tsx';
import { ApplicationForm } from './ApplicationForm.tsx';
import { SealState, stateOf } from './columns.tsx';
import '../stamps.css';

/** One application: its files, the progress of each seal, the slip, its approval. */
export default function ApplicationPage() {
  const narrow = useNarrow();
  return (
    <RecordPage
      call={calls.get}
      of={(reply) => reply.value}
      module="stamps"
      list="/stamp/application"
      head={(row) => {
        const head = headOf(row);
        const { done, total } = row.progress;
        return {
          ...head,
          status: (
            <>
              {head.status}
              {row.act_state === actState.finished && <SealState status={row.seal_status} />}
              {total > 1 && (
                <span className="kit-muted">
                  用印 {done}/{total}
                </span>
              )}
            </>
          ),
        };
      }}
      side={(row) => !narrow && <Slip row={row} />}
      actions={(row) => <Actions row={row} />}
      form={(row, close) => <ApplicationForm kind="edit" id={row.id} onClose={close} />}
    >
      {(row, edit) => <Content row={row} edit={edit} />}
    </RecordPage>
  );
}

/** The code that the desk scans; on touch it fills the screen. */
function Slip({ row }: { row: ApplicationDetail }) {
  const [open, setOpen] = useState(false);
  if (
    !row.code ||
    row.act_state !== actState.finished ||
    !lineState.is(row.seal_status, lineState.ready, lineState.out)
  )
    return null;
  return (
    <section className="kit-panel stamp-slip" aria-label="用印凭条">
      <h2>用印凭条</h2>
      <button type="button" aria-label="放大二维码" onClick={() => setOpen(true)}>
        <img src={row.code_image} alt={`核验码 ${row.code}`} />
      </button>
      <span className="kit-muted">到保管人处出示{row.due_day && `，${row.due_day} 前有效`}</span>
      <Modal open={open} footer={null} onCancel={() => setOpen(false)} title={row.title} className="stamp-slip-large">
        <img src={row.code_image} alt={`核验码 ${row.code}`} />
        <p className="kit-muted">{row.code}　调高屏幕亮度便于扫描</p>
      </Modal>
    </section>
  );
}

function Content({ row, edit }: { row: ApplicationDetail; edit: () => void }) {
  // On a phone it is shown at the desk, so it comes first.
  const narrow = useNarrow();
  const approved = row.files.filter((file) => file.kind === paperKind.toSeal);
  const copies = row.files.filter((file) => file.kind === paperKind.copy);
  const blanks = approved.flatMap((file) => file.blanks ?? []);
  const trip =
    row.use_type === usageType.out &&
    `${row.borrow_start?.slice(0, 16)} 至 ${row.borrow_end?.slice(0, 16)}，${row.borrow_place}，${row.escort_info?.alias ?? ''}陪同`;
  const sourceLink = row.source_title && <Link to={row.source_path}>{row.source_title}</Link>;
  const refusedLink = row.again_of !== null && <Link to={`/stamp/detail/${row.again_of}`}>查看被拒绝的申请</Link>;
  const facts = factsOf(ApplicationDetail, {
    reason: row.reason,
    use_type: usageType.label(row.use_type),
    file_kind: fileKind.label(row.file_kind),
    copies: `${row.copies} 份${row.pages ? `，每份 ${row.pages} 页` : ''}${row.cross_page ? '，骑缝章' : ''}`,
    serial_from: { heading: '编号', shown: row.serial_from && `${row.serial_from} – ${row.serial_to}` },
    borrow_start: { heading: '外带', shown: trip },
    receiver: row.receiver,
    amount: row.amount !== null && `${moneyText(row.amount)} 元`,
    source_title: sourceLink,
    again_of: refusedLink,
    operator_info: row.operator_info.alias,
    recalls: row.recalls.map(recallText).join('；'),
  });
  return (
    <>
      {narrow && <Slip row={row} />}
      {row.late && <Alert type="error" showIcon title={`印章应于 ${row.back_at?.slice(0, 16)} 归还，已逾期`} />}
      <section className="kit-panel" aria-label="申请">
        <Descriptions size="small" column={{ xs: 1, md: 2 }} items={facts} />
        {row.actions.includes('edit') && <Button onClick={edit}>修改申请</Button>}
      </section>
      <section className="kit-panel" aria-label="用印文件">
        <h2>用印文件</h2>
        <FileLinks files={approved} />
        {approved.map((file) => (
          <span key={file.id} className="kit-muted stamp-sha">
            {file.pages !== null && `${file.pages} 页，`}校验值 {file.sha256.slice(0, 16)}
          </span>
        ))}
        {blanks.length > 0 && (
          <Alert type="warning" showIcon title={`第 ${blanks.map((one) => one.page).join('、')} 页有空白`} />
        )}
      </section>
      <section className="kit-panel" aria-label="印章">
        <h2>印章</h2>
        <ul className="stamp-lines">
          {row.lines.map((line) => {
            const loan = row.loans.find((one) => one.line_id === line.id);
            return (
              <li key={line.id}>
                <strong>{line.stamp_name}</strong>
                {line.pending_at ? <Tag color="warning">{stateOf(line)}</Tag> : <SealState status={line.state} />}
                <span className="kit-muted">
                  {[
                    line.pending_at && `登记于 ${line.pending_at.slice(0, 16)}`,
                    line.keeper && `${line.keeper.alias}保管`,
                    `每份 ${line.times} 次`,
                    slotText(line.day, line.part),
                    loan && `应于 ${loan.due_at.slice(0, 16)} 归还`,
                    loan?.extend_until && `申请延到 ${loan.extend_until.slice(0, 16)}：${loan.extend_reason}`,
                    line.done_at?.slice(0, 16),
                    line.reason,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
      {copies.length > 0 && (
        <section className="kit-panel" aria-label="留存件">
          <h2>留存件</h2>
          <FileLinks files={copies} />
        </section>
      )}
    </>
  );
}

function Actions({ row }: { row: ApplicationDetail }) {
  const { buttons, drawer } = useActs('stamp', applicationActs);
  return (
    <>
      {buttons(row, row.can)}
      {drawer}
    </>
  );
}
