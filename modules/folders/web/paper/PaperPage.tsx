import { Alert, Button } from 'antd';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { FileLinks } from '#modules/files/widgets.tsx';
import { Links } from '#modules/links/widgets.tsx';
import { Handling, TicketSide, useRecordTicket } from '#modules/tickets/widgets.tsx';
import { folders } from '../../contract.ts';
import { paperStatus, type PaperDetail } from '../../contract/rows.ts';
import { Marks, PaperStatus } from '../columns.tsx';
import { PaperApproval } from './PaperApproval.tsx';
import { Contents, PaperText } from './PaperText.tsx';
import { QuizDialog } from './QuizDialog.tsx';
import { Readers } from '../figures/Readers.tsx';
import { Versions } from './Versions.tsx';
import '../folders.css';

/** One paper to read: its text with contents, its files and versions, and what I may do with it. */
export default function PaperPage() {
  const id = Number(useParams()['id']);
  return <Reading key={id} id={id} />;
}

function Reading({ id }: { id: number }) {
  const client = useQueryClient();
  const { data: paper, error, refetch } = useCall(folders.paper, { params: { id } });
  // A paper in force has its approval behind it.
  const asked = paper?.status === paperStatus.draft ? paper.ticket_id : null;
  const { ticket, until, changed } = useRecordTicket(asked ?? 0, 'folder');
  const mine = useCall(
    folders.read,
    { query: { paper_id: id } },
    { enabled: paper !== undefined, staleTime: Infinity },
  );
  const toConfirm = mine.data?.to_confirm ?? false;
  return (
    <Handling
      key={ticket ? 'there' : 'coming'}
      ticket={ticket}
      changed={changed}
      onMoved={() => void client.invalidateQueries({ queryKey: ['folder'] })}
    >
      {({ actions, notice }) => (
        <DetailPage
          title={paper?.title ?? ''}
          sn={paper?.fwh ?? ''}
          status={paper && <PaperStatus {...paper} />}
          holder={paper && `${paper.dept_name} · ${paper.publish_date} 发布 · 第 ${paper.version_no} 版`}
          loading={!paper}
          error={paper && error?.code !== codes.absent ? undefined : error}
          retry={() => void refetch()}
          side={
            paper && (
              <>
                <Side paper={paper} />
                {ticket && <TicketSide ticket={ticket} until={until} />}
              </>
            )
          }
          actions={
            paper && (
              <>
                {actions}
                <Actions paper={paper} toConfirm={toConfirm} />
              </>
            )
          }
        >
          {notice}
          {paper && <Content paper={paper} confirmedAt={mine.data?.confirmed_at ?? null} />}
        </DetailPage>
      )}
    </Handling>
  );
}

function Content({ paper, confirmedAt }: { paper: PaperDetail; confirmedAt: string | null }) {
  return (
    <>
      <PaperApproval paper={paper} />
      <PaperState paper={paper} confirmedAt={confirmedAt} />
      <Outdated paper={paper} />
      {paper.file_info && (
        <section className="kit-panel" aria-label="正文文件">
          <FileLinks files={[paper.file_info]} />
        </section>
      )}
      {paper.content && <PaperText text={paper.content} />}
      {paper.attachments_info.length > 0 && (
        <section className="kit-panel" aria-label="附件">
          <h2>附件</h2>
          <FileLinks files={paper.attachments_info} />
        </section>
      )}
      <Links module="folders" id={paper.id} />
      {paper.actions.includes('readers') && <Readers paper={paper} />}
    </>
  );
}

/** What a reader has to know before relying on the text. */
function PaperState({ paper, confirmedAt }: { paper: PaperDetail; confirmedAt: string | null }) {
  const newest = paper.versions.find((one) => one.status === paperStatus.inForce && one.id !== paper.id);
  if (paper.status === paperStatus.repealed)
    return <Alert type="error" title={`本文件已于 ${paper.repeal_date} 废止：${paper.repeal_reason}`} />;
  if (paper.status === paperStatus.revised)
    return (
      <Alert
        type="warning"
        title="本文件已修订，不再执行"
        action={newest && <Link to={`/folder/detail/${newest.id}`}>查看现行版本</Link>}
      />
    );
  if (confirmedAt && paper.must_read) return <Alert type="success" title={`您已于 ${confirmedAt} 确认已读`} />;
  return null;
}

/** Papers that this one cites and that do not hold any more. */
function Outdated({ paper }: { paper: PaperDetail }) {
  if (paper.outdated.length === 0) return null;
  return (
    <Alert
      type="warning"
      title="正文引用的以下文件已修订或废止"
      description={
        <ul className="folder-outdated">
          {paper.outdated.map((one) => (
            <li key={one.id}>
              <Link to={`/folder/detail/${one.id}`}>{one.title}</Link> {one.fwh} <PaperStatus status={one.status} />
            </li>
          ))}
        </ul>
      }
    />
  );
}

function Side({ paper }: { paper: PaperDetail }) {
  return (
    <>
      <Contents text={paper.content} />
      <section className="kit-panel folder-side" aria-label="文件信息">
        <h2>文件信息</h2>
        <ul>
          <li>分类：{paper.category_name}</li>
          <li>生效日期：{paper.effective_date ?? paper.publish_date}</li>
          {paper.expire_date && <li>失效日期：{paper.expire_date}</li>}
          {paper.must_read && (
            <li>
              <Marks paper={paper} />
              {paper.read_deadline && `请于 ${paper.read_deadline} 前阅读`}
            </li>
          )}
          {paper.keywords && <li>关键词：{paper.keywords}</li>}
          <li className="kit-muted">
            {paper.read_count} 人阅读 · {paper.collect_count} 人收藏
          </li>
        </ul>
      </section>
      <Versions paper={paper} />
    </>
  );
}

const publishing = (paper: PaperDetail) => ({
  children: '发布文件',
  done: '文件已发布',
  confirm: {
    title: `发布“${paper.title}”`,
    content: paper.must_read ? '发布后正文不能再改，并通知范围内的人员阅读' : '发布后正文不能再改，修改请发布修订版',
  },
});
const sending = (paper: PaperDetail) => ({
  children: '提交发布审批',
  done: '已提交审批',
  confirm: { title: `提交“${paper.title}”审批`, content: '审批期间不能修改，通过后自动发布' },
});

function Actions({ paper, toConfirm }: { paper: PaperDetail; toConfirm: boolean }) {
  const [repealing, setRepealing] = useState(false);
  const may = (action: string) => paper.actions.includes(action);
  return (
    <>
      <CallButton
        call={folders.answer}
        asked={{ body: { paper_id: paper.id, confirm: true } }}
        code={null}
        allowed={toConfirm && paper.quiz.length === 0}
        type="primary"
        done="已确认"
      >
        确认已读
      </CallButton>
      {toConfirm && paper.quiz.length > 0 && <QuizDialog paper={paper} />}
      {paper.collect_id === null ? (
        <CallButton call={folders.collect} asked={{ body: { paper_id: paper.id } }} code={null}>
          收藏
        </CallButton>
      ) : (
        <CallButton call={folders.uncollect} asked={{ params: { id: paper.collect_id } }} code={null}>
          取消收藏
        </CallButton>
      )}
      <CallButton
        call={folders.updatePaper}
        asked={{ params: { id: paper.id }, body: { status: 1, version: paper.version } }}
        code={null}
        allowed={may('publish')}
        type="primary"
        invalidates={['folder', 'tickets']}
        {...(paper.needs_approval ? sending(paper) : publishing(paper))}
      />
      {may('repeal') && (
        <Button danger onClick={() => setRepealing(true)}>
          废止
        </Button>
      )}
      <FormDrawer
        open={repealing}
        onClose={() => setRepealing(false)}
        onDone={() => undefined}
        title={`废止“${paper.title}”`}
        name={`paper:repeal:${paper.id}`}
        call={folders.updatePaper}
        params={{ id: paper.id }}
        also={{ status: 3, version: paper.version }}
        submit="废止文件"
        fields={[
          { name: 'repeal_reason', label: '废止原因', kind: 'textarea' },
          { name: 'repeal_date', label: '废止日期', kind: 'date' },
        ]}
      />
    </>
  );
}
