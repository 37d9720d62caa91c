import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { isSecret } from '#modules/office/documents/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { distributions } from './contract.ts';
import { copyState } from './contract/list.ts';
import { distribute } from './giving/distributing.ts';
import { listed } from './lists.ts';
import { flowLogs } from './reading/log.ts';
import { info, readers } from './reading/matrix.ts';
import { readCopy, readOnOpening } from './reading/reading.ts';
import { recall, urge } from './giving/recalling.ts';
import { countUrgeable, rowsOf, seen } from './rows.ts';

const type = '公文分发';
const readersShown = 20;

/** The operation log's text about a document; of a secret one, only that there was some. */
const words = async (tx: Db, documentId: number, said: string): Promise<string> =>
  said !== '' && (await isSecret(tx, 'document', documentId)) ? '（涉密公文，不记内容）' : said;

/** Distributions of documents: giving out, reading, urging, recalling. */
export const distributionsModule = implement('distributions', distributions, {
  list: ({ query }, { tx, user }) => listed(tx, user, query),

  async create({ body }, { tx, user, now, audit }) {
    const { title, secret, ...made } = await distribute({ tx, user, now }, body);
    audit({
      type,
      id: made.id,
      title,
      after: { 接收人数: made.total, ...(secret ? {} : { 说明: body.note }), 需要签收: body.need_receipt },
    });
    return made;
  },

  async get({ params }, { tx, user, origin, afterReading }) {
    const { viewer: _viewer, ...found } = await seen(tx, user, params.id);
    const opens = found.mine?.state === copyState.unread && found.row.recalled_at === null && !found.row.need_receipt;
    const client = origin.userAgent;
    if (opens) afterReading((writing) => readOnOpening(writing, user.id, params.id, client));
    const [row] = await rowsOf(tx, user, [found]);
    const people = await peopleById(tx, [found.row.sender_id, found.row.recalled_by ?? 0]);
    if (!row) throw absent('分发');
    const first = { page: 1, per_page: readersShown, search_value: '' };
    return {
      value: {
        ...row,
        sender_info: people.get(found.row.sender_id) ?? null,
        recalled_by: people.get(found.row.recalled_by ?? 0)?.alias ?? '',
        my_reply: found.mine?.reply ?? '',
        to_urge: row.actions.includes('urge') ? await countUrgeable(tx, params.id, user) : 0,
        readers: found.managed ? (await readers(tx, params.id, first)).value : [],
      },
    };
  },

  info: async ({ query }, { tx, user }) => ({ value: await info(tx, user, query) }),
  flowLogs: ({ query }, { tx, user }) => flowLogs(tx, user, query),

  async readers({ params, query }, { tx, user }) {
    const { managed } = await seen(tx, user, params.id);
    if (!managed) throw absent('阅读情况');
    return readers(tx, params.id, query);
  },

  async read({ params, body }, { tx, user, origin, audit }) {
    const copy = { id: params.id, client: origin.userAgent, reply: body.reply };
    const { state, documentId } = await readCopy(tx, user.id, copy);
    const said = await words(tx, documentId, body.reply);
    audit({ type, id: params.id, after: body.reply ? { 回复: said } : { 签收: '已签收' } });
    return { state };
  },

  async urge({ params, body }, { tx, user, audit }) {
    const found = await seen(tx, user, params.id);
    const sent = await urge(tx, { user, seen: found }, body);
    audit({ type, id: params.id, after: { 催读人数: sent, 短信: body.sms } });
    return { sent };
  },

  async recall({ params, body }, { tx, user, audit }) {
    const found = await seen(tx, user, params.id);
    await recall(tx, user, found, body.reason);
    const reason = await words(tx, found.row.document_id, body.reason);
    audit({ type, id: params.id, before: { 状态: '已分发' }, after: { 状态: '已收回', 原因: reason } });
    return { id: params.id };
  },
});
