import { keepPreviousData } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useState } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { ReceiptMatrix } from '#modules/platform/people/widgets.tsx';
import { distributions } from '../contract.ts';

/** Up to this many recipients are listed by name at once. */
const few = 200;

/** Reading progress of a distribution by department, with the names of those who have not read it. */
export function ReadingMatrix({ id, total }: { id: number; total: number }) {
  const [named, setNamed] = useState(total <= few);
  const query = { dist_id: id, unread: named };
  const { data } = useCall(distributions.info, { query }, { meta: live, placeholderData: keepPreviousData });
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 4 }} />;
  return (
    <ReceiptMatrix
      receipts={data.value}
      words={{ late: '未读', done: '已回复' }}
      names={{ shown: named, show: setNamed }}
    />
  );
}
