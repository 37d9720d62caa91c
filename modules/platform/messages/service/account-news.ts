import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { newsLevel } from '../contract.ts';
import { accountNews } from './news.ts';
import { announce } from '../service.ts';

interface Person {
  id: number;
  alias: string;
}

/** `number` is the new one, null if it was removed; `by` the person who changed it, if somebody else. */
export async function notifyOfPhone(tx: Db, userId: number, number: string | null, by?: string): Promise<void> {
  const masked = number && `${number.slice(0, 3)}****${number.slice(-4)}`;
  await announce(
    tx,
    accountNews.PHONE_CHANGED,
    { id: userId },
    {
      title: masked ? `您账号的手机号已改为 ${masked}` : '您账号的手机号已删除',
      content: `${by ? `由${by}修改。` : ''}如非本人要求，请立即修改密码并联系管理员。`,
      by: null,
      occasion: houseNow().toISOString(),
    },
    [userId],
  );
}

/** `masked`: the address that now confirms their identity. */
export async function notifyOfMail(tx: Db, userId: number, masked: string): Promise<void> {
  await announce(
    tx,
    accountNews.PHONE_CHANGED,
    { id: userId },
    {
      title: `您账号找回密码用的邮箱已改为 ${masked}`,
      content: '如非本人操作，请立即修改密码并联系管理员。',
      by: null,
      occasion: houseNow().toISOString(),
    },
    [userId],
  );
}

export async function notifyOfRoleEnd(
  tx: Db,
  userId: number,
  ended: readonly { role: string; until: string }[],
): Promise<void> {
  const roles = ended.map(({ role }) => role).join('、');
  const days = [...new Set(ended.map(({ until }) => until))];
  await announce(
    tx,
    accountNews.ROLE_ENDS,
    { id: userId },
    {
      title: `您的角色“${roles}”已到期`,
      content: `${days.length === 1 ? `到 ${days[0]} 为止` : ended.map(({ role, until }) => `“${role}”到 ${until} 为止`).join('；')}，现已移除。仍需要的，请联系管理员。`,
      level: newsLevel.important,
      by: null,
      occasion: `${days.at(-1)}:${roles}`.slice(0, 32),
    },
    [userId],
  );
}

/** The names that a message to an administrator spells out; further ones are counted. */
const mostNamed = 20;

/** Tells an administrator whose roles ended, in one message. */
export async function notifyOfRolesEnded(
  tx: Db,
  userId: number,
  ended: readonly { alias: string; role: string; until: string }[],
): Promise<void> {
  const [first] = ended;
  if (!first) return;
  const named = ended.slice(0, mostNamed).map(({ alias, role, until }) => `${alias}的“${role}”到 ${until} 为止`);
  const more = ended.length > mostNamed ? `等，共 ${ended.length} 项` : '';
  await announce(
    tx,
    accountNews.OTHERS_ROLE_ENDED,
    { id: userId },
    {
      title: ended.length === 1 ? `${first.alias}的角色“${first.role}”已到期` : `${ended.length} 项角色已到期`,
      content: `${named.join('；')}${more}，现已移除。仍需要的，请在用户管理中重新授予。`,
      by: null,
      occasion: houseNow().toISOString(),
    },
    [userId],
  );
}

export async function notifyOfReset(tx: Db, userId: number, by: string): Promise<void> {
  await announce(
    tx,
    accountNews.PWD_RESET,
    { id: userId },
    {
      title: '您的登录密码已被重置',
      content: `由${by}重置，之前的登录已全部退出。如非本人要求，请联系管理员。`,
      by: null,
      occasion: houseNow().toISOString(),
    },
    [userId],
  );
}

export async function notifyOfSecond(tx: Db, userId: number, by: string): Promise<void> {
  await announce(
    tx,
    accountNews.SECOND_STEP,
    { id: userId },
    {
      title: '您的二次验证已被关闭',
      content: `由${by}关闭，之前的登录已全部退出。如非本人要求，请联系管理员。`,
      by: null,
      occasion: houseNow().toISOString(),
    },
    [userId],
  );
}

/** Tells both the previous holder and the new one. */
export async function notifyOfHandover(
  tx: Db,
  [from, to]: readonly [from: Person, to: Person],
  count: number,
  by: string,
): Promise<void> {
  const occasion = houseNow().toISOString();
  const said = { occasion, content: `由${by}办理。如有疑问，请联系管理员。`, by: null };
  const tell = ({ id }: Person, title: string) =>
    announce(tx, accountNews.HANDED_OVER, { id }, { ...said, title }, [id]);
  await tell(from, `您名下的 ${count} 项事项已移交${to.alias}`);
  await tell(to, `${from.alias}名下的 ${count} 项事项已移交给您`);
}
