import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldType } from '../../engine/codes.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { openColumns } from '../../engine/fields/rights.ts';
import { Field } from '../../engine/form.ts';
import { TicketFields } from './TicketFields.tsx';

servedPage();

const days = Field.parse({ id: 1, key: 'days', name: '天数', type: fieldType.int });
const item = fieldItem(days, 1, { access: 3, columns: openColumns(days) }, 3, '');

function Form() {
  const [edited, setEdited] = useState<Record<string, unknown>>({});
  const { held, hold } = useHeld();
  return (
    <HoldContext value={hold}>
      <TicketFields items={[item]} edited={edited} errors={[]} onEdit={(key, value) => setEdited({ [key]: value })} />
      <p>{JSON.stringify({ edited, around: held.map(({ says }) => says) })}</p>
    </HoldContext>
  );
}

test('a number that could not be read is told at its field, and keeps the form around it from being sent', () => {
  show(<Form />);
  const box = screen.getByLabelText<HTMLInputElement>('天数');
  const enter = (text: string) => {
    fireEvent.focus(box);
    fireEvent.change(box, { target: { value: text } });
    fireEvent.blur(box);
  };
  const said = '“二”不是数字，没有填入';
  enter('二');
  expect(screen.getByText(JSON.stringify({ edited: {}, around: [said] }))).toBeTruthy();
  expect(document.getElementById('field-days-error')?.textContent).toBe(said);
  enter('2');
  expect(screen.getByText(JSON.stringify({ edited: { days: 2 }, around: [] }))).toBeTruthy();
  expect(document.getElementById('field-days-error')).toBeNull();
});
