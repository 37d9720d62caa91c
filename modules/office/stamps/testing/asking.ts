import { expect } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { applicationCalls as calls } from '../contract/applications.ts';
import { pictureModule } from '../ledger/record.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';

type Offer = NonNullable<ReplyOf<typeof calls.source>['offer']>;
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Source {
  module: string;
  id: number;
}
interface People {
  stamp: number;
  keeper: Client;
  head: Client;
  applicant: Client;
}

/** The steps of sealing another module's record, by the people involved. */
export function sealing({ stamp, keeper, head, applicant }: People) {
  const get = async (id: number, who = applicant) => (await who.get(calls.get, { params: { id } })).value;
  const upload = async (who: Client, module: string, name: string) => {
    const form = new FormData();
    form.set('module', module);
    form.set('file', new Blob([Buffer.from(dot, 'base64')]), name);
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await sent.json()) as { data: { id: number } }).data.id;
  };
  const handle = async (id: number, kind: string, more: object = {}) =>
    keeper.ask(calls.handle, {
      params: { id },
      body: {
        stamp_ids: [stamp],
        kind,
        pictures: [await upload(keeper, pictureModule, '用印.png')],
        remark: '用印',
        ...more,
      } as never,
    });
  const agreed = async (id: number) => {
    const params = { id: (await get(id)).ticket_id! };
    await head.get(tickets.handle, { params, body: { transition_id: 3, suggestion: '同意' } });
  };
  const create = async (source: Source, { files, ...offer }: Offer, more: object = {}) => {
    const asked = { ...offer, files: files.map((file) => file.id), lines: [{ stamp_id: stamp }], source };
    const body = { ...asked, reason: '对外用印', no_blanks: true, submit: true, ...more };
    return applicant.ask(calls.create, { body: body });
  };
  const another = () => upload(applicant, 'stamps', '另一份.png');
  /** The fields of an application that its record provides. */
  const saidIn = async (id: number) => {
    const { title, file_kind, amount, receiver, copies, files } = await get(id);
    return { title, file_kind, amount, receiver, copies, files: files.map((file) => file.name) };
  };
  const sent = async (source: Source, offer: Offer, more: object = {}): Promise<number> => {
    const made = await create(source, offer, more);
    expect(made.code, made.msg).toBe(0);
    return (made.data as { id: number }).id;
  };
  return {
    get,
    agreed,
    /** Tries to change every field that the record provides, on create and on edit, and expects them unchanged. */
    async expectUnchanged(source: Source, offer: Offer): Promise<void> {
      const { files, copies: _copies, ...others } = offer;
      const asOffered = { ...others, copies: 3, files: files.map((file) => file.name) };
      const other = { title: '另一个名称', file_kind: 9, amount: 1, receiver: '另一个单位', copies: 3 };
      const made = await create(source, offer, { ...other, files: [await another()], submit: false });
      expect(made.code, made.msg).toBe(0);
      const { id } = made.data as { id: number };
      expect(await saidIn(id)).toEqual(asOffered);
      const params = { id };
      const body = { ...other, files: [await another()], version: (await get(id)).version };
      const edited = await applicant.ask(calls.update, { params, body: body });
      expect(edited.code, edited.msg).toBe(0);
      expect(await saidIn(id)).toEqual(asOffered);
    },
    sent,
    /** An application made from a record's offer, approved by the head. */
    async approved(...asked: Parameters<typeof sent>): Promise<number> {
      const id = await sent(...asked);
      await agreed(id);
      return id;
    },
    seal: (id: number) => handle(id, 'seal'),
    lend: async (id: number) => handle(id, 'hand_over', { signature: await upload(keeper, 'stamps', '签名.png') }),
    bringBack: (id: number) => handle(id, 'return'),
  };
}
