import { z } from 'zod';
import { call, permissionCodes, signedIn } from '#kernel/contract/call.ts';
import { flag } from '#kernel/contract/shapes.ts';

/** One entry of the menu. `component` names a page of the registry, empty for a mere heading; `roles` absent counts as `reception`. */
export const MenuItem = z.object({
  id: z.number().int(),
  parent: z.number().int().nullable(),
  name: z.string(),
  web_path: z.string(),
  component: z.string(),
  icon: z.string(),
  visible: z.boolean(),
  menuPermission: z.array(z.enum(permissionCodes)),
  roles: z.array(z.string()).optional(),
  is_link: z.boolean(),
  affix: z.boolean(),
  /** `show: false` hides the entry from the second level; `noCache` mounts its page anew each time. */
  meta: z.object({ show: z.boolean().optional(), noCache: z.boolean().optional() }).nullable(),
});
export type MenuItem = z.output<typeof MenuItem>;

export const access = {
  webRouter: call({
    method: 'GET',
    path: '/api/accounts/menu/web_router/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的菜单',
    query: z.object({ is_mobile: flag.default(false) }),
    reply: z.array(MenuItem),
    fresh: true,
  }),
};
