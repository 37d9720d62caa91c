import { implement, ProtocolReply, staged, type Wire } from '#kernel/server/http/implement.ts';
import type { Services } from '#kernel/server/services.ts';
import { wopi } from './contract.ts';
import { admitted, versionOf } from './hosting.ts';
import { infoOf } from './editing/info.ts';
import { operate } from './editing/operating.ts';
import type { GivenPass } from './editing/passes.ts';
import { putRelative, receiveRelative, rename } from './editing/naming.ts';
import { put, receive } from './editing/putting.ts';
import { shownTo } from './editing/showing.ts';

interface Asked {
  params: { id: number };
  query: { access_token: string };
}

/** The signature is checked before a connection is used: that may call the editor's server. */
const pass = (
  { params, query }: Asked,
  { wire, now, services }: { wire: Wire; now: Date; services: Services },
): Promise<GivenPass | ProtocolReply> =>
  admitted(services.hosting, { fileId: params.id, token: query.access_token, wire, now });

/** The calls an editor makes. */
export const wopiModule = implement('wopi', wopi, {
  checkFileInfo: staged(wopi.checkFileInfo, {
    before: pass,
    async run({ prepared }, { tx, user, services: { hosting } }) {
      if (prepared instanceof ProtocolReply) return prepared;
      const held = await hosting.files.held(tx, user, prepared.fileId);
      const shown = await shownTo(hosting, tx, held, prepared);
      return new ProtocolReply(200, { json: infoOf(held, user, { shown, house: hosting.house() }) });
    },
  }),

  operate: staged(wopi.operate, {
    async before(input, context) {
      const found = await pass(input, context);
      if (found instanceof ProtocolReply || context.wire.header('x-wopi-override') !== 'PUT_RELATIVE')
        return { pass: found, received: null };
      const received = await receiveRelative(
        context.services.hosting,
        { ...context, pass: found },
        { ...context, incoming: input.incoming },
      );
      return { pass: found, received };
    },
    async run({ prepared: { pass: found, received } }, { tx, user, wire, now, audit, services: { hosting } }) {
      if (found instanceof ProtocolReply) return found;
      if (received instanceof ProtocolReply) return received;
      const asked = { pass: found, user, wire, now };
      if (received !== null) {
        const { reply, name } = await putRelative(hosting, asked, tx, received);
        if (name !== null) audit({ type: '文件', id: found.fileId, title: name, after: { 操作: '在线编辑另存' } });
        return reply;
      }
      if (wire.header('x-wopi-override') !== 'RENAME_FILE') return operate(hosting, { ...asked, tx });
      const reply = await rename(hosting, asked, tx);
      if (reply.status === 200) audit({ type: '文件', id: found.fileId, after: { 操作: '在线编辑改名' } });
      return reply;
    },
  }),

  getFile: staged(wopi.getFile, {
    before: pass,
    async run({ prepared }, { tx, user, wire, services: { hosting } }) {
      if (prepared instanceof ProtocolReply) return prepared;
      const held = await hosting.files.held(tx, user, prepared.fileId);
      const { size, content } = await shownTo(hosting, tx, held, prepared);
      const most = wire.header('x-wopi-maxexpectedsize');
      if (most !== undefined && Number(most) < size) return new ProtocolReply(412);
      const file = { ...content, type: 'application/octet-stream' };
      return new ProtocolReply(200, { headers: versionOf(held), file });
    },
  }),

  putFile: staged(wopi.putFile, {
    async before(input, context) {
      const found = await pass(input, context);
      if (found instanceof ProtocolReply) return { pass: null, received: found };
      if (context.wire.header('x-wopi-override') !== 'PUT') return { pass: null, received: new ProtocolReply(501) };
      const received = await receive(
        context.services.hosting,
        { ...context, pass: found },
        { ...context, incoming: input.incoming },
      );
      return { pass: found, received };
    },
    async run({ prepared: { pass: found, received } }, { tx, user, wire, now, audit, services }) {
      if (received instanceof ProtocolReply || !found) return received as ProtocolReply;
      const { reply, saved } = await put(services.hosting, { pass: found, user, wire, now }, tx, received);
      if (saved) audit({ type: '文件', id: found.fileId, title: received.name, after: { 操作: '在线编辑保存' } });
      return reply;
    },
  }),
});
