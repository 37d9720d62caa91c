import type { Chance } from '#kernel/server/process/chance.ts';
import { withoutIndexes } from '#kernel/server/db/bulk.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { chained, type Content } from '../store/chain.ts';
import { castOf, flowsOf, officeFlows, remembered } from './cast.ts';
import { liveThrough, referenceWeek, type DemoFlow, type Life } from './lives.ts';
import { mouldsOf } from './moulds.ts';
import { closeMoulds, contentOf, linksOf, logsOf, openMoulds, rowsOf, tasksOf, ticketOf, tokensOf } from './sql.ts';

interface Spread {
  tickets: number;
  /** The number of past weeks they are spread over, including this one. */
  weeks: number;
  now: Date;
  chance: Chance;
  /** The number of weeks before this one in which no more are begun. */
  ago?: number;
}
export interface Demanded extends Spread {
  /** Ids of the two work order workflows that a new organisation starts with. */
  repair: number;
  leave: number;
}

const week = 7 * 24 * 3_600_000;
const batch = 10_000;
/** From this number on it is quicker to rebuild the indexes. */
const many = 5_000;
const mostLives = 2000;
const livesOfEach = 2;
const nobody = { people: [], dept: null };

interface Wording {
  title: string;
  place: string;
  description: string;
  vector: string;
}
interface Copies {
  life: number[];
  steps: number[];
  /** Milliseconds after the reference week. */
  later: number[];
  sn: string[];
  title: string[];
  place: string[];
  description: string[];
  search: string[];
}

/**
 * Makes tickets as people would have left them: the engine decides some thousand lives, which are repeated in other weeks with other words. A life is
 * cut off at `now`, so that recent ones are still running. Returns how many were added.
 */
export async function addDemoTickets(tx: Db, demanded: Demanded): Promise<number> {
  const { chance, tickets } = demanded;
  const flows = await flowsOf(tx, demanded);
  const lived = Math.min(mostLives, Math.max(160, tickets / 5));
  return addLived(tx, demanded, lived, () => (chance.happens(0.7) ? flows.repair : flows.leave));
}

/** The same for those gallery flows that are installed, by their keys: as many of each as possible. */
export async function addOfficeTickets(
  tx: Db,
  demanded: Spread & { workflows: Readonly<Record<string, number>> },
): Promise<number> {
  const flows = await officeFlows(tx, demanded.workflows);
  return addLived(tx, demanded, flows.length * livesOfEach, (turn) => flows[turn % flows.length]!);
}

async function addLived(tx: Db, demanded: Spread, lived: number, flowOf: (turn: number) => DemoFlow): Promise<number> {
  const { chance, tickets } = demanded;
  const cast = await castOf(tx);
  const lives: Life[] = [];
  while (lives.length < lived) {
    const flow = flowOf(lives.length);
    const busy = Math.floor(chance.draw() ** 1.7 * cast.creators.length);
    lives.push(await liveThrough(flow, cast.creators[cast.creators.length - 1 - busy]!, chance, cast));
  }
  lives.sort((a, b) => a.steps[0]!.at - b.steps[0]!.at);
  const { days } = await openMoulds(tx, mouldsOf(lives));
  const add = () => addCopies(tx, demanded, lives, days);
  const added =
    tickets < many
      ? await add()
      : await withoutIndexes(tx, ['ticket', 'ticket_token', 'ticket_task', 'ticket_log'], add);
  await closeMoulds(tx);
  return added;
}

async function addCopies(tx: Db, demanded: Spread, lives: readonly Life[], days: number): Promise<number> {
  const { chance, now, ago = 0 } = demanded;
  const wordings = wordingsOf(demanded, lives);
  const names = remembered((alias: string) => searchVector({ texts: [], names: [alias] }));
  const numbers = await Numbers.open(tx);
  const thisWeek = Math.floor((now.getTime() - referenceWeek) / week);
  let added = 0;
  let copies = noCopies();
  const flush = async () => {
    if (copies.life.length === 0) return;
    await insert(tx, copies, days);
    added += copies.life.length;
    copies = noCopies();
  };
  const weekOf = (index: number) => thisWeek - ago - demanded.weeks + 1 + index;
  const begunIn = (index: number) =>
    lives.filter(({ steps }) => steps[0]!.at + weekOf(index) * week <= now.getTime() - 3_000_000);
  const counts = perWeek(demanded);
  // If the present week has only just begun, nothing was begun in it: its share goes to the week before.
  for (let index = counts.length - 1; index > 0 && begunIn(index).length === 0; index -= 1)
    counts[index - 1]! += counts.splice(index, 1)[0]!;
  for (const [index, count] of counts.entries()) {
    const weeks = weekOf(index);
    const begun = begunIn(index);
    if (begun.length === 0) continue;
    for (const life of chosenOf(chance, count, begun.length)) {
      const { flow, creator, steps } = lives[life]!;
      const later = weeks * week + chance.between(0, 2_400_000);
      const rule = flow.definition.settings.number_rule;
      const sn = numbers.next(rule.prefix, rule.digits, steps[0]!.at + later);
      const wording = wordings(life);
      copies.life.push(life);
      copies.steps.push(Math.max(1, steps.filter((step) => step.at + later <= now.getTime()).length));
      copies.later.push(later);
      copies.sn.push(sn);
      copies.title.push(wording.title);
      copies.place.push(wording.place);
      copies.description.push(wording.description);
      copies.search.push(`${wording.vector} ${names(creator.alias)} ${searchVector({ texts: [], codes: [sn] })}`);
      if (copies.life.length === batch) await flush();
    }
  }
  await flush();
  await numbers.keep(tx);
  return added;
}

/** Indexes into a list of lives, in its order; none twice while there are enough. */
function chosenOf(chance: Chance, count: number, lives: number): number[] {
  const chosen = new Set<number>();
  const more: number[] = [];
  while (chosen.size + more.length < count) {
    const life = chance.between(0, lives - 1);
    if (chosen.has(life)) {
      if (chosen.size * 2 > lives) more.push(life);
    } else chosen.add(life);
  }
  return [...chosen, ...more].sort((a, b) => a - b);
}

async function insert(tx: Db, copies: Copies, days: number): Promise<void> {
  const { $client: client } = tx;
  await client.query('truncate demo_copy, demo_row, demo_link');
  await client.query(
    `insert into demo_copy select nextval(pg_get_serial_sequence('ticket', 'id')), life, steps, later * interval '1 millisecond',
       sn, title, place, description, search::tsvector
     from unnest($1::int[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as copy (life, steps, later, sn, title, place, description, search)`,
    [copies.life, copies.steps, copies.later, copies.sn, copies.title, copies.place, copies.description, copies.search],
  );
  await client.query('analyze demo_copy');
  await client.query(rowsOf(days));
  const { rows } = await client.query<Content>(contentOf);
  const links = chained(rows);
  await client.query(linksOf, [
    rows.map((row) => row.ticket_id),
    rows.map((row) => row.seq),
    links.map((link) => link.prev_hash),
    links.map((link) => link.hash),
  ]);
  await client.query('analyze demo_row, demo_link');
  for (const text of [ticketOf(days), tokensOf, tasksOf, logsOf]) await client.query(text);
}

const noCopies = (): Copies => ({
  life: [],
  steps: [],
  later: [],
  sn: [],
  title: [],
  place: [],
  description: [],
  search: [],
});

/** Terms are busy, holidays are quiet, and every year brings more. */
const months = [0.9, 0.35, 1.2, 1.1, 1.1, 1, 0.5, 0.35, 1.6, 1.2, 1.1, 1];

function perWeek({ tickets, weeks, now }: Spread): number[] {
  const weights = Array.from({ length: weeks }, (_, index) => {
    const from = new Date(now.getTime() - (weeks - 1 - index) * week);
    const part = index === weeks - 1 ? Math.max(0.1, ((now.getTime() - referenceWeek) % week) / week) : 1;
    return months[from.getMonth()]! * (0.7 + (0.3 * index) / weeks) * part;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  let given = 0;
  return weights.map((weight) => {
    before += weight;
    const count = Math.round((before / total) * tickets) - given;
    given += count;
    return count;
  });
}

/** The words of a life's copy: different ones of the same kind for some flows, the same for the rest. */
function wordingsOf({ chance, tickets }: Spread, lives: readonly Life[]): (life: number) => Wording {
  const pools = new Map<string, Wording[]>();
  for (const flow of new Set(lives.map((life) => life.flow).filter((candidate) => candidate.varies))) {
    for (let count = Math.min(20_000, Math.max(200, tickets)); count > 0; count -= 1) {
      const asked = flow.ask(chance, new Date(referenceWeek), nobody) as Record<string, string>;
      const key = `${flow.version_id} ${asked['category']}`;
      const pool = pools.get(key) ?? [];
      pool.push(wordingOf(asked['title'] ?? '', asked));
      pools.set(key, pool);
    }
  }
  const own = lives.map(({ steps }) => {
    const { title, form } = steps.at(-1)!.state;
    return wordingOf(title, form as Record<string, string>);
  });
  const keys = lives.map(({ flow, steps }) => `${flow.version_id} ${String(steps[0]!.state.form['category'])}`);
  return (life) => {
    const pool = pools.get(keys[life]!);
    return pool ? chance.pick(pool) : own[life]!;
  };
}

function wordingOf(title: string, form: Readonly<Record<string, string | undefined>>): Wording {
  const { place = '', description = '' } = form;
  return { title, place, description, vector: searchVector({ texts: [title] }) };
}

/** Serial numbers by day, continuing after the existing ones. */
class Numbers {
  readonly #last: Map<string, number>;
  constructor(last: Map<string, number>) {
    this.#last = last;
  }
  static async open(tx: Db): Promise<Numbers> {
    const { rows } = await tx.$client.query<{ name: string; last_no: string }>(
      `select key || ' ' || period as name, last_no from sequence where scope = 'sn'`,
    );
    return new Numbers(new Map(rows.map((row) => [row.name, Number(row.last_no)])));
  }
  next(prefix: string, digits: number, at: number): string {
    const period = new Date(at + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
    const name = `${prefix} ${period}`;
    const number = (this.#last.get(name) ?? 0) + 1;
    this.#last.set(name, number);
    return prefix + period + String(number).padStart(digits, '0');
  }
  async keep(tx: Db): Promise<void> {
    const rows = [...this.#last].map(([name, last]) => [...name.split(' '), last] as const);
    await tx.$client.query(
      `insert into sequence (scope, key, period, last_no)
       select 'sn', key, period, last_no from unnest($1::text[], $2::text[], $3::bigint[]) as given (key, period, last_no)
       on conflict (scope, key, period) do update set last_no = greatest(sequence.last_no, excluded.last_no)`,
      [rows.map((row) => row[0]), rows.map((row) => row[1]), rows.map((row) => row[2])],
    );
  }
}
