import { z } from 'zod';
import { rules } from '#kernel/contract/rules.ts';

/** Of a copy that was restored: until an administrator lets it, nothing leaves it, for the office it was copied from may be running. */
export const quietRules = rules({
  key: 'quiet',
  title: '恢复的副本',
  shape: {
    /** When its backup was complete; empty where it is no copy, or was let. */
    since: z.string(),
  },
  defaults: { since: '' },
});

interface Kept {
  of(rules: typeof quietRules): Promise<{ since: string }>;
}
/** Whether this is such a copy, which nothing leaves. */
export const isQuiet = async (settings: Kept): Promise<boolean> => (await settings.of(quietRules)).since !== '';
