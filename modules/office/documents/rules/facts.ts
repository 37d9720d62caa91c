import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { holdersOf } from '#modules/platform/people/service.ts';
import { readSettings } from '#modules/platform/settings/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { secretForbidden } from '../contract/files/file-refusals.ts';
import { secretLevel } from '../contract/shapes.ts';
import { unprintableIn } from './printing.ts';
import { unready, workingDays, type Known } from './rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { subordinatesAmong } from './subordinates.ts';

/** Facts of the organisation that the rules need. */
async function knownOf(tx: Db, doc: Stored): Promise<Known> {
  const leaders = doc.issuer === null ? [] : await holdersOf(tx, 'xld');
  return {
    allowSecret: await allowsSecret(tx),
    below: await subordinatesAmong(tx, doc),
    issuerLeads: leaders.some((one) => one.id === doc.issuer),
  };
}

/** All faults that prevent a document from being sent or signed now. */
export const faultsOf = async (tx: Db, doc: Stored): Promise<FieldError[]> => [
  ...unready(doc, await knownOf(tx, doc)),
  ...(await unprintableIn(tx, doc)),
];

/** Refuses faults that a change introduced; older ones are left to the signature. Throws `invalid`. */
export async function refuseMadeWrong(tx: Db, before: Stored, after: Stored): Promise<void> {
  const was = await faultsOf(tx, before);
  const made = (await faultsOf(tx, after)).filter(
    ({ field, msg }) => !was.some((one) => one.field === field && one.msg === msg),
  );
  if (made.length > 0) throw invalid(made);
}

export const allowsSecret = async (tx: Db): Promise<boolean> => (await readSettings(tx, 'site')).value.allow_secret;

/** The title for messages; secret documents are not named, because messages may leave the house by mail and text. */
export const nameInNews = ({ secret_level, title }: Pick<Stored, 'secret_level' | 'title'>): string =>
  secret_level > secretLevel.none ? '一份涉密公文' : title;

/** The operation log's entry of an action. Of secret documents and of drafts only their author sees, it has neither title nor words. */
export function changeOf(
  doc: Pick<Stored, 'id' | 'secret_level' | 'title' | 'act_state'>,
  after: Record<string, unknown>,
  words: Record<string, unknown> = {},
): Change {
  const draft = doc.act_state === actState.draft;
  const said = draft || doc.secret_level > secretLevel.none ? {} : words;
  return { type: '公文', id: doc.id, title: draft ? '一份公文草稿' : nameInNews(doc), after: { ...after, ...said } };
}

/** Refuses actions on secret documents that were written before the site forbade them. */
export async function refuseForbiddenSecret(tx: Db, doc: Pick<Stored, 'secret_level'>): Promise<void> {
  if (doc.secret_level > secretLevel.none && !(await allowsSecret(tx))) throw secretForbidden();
}

/** The deadline of a document sent at the given moment: the requested one, else by its level. */
export async function dueAfter(
  tx: Db,
  since: Date,
  { level, due_asked: dueAsked }: Pick<Stored, 'level' | 'due_asked'>,
): Promise<string> {
  if (dueAsked !== null) return dueAsked;
  const days = workingDays[level] ?? 5;
  return workingDaysAfter(since, days, await calendarOf(tx)).toISOString();
}
