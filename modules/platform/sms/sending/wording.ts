import { and, eq } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { charactersIn, cutTo } from '#kernel/contract/words/cut.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { smsType } from '../contract/labels.ts';
import type { Selection } from '../contract/sending.ts';
import {
  contentTooLong,
  placeTooLong,
  placesOpen,
  sensitive,
  signatureInside,
  strangeLink,
  templatePutAside,
  templateReserved,
} from '../contract/refusals.ts';
import { strangeHost } from '../engine/links.ts';
import { badWord, filled, fitting, harmless, maxContent, placesOf, segmentsOf, signed } from '../engine/text.ts';
import type { Recipient } from './recipients.ts';
import type { SmsRules } from '../templates/rules.ts';
import { smsTemplateTable } from '../tables.ts';

export type SmsTemplate = typeof smsTemplateTable.$inferSelect;

/** A text before it is addressed to anybody. */
export interface Wording {
  template: SmsTemplate | null;
  /** Still with `{name}`, which is replaced by each recipient's name unless it was filled in. */
  content: string;
  params: Readonly<Record<string, string>>;
  type: number;
  sign: string;
}

export const own = ['name', '姓名'] as const;

/** The text of a batch, checked by the rules; refuses forbidden contents. */
export async function wordingOf(tx: Db, chosen: Selection, rules: SmsRules): Promise<Wording> {
  const template = chosen.template_id ? await templateInUse(tx, eq(smsTemplateTable.id, chosen.template_id)) : null;
  if (template?.type === smsType.code) throw templateReserved(template.name);
  return worded(template, chosen.content ?? '', chosen.params ?? {}, rules);
}

export async function templateInUse(tx: Db, which: ReturnType<typeof eq>): Promise<SmsTemplate> {
  const [template] = await tx
    .select()
    .from(smsTemplateTable)
    .where(and(which, eq(smsTemplateTable.is_deleted, false)));
  if (!template) throw absent('短信模板');
  if (template.status === onOff.off) throw templatePutAside(template.name);
  return template;
}

/** The system's own text. Nobody could correct it, so it is made safe instead of refused: see `harmless`; a placeholder without a value is empty. */
export function spoken(
  template: SmsTemplate,
  given: Readonly<Record<string, string | readonly string[]>>,
  rules: SmsRules,
  names: readonly string[] = [],
): Wording {
  const open = placesOf(template.content).filter((place) => !own.some((name) => name === place));
  const values = Object.fromEntries([
    ...open.map((place) => [place, '']),
    ...Object.entries(given).map(([place, value]) => [
      place,
      [value]
        .flat()
        .map((part) => harmless(part, rules, names))
        .join(''),
    ]),
  ]) as Record<string, string>;
  const apart = template.provider_template_id !== '';
  const params = fitting(template.content, values, { most: Math.min(rules.mostInPlace, maxContent), apart });
  const content = cutTo(filled(template.content, params), maxContent);
  return { template, content, params, type: template.type, sign: template.sign || rules.sign };
}

function worded(
  template: SmsTemplate | null,
  typed: string,
  params: Readonly<Record<string, string>>,
  rules: SmsRules,
): Wording {
  const content = filled(template?.content ?? typed, params);
  const open = template ? placesOf(content).filter((place) => !own.some((name) => name === place)) : [];
  if (open.length > 0) throw placesOpen(open);
  if (/[【】]/.test(content)) throw signatureInside();
  const apart = Boolean(template?.provider_template_id);
  const long = apart ? Object.entries(params).find(([, value]) => charactersIn(value) > rules.mostInPlace) : undefined;
  if (long) throw placeTooLong(long[0], charactersIn(long[1]), rules.mostInPlace);
  refuseTooLong(content, apart, rules);
  const host = strangeHost(content, rules);
  if (host) throw strangeLink(host);
  const word = badWord(content, rules);
  if (word) throw sensitive(word);
  return { template, content, params, type: template?.type ?? smsType.notice, sign: template?.sign || rules.sign };
}

/** The same for a person's text: refuses if a recipient's name makes it too long. */
export function addressedWithin(wording: Wording, to: Pick<Recipient, 'name' | 'alumnusId'>, rules: SmsRules) {
  refuseTooLong(filled(wording.content, namesOf(to)), Boolean(wording.template?.provider_template_id), rules);
  return addressed(wording, to, rules);
}

/** Without a template at the provider, the whole text is one placeholder. */
function refuseTooLong(content: string, apart: boolean, { mostInPlace }: SmsRules): void {
  const most = apart ? maxContent : Math.min(maxContent, mostInPlace);
  if (charactersIn(content) > most) throw contentTooLong(charactersIn(content), most);
}

const namesOf = (to: Pick<Recipient, 'name'>) => Object.fromEntries(own.map((name) => [name, to.name || '您好']));

/** The text for one recipient, signed, for alumni with the opt-out hint; with its number of parts and its values. */
export function addressed(wording: Wording, to: Pick<Recipient, 'name' | 'alumnusId'>, rules: SmsRules) {
  const mine = namesOf(to);
  const params = { ...mine, ...wording.params };
  const text = signed(filled(wording.content, mine), wording.sign, to.alumnusId === null ? '' : rules.optOut);
  const places = wording.template ? placesOf(wording.template.content) : [];
  return {
    text,
    segments: segmentsOf(text),
    params: Object.fromEntries(places.map((place) => [place, params[place] ?? ''])),
  };
}
