import { absent } from '#kernel/contract/refusal.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { audienceNames, countIn, namesIn } from '#modules/platform/people/service/audience.ts';
import { documentNotices } from './contract.ts';
import { notShown } from './contract/refusals.ts';
import { publish, urgeReaders } from './publishing.ts';
import { readNotice, removeNotice } from './reading.ts';
import { detailOf, listed, seen } from './rows.ts';

const type = '公文通知';

/** Notices of the office about documents. */
export const noticesModule: ServerModule = implement('notices', documentNotices, {
  list: ({ query }, { tx, user }) => listed(tx, user, query),

  async reach({ body }, { tx }) {
    return { total: await countIn(tx, body.recipients) };
  },

  async publish({ body }, { tx, user, now, audit }) {
    const id = await publish(tx, user, body, now);
    const [to] = await audienceNames(tx, [namesIn(body.recipients)]);
    audit({ type, id, title: body.title, after: { 标题: body.title, 范围: to } });
    return { id };
  },

  async get({ params }, { tx, user, afterReading }) {
    const found = await seen(tx, user, params.id);
    const opens = found.meant && found.read_time === null && !found.row.need_receipt;
    if (opens) afterReading(async (writing) => void (await readNotice(writing, user.id, params.id)));
    return { value: await detailOf(tx, user, found) };
  },

  async urge({ params }, { tx, user, audit }) {
    const { row, managed, state } = await seen(tx, user, params.id);
    if (!managed) throw absent('通知');
    if (state !== 'current') throw notShown(state);
    const sent = await urgeReaders(tx, user, row);
    audit({ type, id: params.id, title: row.title, after: { 催读人数: sent } });
    return { sent };
  },

  async remove({ params }, { tx, user, audit }) {
    const title = await removeNotice(tx, user, params.id);
    audit({ type, id: params.id, title, before: { 标题: title } });
    return { id: params.id };
  },

  async read({ params }, { tx, user }) {
    const found = await seen(tx, user, params.id);
    if (!found.meant) throw absent('通知');
    return { read_time: await readNotice(tx, user.id, params.id) };
  },
});
