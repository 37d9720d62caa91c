// `npm run bench [-- name …] [--quick]` measures against the limits and writes bench/README.md. `years [--rows N]` and `morning [--people N]
// [--seconds N] [--calls N]` (calls per second) are measured only if named.
import { parseArgs } from 'node:util';
import { measureDetail, measureList } from './calls.ts';
import { measureEngine } from './engine.ts';
import { growthRow, growthTable, measureSearch } from './growth.ts';
import { measureContracts } from './contracts.ts';
import { measureDocuments } from './documents.ts';
import { measureForms } from './forms.ts';
import { measureBookings } from './bookings.ts';
import { measurePhotos } from './photos.ts';
import { measureStamps } from './stamps.ts';
import { measureSupervision } from './supervision.ts';
import { measureOrders } from './orders.ts';
import { measureLive } from './live.ts';
import { measureMorning, peakOf } from './morning/main.ts';
import { measureMonitors } from './monitors.ts';
import { measurePage } from './page.ts';
import { measurePages, measurePresses } from './pages.ts';
import { report, type Table } from './report.ts';
import { measureMatrix } from './matrix.ts';
import { openStage, removeStage } from './stage.ts';
import { measureStart } from './start.ts';
import { measureWeight } from './weight.ts';
import { measureYears } from './years/main.ts';

const names = [
  'list',
  'detail',
  'documents',
  'contracts',
  'stamps',
  'orders',
  'photos',
  'search',
  'growth',
  'start',
  'weight',
  'page',
  'pages',
  'presses',
  'live',
  'engine',
  'forms',
  'matrix',
  'monitors',
  'bookings',
  'supervision',
  'years',
  'morning',
] as const;
/** They take long and add nothing to the others. */
const byNameOnly: readonly Name[] = ['years', 'morning'];
type Name = (typeof names)[number];

interface Large {
  rows: number;
  morning: Parameters<typeof measureMorning>[1];
}
/** They need no tickets, or create their own. */
const apart: readonly Name[] = [
  'weight',
  'live',
  'matrix',
  'engine',
  'forms',
  'orders',
  'monitors',
  'photos',
  'bookings',
  'supervision',
  'years',
  'morning',
];

async function main(wanted: ReadonlySet<Name>, quick: boolean, large: Large): Promise<void> {
  const inTickets = [...wanted].some((name) => !apart.includes(name));
  const all = quick ? [1000, 10_000, 50_000] : [10_000, 100_000, 1_000_000];
  const sizes = inTickets ? all : [];
  const [seconds, times] = quick ? [3, 20] : [10, 100];
  const tables: Table[] = [];
  const growth: Table['rows'] = [];
  const take = async (name: Name, measure: () => Promise<Table>) => {
    if (!wanted.has(name)) return;
    console.log(`测量 ${name}`);
    await measure().then(
      (table) => void tables.push(table),
      (error: Error) => {
        process.exitCode = 1;
        console.error(`${name} 没有测成：${error.message}`);
      },
    );
  };
  const last = wanted.has('search') || wanted.has('growth') ? 2 : 1;
  const stage = await openStage();
  let open = true;
  const close = async () => {
    if (open) await stage.close();
    open = false;
  };
  try {
    await take('live', () => measureLive(stage, quick ? 5 : 30));
    await take('monitors', () => measureMonitors(stage, quick ? [1000, 5, 4] : [5000, 60, 20]));
    await take('forms', () => measureForms(stage, times));
    await take('matrix', () => measureMatrix(stage, times));
    await take('orders', () => measureOrders(stage, times, quick ? 50_000 : 1_000_000));
    for (const [index, size] of sizes.entries()) {
      if (index > last || (index < 1 && !wanted.has('growth'))) continue;
      await stage.grow(size);
      if (wanted.has('growth')) growth.push(await growthRow(stage, times));
      if (index === 1) {
        await take('list', () => measureList(stage, seconds));
        await take('page', () => measurePage(stage));
        await take('pages', () => measurePages(stage, quick ? 1 : 5));
        await take('presses', () => measurePresses(stage, quick ? 1 : 5));
        await take('detail', () => measureDetail(stage, seconds));
        await take('documents', () => measureDocuments(stage, times));
        await take('contracts', () => measureContracts(stage, times));
        await take('stamps', () => measureStamps(stage, times));
        await take('photos', () => measurePhotos(stage, times, quick ? 20_000 : 200_000));
      }
    }
    if (growth.length > 0) tables.push(growthTable(growth));
    await take('search', () => measureSearch(stage, times));
    if (wanted.has('engine')) await stage.grow(all[0]!);
    await take('engine', () => measureEngine(stage, times));
    await take('bookings', () => measureBookings(stage, times, quick ? 20 : 365));
    await take('supervision', () => measureSupervision(stage, times, quick ? 5000 : 50_000));
    if (wanted.has('years')) tables.push(...(await measureYears(stage, times, large.rows)));
    if (wanted.has('morning')) tables.push(...(await measureMorning(stage, large.morning)));
    await close();
    await take('weight', () => measureWeight(quick));
    await take('start', () => measureStart(stage.dataDir, stage.size, quick ? 2 : 5));
  } finally {
    await close();
    await removeStage(stage);
  }
  await report(tables, quick);
}

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    people: { type: 'string' },
    seconds: { type: 'string' },
    calls: { type: 'string' },
  },
  allowPositionals: true,
});
const isName = (name: string): name is Name => names.some((one) => one === name);
const unknown = positionals.find((name) => !isName(name));
if (unknown) {
  console.error(`没有名为“${unknown}”的测量，可用的有：${names.join('、')}。`);
  process.exitCode = 1;
} else {
  const people = Number(values.people ?? (values.quick ? 200 : 2000));
  await main(
    new Set(positionals.length > 0 ? positionals.filter(isName) : names.filter((name) => !byNameOnly.includes(name))),
    values.quick,
    {
      rows: Number(values.rows ?? (values.quick ? 50_000 : 2_000_000)),
      morning: {
        people,
        seconds: Number(values.seconds ?? (values.quick ? 20 : 180)),
        perSecond: Number(values.calls ?? peakOf(people)),
      },
    },
  );
}
