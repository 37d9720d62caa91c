import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ReadingText } from '#kernel/web/kit/reading/ReadingText.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { RecordPage } from '#modules/workflow/records/widgets.tsx';
import { folders } from '../../contract.ts';
import { paperStatus } from '../../contract/list.ts';
import type { PaperDetail } from '../../contract/papers.ts';
import { paperForms, PaperStatus } from '../columns.tsx';
import { PaperForm } from '../edit/PaperForm.tsx';
import { Outdated, PaperState, Side } from './PaperFacts.tsx';
import { QuizDialog } from './QuizDialog.tsx';
import { Readers } from './Readers.tsx';
import '../folders.css';

/** One paper to read: its text with contents, files, versions and actions. */
export default function PaperPage() {
  return (
    <RecordPage
      call={folders.paper}
      of={(paper) => paper}
      module="folders"
      list="/folder/papers"
      // A paper in force has passed its approval.
      ticketOf={(paper) => (paper.status === paperStatus.draft ? paper.ticket_id : null)}
      head={(paper) => ({
        title: paper.title,
        sn: paper.fwh,
        status: <PaperStatus {...paper} />,
        holder: `${paper.dept_name} · ${paper.publish_date} 发布 · 第 ${paper.version_no} 版`,
      })}
      side={(paper) => <Side paper={paper} />}
      opens={paperForms}
      form={({ id }, close, kind) => <PaperForm kind={kind as 'update'} id={id} onClose={close} />}
      actions={(paper) => <Actions paper={paper} />}
      below={(paper) => paper.actions.includes('readers') && <Readers paper={paper} />}
    >
      {(paper) => <Content paper={paper} />}
    </RecordPage>
  );
}

/** Opening a paper records the reading; once while its page is open. */
const useReading = ({ id }: PaperDetail) =>
  useCall(folders.read, { query: { paper_id: id } }, { staleTime: Infinity }).data;

function Content({ paper }: { paper: PaperDetail }) {
  const reading = useReading(paper);
  return (
    <>
      <PaperState paper={paper} confirmedAt={reading?.confirmed_at ?? null} />
      <Outdated paper={paper} />
      {paper.file_info && (
        <section className="kit-panel" aria-label="正文文件">
          <FileLinks files={[paper.file_info]} />
        </section>
      )}
      {paper.content && <ReadingText text={paper.content} />}
      {paper.attachments_info.length > 0 && (
        <section className="kit-panel" aria-label="附件">
          <h2>附件</h2>
          <FileLinks files={paper.attachments_info} />
        </section>
      )}
    </>
  );
}

const acts: Acts<PaperDetail> = {
  answer: {
    label: '确认已读',
    call: folders.answer,
    look: { type: 'primary' },
    also: ({ id }) => ({ paper_id: id, confirm: true }),
    atOnce: true,
    done: '已确认',
  },
  publish: {
    label: (paper) => (paper.needs_approval ? '提交发布审批' : '发布文件'),
    title: ({ title, needs_approval }) => (needs_approval ? `提交“${title}”审批` : `发布“${title}”`),
    call: folders.updatePaper,
    look: { type: 'primary' },
    only: [],
    also: ({ version }) => ({ status: paperStatus.inForce, version }),
    confirm: ({ needs_approval, must_read }) =>
      needs_approval
        ? '审批期间不能修改，通过后自动发布'
        : must_read
          ? '发布后正文不能再改，并通知范围内的人员阅读'
          : '发布后正文不能再改，修改请发布修订版',
    invalidates: ['folder', 'tickets'],
    done: (_reply, paper) => (paper.needs_approval ? '已提交审批' : '文件已发布'),
  },
  repeal: {
    label: '废止',
    title: (paper) => `废止“${paper.title}”`,
    call: folders.updatePaper,
    danger: true,
    also: ({ version }) => ({ status: paperStatus.repealed, version }),
    fields: [
      { name: 'repeal_reason', kind: 'textarea' },
      { name: 'repeal_date', kind: 'date' },
    ],
    submit: '废止文件',
  },
};

function Actions({ paper }: { paper: PaperDetail }) {
  const toConfirm = useReading(paper)?.to_confirm ?? false;
  const { buttons, drawer } = useActs('paper', acts);
  return (
    <>
      {toConfirm && paper.quiz.length === 0 && buttons(paper, ['answer'])}
      {toConfirm && paper.quiz.length > 0 && <QuizDialog paper={paper} />}
      {buttons(paper, paper.actions, { among: ['publish', 'repeal'] })}
      {paper.collect_id === null ? (
        <CallButton call={folders.collect} asked={{ body: { paper_id: paper.id } }} code={null}>
          收藏
        </CallButton>
      ) : (
        <CallButton call={folders.uncollect} asked={{ params: { id: paper.collect_id } }} code={null}>
          取消收藏
        </CallButton>
      )}
      {drawer}
    </>
  );
}
