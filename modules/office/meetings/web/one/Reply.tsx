import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { replyState, scopes, substituteState } from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import type { Mine } from '../../contract/shapes.ts';
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

/** 参加, 请假, 替会; for a substitute, accept or decline. */
export function ReplyButtons({ row, size }: Props) {
  const [open, setOpen] = useState<2 | 3 | null>(null);
  const asked = { params: { id: row.id } };
  const common = { call: calls.reply, code: null, ...(size && { size }) };
  if (row.actions.includes('stand_in'))
    return (
      <span className="kit-row">
        <CallButton {...common} type="primary" asked={{ ...asked, body: { accept: true, reason: '' } }}>
          接受替会
        </CallButton>
        <CallButton {...common} asked={{ ...asked, body: { accept: false, reason: '' } }}>
          不能替会
        </CallButton>
      </span>
    );
  if (!row.actions.includes('reply')) return null;
  return (
    <span className="kit-row">
      {row.mine?.reply !== replyState.comes && (
        <CallButton {...common} type="primary" asked={{ ...asked, body: { reply: replyState.comes, reason: '' } }}>
          参加
        </CallButton>
      )}
      {row.series_id && (
        <CallButton {...common} asked={{ ...asked, body: { reply: replyState.comes, reason: '', scope: 'following' } }}>
          本次及以后都参加
        </CallButton>
      )}
      {([2, 3] as const).map((one) => (
        <Button key={one} {...(size && { size })} onClick={() => setOpen(one)}>
          {replyState.label(one)}
        </Button>
      ))}
      {open !== null && (
        <FormDrawer
          open
          title={`${replyState.label(open)}：${row.title}`}
          name={`meet-reply:${row.id}:${open}`}
          call={calls.reply}
          params={{ id: row.id }}
          also={{ reply: open }}
          submit={replyState.label(open)}
          onClose={() => setOpen(null)}
          onDone={() => undefined}
          fields={[
            ...(open === 3
              ? [
                  {
                    name: 'substitute_id',
                    help: '对方接受后才算替会',
                    render: (control: object) => <PersonPicker by="id" {...control} />,
                  },
                ]
              : []),
            { name: 'reason' },
            ...(row.series_id
              ? [
                  {
                    name: 'scope',
                    kind: 'select' as const,
                    options: Object.entries(scopes).map(([value, label]) => ({ value, label })),
                  },
                ]
              : []),
          ]}
        />
      )}
    </span>
  );
}
