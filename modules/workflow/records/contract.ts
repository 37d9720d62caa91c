import { z } from 'zod';
import { call, grant, signedIn, type Exports, type Method } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, idParams, listOf, listQuery, partialOf, timestamp, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalCategories, approvalShape, sendingShape } from '#modules/workflow/tickets/contract/approval.ts';
import { Moved } from '#modules/workflow/tickets/contract/shapes.ts';

/** `all`: whatever somebody sees, for whatever reason; the others are parts of it. */
export type ApprovalCategory = (typeof approvalCategories)[number];

export const notWithAuthor = refusal(
  codes.notNow,
  (noun: string, state: string, act: string) =>
    `${noun}“${state}”，现在不能${act}；只有${act === '删除' ? '没有提交过的草稿' : '草稿、退回和撤回的'}可以由起草人${act}`,
);
export const withSender = refusal(
  codes.notNow,
  (noun: string, who: string) => `${noun}的审批在${who || '提交人'}手中，由其修改或重新提交`,
);
export const sentOnce = refusal(
  codes.notNow,
  (noun: string) => `${noun}提交过，经办的人还要查阅，不能删除；不再需要的，请关闭它的审批工单`,
);
export const beingApproved = refusal(
  codes.notNow,
  (noun: string) => `${noun}正在审批，审批结束、退回或撤回后才能修改或提交`,
);
export const noFlow = refusal(codes.refused, (noun: string) => `${noun}的审批流程已停用或尚未发布，请联系流程管理员`);
export const changePending = refusal(
  codes.conflict,
  (noun: string) => `${noun}已有变更在办理，请等它办结，或在其中修改后重新提交`,
);
export const notApproved = refusal(
  codes.notNow,
  (noun: string, state: string) => `${noun}“${state}”，审批通过之后才能变更`,
);
export const nothingChanged = refusal(codes.refused, () => '没有要变更的内容，请修改后再提交');
export const changeApplied = refusal(
  codes.notNow,
  (noun: string) => `${noun}的变更已经生效，不再撤销；要改回的请另行申请变更`,
);
export const movedMeanwhile = refusal(
  codes.notNow,
  (noun: string) => `${noun}在变更办理期间又有变动，请退回修改，核对最新内容后重新提交`,
);

/** Fields that a list and a page show of a record in addition to its own. */
export const approvalRow = {
  ...approvalShape,
  id: z.number().int(),
  creator_info: PersonCard.meta(field('发起人')),
  dept_name: z.string().meta(field('部门')),
  gmt_created: timestamp.meta(field('创建时间')),
  version: z.number().int(),
};

type Filters = z.ZodRawShape;
interface Said<
  I extends z.ZodRawShape,
  O extends z.ZodRawShape,
  R extends z.ZodType,
  D extends z.ZodType,
  F extends Filters,
  S extends string,
  K extends string,
> {
  noun: string;
  /** Name of the button that writes a new one, if it is not 新增. */
  writing?: string;
  /** The page that holds `Create`. */
  page: string;
  input: z.ZodObject<I>;
  /** Fields of a new record only, which stay as they are. */
  once?: O;
  row: R;
  detail: D;
  sort: readonly [S, ...S[]];
  filters?: F;
  /** Categories of its list, if it has more than the viewer's part in the tickets. */
  categories?: readonly [K, ...K[]];
  exports?: Exports;
  edit?: Extract<Method, 'PUT' | 'PATCH'>;
}

/** The calls of an approval record: its list, writing, sending again and deleting. */
export function recordCalls<
  I extends z.ZodRawShape,
  R extends z.ZodType,
  D extends z.ZodType,
  F extends Filters,
  const S extends string,
  // oxlint-disable-next-line typescript/ban-types -- nothing is said once
  O extends z.ZodRawShape = {},
  const K extends string = ApprovalCategory,
>(
  path: `/api/${string}/`,
  {
    noun,
    writing = `新增${noun}`,
    page,
    input,
    once,
    row,
    detail,
    sort,
    filters,
    categories,
    exports,
    edit = 'PUT',
  }: Said<I, O, R, D, F, S, K>,
) {
  const one = `${path}{id}/`;
  const category = z.enum((categories ?? approvalCategories) as readonly [K, ...K[]]).optional();
  const changes = z.object({ ...partialOf(input.shape), version });
  return {
    list: call({
      method: 'GET',
      path,
      access: signedIn,
      summary: `查看${noun}`,
      query: listQuery({ sort, filters: { category, ...(filters as F) } }),
      reply: listOf(row),
      ...(exports ? { exports } : {}),
    }),
    create: call({
      method: 'POST',
      path,
      access: grant('Create', page),
      summary: writing,
      body: input.extend({ ...(once as O), ...sendingShape }),
      reply: Moved,
      message: '已保存',
    }),
    get: call({
      method: 'GET',
      path: one,
      access: signedIn,
      summary: `查看${noun}详情`,
      params: idParams,
      reply: z.object({ value: detail }),
      fresh: true,
    }),
    update: call({
      method: edit,
      path: one,
      access: signedIn,
      summary: `编辑${noun}`,
      params: idParams,
      body: changes,
      reply: Moved,
      message: '已保存',
    }),
    again: call({
      method: edit,
      path: `${one}again/`,
      access: signedIn,
      summary: `修改后重新提交${noun}`,
      params: idParams,
      body: changes.extend({ ...sendingShape, submit: z.boolean().default(true) }),
      reply: Moved,
      message: '已提交',
    }),
    remove: call({
      method: 'DELETE',
      path: one,
      access: signedIn,
      summary: `删除${noun}`,
      params: idParams,
      reply: done,
      message: '已删除',
    }),
  };
}
