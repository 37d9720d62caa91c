import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { provisionalText, type YearState } from '../contract.ts';
import { Provisional } from './Provisional.tsx';

const server = servedPage();
const present = Number(dayOf(new Date()).slice(0, 4));
const next = present + 1;
const known = (state: YearState) =>
  server.answers(({ query }) =>
    ok({ year: Number(query.get('year')), state, workdays: 250, days: '', office_hours: '', value: [] }),
  );

test('a date in a year without published holidays is marked as provisional', async () => {
  known('unknown');
  show(
    <>
      <Provisional day={`${next}-02-01 09:00:00`} />
      <Provisional inline day={`${next}-02-01`} />
    </>,
  );
  const text = provisionalText(String(next), 'unknown');
  expect((await screen.findAllByText(text))[0]).toBeTruthy();
  expect(screen.getByText('暂定').title).toBe(text);
});

test('the current year is provisional too if nothing was published for it', async () => {
  known('unknown');
  show(<Provisional day={dayOf(new Date())} />);
  expect(await screen.findByText(provisionalText(String(present), 'unknown'))).toBeTruthy();
});

test('a date in a year with a proposal says that it follows the proposal', async () => {
  known('proposed');
  show(<Provisional day={`${next}-02-01`} />);
  expect(await screen.findByText(/日期暂按建议稿推算/)).toBeTruthy();
});

test('a date in a confirmed year shows no note, and for a past year nothing is requested', async () => {
  known('confirmed');
  const { container } = show(
    <>
      <Provisional day={`${next}-03-01`} />
      <Provisional day={`${present - 1}-12-31`} />
      <Provisional day={null} />
    </>,
  );
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(container.textContent).toBe('');
});
