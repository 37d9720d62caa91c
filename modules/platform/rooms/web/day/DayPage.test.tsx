import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DayRoom } from '../../contract/looks.ts';
import { roomState } from '../../contract/shapes.ts';
import DayPage from './DayPage.tsx';

const server = servedPage();
const tomorrow = dayOf(new Date(Date.now() + 864e5));
const room = (id: number, more: Partial<DayRoom> = {}): DayRoom => ({
  id,
  name: `会议室 ${id}`,
  office_id: 1,
  office_name: '会务',
  building: id % 2 ? '东楼' : '西楼',
  floor: '3',
  capacity: 10 + id,
  equipment: id % 3 ? [] : ['投影'],
  status: roomState.usable,
  closed: null,
  step_min: 30,
  approves: false,
  buffer_minutes: 0,
  blocks: [],
  open_hours: { days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '18:00', holidays: true },
  ...more,
});
const rooms = Array.from({ length: 86 }, (_, at) => room(at + 1)).map((one) =>
  one.id === 84 ? { ...one, status: roomState.mended } : one,
);
const open = (all: DayRoom[]) => {
  server.answers(({ path }) =>
    path === '/api/meet/day/' ? ok({ date: tomorrow, rooms: all }) : ok({ value: [], days: '' }),
  );
  return show(<DayPage />, { at: `/meet/day?date=${tomorrow}`, codes: ['Retrieve'], reads: ['/meet/list'] });
};
const choose = async (label: string, option: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: label }));
  const found = await waitFor(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')];
    return shown.find((one) => one.textContent === option)!;
  });
  fireEvent.click(found);
};
const named = () =>
  within(screen.getByRole('list', { name: '空闲时段' }))
    .getAllByRole('listitem')
    .map((one) => Number(/会议室 (\d+)/.exec(one.textContent!)![1]));

test('of 86 rooms the filters leave those in a building with the seats and equipment that are free', async () => {
  open(rooms);
  fireEvent.click(await screen.findByText('仅看空闲'));
  await waitFor(() => expect(named()).toHaveLength(85));
  await choose('楼宇', '西楼');
  expect(named().every((id) => id % 2 === 0)).toBe(true);
  await choose('至少容纳', '50 人以上');
  await choose('设备', '投影');
  expect(named()).toEqual([42, 48, 54, 60, 66, 72, 78]);
});
