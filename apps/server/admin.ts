import { hostname, userInfo } from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { followHistory, openDatabases, type Db } from '#kernel/server/db/db.ts';
import { deadJob, failedJob, jobView, runAgain } from '#kernel/server/jobs/jobs.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { forgetFactor, unlock } from '#modules/platform/accounts/service.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { UserInput } from '#modules/platform/people/contract/users.ts';
import { addAdmin } from '#modules/platform/people/seed.ts';
import { giveOneTimePassword, oneTimePassword } from '#modules/platform/people/server/users/one-time-password.ts';
import { endSessionsOf } from '#modules/platform/people/service/rights.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { reachDatabase } from './database.ts';
import { runCommand } from './run-command.ts';

/** An action of the operator for cases in which nobody can sign in to do it; each is written into the operation log. */
interface Act {
  /** The argument that the command requires, in Chinese. */
  asks?: string;
  does: string;
  run(tx: Db, given: string): Promise<Done>;
}
/** The text to print, and the change for the log; no change if the action only looked at something. */
interface Done {
  said: string;
  to?: { module: string; change: Change };
}

const acts: Record<string, Act> = {
  'create-admin': {
    asks: '用户名',
    does: '新建一个超级管理员，显示一次性密码',
    async run(tx, given) {
      const typed = UserInput.shape.username.safeParse(given);
      if (!typed.success) throw new StartupError(`用户名“${given}”不能用：${typed.error.issues[0]!.message}。`);
      const username = typed.data;
      if (await findAccount(tx, username)) throw new StartupError(`用户名“${username}”已被使用，请换一个。`);
      const { plain, hash } = await oneTimePassword();
      await addAdmin(tx, { username, alias: username.slice(0, 30), password: hash, must_change_pwd: true });
      return {
        said: `已新建超级管理员 ${username}，一次性密码 ${plain}（只显示这一次，登录后须修改）`,
        to: account(await demandAccount(tx, username)),
      };
    },
  },
  'reset-password': {
    asks: '用户名',
    does: '重置密码，显示一次性密码，并结束其所有登录',
    async run(tx, username) {
      const person = await demandAccount(tx, username);
      const password = await oneTimePassword();
      await giveOneTimePassword(tx, person.id, password);
      await unlock(tx, person);
      const closed = person.working ? '' : '；账号已停用，须先由管理员启用';
      return {
        said: `${named(person)} 的一次性密码 ${password.plain}（只显示这一次，登录后须修改）${closed}`,
        to: account(person),
      };
    },
  },
  'forget-second': {
    asks: '用户名',
    does: '手机遗失时解除二次验证，并结束其所有登录',
    async run(tx, username) {
      const person = await demandAccount(tx, username);
      if (!(await forgetFactor(tx, person.id)))
        throw new StartupError(`${named(person)} 没有设置二次验证，什么也没有改变。`);
      await endSessionsOf(tx, person.id);
      return { said: `已解除 ${named(person)} 的二次验证`, to: account(person) };
    },
  },
  unlock: {
    asks: '用户名',
    does: '输错密码被锁定的，立即解除锁定',
    async run(tx, username) {
      const person = await demandAccount(tx, username);
      const count = await unlock(tx, person);
      return {
        said: count > 0 ? `已解除 ${named(person)} 的锁定` : `${named(person)} 没有被锁定`,
        to: account(person),
      };
    },
  },
  'end-sessions': {
    asks: '用户名',
    does: '结束其所有登录',
    async run(tx, username) {
      const person = await demandAccount(tx, username);
      await endSessionsOf(tx, person.id);
      return { said: `已结束 ${named(person)} 的所有登录`, to: account(person) };
    },
  },
  jobs: {
    does: '列出没有做成的后台任务',
    async run(tx) {
      const failed = await tx
        .select({ ...shownJob, dead: deadJob })
        .from(jobView)
        .where(failedJob)
        .orderBy(jobView.id)
        .limit(mostJobs);
      if (failed.length === 0) return { said: '没有失败的后台任务' };
      const lines = failed
        .map(({ id, task, tries, error, dead }) =>
          [`${id}　${task}　试过 ${tries} 次，${dead ? '不再重试' : '还会重试'}`, error?.split('\n')[0]].join('：'),
        )
        .join('\n');
      return { said: lines };
    },
  },
  'retry-job': {
    asks: '任务编号',
    does: '立即重试一个没有做成的后台任务',
    async run(tx, given) {
      if (!/^\d{1,15}$/.test(given) || !(await runAgain(tx, Number(given))))
        throw new StartupError(`没有编号为 ${given} 的失败任务，请用 npm run admin -- jobs 查看。`);
      return {
        said: `任务 ${given} 马上重试`,
        to: { module: 'deliveries', change: { type: '后台任务', id: Number(given) } },
      };
    },
  },
};
const mostJobs = 200;
const shownJob = { id: jobView.id, task: jobView.task, tries: jobView.tries, error: jobView.error };

const usage = () =>
  [
    '用法：npm run admin -- 命令 [用户名或编号]',
    ...Object.entries(acts).map(
      ([name, { asks, does }]) => `  ${[name, asks].filter(Boolean).join(' ').padEnd(24)}${does}`,
    ),
  ].join('\n');

async function findAccount(tx: Db, username: string) {
  const { id, alias, phone, is_active: working, is_deleted: gone } = userTable;
  const [found] = await tx
    .select({ id, username: userTable.username, alias, phone, working, gone })
    .from(userTable)
    .where(eq(sql`lower(${userTable.username})`, username.toLowerCase()));
  return found;
}
async function demandAccount(tx: Db, username: string) {
  const found = await findAccount(tx, username);
  if (!found || found.gone) throw new StartupError(`没有用户名为“${username}”的账号，请核对。`);
  return found;
}
const named = ({ alias, username }: { alias: string; username: string }) =>
  alias === username ? username : `${alias}（${username}）`;
const account = ({ id, alias }: { id: number; alias: string }): Done['to'] => ({
  module: 'people',
  change: { type: '用户', id, title: alias },
});

/** The user at the machine; a container's bare user id has no name. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/** Runs an action and writes it into the log in one transaction; returns the text to print. */
async function perform(tx: Db, name: string, { does, run }: Act, given: string): Promise<string> {
  const { said, to } = await run(tx, given);
  if (to)
    await remember(tx, {
      module: to.module,
      action: `命令行：${does}`,
      method: 'CLI',
      path: `admin ${name}`,
      user: null,
      origin: { ip: '', userAgent: `${operator()}@${hostname()}`, traceId: '' },
      result: 0,
      milliseconds: 0,
      changes: [to.change],
    });
  return said;
}

async function run(): Promise<void> {
  const [name = '', given = '', ...rest] = process.argv.slice(2);
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (!act || rest.length > 0 || Boolean(act.asks) !== Boolean(given)) throw new StartupError(usage());
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.error);
  followHistory(database.url, config.dataDir);
  const databases = openDatabases({ url: database.url, size: 1, onError: (error) => console.error(error.message) });
  try {
    console.log(await databases.write((tx) => perform(tx, name, act, given)));
  } finally {
    await databases.close();
    await database.stop();
  }
}

runCommand(run);
