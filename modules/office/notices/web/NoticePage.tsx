import { Tag } from 'antd';
import { Link, useParams } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import type { Receipts } from '#modules/platform/people/contract/receipts.ts';
import { ReceiptMatrix } from '#modules/platform/people/widgets.tsx';
import { documentNotices, type NoticeDetail } from '../contract.ts';
import './notices.css';

/** One notice; for those who manage it also with its unread recipients. */
export default function NoticePage() {
  const id = Number(useParams()['id']);
  return <NoticeView key={id} id={id} />;
}

function NoticeView({ id }: { id: number }) {
  const { data, error, refetch } = useCall(documentNotices.get, { params: { id } });
  const notice = data?.value;
  const { buttons } = useActs('notice', acts);
  return (
    <DetailPage
      title={notice?.title ?? ''}
      status={notice && <NoticeState notice={notice} />}
      holder={
        notice &&
        `${[notice.dept_name, notice.creator].filter(Boolean).join(' ')} · ${notice.publish_at.slice(0, 16)} 发布`
      }
      loading={!notice}
      error={notice && error?.code !== codes.absent ? undefined : error}
      retry={() => void refetch()}
      side={notice?.receipts && <Readers notice={notice} receipts={notice.receipts} />}
      actions={notice && buttons(notice, notice.actions)}
    >
      {notice && (
        <section className="kit-panel" aria-label="通知内容">
          <p className="notice-text">{notice.content}</p>
          {notice.document && (
            <p>
              相关公文：
              <Link to={`/document/detail/${notice.document.id}`}>
                {[notice.document.doc_number, notice.document.title].filter(Boolean).join(' ')}
              </Link>
            </p>
          )}
        </section>
      )}
    </DetailPage>
  );
}

function NoticeState({ notice }: { notice: NoticeDetail }) {
  return (
    <>
      {notice.top && <Tag color="gold">置顶</Tag>}
      {notice.state !== 'current' && <Tag>{notice.state_name}</Tag>}
      {notice.need_receipt && notice.unread && <Tag color="error">待确认</Tag>}
      {notice.expire_at && <span className="kit-muted">有效期至 {notice.expire_at.slice(0, 16)}</span>}
    </>
  );
}

const acts: Acts<NoticeDetail> = {
  read: {
    label: '确认已读',
    call: documentNotices.read,
    offered: (notice) => notice.need_receipt && notice.actions.includes('read'),
    look: { type: 'primary' },
    atOnce: true,
  },
  delete: {
    label: '删除',
    title: (notice) => `删除通知“${notice.title}”`,
    call: documentNotices.remove,
    danger: true,
    confirm: '所有人都不再看到它，不能恢复',
    next: () => '/document/notice',
  },
};

function Readers({ notice, receipts }: { notice: NoticeDetail; receipts: Receipts }) {
  const late = notice.need_receipt ? '未确认' : '未读';
  return (
    <ReceiptMatrix
      receipts={receipts}
      words={{ late }}
      actions={
        <CallButton
          call={documentNotices.urge}
          asked={{ params: { id: notice.id } }}
          allowed={receipts.to_urge > 0 && notice.actions.includes('urge')}
          confirm={{ title: `催读 ${receipts.to_urge} 人`, content: `只提醒${late}的人员，同一个人两小时内不重复` }}
        >
          催读
        </CallButton>
      }
    />
  );
}
