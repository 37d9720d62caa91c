import { Button } from 'antd';
import { useState } from 'react';
import { Calendar, type CalendarEntry, type CalendarView, type Picked } from '#kernel/web/kit/Calendar.tsx';

const rooms = ['第一会议室', '第二会议室', '报告厅'].map((title, at) => ({ id: at + 1, title }));
const on = (day: string, from: string, to: string) => ({
  start: `2026-12-${day} ${from}:00`,
  end: `2026-12-${day} ${to}:00`,
});
const begins: CalendarEntry[] = [
  { id: '1', title: '校长办公会', ...on('01', '09:00', '11:00'), resource: 1, mine: true, movable: true },
  { id: '2', title: '期末考试工作布置会', ...on('01', '14:00', '16:00'), resource: 1, look: 'striped', movable: true },
  { id: '3', title: '已占用', ...on('01', '10:00', '11:30'), resource: 2, look: 'grey' },
  { id: '4', title: '青年教师讲课比赛', ...on('01', '09:30', '12:00'), resource: 3 },
  { id: '5', title: '消防演练', ...on('01', '11:00', '13:00'), resource: 3, look: 'clash' },
  { id: '6', title: '科研项目中期检查', start: '2026-12-02', end: '2026-12-04' },
  ...Array.from({ length: 5 }, (_one, at) => ({
    id: `m${at}`,
    title: `第 ${at + 1} 场面试`,
    ...on('03', `1${at}:00`, `1${at}:40`),
  })),
  { id: '7', title: '部门例会', ...on('08', '08:30', '09:30'), mine: true },
];

/** A week of December; choices, openings and moves are described below. */
export function CalendarSample() {
  const [shown, setShown] = useState<{ view: CalendarView; date: string }>({ view: 'month', date: '2026-12-01' });
  const [entries, setEntries] = useState(begins);
  const [said, setSaid] = useState('');
  const add = (picked: Picked) => {
    const added = { ...picked, id: `n${entries.length}`, title: '新的安排', movable: true };
    setEntries([...entries, added]);
    setSaid(`已选 ${picked.start} ${picked.end} ${picked.resource ?? ''}`);
  };
  return (
    <>
      <Calendar
        label="日历样例"
        views={['month', 'week', 'day', 'list', 'rooms', 'line']}
        {...shown}
        onChange={setShown}
        entries={entries}
        resources={rooms}
        hours={['08:00', '18:00']}
        onOpen={(id) => setSaid(`打开了 ${entries.find((entry) => entry.id === id)?.title}`)}
        onPick={add}
        onMove={(id, to) => {
          setSaid(`移到 ${to.start} ${to.end} ${to.resource ?? ''}`);
          // Nobody meets before nine.
          if (to.start.slice(11) < '09:00:00') return false;
          setEntries(entries.map((entry) => (entry.id === id ? { ...entry, ...to } : entry)));
          return true;
        }}
        extra={
          <Button type="primary" onClick={() => add(on('01', '16:30', '17:30'))}>
            预约
          </Button>
        }
      />
      <p role="status">{said}</p>
    </>
  );
}
