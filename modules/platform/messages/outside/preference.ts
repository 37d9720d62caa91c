import { eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { contactsOf } from '#modules/platform/people/service/phones.ts';
import { choicesOf, ways, type Way } from '../contract/kinds.ts';
import { unknownNews, type preferenceCalls } from '../contract/preference.ts';
import { messageHabitTable, messagePreferenceTable, pushTable } from '../tables.ts';

/** A person's choices, and the channels that reach them. Choices for kinds that no longer exist are left out. */
export async function preferenceOf(tx: Db, user: Viewer, open: readonly Way[]) {
  const chosen = await tx.select().from(messagePreferenceTable).where(eq(messagePreferenceTable.user_id, user.id));
  const choices = choicesOf(tx.services.product.news);
  const [habit] = await tx.select().from(messageHabitTable).where(eq(messageHabitTable.user_id, user.id));
  const [contact] = await contactsOf(tx, [user.id]);
  const [device] = await tx.select({ id: pushTable.id }).from(pushTable).where(eq(pushTable.user_id, user.id)).limit(1);
  const target = { sms: contact?.phone, mail: contact?.email, push: device };
  return {
    quiet_from: habit?.quiet_from ?? null,
    quiet_to: habit?.quiet_to ?? null,
    digest: habit?.digest ?? true,
    events: Object.fromEntries(
      chosen.filter((row) => Object.hasOwn(choices.defaults, row.event)).map((row) => [row.event, row.ways]),
    ),
    ...choices,
    open: [...open],
    reachable: (Object.keys(ways) as Way[]).filter((way) => target[way]),
  };
}

/** Stores the given choices and leaves the others. */
export async function keepPreference(tx: Db, user: Viewer, body: BodyOf<typeof preferenceCalls.keepPreference>) {
  const { events = {}, quiet_from, quiet_to, digest } = body;
  const { defaults } = choicesOf(tx.services.product.news);
  const unknown = Object.keys(events).find((event) => !Object.hasOwn(defaults, event));
  if (unknown !== undefined) throw unknownNews(unknown);
  const rows = Object.entries(events).map(([event, chosen]) => ({
    user_id: user.id,
    event,
    ways: [...new Set(chosen)],
  }));
  if (rows.length > 0)
    await tx
      .insert(messagePreferenceTable)
      .values(rows)
      .onConflictDoUpdate({
        target: [messagePreferenceTable.user_id, messagePreferenceTable.event],
        set: { ways: sql`excluded.ways` },
      });
  const habit = {
    ...(quiet_from === undefined ? {} : { quiet_from: quiet_from, quiet_to: quiet_to ?? null }),
    ...(digest === undefined ? {} : { digest }),
  };
  if (Object.keys(habit).length > 0)
    await tx
      .insert(messageHabitTable)
      .values({ user_id: user.id, ...habit })
      .onConflictDoUpdate({ target: messageHabitTable.user_id, set: habit });
  return {};
}
