import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { useDesignKeys } from './useDesignKeys.ts';

emptyPage();

test('Ctrl+S with the cursor in a number saves what was typed, and refuses a text that is no number instead of saving the number before', () => {
  const done: (number | string | null)[] = [];
  function Page() {
    const [hours, setHours] = useState<number | null>(3);
    const { hold, present } = useHeld();
    const [save, refuse] = [() => done.push(hours), (says: string) => done.push(says)];
    useDesignKeys({ save, refuse, undo: () => undefined, redo: () => undefined }, present);
    return (
      <HoldContext value={hold}>
        <NumberInput aria-label="小时" value={hours} onChange={setHours} />
      </HoldContext>
    );
  }
  show(<Page />);
  const box = screen.getByRole('spinbutton', { name: '小时' });
  const type = (text: string) => fireEvent.change(box, { target: { value: text } });
  box.focus();
  type('二');
  fireEvent.keyDown(box, { key: 's', ctrlKey: true });
  expect(done.splice(0)).toEqual(['“二”不是数字，没有填入']);
  expect(document.activeElement, 'the cursor stays').toBe(box);
  type('5');
  fireEvent.keyDown(box, { key: 's', ctrlKey: true });
  expect(done).toEqual([5]);
});
