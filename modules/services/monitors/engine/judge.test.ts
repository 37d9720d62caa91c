import { describe, expect, test } from 'vitest';
import { flapMs, fresh, judge, type Around, type Kept, type Result, type Settings, type Verdict } from './judge.ts';

const usual: Settings = { retries: 2, successes: 2, resend_every: 0, max_alerts: 5 };
const calm: Around = { maintenance: false, parentDown: false, claimed: false };
const minute = 60_000;

/** `o` ok, `f` fail, `c` certain, `u` unsure, `m` a probe within maintenance, `x` switched off; one minute apart. */
function walk(steps: string, settings: Partial<Settings> = {}, around: Partial<Around> = {}, begin: Kept = fresh) {
  const results: Record<string, Result> = { o: 'ok', f: 'fail', c: 'certain', u: 'unsure', m: 'fail', x: 'off' };
  let kept = begin;
  const said: string[] = [];
  [...steps].forEach((step, index) => {
    const where = { ...calm, ...around, maintenance: step === 'm' };
    const after = judge(kept, results[step]!, { ...usual, ...settings }, where, index * minute);
    kept = JSON.parse(JSON.stringify(after.kept)) as Kept;
    for (const verdict of after.verdicts)
      said.push(`${index}:${verdict.type}${'told' in verdict && !verdict.told ? ' in silence' : ''}`);
  });
  return { kept, said, status: kept.status };
}

describe('a monitor', () => {
  test('whose failure recovers within its retries opens no incident, and counts a flicker', () => {
    const { said, kept } = walk('ooffoffo');
    expect(said).toEqual([]);
    expect(kept).toMatchObject({ status: 1, flickers: 2, fails: 0 });
  });
  test('is down from its first failure once the retries are used up, and up from the first of two successes', () => {
    expect(walk('offfoffoo').said).toEqual(['3:opened', '3:alert', '8:recovered']);
    expect(judge(walk('off').kept, 'fail', usual, calm, 3 * minute).verdicts[0]).toEqual({
      type: 'opened',
      at: minute,
    });
    expect(judge(walk('offfo').kept, 'ok', usual, calm, 9 * minute).verdicts[0]).toMatchObject({ at: 4 * minute });
  });
  test('announces no first success, and needs a second failure the first time even without retries', () => {
    expect(walk('o', { retries: 0 })).toMatchObject({ status: 1, said: [] });
    expect(walk('f', { retries: 0 })).toMatchObject({ status: 2, said: [] });
    expect(walk('ff', { retries: 0 }).said).toEqual(['1:opened', '1:alert']);
    expect(walk('of', { retries: 0 }).said).toEqual(['1:opened', '1:alert']);
  });
  test('that reports itself as down is believed at once', () => {
    expect(walk('oc').said).toEqual(['1:opened', '1:alert']);
    expect(walk('ocfff').said).toEqual(['1:opened', '1:alert']);
  });
  test('is not down because names cannot be resolved at the moment', () => {
    expect(walk('ouuuuuuuuu')).toMatchObject({ status: 2, said: [] });
    expect(walk('ouuuuuuuf').said).toEqual(['8:opened', '8:alert']);
    expect(walk('offfuuouo').said).toEqual(['3:opened', '3:alert', '8:recovered']);
  });
  test('that is down before, during and after a window is not announced twice; a recovery within it is announced at its end', () => {
    expect(walk('offfmmmmff').said).toEqual(['3:opened', '3:alert']);
    expect(walk('offfmmmmoo').said).toEqual(['3:opened', '3:alert', '9:recovered']);
    expect(walk('oommmmoo').said).toEqual([]);
    expect(walk('oommmmfff').said).toEqual(['8:opened', '8:alert']);
    // Failures before the window do not add to those after it.
    expect(walk('offmmff').status).toBe(2);
  });
  test('announces again after the set number of failures up to a maximum, and never once it was claimed', () => {
    const again = { resend_every: 2, max_alerts: 3 };
    expect(walk(`offf${'f'.repeat(12)}`, again).said).toEqual(['3:opened', '3:alert', '5:alert', '7:alert']);
    const open = walk('offf', again).kept;
    expect(walk('fffffff', again, { claimed: true }, open).said).toEqual([]);
    expect(walk('oo', again, { claimed: true }, open).said).toEqual(['1:recovered']);
  });
  test('below another that is down stays silent, and speaks once that one is up and it is not', () => {
    const silent = walk('offfff', {}, { parentDown: true });
    expect(silent.said).toEqual(['3:opened']);
    expect(walk('oo', {}, {}, silent.kept).said).toEqual(['1:recovered in silence']);
    expect(walk('f', {}, {}, silent.kept).said).toEqual(['0:alert']);
  });
  test('that flaps announces it once, is silent for half an hour, and then announces its state', () => {
    const { said } = walk(`o${'coo'.repeat(12)}${'o'.repeat(30)}`);
    expect(said.filter((one) => /alert|flapping|settled|\d:recovered$/.test(one))).toEqual([
      '1:alert',
      '3:recovered',
      '4:alert',
      '6:flapping',
      '36:settled',
    ]);
    const down = walk(`o${'coo'.repeat(2)}${'f'.repeat(60)}`).said;
    expect(down.slice(-3)).toEqual(['6:flapping', '9:opened', '36:settled']);
  });
  test('that is switched off closes its incident silently', () => {
    expect(walk('offfx')).toMatchObject({ kept: fresh, said: ['3:opened', '3:alert', '4:stopped'] });
    expect(walk('offx').said).toEqual([]);
  });
});

/** A slow second implementation: recomputes everything from the whole history, as text. */
interface Step {
  sign: string;
  at: number;
  parentDown: boolean;
  claimed: boolean;
}
function secondReading(steps: readonly Step[], { retries, successes, resend_every, max_alerts }: Settings): string[] {
  const said: string[] = [];
  /** Results since the last certain change; `|` marks a window. */
  let since = '';
  let verdict: 'up' | 'down' | null = null;
  /** Steps of status changes, and steps at which people were alerted of this incident. */
  let changes: number[] = [];
  let heard: number[] = [];
  let silence: number | null = null;
  const run = () => since.slice(Math.max(since.lastIndexOf('o'), since.lastIndexOf('|')) + 1);
  steps.forEach(({ sign, at, parentDown, claimed }, index) => {
    if (sign === 'x') {
      if (verdict === 'down') said.push(`${index} stopped`);
      [since, verdict, changes, heard, silence] = ['', null, [], [], null];
      return;
    }
    if (sign === 'm') {
      since += '|';
      return;
    }
    since += sign;
    let change: 'opened' | 'recovered' | null = null;
    if (verdict === 'down') {
      const certain = since.replaceAll('u', '');
      if (new RegExp(`o{${successes}}$`).test(certain)) change = 'recovered';
    } else {
      const row = run();
      const patience = verdict === null ? Math.max(1, retries) : retries;
      const before = Math.min(row.length - 1, Math.max(1, retries));
      if (row.endsWith('c') || (row.endsWith('f') && before + 1 > patience)) change = 'opened';
      else if (sign === 'o') verdict = 'up';
    }
    if (change === 'opened') {
      const row = run();
      said.push(`${index} opened ${startOf(steps, index, row.length)}`);
      [verdict, since, heard] = ['down', '', []];
    }
    const knew = heard.length > 0;
    if (change === 'recovered') [verdict, since] = ['up', ''];
    if (change) changes.push(at);
    // The notifications.
    const alertable = verdict === 'down' && !claimed && !parentDown && heard.length < max_alerts;
    if (silence !== null) {
      if (change === 'recovered') said.push(`${index} recovered quietly`);
      if (at < silence) return;
      [silence, changes] = [null, []];
      if (verdict === 'up' || alertable) said.push(`${index} settled ${verdict}`);
      if (alertable) heard.push(index);
      return;
    }
    const latest = changes.slice(-4);
    if (change && latest.length === 4 && at - latest[0]! <= flapMs) {
      silence = at + flapMs;
      if (change === 'recovered') said.push(`${index} recovered quietly`);
      said.push(`${index} flapping`);
    } else if (change === 'recovered') said.push(`${index} recovered ${knew ? 'aloud' : 'quietly'}`);
    else if (alertable && 'fc'.includes(sign)) {
      const failures =
        heard.length === 0
          ? 0
          : steps.slice(heard.at(-1)! + 1, index + 1).filter((one) => 'fc'.includes(one.sign)).length;
      if (heard.length === 0) said.push(`${index} alert`);
      else if (resend_every > 0 && failures >= resend_every) said.push(`${index} alert again`);
      else return;
      heard.push(index);
    }
  });
  return said;
}
/** The time of the first of the last `length` counted probes, up to a step. */
function startOf(steps: readonly Step[], index: number, length: number): number {
  let left = length;
  for (let at = index; at >= 0; at--) {
    if (steps[at]!.sign !== 'm') left--;
    if (left === 0) return steps[at]!.at;
  }
  throw new Error('a run is never longer than its history');
}

/** Mulberry32. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const named: Record<string, Result> = { o: 'ok', f: 'fail', c: 'certain', u: 'unsure', m: 'ok', x: 'off' };
const words = (index: number) => (verdict: Verdict) =>
  `${index} ${
    verdict.type === 'opened'
      ? `opened ${verdict.at}`
      : verdict.type === 'recovered'
        ? `recovered ${verdict.told ? 'aloud' : 'quietly'}`
        : verdict.type === 'alert'
          ? verdict.again
            ? 'alert again'
            : 'alert'
          : verdict.type === 'settled'
            ? `settled ${verdict.status ? 'up' : 'down'}`
            : verdict.type
  }`;

test('over 100,000 random histories is judged as a slow reference implementation judges it', () => {
  const chance = dice(20_260_723);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
  let verdicts = 0;
  for (let round = 0; round < 100_000; round++) {
    const settings = {
      retries: pick([0, 1, 2, 5]),
      successes: pick([1, 2, 3]),
      resend_every: pick([0, 1, 3]),
      max_alerts: pick([1, 2, 5]),
    };
    const signs = pick(['of', 'ooofffc', 'oofffcum', 'ooofffcummx', 'ofc', 'oooooffffffffm']);
    const steps: Step[] = [];
    let [at, parentDown, claimed] = [0, false, false];
    for (let count = 4 + Math.floor(chance() * 28); count > 0; count--) {
      at += pick([1, 1, 2, 15]) * minute;
      if (chance() < 0.05) parentDown = !parentDown;
      if (chance() < 0.05) claimed = !claimed;
      steps.push({ sign: pick([...signs]), at, parentDown, claimed });
    }
    let kept = fresh;
    const said = steps.flatMap(({ sign, ...step }, index) => {
      if (chance() < 0.1) kept = JSON.parse(JSON.stringify(kept)) as Kept;
      const after = judge(kept, named[sign]!, settings, { ...step, maintenance: sign === 'm' }, step.at);
      kept = after.kept;
      // A change comes before the notification about it, as in the second implementation.
      return after.verdicts.map(words(index));
    });
    verdicts += said.length;
    const wanted = secondReading(steps, settings);
    if (said.join() !== wanted.join()) expect({ settings, steps, said }).toEqual({ settings, steps, said: wanted });
  }
  expect(verdicts).toBeGreaterThan(100_000);
});
