import { expect } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/tickets/contract.ts';
import { applicationCalls as calls } from '../contract/applications.ts';
import { pictureModule } from '../ledger/record.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';

type Offer = NonNullable<ReplyOf<typeof calls.source>['offer']>;
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface People {
  stamp: number;
  keeper: Client;
  head: Client;
  applicant: Client;
}

/** What is done about the seal of another module's record, by those who have to do with it. */
export function sealing({ stamp, keeper, head, applicant }: People) {
  const get = async (id: number, who = applicant) => (await who.get(calls.get, { params: { id } })).value;
  const picture = async () => {
    const form = new FormData();
    form.set('module', pictureModule);
    form.set('file', new Blob([Buffer.from(dot, 'base64')]), '用印.png');
    const sent = await keeper.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await sent.json()) as { data: { id: number } }).data.id;
  };
  const agreed = async (id: number) => {
    const params = { id: (await get(id)).ticket_id! };
    await head.get(tickets.handle, { params, body: { transition_id: 3, suggestion: '同意' } as never });
  };
  return {
    get,
    agreed,
    /** An application with what a record offers, agreed to by the head. */
    async approved(source: { module: string; id: number }, { files, ...offer }: Offer): Promise<number> {
      const asked = { ...offer, files: files.map((file) => file.id), lines: [{ stamp_id: stamp }], source };
      const body = { ...asked, reason: '对外用印', no_blanks: true, submit: true };
      const made = await applicant.ask(calls.create, { body: body as never });
      expect(made.code, made.msg).toBe(0);
      const { id } = made.data as { id: number };
      await agreed(id);
      return id;
    },
    seal: async (id: number) =>
      keeper.ask(calls.handle, {
        params: { id },
        body: { stamp_ids: [stamp], kind: 'seal', pictures: [await picture()], remark: '用印' } as never,
      }),
  };
}
