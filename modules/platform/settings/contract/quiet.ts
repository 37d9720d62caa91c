import { z } from 'zod';
import { rules } from '#kernel/contract/rules.ts';

/** For a restored copy: until an administrator allows it, nothing is sent, because the original may be running. */
export const quietRules = rules({
  key: 'quiet',
  title: '恢复的副本',
  shape: {
    /** The time of its backup; empty if it is no copy, or sending was allowed. */
    since: z.string(),
  },
  defaults: { since: '' },
});

interface Kept {
  of(rules: typeof quietRules): Promise<{ since: string }>;
}
/** True for such a copy, which sends nothing. */
export const isQuiet = async (settings: Kept): Promise<boolean> => (await settings.of(quietRules)).since !== '';
