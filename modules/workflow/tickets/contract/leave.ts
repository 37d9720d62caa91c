import { invalid } from '#kernel/contract/refusal.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';

/** The halves of a day: the same values as those of an application for leave. */
export const halves = { am: '上午', pm: '下午' } as const;
export type Half = keyof typeof halves;

/** Approved leave or an approved trip that has begun: what it is called, the moments between which its person is away, and the house's time. */
export type Leave = NonNullable<Offered['leave']>;

/** The moment at which a half of a day begins. */
export const halfDay = (day: string, half: Half): string => `${day} ${half === 'am' ? '00' : '12'}:00:00`;
/** A moment in words, as leave is counted: by halves of days. */
export const halfDayText = (at: string): string =>
  `${at.slice(0, 10)} ${at.slice(11, 13) < '12' ? halves.am : halves.pm}`;

const wrongDay = (msg: string) => invalid([{ field: 'day', label: '返岗日期', msg }]);
export const backBeforeLeave = ({ kind, from }: Leave) =>
  wrongDay(`${kind}从 ${halfDayText(from)}开始，返岗不能早于开始；实际没有${kind}的，请联系流程管理员作废这张工单`);
export const notBackYet = (at: string) => wrongDay(`${halfDayText(at)}还没有到，请回来后再销假`);
export const backInTime = ({ kind, until }: Leave) =>
  wrongDay(`${kind}到 ${until.slice(0, 16)} 为止，按时返岗的不用销假；提前返岗的，请填写实际返岗的日期`);
