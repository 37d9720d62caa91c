import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import type { WaitingRow } from '#kernel/web/registry.ts';
import { replyState } from '../contract/codes.ts';
import { meetCalls as calls } from '../contract/meetings.ts';

/** Accepts an invitation from the to-do list; other answers are given on the meeting's page. */
export default function Attend({ row }: { row: WaitingRow }) {
  return (
    <CallButton
      call={calls.reply}
      code={null}
      size="small"
      asked={{ params: { id: row.id }, body: { reply: replyState.comes, reason: '' } }}
      invalidates={['meet', 'waits']}
    >
      参加
    </CallButton>
  );
}
