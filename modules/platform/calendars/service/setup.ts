import { momentText, yearOf } from '#kernel/contract/moment.ts';
import type { SetupStep } from '#kernel/server/setup.ts';
import { isProvisional, yearStates } from '../contract.ts';
import { calendarOf } from '../service.ts';

/** From this month on the days off of the next year are needed as well. */
const lookAhead = 12;

/** The days off, without which deadlines and leave are provisional. */
export const calendarSteps: readonly SetupStep[] = [
  {
    key: 'holidays',
    order: 60,
    title: '放假安排',
    help: '核对工作日、办公时间和当年的放假安排，时限、请假和值班都按它计算；没有公布的年份可导入或按建议稿确认',
    at: { page: 'system/site', code: 'Update', path: '/system/site' },
    async find(tx, now) {
      const calendar = await calendarOf(tx);
      const year = yearOf(now);
      const month = Number(momentText(now).slice(5, 7));
      const years = month >= lookAhead ? [year, year + 1] : [year];
      return {
        done: years.every((one) => !isProvisional(calendar.state(one))),
        text: years.map((one) => `${one} 年${yearStates[calendar.state(one)]}`).join('，'),
      };
    },
  },
];
