import { openTestApp, testPassword, type Client } from '#apps/server/testing.ts';
import { deptPersonTable } from '#modules/platform/people/tables.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { custodyCalls } from '../contract/custody.ts';
import { sealCalls } from '../contract/seals.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import { pictureModule } from '../ledger/record.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A house with a seal, its keeper and its overseers. */
export async function openSealHouse() {
  const app = await openTestApp();
  const dept = await app.dept('党政办公室');
  const one = async (alias: string, roles: string[] = []) => {
    const person = await app.person({ alias, roles: [...roles, 'staff'], dept });
    return { ...person, client: await app.signIn(person) };
  };
  const keeper = await one('张保管', ['seal_keeper']);
  const other = await one('李保管', ['seal_keeper']);
  const watcher = await one('王监印');
  const clerk = await one('赵职员');
  const witness = await one('孙见证');
  const head = await one('周主任', ['dept_fzr']);
  const office = await one('吴办公室', ['office_admin']);
  const auditor = await one('郑审计', ['seal_auditor']);
  const { databases } = app.services;
  await databases.write((tx) => tx.insert(deptPersonTable).values({ dept_id: dept, user_id: head.id, part: 'leader' }));
  let serial = 0;
  const picture = async (who: Client, bytes: Uint8Array = Buffer.from(dot, 'base64'), ext = 'png') => {
    const form = new FormData();
    form.set('module', pictureModule);
    form.set('file', new Blob([bytes as never]), `印模.${ext}`);
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    const { code, msg, data } = (await sent.json()) as { code: number; msg: string; data: { id: number } };
    if (code !== 0) throw new Error(msg);
    return data.id;
  };
  const register = async (more: object = {}) => {
    serial += 1;
    const body = {
      name: `行政公章${serial}`,
      stamp_no: `YZ${serial}`,
      type: 1,
      dept_id: dept,
      keeper: keeper.username,
    };
    const asked = { ...body, supervisor: watcher.username, ...more };
    return (await office.client.get(sealCalls.addStamp, { body: asked })).id!;
  };
  const propose = (who: Client, id: number, body: object) =>
    who.ask(custodyCalls.propose, { params: { id }, body: { reason: '工作需要', ...body } as never });
  const sign = (who: Client, id: number, body: object = {}) =>
    who.ask(custodyCalls.answer, { params: { id }, body: { result: 1, password: testPassword, ...body } });
  return {
    app,
    dept,
    keeper,
    other,
    watcher,
    clerk,
    witness,
    head,
    office,
    auditor,
    /** Runs a statement directly, without the calls. */
    run: (statement: string) => databases.pool.query(statement),
    picture,
    /** The unread messages of a person, the latest first. */
    box: async (who: Client) => (await who.get(messages.unread)).value,
    register,
    propose,
    sign,
    keptNow: async (id: number) => (await office.client.get(sealCalls.stamp, { params: { id } })).keeper_now.alias,
    /** Hands a seal over to another keeper, who signs. */
    async handOver(id: number, to = other) {
      const files = [await picture(keeper.client)];
      const asked = await propose(keeper.client, id, { kind: custodyKind.handOver, to: to.username, files });
      const event = asked.data.id!;
      return { event, signed: async () => sign(to.client, event, { files: [await picture(to.client)] }) };
    },
  };
}
