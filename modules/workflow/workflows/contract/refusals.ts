import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Problem } from './shapes.ts';

/** The draft has problems that keep it from being published; the reply holds all of them. */
export const notPublishable = refusal(
  codes.refused,
  (problems: readonly Problem[]) =>
    `还不能发布，有 ${problems.length} 个问题：${problems
      .slice(0, 3)
      .map((problem) => problem.msg)
      .join('；')}`,
  (problems) => ({ problems }),
);
export const nothingNew = refusal(codes.refused, (no: number) => `草稿与第 ${no} 版相同，没有需要发布的改动`);
export const hasTickets = refusal(
  codes.refused,
  (count: number) => `这个流程已有 ${count} 张工单，不能删除，请改为停用`,
);
export const usedByModule = refusal(
  codes.refused,
  (module: string, uses: readonly string[]) =>
    `${module}正在使用这个流程（${uses.join('、')}），不能删除；请先在那里改选别的流程`,
);
export const nameTaken = refusal(codes.conflict, (name: string) => `名称“${name}”已被使用，请换一个`);
export const keyTaken = refusal(codes.conflict, (key: string) => `标识“${key}”已被使用，请换一个`);
/** A ticket may not be started in the name of this person by this person. */
export const notForThem = refusal(codes.forbidden, (why: string) => why);
export const tooManyParts = refusal(codes.refused, (what: string, most: number) => `${what}最多 ${most} 个`);
export const badDraft = refusal(
  codes.invalid,
  (why: string) => why,
  () => ({ errors: [] }),
);
export const groupAsked = refusal(
  codes.forbidden,
  (group: string) => `有流程按用户组“${group}”确定办理人，不能修改其成员，请由流程管理员或超级管理员修改`,
);
export const unknownHolder = refusal(codes.refused, (what: string) => `${what}不存在或已停用，请重新选择`);
export const noSuchVersion = refusal(codes.refused, (no: number) => `第 ${no} 版不存在，请刷新后重新选择`);
export const notPublished = refusal(codes.refused, () => '流程还没有发布，没有可以迁移到的版本');
export const noticeInUse = refusal(
  codes.refused,
  (workflows: string) => `流程“${workflows}”正在使用这个通知方式，请先在流程中取消`,
);
const movedAddress = '回调地址有改动，请重新填写密钥，以免发往别处';
export const secretAnew = refusal(
  codes.invalid,
  (_field: string, label: string) => `${label}：${movedAddress}`,
  (field, label) => ({ errors: [{ field, label, msg: movedAddress }] }),
);
export const notTestable = refusal(
  codes.refused,
  (name: string) => `“${name}”已停用、没有回调地址，或不是网络钩子、群机器人和应用，不能发送测试`,
);
