import { App } from 'antd';
import { useState, type DragEvent, type ReactNode } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { leaders } from '../../contract.ts';
import type { BoardEntry } from '../../contract/board.ts';
import { halves, timeText, type Half } from '../../contract/codes.ts';
import { movedTo, type Slot } from '../../engine/cells.ts';
import { editable, useForce } from '../fields.tsx';

/** A dragged entry, with the leader, day and part that it comes from. */
interface Held extends Slot {
  entry: BoardEntry;
  leader: number;
}
export interface Moving {
  /** Props of an entry that can be dragged. */
  from: (held: Held) => object;
  /** Props of a leader's day that accepts a drop. */
  over: (leader: number, day: string) => object;
  /** Opens the form that does the same. */
  open: (entry: BoardEntry) => void;
  drawer: ReactNode;
}
const parts = Object.keys(halves) as Half[];

/**
 * Moves entries of the board, by dragging into another part of a day of the same leader or by a form. Both show the old time and ask for
 * confirmation.
 */
export function useMoving(): Moving {
  const { modal } = App.useApp();
  const [held, hold] = useState<Held | null>(null);
  const [target, aim] = useState<Slot | null>(null);
  const [opened, open] = useState<BoardEntry | null>(null);
  const force = useForce(leaders.edit);
  const sending = useSend(leaders.edit);
  const end = () => {
    hold(null);
    aim(null);
  };
  const partAt = (event: DragEvent<HTMLElement>): Half => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    return parts[Math.min(2, Math.max(0, Math.floor((3 * (event.clientY - top)) / height)))]!;
  };
  const ask = ({ entry, ...from }: Held, to: Slot) => {
    const becomes = movedTo(entry, from, to);
    const params = { id: entry.id! };
    const body = { version: entry.version, ...becomes };
    modal.confirm({
      title: `移动“${entry.title}”`,
      content: `由 ${timeText(entry, shortDate)} 改为 ${timeText({ ...becomes, all_day: entry.all_day }, shortDate)}，有关人员会收到通知`,
      okText: '移动',
      cancelText: '不移动',
      onOk: () =>
        sending
          .mutateAsync({ params, body })
          .catch((failure: { data: unknown }) => force(failure, body, params, () => undefined)),
    });
  };
  return {
    from: (one) =>
      one.entry.can_move
        ? {
            draggable: true,
            onDragStart: (event: DragEvent<HTMLElement>) => {
              event.dataTransfer.effectAllowed = 'move';
              hold(one);
            },
            onDragEnd: end,
          }
        : {},
    over: (leader, day) =>
      held?.leader === leader
        ? {
            'data-over': target?.day === day ? halves[target.half] : undefined,
            onDragOver: (event: DragEvent<HTMLElement>) => {
              event.preventDefault();
              const half = partAt(event);
              if (target?.day !== day || target.half !== half) aim({ day, half });
            },
            onDrop: (event: DragEvent<HTMLElement>) => {
              event.preventDefault();
              const to = { day, half: partAt(event) };
              if (to.day !== held.day || to.half !== held.half) ask(held, to);
              end();
            },
          }
        : {},
    open,
    drawer: opened && (
      <FormDrawer
        open
        onClose={() => open(null)}
        onDone={() => open(null)}
        title={`移动“${opened.title}”`}
        name={`leader:move:${opened.id}`}
        call={leaders.edit}
        params={{ id: opened.id! }}
        initial={editable(opened)}
        also={{ version: opened.version }}
        submit="移动"
        onRefused={(failure, body) => force(failure, body, { id: opened.id! }, () => open(null))}
        fields={[{ name: 'start_time' }, { name: 'end_time', notBefore: 'start_time' }]}
      />
    ),
  };
}
