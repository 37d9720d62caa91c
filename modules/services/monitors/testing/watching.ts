import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { contacts } from '#modules/services/customers/contract/contacts.ts';
import { customers } from '#modules/services/customers/contract/customers.ts';
import { projects } from '#modules/services/customers/contract/projects.ts';
import { monitors } from '../contract.ts';
import { startNode, type Node, type NodeOptions } from '../probing/node.ts';
import { dueTable, incidentTable, stateTable } from '../tables.ts';

/** An office with a customer, controllable target servers, and nodes that probe on demand. */
export async function openWatching() {
  const app = await openTestApp({ outgoingAllow: ['127.0.0.0/8'] });
  const { admin } = app;
  const customer = (await admin.get(customers.add, { body: { name: '示范大学', dept_id: await app.dept() } })).id!;
  const nodes: Node[] = [];
  /** The present behaviour of each target by its path, and how often it was probed. */
  const targets = new Map<string, 'up' | 'down' | 'held'>();
  const asks = new Map<string, number>();
  let held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    asks.set(path, (asks.get(path) ?? 0) + 1);
    const does = targets.get(path) ?? 'up';
    if (does === 'held') held.push(response);
    else response.writeHead(does === 'up' ? 200 : 503).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let serial = 0;
  /** A project with monitor settings; not due before `look`. */
  const project = async (settings: object = {}, more: object = {}, by: Client = admin) => {
    const name = `项目${++serial}`;
    const id = (await by.get(projects.add, { body: { name, customer_id: customer, ...more } })).id!;
    const path = `/${id}`;
    await by.get(monitors.save, {
      params: { id },
      body: {
        type: 1,
        target: `${origin}${path}`,
        retries: 0,
        successes: 1,
        retry_interval_s: 20,
        ...settings,
      },
    });
    await rest(id);
    return { id, name, path, set: (does: 'up' | 'down' | 'held') => targets.set(path, does) };
  };
  const rest = (id: number) =>
    app.services.databases.write((tx) =>
      tx
        .update(dueTable)
        .set({ next_at: sql`now() + interval '1 day'` })
        .where(eq(dueTable.project_id, id)),
    );
  const node = (name = `node-${nodes.length + 1}`, more: Partial<NodeOptions> = {}): Node => {
    const one = startNode({
      node: name,
      url: app.databaseUrl,
      places: 50,
      allow: ['127.0.0.0/8'],
      fping: null,
      references: [],
      claimMs: 30,
      flushMs: 20,
      onError: () => undefined,
      ...more,
    });
    const stop = one.stop.bind(one);
    let stopping: Promise<void> | undefined;
    one.stop = () => (stopping ??= stop());
    nodes.push(one);
    return one;
  };
  const stopNodes = () => Promise.all(nodes.map((one) => one.stop()));
  const stateOf = async (id: number) =>
    (await app.db.select().from(stateTable).where(eq(stateTable.project_id, id)))[0]!;
  /** Probes it the given number of times, one after the other. */
  const look = async (id: number, times = 1) => {
    for (let time = 0; time < times; time++) {
      const before = (await stateOf(id)).last_check;
      const counted = (await looksOf(id)).length;
      await app.services.databases.write((tx) =>
        tx
          .update(dueTable)
          .set({ next_at: sql`now()`, avoid_node: null })
          .where(eq(dueTable.project_id, id)),
      );
      await eventually(async () => expect([(await looksOf(id)).length, before]).not.toEqual([counted, before]));
      await rest(id);
    }
  };
  const looksOf = async (id: number) =>
    (
      await app.db.execute<{ status: number }>(sql`select status from test_log where project_id = ${id} order by time`)
    ).rows.map((row) => row.status);
  const incidentsOf = (id: number) =>
    app.db.select().from(incidentTable).where(eq(incidentTable.project_id, id)).orderBy(incidentTable.id);
  const textsOf = async () =>
    (
      await app.db.execute<{ content: string; mobile_tail: string }>(
        sql`select content, mobile_tail from sms_log where module in ('monitors', 'customers') order by id`,
      )
    ).rows;
  const boxOf = async (id: number) =>
    (
      await app.db.execute<{ event: string }>(
        sql`select event from msg where event in ('MONITOR_DOWN', 'MONITOR_UP', 'MONITOR_FLAP', 'CERT_EXPIRE') and (module = 'customers' and object_id = ${id}
          or module = 'monitors' and object_id in (select id from test_record where project_id = ${id})) order by id`,
      )
    ).rows.map((row) => row.event);
  const contact = async (name: string, mobile: string) =>
    (await admin.get(contacts.add, { body: { customer_id: customer, name, mobile, receive_sms: true } })).id!;
  return {
    app,
    admin,
    customer,
    origin,
    asks,
    project,
    node,
    look,
    rest,
    stateOf,
    looksOf,
    incidentsOf,
    textsOf,
    boxOf,
    contact,
    /** Answers the requests that are held. */
    release(status = 200) {
      for (const response of held) response.writeHead(status).end();
      held = [];
    },
    stopNodes,
    async close() {
      for (const response of held) response.destroy();
      await stopNodes();
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}
export type Watching = Awaited<ReturnType<typeof openWatching>>;
