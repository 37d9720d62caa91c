import { dayMs, momentOf } from '#kernel/contract/moment.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { codeWays } from '../contract/interfaces.ts';
import { backupDays, backupRules } from '../contract/setup.ts';
import { siteRules } from '../contract/site.ts';
import { readSettings } from '../service.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

const wayNames = { sms: '短信', mail: '邮件' } as const;

/** The steps on the pages of settings, and the backup. */
export const ownSteps: readonly SetupStep[] = [
  {
    key: 'name',
    order: 10,
    title: '名称与标志',
    help: '填写本单位的名称、标志和版权信息，显示在左上角和登录页',
    at: { page: 'system/site', code: 'Update', path: '/system/site' },
    async find(tx) {
      const { name, logo } = (await readSettings(tx, 'site')).value;
      const own = name !== siteRules.defaults.name;
      return { done: own || logo.length > 0, text: own ? name : '' };
    },
  },
  {
    key: 'sign-in',
    order: 40,
    title: '登录方式',
    help: '设置密码要求、二次验证和单点登录，核对后保存一次',
    at: { page: 'system/login', code: 'Update', path: '/system/login' },
    find: async (tx) => ({ done: (await readSettings(tx, 'login')).version > 0 }),
  },
  {
    key: 'channels',
    order: 50,
    title: '短信或邮件',
    help: '填写短信服务商或邮件服务器，验证码和提醒才能发到手机、邮箱',
    at: { page: 'system/interface', code: 'Update', path: '/system/interface' },
    async find(tx) {
      const ways = codeWays((await readSettings(tx, 'interface')).value);
      return { done: ways.length > 0, text: ways.map((way) => wayNames[way]).join('、') };
    },
  },
  {
    key: 'backup',
    order: 90,
    title: '备份',
    help: `在服务器上运行 npm run backup -- 目录，并安排每天一次；${backupDays} 天没有备份会再次提示。使用外部数据库的，安排好它自己的备份后选“不需要”`,
    async find(tx, now) {
      const { last } = (await readRules(tx, backupRules)).value;
      return {
        done: last !== '' && now.getTime() - momentOf(last).getTime() < backupDays * dayMs,
        text: last && `最近一次 ${last.slice(0, 16)}`,
      };
    },
  },
];
