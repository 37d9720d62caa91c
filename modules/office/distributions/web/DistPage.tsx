import { Alert } from 'antd';
import { useParams } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { DocumentSheet } from '#modules/office/documents/widgets.tsx';
import { distributions } from '../contract.ts';
import { copyState } from '../contract/list.ts';
import type { DistDetail } from '../contract/shapes.ts';
import { CopyState, Marks, opened } from './columns.tsx';
import { DistActions } from './DistActions.tsx';
import { DistLog } from './DistLog.tsx';
import { ReadingMatrix } from './ReadingMatrix.tsx';
import { ReaderList } from './ReaderList.tsx';
import './dist.css';

/** One distribution: the document to read, and for its sender the people who have read it. */
export default function DistPage() {
  const id = Number(useParams()['id']);
  return <Distribution key={id} id={id} />;
}

function Distribution({ id }: { id: number }) {
  const { data, error, refetch } = useCall(distributions.get, { params: { id } }, { refetchOnWindowFocus: true });
  const dist = data?.value;
  const looksAfter = dist?.actions.includes('readers') ?? false;
  return (
    <DetailPage
      title={dist?.title ?? ''}
      sn={dist?.doc_number ?? ''}
      status={dist && <DistState dist={dist} />}
      holder={dist && holderOf(dist)}
      loading={!dist}
      error={dist && error?.code !== codes.absent ? undefined : error}
      retry={() => void refetch()}
      side={dist && <DistLog id={id} />}
      actions={dist && <DistActions dist={dist} />}
    >
      {dist && (
        <>
          {dist.recalled_at && (
            <Alert type="warning" title={`${dist.recalled_by} 已于 ${dist.recalled_at.slice(0, 16)} 收回这次分发`} />
          )}
          {dist.note && <Alert type="info" title={`分发说明：${dist.note}`} />}
          {looksAfter && <ReadingMatrix id={id} total={dist.total ?? 0} />}
          {looksAfter && <ReaderList id={id} />}
          <DocumentSheet id={dist.document_id} />
        </>
      )}
    </DetailPage>
  );
}

function DistState({ dist }: { dist: DistDetail }) {
  const label = opened(dist) ? '已读' : dist.my_state === copyState.unread ? '待签收' : dist.my_state_name;
  return (
    <>
      <Marks dist={dist} />
      {dist.my_state !== null && <CopyState state={opened(dist) ? 1 : dist.my_state} label={label} />}
    </>
  );
}

const holderOf = (dist: DistDetail) =>
  [
    `${[dist.sender_dept_name, dist.sender].filter(Boolean).join(' ')} 分发于 ${dist.send_time.slice(0, 16)}`,
    dist.deadline && `请于 ${dist.deadline.slice(0, 16)} 前${dist.need_receipt ? '签收' : '阅读'}`,
  ]
    .filter(Boolean)
    .join(' · ');
