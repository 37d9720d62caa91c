import { z } from 'zod';
import { call, grantOverAll } from '#kernel/contract/call.ts';
import { rules } from '#kernel/contract/rules.ts';
import { actions, done } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

/** The steps of setting up that the organisation does without. */
export const setupRules = rules({
  key: 'setup',
  title: '上线清单',
  shape: { skipped: z.array(z.string().max(40)).max(100).meta(field('不需要的步骤')) },
  defaults: { skipped: [] },
});

/** The time of the last backup that the product's own command completed; empty before the first. */
export const backupRules = rules({
  key: 'backup',
  title: '备份',
  shape: { last: z.string() },
  defaults: { last: '' },
});

/** A backup that is older is told to administrators as missing. */
export const backupDays = 7;

export const setupStates = { open: '待办理', done: '已完成', skipped: '不需要' } as const;
export type SetupState = keyof typeof setupStates;

/** A step of setting up the product for an organisation. */
export const SetupRow = z.object({
  key: z.string(),
  title: z.string().meta(field('步骤')),
  /** Its purpose and the way to do it, in one sentence. */
  help: z.string().meta(field('说明')),
  state: z.enum(Object.keys(setupStates) as [SetupState, ...SetupState[]]).meta(field('状态')),
  /** A description of the present state, such as the number of people; empty if there is nothing to say. */
  found: z.string().meta(field('现在')),
  /** The page on which it is done; null for people who may not do it. */
  web_path: z.string().nullable(),
  actions,
});
export type SetupRow = z.output<typeof SetupRow>;

export const setupCalls = {
  steps: call({
    method: 'GET',
    path: '/api/accounts/settings/setup/',
    access: grantOverAll('Retrieve', 'system/setup'),
    summary: '上线清单',
    reply: z.object({ value: z.array(SetupRow) }),
    fresh: true,
  }),
  skip: call({
    method: 'PUT',
    path: '/api/accounts/settings/setup/{key}/',
    access: grantOverAll('Update', 'system/setup'),
    summary: '上线清单：不需要某一步',
    params: z.object({ key: z.string().max(40) }),
    body: z.strictObject({ skipped: z.boolean().meta(field('不需要')) }),
    reply: done,
    message: '上线清单已更新',
  }),
};
