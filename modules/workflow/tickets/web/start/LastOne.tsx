import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';

/** The number of one's newest tickets searched, because some of them may be drafts. */
const newest = 5;

/** Starts from the values of the last ticket of this kind that somebody sent; hidden if there is none. */
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
