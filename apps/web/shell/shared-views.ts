import { send } from '#kernel/web/client.ts';
import type { SharedViews } from '#kernel/web/kit/preferences.tsx';
import { accounts, type Profile } from '#modules/platform/accounts/contract.ts';

/** Views of lists that are shared with roles, on the server. */
export const sharedViewsFor = ({ roles }: Pick<Profile, 'roles'>): SharedViews => ({
  roles,
  of: async (list) => (await send(accounts.sharedViews, { query: { list } }, { quiet: true })).value,
  share: (body) => send(accounts.shareView, { body }),
  remove: (id) => send(accounts.removeView, { params: { id } }),
});
