import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { calendars, planIncomplete } from './contract.ts';
import { dueAfter } from '#modules/office/documents/rules/facts.ts';
import { workingDaysAfter, workingMinutesAfter, workingMinutesBetween } from './engine/working-time.ts';
import { proposalOf } from './proposal.ts';
import { calendarFrom, calendarOf, dayKind, type OwnDay } from './service.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { settings } from '#modules/platform/settings/contract.ts';

const office_hours = '08:30–12:00、13:30–18:00';
const usual = calendarFrom({ own: new Map(), workdays: [1, 2, 3, 4, 5], holidays: [], office_hours });
const byHand = { origin: 'own', plan: null } as const;
const shown = (moment: Date) => momentText(moment).slice(0, 16);
const after = (start: string, hours: number, calendar = usual) =>
  shown(workingMinutesAfter(momentOf(start), hours * 60, calendar));
const between = (start: string, end: string, calendar = usual) =>
  workingMinutesBetween(momentOf(start), momentOf(end), calendar) / 60;

describe('working days', () => {
  test.each([
    ['2025-01-26', true, '春节前调休的星期日'],
    ['2025-01-27', true, '除夕前一天'],
    ['2025-01-28', false, '除夕'],
    ['2025-02-04', false, '春节最后一天'],
    ['2025-02-05', true, '节后第一天'],
    ['2025-02-08', true, '补班的星期六'],
    ['2025-04-27', true, '劳动节前补班的星期日'],
    ['2025-09-28', true, '国庆前补班的星期日'],
    ['2025-10-08', false, '国庆中秋长假最后一天'],
    ['2025-10-11', true, '国庆后补班的星期六'],
    ['2025-10-12', false, '普通星期日'],
    ['2026-02-14', true, '春节前补班的星期六'],
    ['2026-02-15', false, '春节第一天'],
    ['2026-02-23', false, '春节最后一天'],
    ['2026-02-28', true, '春节后补班的星期六'],
    ['2026-10-07', false, '国庆最后一天'],
    ['2026-10-10', true, '国庆后补班的星期六'],
    ['2026-11-21', false, '普通星期六'],
  ])('%s counts as worked: %s (%s)', (day, works) => {
    expect(usual.works(day)).toBe(works);
  });

  test('a day set by hand overrides the announced holidays, which override the usual week', () => {
    const calendar = calendarFrom({
      own: new Map([
        ['2026-02-16', { works: true, name: '补班', ...byHand }],
        ['2026-03-02', { works: false, name: '校庆', ...byHand }],
        ['2026-03-08', { works: false, name: '校庆', ...byHand }],
      ]),
      workdays: [1, 2, 3, 4, 5, 6],
      office_hours,
      holidays: ['2026-03-03'],
    });
    expect(
      ['2026-02-16', '2026-02-17', '2026-03-02', '2026-03-03', '2026-03-07', '2026-03-08'].map(calendar.works),
    ).toEqual([true, false, false, false, true, false]);
    // A day that the organisation declares free is a holiday of its own, even on a Sunday; a plain Sunday is none.
    expect(
      ['2026-02-16', '2026-02-17', '2026-03-02', '2026-03-03', '2026-03-08', '2026-03-15'].map((day) =>
        dayKind(calendar, day),
      ),
    ).toEqual([
      { kind: 1, name: '' },
      { kind: 3, name: '春节' },
      { kind: 3, name: '校庆' },
      { kind: 3, name: '' },
      { kind: 3, name: '校庆' },
      { kind: 2, name: '' },
    ]);
  });
});

describe('the calendar of a year without announced holidays', () => {
  const own = (days: [string, OwnDay][]) =>
    calendarFrom({ own: new Map(days), workdays: [], holidays: [], office_hours });
  const proposal = (year: number, origin: 'proposed' | 'confirmed' | 'imported') =>
    proposalOf(year).map(({ day, name }): [string, OwnDay] => [day, { works: false, name, origin, plan: year }]);

  test('is provisional until its days are confirmed or imported, and a proposal counts meanwhile', () => {
    const calendar = own(proposal(2091, 'proposed'));
    expect([usual.state(2091), calendar.state(2091)]).toEqual(['unknown', 'proposed']);
    expect([usual, calendar].map((one) => one.works('2091-10-01'))).toEqual([true, false]);
    const confirmed = own(proposal(2091, 'confirmed'));
    expect([confirmed.state(2091), confirmed.holiday('2091-10-01')]).toEqual(['confirmed', '国庆节']);
    expect(own(proposal(2091, 'imported')).state(2091)).toBe('confirmed');
    expect(usual.state(2026)).toBe('announced');
  });

  test('stays provisional when days are only set by hand or belong to another year’s plan', () => {
    const hands = ['2091-01-01', '2091-10-01'].map((day): [string, OwnDay] => [
      day,
      { works: false, name: '放假', ...byHand },
    ]);
    const december: OwnDay = { works: true, name: '元旦', origin: 'imported', plan: 2092 };
    expect(own([...hands, ['2091-12-31', december]]).state(2091)).toBe('unknown');
  });

  test('once imported stays final if its National Day is set by hand, and is provisional without one', () => {
    const plan = proposal(2091, 'imported').filter(([day]) => day !== '2091-10-01');
    expect(own([...plan, ['2091-10-01', { works: true, name: '迎新', ...byHand }]]).state(2091)).toBe('confirmed');
    expect(own(plan).state(2091)).toBe('unknown');
  });

  test('when announced later overrides a proposal, confirmed or not, but not an imported sheet', () => {
    const works = (origin: 'proposed' | 'confirmed' | 'imported') =>
      own([['2026-10-08', { works: false, name: '国庆节', origin, plan: 2026 }]]).works('2026-10-08');
    expect([works('proposed'), works('confirmed'), works('imported')]).toEqual([true, true, false]);
  });
});

describe('the proposed holidays of a year', () => {
  test('include at least thirteen days of the announced holidays', () => {
    for (const year of [2025, 2026]) {
      const days = proposalOf(year);
      const rested = days.filter(({ day, name }) => usual.holiday(day) === name);
      // 元旦 1，春节 4，清明 1，劳动节 2，端午 1，中秋 1，国庆节 3。
      expect(rested.length).toBeGreaterThanOrEqual(13);
    }
  });

  test('contain thirteen weekdays off in every year, at or just after each holiday', () => {
    for (let year = 2025; year < 2100; year += 1) {
      const days = proposalOf(year);
      expect(new Set(days.map((one) => one.day)).size).toBe(days.length);
      expect([year, days.filter(({ day }) => ![0, 6].includes(new Date(day).getUTCDay())).length]).toEqual([year, 13]);
      expect(days.filter(({ day }) => !day.startsWith(String(year)))).toEqual([]);
    }
  });
});

describe('working time', () => {
  test('continues the next morning, over noon and over a weekend', () => {
    expect(after('2026-11-18 09:00', 1)).toBe('2026-11-18 10:00');
    expect(after('2026-11-18 11:00', 2)).toBe('2026-11-18 14:30');
    expect(after('2026-11-18 20:00', 8)).toBe('2026-11-19 18:00');
    expect(after('2026-11-20 17:00', 2)).toBe('2026-11-23 09:30');
    expect(after('2026-11-21 10:00', 0)).toBe('2026-11-21 10:00');
  });

  test('stops over Spring Festival and National Day, and runs on make-up days', () => {
    expect(after('2025-01-27 17:00', 2)).toBe('2025-02-05 09:30');
    expect(after('2026-02-13 17:00', 9)).toBe('2026-02-14 18:00');
    expect(after('2026-02-14 17:00', 2)).toBe('2026-02-24 09:30');
    expect(after('2025-09-30 17:00', 2)).toBe('2025-10-09 09:30');
    expect(after('2026-09-30 17:00', 2)).toBe('2026-10-08 09:30');
    expect(between('2025-09-27 00:00', '2025-10-13 00:00')).toBe(6 * 8);
    expect(between('2026-02-14 00:00', '2026-03-01 00:00')).toBe(6 * 8);
  });

  test('counts nothing backwards or at night', () => {
    expect(between('2026-11-18 18:00', '2026-11-19 08:30')).toBe(0);
    expect(between('2026-11-19 09:00', '2026-11-18 09:00')).toBe(0);
  });

  test('added to a time and counted back gives the same minutes', () => {
    const start = fc.date({
      min: momentOf('2025-01-01 00:00'),
      max: momentOf('2026-12-01 00:00'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 20_000 }), (from, minutes) => {
        const end = workingMinutesAfter(from, minutes, usual);
        expect(workingMinutesBetween(from, end, usual)).toBeCloseTo(minutes, 3);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['08:30–12:00、13:30–18:00', '2026-03-09 10:00', '2026-03-03 10:00'],
    ['09:00–12:00、14:00–17:00', '2026-03-09 10:00', '2026-03-03 10:00'],
    ['00:00–24:00', '2026-03-09 10:00', '2026-03-03 10:00'],
    ['13:00–17:00', '2026-03-06 17:00', '2026-03-02 17:00'],
  ])('of a number of working days is the same with office hours of %s', (hours, five, one) => {
    const calendar = calendarFrom({ own: new Map(), workdays: [], holidays: [], office_hours: hours });
    const later = (days: number) => shown(workingDaysAfter(momentOf('2026-03-02 10:00'), days, calendar));
    expect([later(5), later(1), later(0)]).toEqual([five, one, '2026-03-02 10:00']);
  });

  test('a calendar without working days is an error, not an endless search', () => {
    expect(() =>
      workingMinutesAfter(momentOf('2026-01-01 00:00'), 1, { works: () => false, hours: usual.hours }),
    ).toThrow('no working days');
    expect(() => workingDaysAfter(momentOf('2026-01-01 00:00'), 1, { works: () => true, hours: [] })).toThrow(
      'no working days',
    );
  });
});

describe('the calendar page', () => {
  let app: TestOffice;
  beforeAll(async () => {
    app = await openTestApp();
  }, 180_000);
  afterAll(() => app.close());

  test('shows a year to everybody and is changed by the keeper of the site settings', async () => {
    const clerk = await app.clerk({ 'system/site': ['Retrieve'] });
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const year = async () => clerk.get(calendars.year, { query: { year: 2026 } });
    const before = await year();
    expect([before.state, before.workdays]).toEqual(['announced', 248]);
    expect(before.value).toContainEqual({ day: '2026-10-10', works: true, name: '国庆节', source: 'announced' });
    const body = { works: false, name: '校庆' };
    const params = { day: '2026-10-10' };
    expect((await clerk.ask(calendars.setDay, { params, body })).code).toBe(4003);
    expect((await keeper.ask(calendars.setDay, { params, body })).code).toBe(0);
    expect((await year()).value).toContainEqual({ ...params, ...body, source: 'own' });
    expect((await year()).workdays).toBe(before.workdays - 1);
    expect((await keeper.ask(calendars.clearDay, { params })).code).toBe(0);
    expect((await keeper.ask(calendars.clearDay, { params })).code).toBe(4004);
    expect((await year()).workdays).toBe(before.workdays);
    expect((await keeper.ask(calendars.setDay, { params: { day: '1999-12-31' }, body })).msg).toMatch(/2000–2099/);
    for (const day of ['2026-02-31', '2026-12-1', '明天'])
      for (const call of [calendars.setDay, calendars.clearDay])
        expect((await keeper.ask(call, { params: { day }, body } as never)).msg).toBe(
          `没有“${day}”这一天，请写成 2026-10-01 这样的日期`,
        );
    expect((await clerk.get(calendars.year, { query: { year: 2091 } })).state).toBe('unknown');
  });

  const bring = async (keeper: Client, rows: string[][], dry = false) => {
    const bytes = await buffer(
      writeSheet({
        title: '放假安排',
        columns: ['日期', '安排', '说明'].map((title, at) => ({
          title,
          kind: 'text' as const,
          value: (row: string[]) => row[at]!,
        })),
        rows,
      }),
    );
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), '放假.xlsx');
    const sent = await keeper.fetch(`/api/calendars/import/?dry_run=${dry}`, { method: 'POST', body: form });
    return (await sent.json()) as { code: number; data: { errors: { msg: string }[]; imported: number } };
  };
  const daysOf = async (who: Client, year: number) =>
    (await who.get(calendars.year, { query: { year } })).value.map((one) => [one.day, one.works, one.source]);

  test('proposes a year without published holidays, marks it as such, and confirms it or takes a sheet', async () => {
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const of = (year: number) => keeper.get(calendars.year, { query: { year } });
    const params = { year: 2092 };
    expect((await keeper.ask(calendars.confirm, { params })).code).toBe(4004);
    expect((await keeper.ask(calendars.propose, { params: { year: 2026 } })).msg).toContain('2026 年的放假安排已公布');
    const usually = (await of(2092)).workdays;
    expect((await keeper.ask(calendars.propose, { params })).code).toBe(0);
    const proposed = await of(2092);
    expect([proposed.state, proposed.workdays]).toEqual(['proposed', usually - 13]);
    expect(proposed.value).toContainEqual({ day: '2092-10-01', works: false, name: '国庆节', source: 'proposed' });
    expect((await keeper.ask(calendars.discard, { params })).code).toBe(0);
    expect(await of(2092)).toMatchObject({ state: 'unknown', workdays: usually });
    await keeper.ask(calendars.propose, { params });
    expect((await keeper.ask(calendars.confirm, { params })).code).toBe(0);
    expect((await of(2092)).state).toBe('confirmed');
    expect((await of(2092)).value).toContainEqual(expect.objectContaining({ day: '2092-10-01', source: 'own' }));

    await keeper.ask(calendars.propose, { params: { year: 2093 } });
    const part = await bring(keeper, [['2093-01-01', '休息', '元旦']], true);
    expect(part.data.errors[0]!.msg).toContain('缺少 2093 年 1 月 1 日或 10 月 1 日');
    const two = await bring(
      keeper,
      [
        ['2093-01-01', '休息', '元旦'],
        ['2094-10-01', '歇', '国庆节'],
      ],
      true,
    );
    expect(two.data.errors.map((one) => one.msg)).toEqual([
      expect.stringContaining('“2093-01-01”与 2094 年的安排不是同一年'),
      '请填写休息或上班，现为“歇”',
    ]);
    const whole = [
      ['2093-01-01', '休息', '元旦'],
      ['2093年10月1日', '放假', '国庆节'],
      ['2093-10-10', '上班', '国庆节'],
    ];
    expect(await bring(keeper, whole)).toMatchObject({ code: 0, data: { imported: 3 } });
    expect((await of(2093)).state).toBe('confirmed');
    expect(await daysOf(keeper, 2093)).toEqual([
      ['2093-01-01', false, 'own'],
      ['2093-10-01', false, 'own'],
      ['2093-10-10', true, 'own'],
    ]);
  });

  test('replaces an earlier sheet or a confirmed proposal by a new sheet, and keeps days set by hand', async () => {
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const whole = (year: number) => [
      [`${year}-01-01`, '休息', '元旦'],
      [`${year}-10-01`, '休息', '国庆节'],
    ];
    await keeper.ask(calendars.propose, { params: { year: 2094 } });
    await keeper.ask(calendars.confirm, { params: { year: 2094 } });
    await keeper.ask(calendars.setDay, { params: { day: '2094-03-02' }, body: { works: false, name: '校庆' } });
    await bring(keeper, [...whole(2094), ['2094-02-17', '休息', '春节']]);
    const own = ['2094-01-01', '2094-03-02', '2094-10-01'].map((day) => [day, false, 'own']);
    expect(await daysOf(keeper, 2094)).toEqual([own[0], ['2094-02-17', false, 'own'], own[1], own[2]]);
    await bring(keeper, whole(2094));
    expect(await daysOf(keeper, 2094)).toEqual(own);
  });

  test('accepts in a sheet days of the December before, without treating that year as imported', async () => {
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const year = [
      ['2096-01-01', '休息', '元旦'],
      ['2096-10-01', '休息', '国庆节'],
    ];
    const december = [
      ['2095-12-29', '上班', '元旦'],
      ['2095-12-31', '休息', '元旦'],
      ['2095-12-30', '休息', '元旦'],
    ];
    expect(await bring(keeper, [...december, ...year])).toMatchObject({ code: 0, data: { imported: 5 } });
    expect(await daysOf(keeper, 2095)).toEqual([
      ['2095-12-29', true, 'own'],
      ['2095-12-30', false, 'own'],
      ['2095-12-31', false, 'own'],
    ]);
    const state = async (of: number) => (await keeper.get(calendars.year, { query: { year: of } })).state;
    expect([await state(2095), await state(2096)]).toEqual(['unknown', 'confirmed']);
    await bring(keeper, year);
    expect(await daysOf(keeper, 2095)).toEqual([]);
    const early = await bring(keeper, [['2095-11-30', '休息', '元旦'], ...year], true);
    expect(early.data.errors.map((one) => one.msg)).toEqual([expect.stringContaining('“2095-11-30”与 2096 年')]);
  });

  test('does not take a year as imported because of one day set by hand, which outlasts a withdrawn proposal', async () => {
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const state = async () => (await keeper.get(calendars.year, { query: { year: 2097 } })).state;
    const [params, day] = [{ year: 2097 }, { day: '2097-10-01' }];
    await keeper.ask(calendars.setDay, { params: day, body: { works: true, name: '迎新' } });
    expect(await state()).toBe('unknown');
    expect((await keeper.ask(calendars.propose, { params })).code).toBe(0);
    await keeper.ask(calendars.setDay, { params: day, body: { works: false, name: '国庆' } });
    expect(await state()).toBe('proposed');
    await keeper.ask(calendars.discard, { params });
    expect([await state(), await daysOf(keeper, 2097)]).toEqual(['unknown', [['2097-10-01', false, 'own']]]);
    await keeper.ask(calendars.propose, { params });
    expect((await keeper.ask(calendars.confirm, { params })).code).toBe(0);
    expect(await state()).toBe('confirmed');
  });

  test('does not confirm a proposal without its National Day until that day is set', async () => {
    const keeper = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
    const [params, day] = [{ year: 2098 }, { day: '2098-10-01' }];
    await keeper.ask(calendars.propose, { params });
    await keeper.ask(calendars.clearDay, { params: day });
    expect(await keeper.ask(calendars.confirm, { params })).toRefuse(planIncomplete, ['2098-10-01']);
    await keeper.ask(calendars.setDay, { params: day, body: { works: true, name: '迎新' } });
    expect((await keeper.ask(calendars.confirm, { params })).code).toBe(0);
    expect((await keeper.get(calendars.year, { query: params })).state).toBe('confirmed');
  });

  test('lets deadlines follow the office hours of the site settings, in any usual spelling', async () => {
    const save = (hours: string) => app.admin.ask(settings.saveSite, { body: { office_hours: hours } });
    const due = async () =>
      app.services.databases.write(async (tx) =>
        shown(workingMinutesAfter(momentOf('2026-03-02 11:00'), 180, await calendarOf(tx))),
      );
    expect(await due()).toBe('2026-03-02 15:30');
    expect((await save('9：00-12:00,  14:00 至 17:30')).code).toBe(0);
    const { office_hours: kept } = await app.admin.get(calendars.year, { query: { year: 2026 } });
    expect([kept, await due()]).toEqual(['09:00–12:00、14:00–17:30', '2026-03-02 16:00']);
    for (const wrong of [
      '',
      '8:30',
      '12:00-8:30',
      '8:00-12:00、11:00-17:00',
      '8:00-25:00',
      '0:00-1:00 2:00-3:00 4:00-5:00 6:00-7:00 8:00-9:00',
    ])
      expect([wrong, (await save(wrong)).msg]).toEqual([wrong, expect.stringMatching(/^办公时间：请按/)]);
    expect((await save('00:00-24:00')).code).toBe(0);
    expect(await due()).toBe('2026-03-02 14:00');
  });

  test('a document is due after working days of the office, whatever the office hours', async () => {
    const due = (level: number) =>
      app.services.databases.write(async (tx) =>
        shown(new Date(await dueAfter(tx, momentOf('2026-03-02 10:00'), { level, due_asked: null }))),
      );
    for (const hours of ['9:00-12:00、14:00-17:00', '0:00-24:00', office_hours]) {
      expect((await app.admin.ask(settings.saveSite, { body: { office_hours: hours } })).code).toBe(0);
      expect([await due(0), await due(1), await due(2)]).toEqual([
        '2026-03-09 10:00',
        '2026-03-04 10:00',
        '2026-03-03 10:00',
      ]);
    }
  });
});
