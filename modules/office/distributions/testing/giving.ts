import type { Client } from '#apps/server/testing.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { openSchool } from '#modules/office/documents/testing/school.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { distributions } from '../contract.ts';

type Body = Partial<BodyOf<typeof distributions.create>>;

/** A school whose office gives documents out. */
export async function openGiving() {
  const school = await openSchool();
  const { office: app, write, goOn, clerk, elsewhere } = school;
  const clerkOf = (dept: number) => app.person({ dept, roles: ['staff'] }).then((one) => app.signIn(one));
  /** A letter whose workflow has finished. */
  const finished = async (more: Parameters<typeof write>[0] = {}) => {
    const { id, ticket_id } = await write(more);
    await goOn(ticket_id);
    return id;
  };
  let plain: Promise<number> | undefined;
  const give = (document_id: number, recipients: object, more: Body = {}, who: Client = clerk) =>
    who.ask(distributions.create, { body: { document_id, recipients: recipients, ...more } });
  return {
    ...school,
    clerkOf,
    finished,
    /** One finished letter shared by tests that do not depend on its other recipients. */
    anyLetter: () => (plain ??= finished()),
    give,
    given: async (document_id: number, recipients: object, more: Body = {}, who: Client = clerk) =>
      (await who.get(distributions.create, { body: { document_id, recipients: recipients, ...more } })).id,
    reader: await clerkOf(elsewhere),
    open: (who: Client, id: number) => who.ask(distributions.get, { params: { id } }),
    opened: async (who: Client, id: number) => (await who.get(distributions.get, { params: { id } })).value,
    recall: (who: Client, id: number, reason = '') =>
      who.ask(distributions.recall, { params: { id }, body: { reason } }),
    matrix: async (who: Client, dist_id: number) =>
      (await who.get(distributions.info, { query: { dist_id, unread: true } })).value,
    received: async (who: Client) =>
      (await who.get(distributions.list, { query: { scope: 'received', per_page: 100 } })).value,
    titles: async (who: Client) =>
      (await who.get(messages.unread, { query: { per_page: 100 } })).value.map((one) => one.title),
  };
}
export type Giving = Awaited<ReturnType<typeof openGiving>>;
