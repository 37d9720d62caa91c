import { forbidden } from '#kernel/contract/refusal.ts';
import { implement, ProtocolReply, staged, type Change } from '#kernel/server/http/implement.ts';
import { admitted, aside, attach, fileById, fileCards } from '#modules/platform/files/service.ts';
import { uploadBroken } from '#modules/platform/files/contract.ts';
import { admittedPass, infoOf, kindForReader, put, receive, shownTo } from '#modules/platform/wopi/service.ts';
import { keepRead, readFile, readSent } from '../bodies/known.ts';
import { documentFiles } from '../contract/files/files.ts';
import { noSuchVersion, notLocked, otherKind, secretOffline } from '../contract/files/file-refusals.ts';
import { secretLevel } from '../contract/shapes.ts';
import { changeOf } from '../rules/facts.ts';
import { enterFor, placeSeen } from './held.ts';
import { filesOf, versionOf } from './listing.ts';
import { keepLock, lockOf } from './locks.ts';
import { earlierFile } from './places.ts';
import { replace } from './replacing.ts';
import { writablePlace } from './saving.ts';
import { mayWriteFiles, writablePlaces } from './writing.ts';
import { hashOfBody } from '../signing/signing.ts';
import { seen, seesPast, type Stored } from '../visibility/visibility.ts';

const change = (doc: Stored, file: string, version: number, reason: string): Change =>
  changeOf(doc, { 操作: '上传新版本', 版本: version }, { 文件: file, ...(reason && { 说明: reason }) });

/** Handlers of documents' files and versions, with and without an editor. */
export const documentFilesModule = implement('documents', documentFiles, {
  async attachments({ query }, { tx, user, now }) {
    const visibility = await seen(tx, user, query.document_id);
    const { doc } = visibility;
    const past = await seesPast(tx, visibility.viewer, doc.id);
    const value = await filesOf(tx, doc, { user, now }, { mayWrite: await writablePlaces(tx, visibility, user), past });
    const changed_since_signing = past && doc.body_sha256 !== null && hashOfBody(doc) !== doc.body_sha256;
    return { value, total: value.length, changed_since_signing };
  },

  addVersion: staged(documentFiles.addVersion, {
    async before({ body }, { read, user, services }) {
      const { place } = await placeSeen(read, user, body.id);
      return place.is_body ? readSent(services, read, { fileId: body.file, user, field: 'file' }) : null;
    },
    async run({ body, prepared }, { tx, user, now, audit }) {
      const { doc, place, name, ext } = await writablePlace(
        tx,
        body.id,
        { user, now, versionNo: body.version_no },
        true,
      );
      await attach(tx, { fileId: body.file, module: 'documents', recordId: doc.id, user });
      const file = (await fileById(tx, body.file))!;
      if (file.ext !== ext) throw otherKind(file.name, ext);
      await keepRead(tx, prepared);
      const after = await replace(tx, { doc, place }, { fileId: body.file, user, reason: body.reason });
      audit(change(doc, name, after.version_no, body.reason));
      return { value: await versionOf(tx, doc, after, { user, now }) };
    },
  }),

  async restoreVersion({ params, body }, { tx, user, now, audit }) {
    const saving = { user, now, versionNo: body.version_no };
    const { doc, place, name } = await writablePlace(tx, params.id, saving, true);
    const fileId = await earlierFile(tx, place, body.restored_no);
    if (fileId === null) throw noSuchVersion(name, body.restored_no);
    const reason = `恢复第 ${body.restored_no} 版`;
    const after = await replace(tx, { doc, place }, { fileId, user, reason });
    audit(change(doc, name, after.version_no, reason));
    return { value: await versionOf(tx, doc, after, { user, now }) };
  },

  open: staged(documentFiles.open, {
    async before({ params, query }, { read, user, now, wire, services: { hosting } }) {
      if (query.access_token !== undefined) {
        const pass = await admittedPass(hosting, { fileId: params.id, token: query.access_token, now, wire });
        if (pass instanceof ProtocolReply) return pass;
        const held = await hosting.files.held(read, user, params.id);
        const shown = await shownTo(hosting, read, held, pass);
        return new ProtocolReply(200, { json: infoOf(held, user, { shown, house: hosting.house() }) });
      }
      const { doc, place, mayWrite } = await placeSeen(read, user, params.id);
      const file = (await fileCards(read, [place.file_id], user)).get(place.file_id)!;
      if (doc.secret_level > secretLevel.none) throw secretOffline(file.name);
      const write = mayWrite && !query.view;
      const row = (await fileById(read, place.file_id))!;
      const ext = write ? row.ext : await kindForReader(hosting, read, row, { reader: user.id, now });
      const { url, why } = await hosting.editors.opening({ id: place.id, ext }, write);
      const editor = { editor_url: url ?? '', editor_note: why, may_write: write, file };
      if (url === null) return { ...editor, access_token: '', access_token_ttl: 0 };
      const pass = { fileId: place.id, userId: user.id, sessionId: user.sessionId, write };
      const { token, ends } = hosting.passes.make(pass, now);
      return { ...editor, access_token: token, access_token_ttl: ends };
    },
    run: ({ prepared }) => prepared,
  }),

  async release({ params }, { tx, user, now, audit }) {
    const visibility = await placeSeen(tx, user, params.id, true);
    const { doc, place } = visibility;
    const { name } = (await fileById(tx, place.file_id))!;
    if (!(await mayWriteFiles(tx, visibility, user))) throw forbidden('结束这个文件的在线编辑');
    if ((await lockOf(tx, place.id, now)) === null) throw notLocked(name);
    await keepLock(tx, place.id, null);
    audit(changeOf(doc, { 操作: '结束在线编辑' }, { 文件: name }));
    return { id: place.id };
  },

  save: staged(documentFiles.save, {
    async before({ params, query, incoming }, { read, user, now, wire, services }) {
      const { hosting } = services;
      const token = query.access_token;
      if (token !== undefined) {
        const pass = await admittedPass(hosting, { fileId: params.id, token, now, wire });
        if (pass instanceof ProtocolReply) return { pass: null, received: pass, body: null };
        const received = await receive(hosting, { pass, user, wire, now }, { read, incoming });
        return { pass, received, body: null };
      }
      const { name, place } = await writablePlace(read, params.id, { user, now, versionNo: query.version_no }, false);
      const max = (await hosting.settings.get('site')).file_max_mb * 2 ** 20;
      const received = await aside(hosting.fileStore, incoming.stream, { most: max, name }, (sent) => {
        if (sent.broken) throw uploadBroken();
        return admitted(hosting.fileStore, sent, { name, rule: hosting.files.rule, by: user.id });
      });
      const body = place.is_body ? await readFile({ ...services, by: user.id }, read, received, 'file') : null;
      return { pass: null, received, body };
    },
    async run({ params, query, prepared: { pass, received, body } }, { tx, user, now, wire, audit, services }) {
      if (received instanceof ProtocolReply) return received;
      if (pass) return (await put(services.hosting, { pass, user, wire, now }, tx, received)).reply;
      const place = await writablePlace(tx, params.id, { user, now, versionNo: query.version_no }, true);
      const fileId = await enterFor(tx, place.doc, user, received);
      await keepRead(tx, body);
      const after = await replace(tx, place, { fileId, user, reason: query.reason });
      audit(change(place.doc, place.name, after.version_no, query.reason));
      return { value: await versionOf(tx, place.doc, after, { user, now }) };
    },
  }),
});
