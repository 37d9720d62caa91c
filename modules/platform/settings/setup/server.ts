import { absent } from '#kernel/contract/refusal.ts';
import { holds, mayCall, type Viewer } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { readRules, saveRules } from '#kernel/server/rules/rules.ts';
import { setupCalls, setupRules, type SetupRow } from '../contract/setup.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

/** The address of the page of a step, for people who may take the step there. */
const pathFor = (viewer: Viewer, { at }: SetupStep) => (at && holds(viewer, at.code, at.page) ? at.path : null);

/** The steps of setting up, of all modules. */
export const setupModule = implement('settings', setupCalls, {
  async steps(_input, { tx, user, services, now }) {
    const { skipped } = (await readRules(tx, setupRules)).value;
    const maySkip = mayCall(user, setupCalls.skip);
    const rowOf = async (step: SetupStep): Promise<SetupRow> => {
      const { key, title, help } = step;
      const { done, text = '' } = await step.find(tx, now);
      const state = done ? 'done' : skipped.includes(key) ? 'skipped' : 'open';
      const actions = maySkip && state !== 'done' ? ['skip'] : [];
      return { key, title, help, state, found: text, web_path: pathFor(user, step), actions };
    };
    // All of them are on their way at once, so that ten steps take no ten waits.
    return { value: await Promise.all(services.product.setup.map(rowOf)) };
  },
  async skip({ params: { key }, body }, { tx, audit, services }) {
    if (!services.product.setup.some((step) => step.key === key)) throw absent(`步骤“${key}”`);
    await saveRules(tx, setupRules, {}, audit, {
      settle: (_after, { skipped }) => {
        const others = skipped.filter((one) => one !== key);
        return { skipped: body.skipped ? [...others, key] : others };
      },
    });
    return {};
  },
});
