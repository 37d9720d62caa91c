import { useState } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { Calendar, rangeOf, type CalendarView } from '#kernel/web/kit/Calendar.tsx';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { lineState, partHours } from '../../contract/codes.ts';

/** Slots and loans of the seals I keep, by day. */
export function DeskCalendar({ onOpen }: { onOpen: (id: number) => void }) {
  const [shown, setShown] = useState<{ view: CalendarView; date: string }>({ view: 'list', date: dayOf(new Date()) });
  const { from, to } = rangeOf(shown.view, shown.date);
  const { data } = useCall(
    calls.calendar,
    { query: { start: from.slice(0, 10), end: to.slice(0, 10) } },
    { meta: live },
  );
  const slots = (data?.slots ?? []).map((slot, at) => {
    const [begins, ends] = partHours[slot.part as 1];
    return {
      id: `${slot.id}:${at}`,
      title: `${slot.stamp_name} ${slot.title} ${slot.who}`,
      start: `${slot.day} ${begins}:00`,
      end: `${slot.day} ${ends}:00`,
      look: slot.state === lineState.waiting ? ('striped' as const) : ('solid' as const),
    };
  });
  const loans = (data?.loans ?? []).map((loan, at) => ({
    id: `${loan.id}:l${at}`,
    title: `外带 ${loan.stamp_name} ${loan.who}`,
    start: loan.from,
    end: loan.until,
    look: loan.out ? ('clash' as const) : ('grey' as const),
  }));
  return (
    <Calendar
      label="用印日历"
      views={['list', 'week', 'month']}
      {...shown}
      onChange={setShown}
      hours={['08:00', '18:00']}
      entries={data && [...slots, ...loans]}
      onOpen={(id) => onOpen(Number(id.split(':')[0]))}
    />
  );
}
