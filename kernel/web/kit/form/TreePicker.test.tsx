import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { TreePicker, type TreeNode } from './TreePicker.tsx';

emptyPage();

const house: TreeNode[] = [
  {
    id: 1,
    name: '学校',
    children: [
      { id: 2, name: '教务处', children: [] },
      { id: 3, name: '总务处', disabled: true, children: [] },
    ],
  },
];
const picker = (nodes: readonly TreeNode[], more: object = {}) => (
  <TreePicker nodes={nodes} placeholder="请选择部门" label="部门" {...more} />
);
const search = (words: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value: words } });
const shown = () => [...document.querySelectorAll('.ant-select-tree-title')].map((title) => title.textContent);

test('a search typed before the tree arrived is expanded when it does', () => {
  const { rerender } = render(picker([]));
  search('教务');
  rerender(picker(house));
  expect(shown()).toEqual(['学校', '教务处']);
});

test('a small tree is expanded at first, a large one only by hand', () => {
  const { rerender } = render(picker(house));
  fireEvent.mouseDown(screen.getByRole('combobox'));
  expect(shown()).toEqual(['学校', '教务处', '总务处']);
  const many = Array.from({ length: 60 }, (_, index) => ({ id: 10 + index, name: `组 ${index}`, children: [] }));
  rerender(picker([{ id: 1, name: '学校', children: many }]));
  expect(shown()).toEqual(['学校']);
  fireEvent.click(document.querySelector('.ant-select-tree-switcher_close')!);
  expect(shown()).toContain('组 0');
});

test('one node is returned as its id, none as null, and a disabled node cannot be chosen', () => {
  const onChange = vi.fn();
  render(picker(house, { onChange }));
  fireEvent.mouseDown(screen.getByRole('combobox'));
  fireEvent.click(screen.getByText('总务处'));
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('教务处'));
  expect(onChange).toHaveBeenLastCalledWith(2);
});
