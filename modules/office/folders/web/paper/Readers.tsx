import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ReceiptMatrix } from '#modules/platform/people/widgets.tsx';
import { folders } from '../../contract.ts';
import type { PaperDetail } from '../../contract/papers.ts';

/** Readers of a paper and those who have not read it, by department; urges the latter. */
export function Readers({ paper }: { paper: PaperDetail }) {
  const { data } = useCall(folders.read, { query: { paper_id: paper.id, list: true } });
  const receipts = data?.readers;
  if (!receipts) return null;
  const [late, there] = paper.must_read ? ['未确认', '已确认'] : ['未读', '已读'];
  return (
    <ReceiptMatrix
      receipts={receipts}
      words={{ late, there, ...(paper.must_read ? { done: there } : {}) }}
      actions={
        <CallButton
          call={folders.answer}
          asked={{ body: { paper_id: paper.id, urge: true } }}
          code={null}
          allowed={receipts.to_urge > 0 && paper.actions.includes('urge')}
          confirm={{ title: `催读 ${receipts.to_urge} 人`, content: `只提醒${late}的人员，同一个人两小时内不重复` }}
          done="已提醒未读人员"
        >
          催读未读人员
        </CallButton>
      }
    />
  );
}
