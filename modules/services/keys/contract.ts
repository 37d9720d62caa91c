import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { figures } from '#kernel/contract/figures.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { codesOf, day, done, flag, id, idParams, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns, titledAs } from '#kernel/contract/titles.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalCategories } from '#modules/workflow/tickets/contract/approval.ts';
import { approvalRow, recordCalls } from '#modules/workflow/records/contract.ts';

/** The place of a key: at its keeper's, or handed out. */
export const keyState = codeSet({ there: [1, '在位'], out: [2, '已领出', 'processing'] });
/** The way of an approved loan. `lapsed` follows from the day alone: the database keeps such a loan as `waiting`. */
export const loanStatus = codeSet({
  waiting: [1, '待领出'],
  out: [2, '已领出', 'processing'],
  back: [3, '已归还', 'success'],
  lapsed: [4, '已过期'],
});

export const numberTaken = refusal(
  codes.conflict,
  (number: string) => `编号“${number}”已用于另一把钥匙，请改用其他编号`,
);
export const keyOut = refusal(
  codes.notNow,
  (title: string, alias: string, due: string) => `${title}正由${alias}借用，应于 ${due} 归还；归还后才能领出`,
);
export const notKeeper = refusal(
  codes.forbidden,
  (title: string, keeper: string) =>
    `${title}由${keeper}保管，领出和归还由${keeper}、其代办人或钥匙管理员登记，自己的借用不能自己登记`,
);
export const tooEarly = refusal(
  codes.notNow,
  (title: string, start: string) => `${title}从 ${start} 起借用，到那天才能领出；需要提前的，请借用人作废后重新申请`,
);
export const tooLate = refusal(
  codes.notNow,
  (title: string, due: string) => `${title}的应还日期 ${due} 已过，不能再领出，请借用人重新申请`,
);
/** `who` is empty for people who may not know it. */
export const lentAlready = (title: string, { start_date, due_date }: Days, who = ''): string =>
  `${title}在 ${start_date} 至 ${due_date} 已${who === '' ? '被' : `由${who}`}借用`;
export const notNow = refusal(
  codes.notNow,
  (title: string, state: string, act: string) => `${title}的借用“${state}”，现在不能${act}`,
);
export const stillOut = refusal(codes.notNow, (title: string) => `${title}已领出，请先登记归还，借用随之结束`);
export const loanOver = refusal(codes.notNow, (title: string) => `${title}的借用已结束，不能再作废或退回`);
export const keeperAsked = refusal(
  codes.refused,
  (title: string, count: number, keeper: string) =>
    `${title}有 ${count} 次借用正等${keeper}审批，请先由${keeper}办理或转交，再更换保管人`,
);
export const notHandedOn = refusal(codes.refused, (title: string) => `${title}还没有归还，请交还保管人并登记归还`);
export const notCalledOff = refusal(
  codes.forbidden,
  (title: string) => `${title}的借用还没有领出，您没有“钥匙借用”流程的干预权限，请由党政办或流程管理员作废`,
);
export const keyGone = refusal(codes.refused, () => '所选钥匙不存在或已删除，请重新选择');
export const keeperGone = refusal(codes.refused, () => '所选保管人不存在或已停用，请重新选择');
export const daysWrong = refusal(
  codes.refused,
  (start: string, due: string) => `应还日期 ${due} 早于借用日期 ${start}，请核对`,
);

/** The first and the last day of a loan, `YYYY-MM-DD`. */
export interface Days {
  start_date: string;
  due_date: string;
}

// The noun: the keys of rooms, each with its keeper.
const keyInput = {
  number: name(20).meta(field('编号', { help: '钥匙牌上的编号' })),
  place: name(50).meta(field('房间')),
  keeper: id.meta(field('保管人', { help: '审批借用，并登记领出和归还' })),
};
export const keyCalls = nounCalls({
  prefix: '/api/key/',
  page: 'key/list',
  noun: '钥匙',
  input: keyInput,
  row: {
    ...keyInput,
    keeper_info: PersonCard.meta(field('保管人')),
    state: codesOf(keyState.names).meta(coded('状态', keyState.names)),
    /** Null while the keeper has it, and for people whom it does not concern who has it. */
    borrower_info: PersonCard.nullable().meta(field('领用人')),
    /** The days on which it is lent from now on; they tell nobody to whom. */
    lent: z.array(z.object({ start_date: z.string(), due_date: z.string() })).meta(field('已借出的日期')),
  },
  sort: ['number', 'place'],
  filters: { id: id.optional().meta(field('钥匙')) },
  whole: true,
  // People choose among them when they borrow one.
  read: grant('Retrieve', 'key/list', 'key/loan'),
});

// The record: a loan, decided by the ticket that its keeper answers.
export const LoanInput = z.object({
  key_id: id.meta(field('钥匙')),
  start_date: day.meta(field('借用日期')),
  due_date: day.meta(field('应还日期')),
  reason: text(200).min(1, unfilled).meta(field('用途')),
});
export const LoanRow = z.object({
  ...approvalRow,
  ...titledAs(LoanInput.shape, {
    key_id: id,
    start_date: z.string(),
    due_date: z.string(),
    reason: z.string(),
  }),
  title: z.string().meta(field('钥匙')),
  keeper_info: PersonCard.meta(field('保管人')),
  /** Null until it is approved. */
  status: codesOf(loanStatus.names).nullable().meta(coded('借还', loanStatus.names)),
  taken_at: timestamp.nullable().meta(field('领出时间')),
  returned_at: timestamp.nullable().meta(field('归还时间')),
  overdue: z.boolean().meta(field('逾期')),
});
export type LoanRow = z.output<typeof LoanRow>;

const path = '/api/key/loan/' as const;
const act = <const P extends string>(name: P, summary: string) =>
  call({
    method: 'PUT',
    path: `${path}{id}/${name}/` as const,
    access: signedIn,
    summary,
    params: idParams,
    reply: done,
    message: `已${summary}`,
  });
export const loanCalls = {
  ...recordCalls(path, {
    noun: '钥匙借用',
    writing: '申请借用钥匙',
    page: 'key/loan',
    input: LoanInput,
    row: LoanRow,
    detail: LoanRow,
    sort: ['gmt_created', 'start_date', 'due_date'],
    /** `desk`: loans of keys that I keep, or whose keeper I act for, to be handed out or taken back. */
    categories: [...approvalCategories, 'desk'],
    filters: {
      key_id: id.optional().meta(field('钥匙')),
      status: z.coerce.number().pipe(codesOf(loanStatus.names)).optional().meta(coded('借还', loanStatus.names)),
      overdue: flag.optional().meta(field('逾期')),
    },
    exports: {
      page: 'key/loan',
      title: '钥匙借用',
      columns: sheetColumns(LoanRow.shape, [
        ...(['title', 'creator_info', 'dept_name', 'start_date', 'due_date', 'reason'] as const),
        ...(['act_state_name', 'status', 'taken_at', 'returned_at', 'overdue'] as const),
      ]),
    },
  }),
  take: act('take', '登记领出'),
  giveBack: act('give_back', '登记归还'),
};

const panel = { columns: ['loans', 'out', 'overdue'], drawn: ['loans', 'overdue'], unit: '次' } as const;
/** Loans that were handed out, by the day they began. */
export const keyStatistics = figures({
  path: '/api/key/statistics/',
  page: 'key/statistics',
  title: '钥匙借用统计',
  filters: {},
  months: 12,
  columns: { loans: { title: '借用' }, out: { title: '未归还' }, overdue: { title: '逾期' } },
  panels: {
    key: { ...panel, title: '各把钥匙', heading: '钥匙', chart: 'bars', none: '这段时间没有借用' },
    month: { ...panel, title: '各月', heading: '月份', chart: 'months', none: '这段时间没有借用' },
  },
  summary: { loans: z.number().int(), out: z.number().int(), overdue: z.number().int() },
});
