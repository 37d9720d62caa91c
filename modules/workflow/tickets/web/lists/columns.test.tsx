import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { categories } from '../../contract.ts';
import type { Row } from '../../contract/shapes.ts';
import { Lines } from '../home/Lines.tsx';
import { columnsOf } from './columns.tsx';

emptyPage();

const closed = {
  id: 7,
  title: '关于购置设备的请示',
  act_state_id: 5,
  act_state_name: '已关闭（未答复）',
  unsettled: true,
  state: { state_id: 9, state_name: '已关闭（未答复）', state_label: {} },
  due_at: null,
  record_path: '/document/detail/7',
} as unknown as Row;
const red = (page: HTMLElement) => page.querySelector('.ant-tag-error, .ant-tag-red:not(.kit-struck)')?.textContent;

test('what is over and not done with is red in every list of tickets and on the home page; what is done with is not', () => {
  for (const category of categories) {
    const column = columnsOf(category).find((one) => one.key === 'act_state_id')!;
    expect(red(show(<>{column.render!(closed)}</>).container)).toBe('已关闭（未答复）');
    expect(red(show(<>{column.render!({ ...closed, unsettled: false })}</>).container)).toBeUndefined();
  }
  expect(red(show(<Lines rows={[closed]} empty="" />).container)).toBe('已关闭（未答复）');
});
