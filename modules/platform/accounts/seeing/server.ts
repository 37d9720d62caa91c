import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { notify } from '#kernel/server/live/bus.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { keptApart, onlySuperSees, seeingCalls, seesNobody } from '../contract/seeing.ts';
import { sessionTable } from '../tables.ts';
import { holdsOffice, lentBy, type Seen } from './seeing.ts';

export const seeingModule = ({ settings }: { settings: Settings }) =>
  implement('accounts', seeingCalls, {
    async see({ body }, { tx, user, audit }) {
      if (!user.superAdmin) throw onlySuperSees();
      const seen = { seeing_role: body.role ?? null, seeing_user: body.user ?? null };
      const lent = await lentBy(tx, user, seen);
      if (!lent) throw seesNobody();
      if ((await settings.get('login')).dengbao && holdsOffice(lent.rights)) throw keptApart(lent.whose);
      await put(tx, user, seen);
      audit({ type: body.role ? '角色' : '用户', id: body.role ?? body.user!, title: `以${lent.whose}的权限查看` });
      return {};
    },

    async endSeeing(_input, { tx, user, audit }) {
      await put(tx, user, { seeing_role: null, seeing_user: null });
      audit({ type: '登录', id: user.sessionId, title: `结束以${user.seeing ?? '他人'}的权限查看` });
      return {};
    },
  });

/** Makes every node read the session anew. */
async function put(tx: Db, user: Viewer, seen: Seen): Promise<void> {
  await tx.update(sessionTable).set(seen).where(eq(sessionTable.id, user.sessionId));
  await notify(tx, 'session', String(user.sessionId));
}
