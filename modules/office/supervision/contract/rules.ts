import { z } from 'zod';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';

const count = (least: number, most: number) => z.number().int().min(least).max(most);
export const superviseRules = rules({
  key: 'supervise',
  title: '督办规则',
  shape: {
    near_days: count(0, 30).meta(field('临期天数', { help: '距时限还有几个工作日时亮蓝灯', group: '灯况' })),
    behind: count(1, 99).meta(field('滞后幅度', { help: '落后计划超过百分之几时亮黄灯' })),
    feedback_hour: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请按“17:00”的格式填写')
      .meta(field('反馈截止时刻')),
    check_days: count(1, 30).meta(field('审核期限', { help: '几个工作日没有审核记为审核逾期', group: '办理' })),
    extend_times: count(0, 10).meta(field('延期次数', { help: '每项任务最多可以延期几次' })),
    objection_days: count(0, 30).meta(field('异议期限', { help: '下发后几个工作日内可以提出异议' })),
    escalate_red: count(1, 20).meta(field('通报红单数', { help: '当月收到几张红色督办单的部门列入通报' })),
    level3_leader: z
      .boolean()
      .meta(field('紧急事项由领导决定', { kind: 'switch', help: '办结、终止和延期须由批示领导办理' })),
  },
  defaults: {
    near_days: 3,
    behind: 20,
    feedback_hour: '17:00',
    check_days: 2,
    extend_times: 1,
    objection_days: 2,
    escalate_red: 3,
    level3_leader: true,
  },
});
export type SuperviseRules = (typeof superviseRules)['defaults'];

export const superviseRuleCalls = ruleCalls(superviseRules, {
  prefix: '/api/supervise/',
  page: 'supervise/list',
  readBy: 'everybody',
});
