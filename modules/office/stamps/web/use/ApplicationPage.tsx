import { Alert, Button, Descriptions, Modal, Tag } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { download } from '#kernel/web/client.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { FileLinks, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { ApplicationDetail } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { fileKind, lineState, paperKind, recallText, slotText, usageType } from '../../contract/codes.ts';
import { ApplicationForm } from './ApplicationForm.tsx';
import { SealState, stateOf } from './columns.tsx';
import { Appointing } from './Appointing.tsx';
import { AskSecond, ConfirmDrawer, CopyDrawer, TakeBackDrawer } from './drawers.tsx';
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

const atDesk = ['seal', 'hand_over', 'return'];
type Opened = 'cancel' | 'copy' | 'take_back' | 'extend' | 'decide_extend' | 'confirm' | 'appoint' | 'sheet';

function Actions({ row }: { row: ApplicationDetail }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const to = useNavigate();
  const may = (action: string) => row.can.includes(action);
  const toConfirm = row.lines.some((line) => line.actions.includes('confirm'));
  const button = (action: Opened, label: string, primary = false) => (
    <Button type={primary ? 'primary' : 'default'} onClick={() => setOpened(action)}>
      {label}
    </Button>
  );
  const away = row.loans.filter((loan) => loan.returned_at === null);
  const asked = away.find((loan) => loan.extend_until !== null);
  const stampOf = (loan: (typeof away)[number]) => row.lines.find((line) => line.id === loan.line_id)!.stamp_id;
  const drawer = { onClose: () => setOpened(null), onDone: () => setOpened(null), params: { id: row.id } };
  const later: FormField = { name: 'until', kind: 'datetime-local' };
  return (
    <>
      {toConfirm && button('confirm', '监印确认', true)}
      <AskSecond row={row} />
      {row.lines.some((line) => line.actions.some((one) => atDesk.includes(one))) && (
        <WithCode code="Retrieve">
          <Button type="primary" onClick={() => to(`/stamp/desk?id=${row.id}`)}>
            去办理
          </Button>
        </WithCode>
      )}
      {may('appoint') && button('appoint', row.lines.some((line) => line.day) ? '改约' : '预约')}
      {may('copy') && button('copy', '交存扫描件', row.copy_at === null)}
      {may('take_back') && button('take_back', '登记收回')}
      {may('extend') && button('extend', '申请延期')}
      {may('decide_extend') && button('decide_extend', '决定延期', true)}
      {may('sheet') && button('sheet', '打印审批单')}
      {may('apply_again') && <Button onClick={() => to(`/stamp/application?again=${row.id}`)}>以此重新申请</Button>}
      {may('cancel') && button('cancel', '不再用印')}
      {opened === 'appoint' && <Appointing row={row} onClose={() => setOpened(null)} />}
      {opened === 'sheet' && (
        <PdfDrawer
          title={`审批单：${row.title}`}
          about={`${row.id}:${row.version}`}
          fetch={(signal) => download(calls.sheet, { params: { id: row.id } }, { signal, quiet: true })}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'confirm' && <ConfirmDrawer row={row} onClose={() => setOpened(null)} />}
      {opened === 'take_back' && <TakeBackDrawer row={row} onClose={() => setOpened(null)} />}
      {opened === 'copy' && <CopyDrawer row={row} onClose={() => setOpened(null)} />}
      <FormDrawer
        {...drawer}
        open={opened === 'cancel'}
        title="不再用印"
        name={`stamp:cancel:${row.id}`}
        call={calls.cancel}
        submit="取消用印"
        fields={[{ name: 'reason', kind: 'textarea' }]}
      />
      <FormDrawer
        {...drawer}
        open={opened === 'extend'}
        title="申请延长外带"
        name={`stamp:extend:${row.id}`}
        call={calls.extend}
        initial={away[0] ? { stamp_id: stampOf(away[0]) } : {}}
        submit="提出延期"
        fields={[
          {
            name: 'stamp_id',
            kind: 'select',
            options: away.map((loan) => ({ value: stampOf(loan), label: loan.stamp_name })),
          },
          later,
          { name: 'reason', kind: 'textarea' },
        ]}
      />
      <FormDrawer
        {...drawer}
        open={opened === 'decide_extend'}
        title={`${asked?.stamp_name ?? ''}：决定延期`}
        name={`stamp:decide:${row.id}`}
        call={calls.decideExtension}
        also={asked ? { stamp_id: stampOf(asked) } : {}}
        initial={{ result: 1, until: asked?.extend_until?.slice(0, 16).replace(' ', 'T') }}
        submit="决定"
        fields={[
          {
            name: 'result',
            kind: 'select',
            options: [
              { value: 1, label: '同意延期' },
              { value: 2, label: '不同意' },
            ],
          },
          { ...later, when: (values) => values['result'] === 1 },
          { name: 'opinion', kind: 'textarea' },
        ]}
      />
    </>
  );
}
