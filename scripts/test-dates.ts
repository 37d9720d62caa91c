import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countOutcomes, describeRun, type Outcome } from './test-outcome.mjs';
import { runProgram, Stop } from './run-process.mjs';
import { environmentOf, runnersOf } from './run-test.mjs';
import { openTestFolder } from './test-folder.mjs';
import { unpackDebian, unpackedAt } from './unpack-debian.ts';

const root = join(import.meta.dirname, '..');
const library = 'libfaketimeMT.so.1';

/** Moments at which rules about the calendar have failed before, in Asia/Shanghai. */
function momentsFrom(now: Date): Record<string, Date> {
  const here = (text: string) => new Date(`${text}+08:00`);
  const year = now.getFullYear();
  const sunday = new Date(now.getTime() + (7 - now.getDay()) * 86_400_000);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return {
    sunday: here(`${day(sunday)}T10:00`),
    // Nothing that counts by week exists yet.
    'week-begins': here(`${day(new Date(sunday.getTime() + 86_400_000))}T00:20`),
    // The moment at which one shift hands over to the next.
    handover: here(`${day(now)}T07:45`),
    'before-midnight': here(`${day(now)}T23:40`),
    'year-end': here(`${year}-12-31T23:40`),
    'new-year': here(`${year + 1}-01-01T00:20`),
    february: here(`${year + 1}-02-28T12:00`),
    'spring-eve': here('2027-02-05T16:00'),
    september: here(`${year + 1}-09-30T17:00`),
    // No calendar of holidays is published for that year yet.
    'year-after-next': here(`${year + 2}-03-15T10:00`),
  };
}
/** The moments at which the browser tests run as well. */
const inBrowser = new Set(['handover', 'year-end', 'spring-eve', 'year-after-next']);

/** Path of the library that gives programs another time, from the system or unpacked below `.cache`. */
function findLibrary(): string {
  const search = (base: string) =>
    (existsSync(base) ? readdirSync(base) : [])
      .map((machine) => join(base, machine, 'faketime', library))
      .find(existsSync);
  const installed = () => search('/usr/lib') ?? search(unpackedAt('libfaketime', 'usr', 'lib'));
  if (!installed()) unpackDebian('libfaketime');
  const found = installed();
  if (found) return found;
  throw new Stop('没有找到 libfaketime，也无法自动取得（只在 Debian 上自动取得）。请先安装 libfaketime。');
}

/**
 * The environment that shifts the clocks of node and the database by the same amount; durations stay correct. A browser hangs under the library, so
 * its pages get the shift instead (e2e/office.ts).
 */
function movedClock(to: Date): Record<string, string> {
  const seconds = Math.round((to.getTime() - Date.now()) / 1000);
  return {
    CLOCK_MOVED_S: String(seconds),
    LD_PRELOAD: findLibrary(),
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: 'Asia/Shanghai',
  };
}

/**
 * Runs all server tests at each of the moments, and the browser tests at four of them: `npm run test-dates`. Names of moments and files narrow it:
 * `npm run test-dates -- year-end modules/office/duty`, `npm run test-dates -- handover e2e`.
 */
async function main(args: readonly string[]): Promise<number> {
  const moments = momentsFrom(new Date());
  const named = args.filter((one) => one in moments);
  const files = args.filter((one) => !(one in moments));
  const failed: string[] = [];
  for (const [name, moment] of Object.entries(moments)) {
    if (named.length > 0 && !named.includes(name)) continue;
    console.log(`\n── ${name}：${moment.toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' })}`);
    const folder = openTestFolder();
    try {
      const { unit, browser } = runnersOf(root, process.execPath, { ...movedClock(moment), ...environmentOf(folder) });
      const outcomes: Outcome[] = [];
      const server = files.filter((file) => !file.startsWith('e2e'));
      const journeys = files.filter((file) => file.startsWith('e2e'));
      if (files.length === 0 || server.length > 0) outcomes.push(...(await unit(['--project=!web', ...server])));
      if (files.length === 0 ? inBrowser.has(name) : journeys.length > 0) outcomes.push(...(await browser(journeys)));
      console.log(describeRun(outcomes).join('\n'));
      if (countOutcomes(outcomes).failed > 0) failed.push(name);
    } finally {
      folder.remove();
    }
  }
  console.log(failed.length === 0 ? '在每个时刻都通过' : `未通过的时刻：${failed.join('、')}`);
  return failed.length === 0 ? 0 : 1;
}

await runProgram(() => main(process.argv.slice(2)));
