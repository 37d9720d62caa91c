import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { cancelAbout, hiddenCode } from '#modules/platform/deliveries/service.ts';
import { phonesOf } from '#modules/platform/people/service/phones.ts';
import type { Services } from '#kernel/server/services.ts';
import { smsState, smsType } from './contract/labels.ts';
import { keepBatch, release, type TextMessage } from './sending/batches.ts';
import { filled, segmentsOf } from './engine/text.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';
import { optedOut } from './sending/recipients.ts';
import { codeTemplate, meetingTemplate, messageTemplate } from './templates/system.ts';
import { rulesOf, type SmsRules } from './templates/rules.ts';
import { spend } from './sending/quota.ts';
import { smsLogTable, smsTemplateTable } from './tables.ts';
import { addressed, spoken, templateInUse } from './sending/wording.ts';

export { optedOut };
export { sendsTexts } from './sending/channels.ts';
export { textEach } from './sending/texting.ts';
export { codeTemplate, meetingTemplate, messageTemplate };
export { seedTemplates } from './templates/templates.ts';
export { forgetAlumnus } from './logs/forgetting.ts';
export { forgetNumbers, forgetOptOuts } from './templates/optouts.ts';

export type SmsServices = Pick<Services, 'settings' | 'secretBox' | 'publicUrl'>;

/** Our own address is always allowed, whatever the settings list. */
const trusting = (rules: SmsRules, { publicUrl }: Pick<Services, 'publicUrl'>): SmsRules => {
  const origin = publicUrl();
  return origin ? { ...rules, links: [...rules.links, new URL(origin).hostname] } : rules;
};

/** A system message to people: always by a template, never with confidential words. */
export interface Notified {
  /** Code of the template. */
  template: string;
  /** Ids of current staff; people without a number, and numbers that opted out, are left out. */
  to: readonly number[];
  /** Each part of a multi-part value is made safe separately. */
  params: Readonly<Record<string, string | readonly string[]>>;
  /** Our own names among the values, such as those of projects: they are used unchanged. */
  own?: readonly string[] | undefined;
  module: string;
  objectId: number;
  /** Leaves out people who had a text message about this record before. */
  once?: boolean;
}

/** Sends in the caller's transaction, by the template's type and the quiet hours. Returns the number of recipients. */
export async function textPeople(tx: Db, notified: Notified, services: SmsServices, now: Date): Promise<number> {
  const rules = await rulesOf(services.settings);
  const template = await templateInUse(tx, eq(smsTemplateTable.code, notified.template));
  const wording = spoken(template, notified.params, trusting(rules, services), notified.own);
  const before = notified.once ? await textedAbout(tx, notified.module, notified.objectId) : new Set<number | null>();
  const people = notified.to.filter((id) => !before.has(id));
  const numbers = await numbersOf(tx, people, services);
  if (numbers.size === 0) return 0;
  const letters = Array.from(numbers, ([mark, { id, alias, mobile }]): TextMessage => {
    const { text, segments, params } = addressed(wording, { name: alias, alumnusId: null }, rules);
    return {
      ...sealed(services.secretBox, mobile, mark),
      name: alias,
      user_id: id,
      alumnus_id: null,
      content: text,
      segments,
      params,
    };
  });
  const { module, objectId } = notified;
  await keepAndRelease(tx, template, wording.content, letters, { rules, now, module, objectId });
  return letters.length;
}

/** A system message to numbers of people who are no users: guests, contacts of customers. */
export interface NumbersTexted extends Omit<Notified, 'to' | 'once'> {
  /** Each with the name used in the greeting; one's own `params` are added to those of all. */
  to: readonly { mobile: string; name: string }[];
  /** The sender whose quota is charged; nobody for the system's own messages. */
  by?: { senderId: number; deptId: number | null };
}

/** The same for these numbers, each once; opted-out and invalid ones are left out. Returns how many are sent, and the last four digits of the others. */
export async function textNumbers(
  tx: Db,
  { template: code, to, params: given, own, module, objectId, by }: NumbersTexted,
  services: SmsServices,
  now: Date,
): Promise<{ sent: number; skipped: string[] }> {
  const { settings, secretBox } = services;
  const rules = await rulesOf(settings);
  const template = await templateInUse(tx, eq(smsTemplateTable.code, code));
  const wording = spoken(template, given, trusting(rules, services), own);
  const known = new Map(
    to.flatMap(({ mobile: typed, name }) => {
      const mobile = mobileOf(typed);
      return mobile ? [[secretBox.keyedHash(mobile), { mobile, name }] as const] : [];
    }),
  );
  const skipped = to.filter(({ mobile }) => !mobileOf(mobile)).map(({ mobile }) => mobile.slice(-4));
  for (const mark of await optedOut(tx, [...known.keys()])) {
    skipped.push(known.get(mark)!.mobile.slice(-4));
    known.delete(mark);
  }
  if (known.size === 0) return { sent: 0, skipped };
  const letters = Array.from(known, ([mark, { mobile, name }]): TextMessage => {
    const { text, segments, params } = addressed(wording, { name, alumnusId: null }, rules);
    return {
      ...sealed(secretBox, mobile, mark),
      name,
      user_id: null,
      alumnus_id: null,
      content: text,
      segments,
      params,
    };
  });
  if (by)
    await spend(
      tx,
      by,
      letters.reduce((sum, one) => sum + one.segments, 0),
      rules,
      now,
    );
  await keepAndRelease(tx, template, wording.content, letters, { rules, now, module, objectId, by });
  return { sent: letters.length, skipped };
}

/** Stores the system's messages and posts them: notices wait for the end of the quiet hours. */
async function keepAndRelease(
  tx: Db,
  { id, type }: { id: number; type: number },
  content: string,
  letters: readonly TextMessage[],
  {
    rules,
    now,
    module,
    objectId,
    by,
  }: Pick<NumbersTexted, 'module' | 'objectId' | 'by'> & { rules: SmsRules; now: Date },
): Promise<void> {
  const free = type === smsType.notice ? afterQuiet(now, ...rules.quiet) : now;
  const sendAt = free > now ? free : null;
  const head = { senderId: by?.senderId ?? null, deptId: by?.deptId ?? null, templateId: id, content, type, sendAt };
  await release(tx, await keepBatch(tx, { ...head, module, objectId }, letters), sendAt);
}

type Sealing = Pick<SmsServices, 'secretBox'>;

/** True if a system message reaches somebody: they are current staff, have a number and did not opt out. */
export async function isReachable(tx: Db, person: number, services: Sealing): Promise<boolean> {
  return (await numbersOf(tx, [person], services)).size > 0;
}

/** Numbers of those of some people who can be reached, by their hashes. */
async function numbersOf(tx: Db, people: readonly number[], { secretBox }: Sealing) {
  const numbers = new Map(
    (await phonesOf(tx, people)).flatMap(({ id, alias, phone }) => {
      const mobile = phone && mobileOf(phone);
      return mobile ? [[secretBox.keyedHash(mobile), { id, alias, mobile }] as const] : [];
    }),
  );
  for (const mark of await optedOut(tx, [...numbers.keys()])) numbers.delete(mark);
  return numbers;
}

/** Withdraws unsent text messages about some records of a module. Returns how many there were. */
export async function callBackTexts(
  tx: Db,
  { module, objectIds }: { module: string; objectIds: readonly number[] },
): Promise<number> {
  if (objectIds.length === 0) return 0;
  const about = and(eq(smsLogTable.module, module), inArray(smsLogTable.object_id, [...objectIds]));
  const said = await tx
    .select({ id: smsLogTable.id })
    .from(smsLogTable)
    .where(and(about, eq(smsLogTable.state, smsState.waiting)));
  return cancelAbout(tx, { module: 'sms', objectIds: said.map((row) => row.id) });
}

/** True if a person was sent a text message about one of some records of a module since a moment. */
export async function textedSince(
  tx: Db,
  { module, objectIds, person, since }: { module: string; objectIds: SQL; person: number; since: SQL },
): Promise<boolean> {
  const said = and(
    eq(smsLogTable.module, module),
    sql`${smsLogTable.object_id} in (${objectIds})`,
    eq(smsLogTable.user_id, person),
    sql`${smsLogTable.gmt_created} >= ${since}`,
  );
  return (await tx.select({ id: smsLogTable.id }).from(smsLogTable).where(said).limit(1)).length > 0;
}

/** The subject and the recipient of a text message, by the id of its log row. */
export async function textOf(db: Db, id: number) {
  const { module, object_id, user_id } = smsLogTable;
  const [row] = await db.select({ module, object_id, user_id }).from(smsLogTable).where(eq(smsLogTable.id, id));
  return row ?? { module: '', object_id: null, user_id: null };
}

/** Sends a test to a number, at any hour; returns the delivery's id. Throws like sending. */
export async function textTest(tx: Db, mobile: string, { settings, secretBox }: SmsServices): Promise<number> {
  const rules = await rulesOf(settings);
  const template = await templateInUse(tx, eq(smsTemplateTable.code, messageTemplate));
  const { text, segments, params } = addressed(spoken(template, { title: '测试短信' }, rules), nobody, rules);
  const textMessage = {
    ...sealed(secretBox, mobile, secretBox.keyedHash(mobile)),
    name: '',
    user_id: null,
    alumnus_id: null,
  };
  const head = {
    senderId: null,
    deptId: null,
    templateId: template.id,
    content: text,
    type: smsType.alarm,
    sendAt: null,
  };
  const batch = await keepBatch(tx, { ...head, module: 'deliveries' }, [
    { ...textMessage, content: text, segments, params },
  ]);
  await release(tx, batch, null);
  const [row] = await tx
    .select({ id: smsLogTable.delivery_id })
    .from(smsLogTable)
    .where(eq(smsLogTable.batch_id, batch));
  return row!.id!;
}

async function textedAbout(tx: Db, module: string, objectId: number): Promise<Set<number | null>> {
  const rows = await tx
    .select({ id: smsLogTable.user_id })
    .from(smsLogTable)
    .where(and(eq(smsLogTable.module, module), eq(smsLogTable.object_id, objectId)));
  return new Set(rows.map((row) => row.id));
}

const purposes = { login: '登录', bind: '绑定手机', change: '更换手机', order: '报修', forgot: '找回密码' };

/** A verification code to be sent. `reachable`: false if nobody has the number; the same is done then, but nothing is sent. */
export interface CodeOnItsWay {
  phone: string;
  code: string;
  scene: keyof typeof purposes;
  minutes: number;
  reachable: boolean;
}

/** Sends verification codes by the template `verify_code`, at any hour and even to opted-out numbers, because their holders request them. */
export function createCodeSender({ settings, secretBox }: SmsServices) {
  return async (tx: Db, { phone, code, scene, minutes, reachable }: CodeOnItsWay): Promise<void> => {
    const rules = await rulesOf(settings);
    const template = await templateInUse(
      tx,
      and(eq(smsTemplateTable.code, codeTemplate), eq(smsTemplateTable.type, smsType.code)) as ReturnType<typeof eq>,
    );
    const params = { code: hiddenCode, scene: purposes[scene], minutes: String(minutes) };
    const wording = {
      template,
      content: template.content,
      params,
      type: smsType.code,
      sign: template.sign || rules.sign,
    };
    const { text, params: places } = addressed(
      { ...wording, content: filled(template.content, params) },
      nobody,
      rules,
    );
    const textMessage: TextMessage = {
      ...sealed(secretBox, phone, secretBox.keyedHash(phone)),
      name: '',
      user_id: null,
      alumnus_id: null,
      content: text,
      segments: segmentsOf(text),
      params: places,
      secret: secretBox.seal(reachable ? code : ''),
    };
    const head = {
      senderId: null,
      deptId: null,
      templateId: template.id,
      content: template.content,
      type: smsType.code,
    };
    await release(tx, await keepBatch(tx, { ...head, sendAt: null, module: 'accounts' }, [textMessage]), null);
  };
}

const nobody = { name: '', alumnusId: null };

function sealed(box: SecretBox, mobile: string, mobileMark: string) {
  return { mobile: box.seal(mobile), mobile_mark: mobileMark, mobile_tail: mobile.slice(-4) };
}
