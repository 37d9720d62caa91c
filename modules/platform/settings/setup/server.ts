import { momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { holds, reachesEnough, type Viewer } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { readRules, saveRules } from '#kernel/server/rules/rules.ts';
import { setupCalls, setupRules, type SetupRow } from '../contract/setup.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

const whole = { kind: 'grant', code: 'Update', pages: ['system/setup'], whole: true } as const;

/** The address of the page of a step, for people who may take the step there. */
const pathFor = (viewer: Viewer, { at }: SetupStep) => (at && holds(viewer, at.code, at.page) ? at.path : null);

/** The steps of setting up, of all modules. */
export const setupModule = implement('settings', setupCalls, {
  async steps(_input, { tx, user, services, now }) {
    const { value, version } = await readRules(tx, setupRules);
    const maySkip = holds(user, whole.code, ...whole.pages) && reachesEnough(user, whole);
    const rows: SetupRow[] = [];
    for (const step of services.product.setup) {
      const { done, text = '' } = await step.find(tx, now);
      const state = done ? 'done' : value.skipped.includes(step.key) ? 'skipped' : 'open';
      const { key, title, help } = step;
      rows.push({
        key,
        title,
        help,
        state,
        found: text,
        web_path: pathFor(user, step),
        actions: maySkip && state !== 'done' ? ['skip'] : [],
      });
    }
    return { value: rows, version, at: momentText(now) };
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
