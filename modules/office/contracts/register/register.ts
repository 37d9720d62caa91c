import { and, eq } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { registrations, stageName } from '../contract/codes.ts';
import { notAtStage, notOfSupplement, notYours } from '../contract/refusals.ts';
import type { RegistrationInput, InputOf } from '../contract/performing/register.ts';
import { partNames, registrable, suits, type Part } from '../engine/registering.ts';
import { contracts } from '../record/record.ts';
import { contractPerformanceTable } from '../tables.ts';
import { change } from './change.ts';
import type { Made, Making } from './context.ts';
import { dispute, endDispute } from './disputes.ts';
import { archive, finish, makeVoid, resume, suspend, terminate } from './ending.ts';
import { perform, reverse } from './entries.ts';
import { partOf } from './part.ts';
import { partySigned, sign } from './sign.ts';

const work: { [T in RegistrationInput['type']]: (making: Making, input: InputOf<T>) => Promise<Made> } = {
  party: partySigned,
  sign,
  performance: perform,
  reverse,
  change,
  suspend,
  resume,
  terminate,
  dispute,
  dispute_end: endDispute,
  finish,
  archive,
  void: makeVoid,
};

/** Does what a type of registration does. */
const carryOut = <T extends RegistrationInput['type']>(making: Making, type: T, input: InputOf<T>): Promise<Made> =>
  work[type](making, input);

/** Makes a registration that is open to the user now; locks ticket and row, so that registrations are serialized. */
export async function register(context: Writing, id: number, input: RegistrationInput) {
  const { tx, user, now } = context;
  const viewer = await contracts.viewerOf(tx, user);
  const row = await contracts.requireForUpdate(tx, viewer, id);
  const part = partOf(row, viewer, await handlerOf(tx, id, input));
  const { from, by } = registrable[input.type];
  const what = registrations[input.type];
  if (!by.some((one: keyof Part) => part[one]))
    throw notYours(
      what,
      by.map((one) => partNames[one]),
    );
  if (!suits(input.type, row.nature)) throw notOfSupplement(what);
  if (!(from as readonly number[]).includes(row.stage)) throw notAtStage(what, stageName(row.stage));
  const making = { context, viewer, part, row, today: dayOf(now) };
  const made = await carryOut(making, input.type, input);
  const { stage, contract_no } = made.row;
  return { stage, contract_no, notes: made.notes ?? [], ...(made.entry_id ? { entry_id: made.entry_id } : {}) };
}

/** The handler of the node that a registration is for. */
async function handlerOf(tx: Db, contractId: number, input: RegistrationInput): Promise<number | null> {
  if (input.type !== 'performance' || input.performance_id === undefined) return null;
  const { id, contract_id, handler } = contractPerformanceTable;
  const of = and(eq(id, input.performance_id), eq(contract_id, contractId));
  const [row] = await tx.select({ handler }).from(contractPerformanceTable).where(of);
  return row?.handler ?? null;
}
