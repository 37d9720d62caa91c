import { Button } from 'antd';
import { useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { dutyCalls, type Person, type Shift } from '../contract.ts';
import { dutyPost } from '../contract/codes.ts';
import { useForced } from './parts.tsx';

/** A person who was picked up, by dragging, click or key. */
interface Held {
  shift: Shift;
  person: Person;
  dragged: boolean;
}
interface Asked extends Omit<Held, 'dragged'> {
  to: Shift;
  with?: Person;
}
export interface Moving {
  /** Props of a movable person; dropping one on another of the same post exchanges both. */
  chip: (shift: Shift, person: Person) => object;
  /** Props of a shift that accepts a drop. */
  over: (shift: Shift) => object;
  /** True if the person picked up by click or key may be put there. */
  takes: (shift: Shift) => boolean;
  place: (shift: Shift) => object;
  hint: ReactNode;
  drawer: ReactNode;
}

/** Moves the focus from one person or target to the next. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const all = [...document.querySelectorAll<HTMLElement>('.duty-month [data-place]')];
  all[all.indexOf(event.currentTarget) + by]?.focus();
}

/** Moves people between shifts, by dragging or by click, tap or key. Nothing is written before it is confirmed. */
export function useMoving(): Moving {
  const [held, hold] = useState<Held | null>(null);
  const [asked, ask] = useState<Asked | null>(null);
  const forced = useForced(dutyCalls.move);
  const elsewhere = (shift: Shift) => held !== null && shift.movable && shift.id !== held.shift.id;
  const there = (shift: Shift) => shift.people.some((one) => one.id === held?.person.id);
  const drop = (to: Shift, other?: Person) => {
    if (held) ask({ shift: held.shift, person: held.person, to, ...(other ? { with: other } : {}) });
    hold(null);
  };
  const keys = {
    'data-place': true,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => (event.key === 'Escape' ? hold(null) : step(event)),
  };
  const letGo = (to: Shift, other?: Person) => ({
    onDragOver: (event: DragEvent<HTMLElement>) => event.preventDefault(),
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      event.stopPropagation();
      drop(to, other);
    },
  });
  const day = (shift: Shift) => `${shortDate(shift.day)} ${shift.name}`;
  return {
    chip(shift, person) {
      const mine = held?.shift.id === shift.id && held.person.id === person.id;
      const exchanges = elsewhere(shift) && held!.person.post === person.post && held!.person.id !== person.id;
      return {
        ...keys,
        draggable: true,
        'aria-pressed': mine,
        'data-aim': exchanges || undefined,
        onDragStart: (event: DragEvent<HTMLElement>) => {
          event.dataTransfer.effectAllowed = 'move';
          hold({ shift, person, dragged: true });
        },
        onDragEnd: () => hold(null),
        onClick: () => (mine ? hold(null) : exchanges ? drop(shift, person) : hold({ shift, person, dragged: false })),
        ...(exchanges ? letGo(shift, person) : {}),
      };
    },
    over: (shift) => (elsewhere(shift) && !there(shift) ? letGo(shift) : {}),
    takes: (shift) => elsewhere(shift) && !held!.dragged && !there(shift),
    place: (shift) => ({ ...keys, 'aria-label': `移到 ${day(shift)}`, onClick: () => drop(shift) }),
    hint: (
      <p role="status" className="duty-hint">
        {held && !held.dragged && (
          <>
            已选中 {day(held.shift)} {dutyPost.label(held.person.post)} {held.person.alias}
            ，选同岗位的人对换，或选“移到这里”；方向键移动，空格确定，Esc 取消{' '}
            <Button size="small" onClick={() => hold(null)}>
              取消
            </Button>
          </>
        )}
      </p>
    ),
    drawer: asked && (
      <FormDrawer
        open
        title={asked.with ? '对换值班' : '移动值班'}
        name={`duty:move:${asked.shift.id}:${asked.person.id}`}
        call={dutyCalls.move}
        params={{ id: asked.shift.id }}
        submit={asked.with ? '对换' : '移动'}
        fields={[
          {
            name: 'reason',
            help: asked.with
              ? `${asked.person.alias} ${day(asked.shift)} 与 ${asked.with.alias} ${day(asked.to)} 对换；已发布的，有关人员会收到消息`
              : `${asked.person.alias} 由 ${day(asked.shift)} 移到 ${day(asked.to)}，原班次空出；已发布的，有关人员会收到消息`,
          },
        ]}
        also={{ user: asked.person.username, to: asked.to.id, with: asked.with?.username }}
        onClose={() => ask(null)}
        onDone={() => ask(null)}
        onRefused={(failure, body) => forced(failure, body, { id: asked.shift.id }, () => ask(null))}
      />
    ),
  };
}
