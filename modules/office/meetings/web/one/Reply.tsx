import { Button } from 'antd';
import { useNavigate } from 'react-router';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { replyState, substituteState } from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import type { Mine } from '../../contract/shapes.ts';
import { scopeField } from './acts.tsx';
import type { z } from 'zod';

interface Props {
  row: {
    id: number;
    title: string;
    actions: readonly string[];
    series_id?: number | null;
    mine: z.output<typeof Mine> | null;
  };
  size?: 'small';
}

/** My answer in words. */
export function replyText(mine: Props['row']['mine']): string {
  if (!mine) return '';
  if (mine.for_info)
    return mine.substitute_state === substituteState.comes
      ? `代${mine.for_info.alias}参加`
      : `${mine.for_info.alias}请您代为参加`;
  const how = ['，待对方接受', '，对方已接受', '，对方不能参加，请改派'][mine.substitute_state ?? 0];
  return mine.reply === replyState.sends
    ? `${mine.substitute_info?.alias ?? ''}替会${how}`
    : replyState.label(mine.reply);
}

/** The link to the sign-in, while it is open. */
export function SignButton({ row }: { row: Pick<Props['row'], 'id' | 'actions'> }) {
  const navigate = useNavigate();
  if (!row.actions.includes('sign')) return null;
  return (
    <Button size="small" type="primary" onClick={() => void navigate(`/meet/sign/${row.id}`)}>
      签到
    </Button>
  );
}

type Row = Props['row'];
const mayReply = (row: Row) => row.actions.includes('reply') && !row.actions.includes('stand_in');
const answers = (label: string, body: object, offered: (row: Row) => boolean): Act<Row> => ({
  label,
  call: calls.reply,
  offered,
  atOnce: true,
  also: { reason: '', ...body },
});
const excuses = (reply: number, ...before: FormField[]): Act<Row> => ({
  label: replyState.label(reply),
  call: calls.reply,
  offered: mayReply,
  also: { reply },
  fields: (row) => [...before, { name: 'reason' }, ...(row.series_id ? [scopeField] : [])],
});
const filled = { look: { type: 'primary' } } as const;
const acts: Acts<Row> = {
  accept: { ...answers('接受替会', { accept: true }, (row) => row.actions.includes('stand_in')), ...filled },
  decline: answers('不能替会', { accept: false }, (row) => row.actions.includes('stand_in')),
  comes: {
    ...answers('参加', { reply: replyState.comes }, (row) => mayReply(row) && row.mine?.reply !== replyState.comes),
    ...filled,
  },
  following: answers(
    '本次及以后都参加',
    { reply: replyState.comes, scope: 'following' },
    (row) => mayReply(row) && Boolean(row.series_id),
  ),
  excused: excuses(replyState.excused),
  sends: excuses(replyState.sends, {
    name: 'substitute_id',
    help: '对方接受后才算替会',
    render: (control) => <PersonPicker by="id" {...(control as object)} />,
  }),
};

/** 参加, 请假, 替会; for a substitute, accept or decline. */
export function ReplyButtons({ row, size }: Props) {
  const { buttons, drawer } = useActs((key, { id }) => `meet-reply:${id}:${replyState[key as 'sends']}`, acts);
  if (!row.actions.some((one) => one === 'reply' || one === 'stand_in')) return null;
  return (
    <span className="kit-row">
      {buttons(row, [], { size })}
      {drawer}
    </span>
  );
}
