import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { administered, type Flow } from '../definition/administer.ts';
import { badDraft, noSuchVersion, notPublishable, notPublished, nothingNew } from '../contract/refusals.ts';
import { releaseCalls } from '../contract/release.ts';
import { designOf } from '../design.ts';
import { currentOf, settled, knownOf, touch, versionRows, type VersionRow } from '../definition/draft.ts';
import type { Findings } from '../engine/check/problem.ts';
import { ownRequestWarnings } from '../engine/check/own-requests.ts';
import { voteProblems } from '../engine/check/votes.ts';
import type { z } from 'zod';
import { asksPeople, type Definition } from '../engine/definition.ts';
import { outcome } from '../engine/votes/outcome.ts';
import { prove } from '../proof/proving.ts';
import { recordProblems } from '../definition/record-check.ts';
import { organisationFindings } from '../definition/resolve-check.ts';
import { hashOf, versionsById } from '../service.ts';
import { workflowVersionTable } from '../tables.ts';

export const releaseModule = implement('workflows', releaseCalls, {
  publish: staged(releaseCalls.publish, {
    /** Slow work holds no connection: its result is known when it is needed again under the workflow's lock. */
    async before({ params }, { read, user }) {
      const flow = await administered(read, user, 'Update', params.id, false);
      const rows = await versionRows(read, flow);
      await prove(settled(flow.name, currentOf(rows).definition, knownOf(rows)));
    },
    async run({ params, body }, { tx, user, audit }) {
      const { flow, rows } = await opened(tx, user, params.id, body.version);
      const current = currentOf(rows);
      const definition = settled(flow.name, current.definition, knownOf(rows));
      const { problems, warnings } = await findingsOf(tx, flow, definition);
      const draft = rows.find((row) => row.status === 'draft');
      const answer = {
        published: false,
        no: current.no,
        problems,
        warnings: [...warnings, ...ownRequestWarnings(definition)],
        version: flow.version,
      };
      if (body.dry_run) return answer;
      if (!draft) throw nothingNew(current.no);
      if (problems.length > 0) throw notPublishable(problems);
      await tx
        .update(workflowVersionTable)
        .set({ status: 'retired', gmt_modified: sql`now()` })
        .where(sql`${workflowVersionTable.workflow_id} = ${flow.id} and ${workflowVersionTable.status} = 'published'`);
      await tx
        .update(workflowVersionTable)
        .set({
          status: 'published',
          definition,
          hash: hashOf(definition),
          note: body.note,
          published_by: user.id,
          published_at: sql`now()`,
          gmt_modified: sql`now()`,
        })
        .where(eq(workflowVersionTable.id, draft.id));
      const { version } = await touch(tx, flow);
      audit({ type: '流程', id: flow.id, title: flow.name, after: { 发布版本: draft.no, 版本说明: body.note } });
      return { ...answer, published: true, version };
    },
  }),

  async versions({ params, query }, { tx, user }) {
    const flow = await administered(tx, user, 'Retrieve', params.id, false);
    const rows = (await versionRows(tx, flow)).filter((row) => query.no === undefined || row.no === query.no);
    const counts = await tx.services.product.running.countsOfVersions(
      tx,
      rows.map((row) => row.id),
    );
    const people = await peopleById(
      tx,
      rows.flatMap((row) => row.published_by ?? []),
    );
    return {
      value: rows.map((row) => {
        const person = people.get(row.published_by ?? 0);
        const { total = 0, running = 0 } = counts.get(row.id) ?? {};
        return {
          no: row.no,
          status: row.status,
          note: row.note,
          published_by: person?.username ?? '',
          published_by_alias: person?.alias ?? '',
          published_at: row.published_at?.slice(0, 19) ?? null,
          states: row.definition.states.length,
          transitions: row.definition.transitions.length,
          fields: row.definition.fields.length,
          tickets: total,
          running,
          ...(query.no === undefined ? {} : { definition: row.definition as z.output<typeof Definition> }),
        };
      }),
    };
  },

  simulate: staged(releaseCalls.simulate, {
    async before({ params, body: { no } }, { read, user }) {
      const flow = await administered(read, user, 'Retrieve', params.id, false);
      const rows = await versionRows(read, flow);
      await prove((no === undefined ? currentOf(rows) : versionNo(rows, no)).definition);
    },
    async run({ params, body }, { tx, user }) {
      const flow = await administered(tx, user, 'Retrieve', params.id, false);
      const rows = await versionRows(tx, flow);
      const { no, ...asked } = body;
      const version = no === undefined ? currentOf(rows) : versionNo(rows, no);
      const { definition } = version;
      const [problem] = (await prove(definition)).problems;
      if (problem) throw badDraft(`还不能模拟：${problem.msg}`);
      const walked = await tx.services.product.running.simulate(tx, {
        workflow_id: flow.id,
        definition,
        begun_by: null,
        ...asked,
      });
      return { no: version.status === 'draft' ? null : version.no, ...walked };
    },
  }),

  async whoWould({ params, body: { applicant, state } }, { tx, user }) {
    const flow = await administered(tx, user, 'Retrieve', params.id, false);
    const { definition } = currentOf(await versionRows(tx, flow));
    const states = definition.states.map((one) => (one.key === state.key ? state : one));
    return tx.services.product.running.whoWould(tx, {
      workflow_id: flow.id,
      definition: { ...definition, states },
      state,
      applicant,
    });
  },

  async migrate({ params, body }, { tx, user, origin, now, audit }) {
    const flow = await administered(tx, user, 'Update', params.id, true);
    const rows = await versionRows(tx, flow);
    const published = rows.find((row) => row.status === 'published');
    if (!published) throw notPublished();
    const older = rows.filter((row) => row.status === 'retired');
    const from = body.from_no === undefined ? older : [versionNo(older, body.from_no)];
    const [target] = (await versionsById(tx, [published.id])).values();
    const report = await tx.services.product.running.migrate(tx, {
      from: from.map((row) => row.id),
      to: target!,
      ticket_ids: body.ticket_ids,
      after: body.after ?? 0,
      dry_run: body.dry_run,
      states: new Map(body.states.map((one) => [one.from, one.to])),
      open_branches: body.open_branches,
      actor: user.id,
      origin,
      now,
    });
    if (!body.dry_run) {
      const moved = report.value.filter((row) => row.moved).map((row) => row.sn);
      audit({ type: '流程', id: flow.id, title: flow.name, after: { 迁移到版本: published.no, 工单: moved } });
    }
    const targets = target!.definition.states.flatMap((state) =>
      asksPeople(state) ? { state_id: state.id, state_name: state.name } : [],
    );
    return { dry_run: body.dry_run, to_no: published.no, targets, ...report };
  },
});

async function opened(tx: Db, user: Viewer, id: number, version: number | undefined) {
  const flow: Flow = await administered(tx, user, 'Update', id, true);
  if (version !== undefined && version !== flow.version)
    checkVersion('流程', flow, version, await designOf(tx, user, flow));
  return { flow, rows: await versionRows(tx, flow) };
}

/** Everything that keeps a definition from being published here and now, and the warnings. */
async function findingsOf(tx: Db, flow: Flow, definition: Definition): Promise<Findings> {
  const own = await prove(definition);
  // Votes, people and module checks only make sense for a consistent definition.
  if (own.problems.length > 0) return own;
  const now = await organisationFindings(tx, flow.id, definition);
  const problems = [
    ...voteProblems(definition, outcome),
    ...now.problems,
    ...(await recordProblems(tx, flow, definition)),
  ];
  return { problems, warnings: [...own.warnings, ...now.warnings] };
}

function versionNo(rows: readonly VersionRow[], no: number): VersionRow {
  const row = rows.find((candidate) => candidate.no === no);
  if (!row) throw noSuchVersion(no);
  return row;
}
