import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Party } from '../contract/shapes.ts';
import { PartiesInput } from './edit/PartiesInput.tsx';

const server = servedPage();
const depts = [
  { id: 1, name: '教务处', spelt: 'jwc' },
  { id: 2, name: '财务处', spelt: 'cwc' },
];
let held: unknown;

function Form() {
  const [value, setValue] = useState<unknown>([]);
  useEffect(() => void (held = value), [value]);
  return <PartiesInput control={{ id: 'to', value, onChange: setValue }} />;
}
const start = () => {
  server.answers(({ query }) => {
    const words = query.get('search_value') ?? '';
    return ok(
      depts
        .filter(({ name, spelt }) => name.includes(words) || spelt.startsWith(words))
        .map(({ id, name }) => ({ id, name })),
    );
  });
  show(<Form />);
  return screen.getByRole('combobox');
};
const type = (box: HTMLElement, words: string) => fireEvent.change(box, { target: { value: words } });
const enter = (box: HTMLElement) => {
  for (const way of [fireEvent.keyDown, fireEvent.keyUp]) way(box, { key: 'Enter', code: 'Enter', keyCode: 13 });
};

test('a department is found by its pinyin, and text typed for the search is not kept', async () => {
  const box = start();
  fireEvent.mouseDown(box);
  type(box, 'jwc');
  enter(box);
  expect(held).toEqual([]);
  await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option').length).toBe(1));
  enter(box);
  await waitFor(() => expect(held).toEqual([{ type: 'dept', id: 1, name: '教务处' }]));
});

test('an outside organisation is added by its name, and text that matches nobody is not added', async () => {
  const box = start();
  fireEvent.mouseDown(box);
  type(box, 'qqq');
  await screen.findByText('没有找到，外单位请写出名称');
  enter(box);
  fireEvent.blur(box);
  expect(held).toEqual([]);
  type(box, '市教育局');
  await screen.findByText('外单位“市教育局”');
  enter(box);
  await waitFor(() => expect(held).toEqual([{ type: 'org', name: '市教育局' }]));
  expect(Party.safeParse({ type: 'org', name: 'jwc' }).error?.issues[0]?.message).toBe(
    '“jwc”不是单位名称，请从部门中选择，或写出外单位的名称',
  );
});
