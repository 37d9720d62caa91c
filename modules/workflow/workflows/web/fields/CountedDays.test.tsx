import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { provisionalText } from '#modules/platform/calendars/contract.ts';
import { fieldType } from '../../engine/codes.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { openColumns } from '../../engine/fields/rights.ts';
import { Field } from '../../engine/form.ts';
import { CountedDays } from './CountedDays.tsx';

const server = servedPage();
const next = Number(dayOf(new Date()).slice(0, 4)) + 1;

test('a form warns of the years in which it counts working days, and ignores its other dates', async () => {
  server.answers(({ query }) =>
    ok({ year: Number(query.get('year')), state: 'unknown', workdays: 250, days: '', office_hours: '', value: [] }),
  );
  const values: Record<string, string> = {
    from: `${next}-02-01`,
    to: `${next}-02-03`,
    contract_end: `${next + 3}-01-01`,
  };
  const items = [
    { key: 'from', name: '开始', type: fieldType.date },
    { key: 'to', name: '结束', type: fieldType.date },
    { key: 'contract_end', name: '合同到期', type: fieldType.date },
    { key: 'days', name: '天数', type: fieldType.float, days_between: { from: 'from', to: 'to', working: true } },
  ].map((one, at) => {
    const field = Field.parse({ id: at + 1, ...one });
    return fieldItem(field, at, { access: 1, columns: openColumns(field) }, values[one.key] ?? null, '');
  });
  show(<CountedDays items={items} />);
  expect(await screen.findByText(provisionalText(String(next), 'unknown'))).toBeTruthy();
  expect(server.asked.map(({ query }) => query.get('year'))).toEqual([String(next)]);
});
