import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { newsLevel, newsType } from '../contract.ts';
import { notifyPeople } from '../service.ts';

interface AccountNews {
  title: string;
  content: string;
  module: string;
  event: string;
  /** What of the account it is about; the account as a whole unless set. */
  objectId?: number;
  /** Which time, where each is to be heard of. */
  occasion?: string;
}

interface Person {
  id: number;
  alias: string;
}

/** Tells a person what happened to their account, so that they can say that it was not them. */
export async function notifyOwner(tx: Db, userId: number, news: AccountNews): Promise<void> {
  await notifyPeople(
    tx,
    { objectId: userId, ...news, type: newsType.system, level: newsLevel.important, webPath: '/user/profile' },
    [userId],
  );
}

/** `number` is the new one, null where it was taken away; `by` whoever changed it, where that was not the person. */
export function notifyOfPhone(tx: Db, userId: number, number: string | null, by?: string): Promise<void> {
  const masked = number && `${number.slice(0, 3)}****${number.slice(-4)}`;
  return notifyOwner(tx, userId, {
    title: masked ? `您账号的手机号已改为 ${masked}` : '您账号的手机号已删除',
    content: `${by ? `由${by}修改。` : ''}如非本人要求，请立即修改密码并联系管理员。`,
    module: 'people',
    event: 'PHONE_CHANGED',
  });
}

/** `masked`: the address that now proves who they are. */
export function notifyOfMail(tx: Db, userId: number, masked: string): Promise<void> {
  return notifyOwner(tx, userId, {
    title: `您账号找回密码用的邮箱已改为 ${masked}`,
    content: '如非本人操作，请立即修改密码并联系管理员。',
    module: 'people',
    event: 'PHONE_CHANGED',
    occasion: houseNow().toISOString(),
  });
}

export function notifyOfRoleEnd(
  tx: Db,
  userId: number,
  ended: readonly { role: string; until: string }[],
): Promise<void> {
  const roles = ended.map(({ role }) => role).join('、');
  const days = [...new Set(ended.map(({ until }) => until))];
  return notifyOwner(tx, userId, {
    title: `您的角色“${roles}”已到期`,
    content: `${days.length === 1 ? `到 ${days[0]} 为止` : ended.map(({ role, until }) => `“${role}”到 ${until} 为止`).join('；')}，现已移除。仍需要的，请联系管理员。`,
    module: 'people',
    event: 'ROLE_ENDS',
    occasion: `${days.at(-1)}:${roles}`.slice(0, 32),
  });
}

export function notifyOfReset(tx: Db, userId: number, by: string): Promise<void> {
  return notifyOwner(tx, userId, {
    title: '您的登录密码已被重置',
    content: `由${by}重置，之前的登录已全部退出。如非本人要求，请联系管理员。`,
    module: 'people',
    event: 'PWD_RESET',
  });
}

export function notifyOfSecond(tx: Db, userId: number, by: string): Promise<void> {
  return notifyOwner(tx, userId, {
    title: '您的二次验证已被关闭',
    content: `由${by}关闭，之前的登录已全部退出。如非本人要求，请联系管理员。`,
    module: 'people',
    event: 'SECOND_STEP',
  });
}

/** Both hear of it: whoever had it, and whoever has it from now on. */
export async function notifyOfHandover(
  tx: Db,
  [from, to]: readonly [from: Person, to: Person],
  count: number,
  by: string,
): Promise<void> {
  const occasion = houseNow().toISOString();
  const news = { module: 'people', event: 'HANDED_OVER', occasion, content: `由${by}办理。如有疑问，请联系管理员。` };
  await notifyOwner(tx, from.id, { ...news, title: `您名下的 ${count} 项事项已移交${to.alias}` });
  await notifyOwner(tx, to.id, { ...news, title: `${from.alias}名下的 ${count} 项事项已移交给您` });
}
