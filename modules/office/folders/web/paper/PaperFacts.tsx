import { Alert } from 'antd';
import { Link } from 'react-router';
import { Contents } from '#kernel/web/kit/reading/ReadingText.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { paperStatus } from '../../contract/list.ts';
import type { PaperDetail } from '../../contract/papers.ts';
import { Marks, PaperStatus } from '../columns.tsx';
import { Versions } from './Versions.tsx';

interface Props {
  paper: PaperDetail;
}

/** Facts to know before relying on the text, and the state of a draft's approval. */
export function PaperState({ paper, confirmedAt }: Props & { confirmedAt: string | null }) {
  const { approval, status } = paper;
  if (approval?.act_state === actState.ongoing) {
    const waits = approval.waits_for && `，等待 ${approval.waits_for}`;
    return <Alert type="info" title={`正在审批：${approval.state_name}${waits}。审批通过后自动发布。`} />;
  }
  if (approval?.act_state === actState.closed)
    return <Alert type="warning" title="发布审批已关闭，文件没有发布；可以修改后重新提交审批，或删除草稿" />;
  if (approval) return <Alert type="warning" title="发布审批已退回或撤回，修改后可以重新提交审批" />;
  if (status === paperStatus.repealed)
    return <Alert type="error" title={`本文件已于 ${paper.repeal_date} 废止：${paper.repeal_reason}`} />;
  if (status === paperStatus.revised) {
    const newest = paper.versions.find((one) => one.status === paperStatus.inForce && one.id !== paper.id);
    const lead = newest && <Link to={`/folder/detail/${newest.id}`}>查看现行版本</Link>;
    return <Alert type="warning" title="本文件已修订，不再执行" action={lead} />;
  }
  if (confirmedAt && paper.must_read) return <Alert type="success" title={`您已于 ${confirmedAt} 确认已读`} />;
  return null;
}

/** Papers cited in this one that are no longer in force. */
export function Outdated({ paper }: Props) {
  if (paper.outdated.length === 0) return null;
  const list = paper.outdated.map((one) => (
    <li key={one.id}>
      <Link to={`/folder/detail/${one.id}`}>{one.title}</Link> {one.fwh} <PaperStatus status={one.status} />
    </li>
  ));
  return (
    <Alert
      type="warning"
      title="正文引用的以下文件已修订或废止"
      description={<ul className="folder-outdated">{list}</ul>}
    />
  );
}

export function Side({ paper }: Props) {
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
          {paper.scope && <li>阅读范围：{paper.scope.called}</li>}
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
