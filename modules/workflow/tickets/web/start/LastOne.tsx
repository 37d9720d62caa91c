import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';

/** How many of one's own are looked through: those behind it are drafts. */
const newest = 5;

/** Begins with what somebody wrote into the last ticket of this kind that they sent; nothing where there is none. */
export function LastOne({ workflow }: { workflow: number }) {
  const query = { category: 'owner', workflow_ids: String(workflow), per_page: newest } as const;
  const { data } = useCall(tickets.list, { query }, { quiet: true });
  const last = data?.value.find((row) => row.act_state_id !== actState.draft && row.record_path === null);
  if (!last) return null;
  return (
    <Link
      to={`/ticket/new?workflow=${workflow}&like=${last.id}`}
      title={`${last.title}，${minuteOf(last.gmt_created)}`}
    >
      复制上一次：{last.title}
    </Link>
  );
}
