import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { TemplateInput } from './TemplateInput.tsx';

emptyPage();

const inserts = [
  { key: 'creator', name: '发起人' },
  { key: 'field_2', name: '请假天数' },
];

function Template({ begin, told, max = 30 }: { begin: string; told: (text: string) => void; max?: number }) {
  const [text, setText] = useState(begin);
  return (
    <>
      <TemplateInput
        id="title"
        label="工单标题"
        max={max}
        value={text}
        inserts={inserts}
        onChange={(next) => {
          told(next);
          setText(next);
        }}
      />
      <button type="button" onClick={() => setText(begin)}>
        撤销
      </button>
    </>
  );
}

/** The text input, once the editor is loaded. */
async function written(): Promise<HTMLElement> {
  const found = () => document.querySelector<HTMLElement>('[aria-label=工单标题][contenteditable]');
  await waitFor(() => expect(found()).not.toBeNull());
  return found()!;
}

test('a variable stands in the template’s text as a named tag, without visible code', async () => {
  const told = vi.fn<(text: string) => void>();
  render(<Template begin="{creator}请{unknown}假" told={told} />);
  const field = await written();
  const pieces = () => [...field.querySelectorAll('.rich-variable')].map((one) => one.textContent);
  await waitFor(() => expect(pieces()).toEqual(['发起人']));
  // An unknown placeholder stays as written.
  expect(field.textContent).toBe('发起人请{unknown}假');
  fireEvent.click(screen.getByRole('button', { name: '请假天数' }));
  await waitFor(() => expect(pieces()).toEqual(['发起人', '请假天数']));
  expect(told).toHaveBeenLastCalledWith('{creator}请{unknown}假{field_2}');
  fireEvent.click(screen.getByRole('button', { name: '撤销' }));
  await waitFor(() => expect(pieces()).toEqual(['发起人']));
});

test('a variable that would make a title template too long is not inserted', async () => {
  const told = vi.fn<(text: string) => void>();
  render(<Template begin={'很'.repeat(28)} told={told} />);
  const field = await written();
  fireEvent.click(screen.getByRole('button', { name: '发起人' }));
  expect(field.textContent).toBe('很'.repeat(28));
  expect(told).not.toHaveBeenCalled();
});
