import { and, asc, eq, sql } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { preferencesOf } from '#modules/platform/accounts/service.ts';
import { mayAdminister } from './definition/administer.ts';
import { fieldAccess, stateTypeOf } from './engine/codes.ts';
import { describe } from './engine/condition.ts';
import { favouriteKey, workflows, type Workflow } from './contract.ts';
import { startOf } from './engine/definition.ts';
import { statesToPick } from './engine/picks.ts';
import { wordingOf } from './engine/wording.ts';
import { fieldItem, withinSight } from './engine/field-item.ts';
import { rightIn } from './engine/fields/rights.ts';
import { ownValues } from './server/own-values.ts';
import { applicantFor, rulesForOthers } from './service/starting-for.ts';
import { askableFields, tablesShown } from './engine/fields/askable.ts';
import { moduleName } from './definition/record-check.ts';
import {
  deptPathOf,
  grantsOf,
  mayReach,
  versionsById,
  versionsOf,
  versionToStart,
  workflowsWith,
  type Grants,
  type Version,
} from './service.ts';
import { countsStarted, isFor, whyNotStart, type Starter } from './engine/start-rule.ts';
import { workflowTable, workflowVersionTable } from './tables.ts';

export const workflowsModule = implement('workflows', workflows, {
  async list({ query }, { tx, user }) {
    const all = await mine(tx, user);
    const words = query.search_value.toLowerCase();
    const found = all.filter(
      (flow) =>
        (query.startable === undefined || flow.can_start === query.startable) &&
        (query.category === undefined || flow.category === query.category) &&
        (query.module === undefined || flow.module === query.module) &&
        (query.status === undefined || flow.status === query.status) &&
        `${flow.name} ${flow.description} ${flow.category}`.toLowerCase().includes(words),
    );
    const by = query.order_by ?? 'order_id';
    const sign = query.desc ? -1 : 1;
    found.sort(
      (a, b) =>
        sign *
        (by === 'name'
          ? a.name.localeCompare(b.name, 'zh')
          : by === 'order_id'
            ? a.order_id - b.order_id
            : a.id - b.id),
    );
    const { page, per_page } = query;
    const last = Math.max(1, Math.ceil(found.length / per_page));
    const at = Math.min(page, last);
    return { value: found.slice((at - 1) * per_page, at * per_page), total: found.length, page: at, per_page };
  },

  async initState({ params, query: { begin_for } }, { tx, user }) {
    const version = await startable(tx, user, params.id);
    if (!version) throw absent('流程');
    const { definition } = version;
    const for_self = isFor(definition.settings.limit, await starterOf(tx, user));
    const for_others = (await rulesForOthers(tx, user, [definition]))(definition).length > 0;
    if (!for_self && !for_others) throw absent('流程');
    const applicant =
      begin_for === undefined || begin_for === user.username
        ? user
        : await applicantFor(tx, user, definition, begin_for);
    const start = startOf(definition);
    const fields = definition.fields.map((field) => ({ field, ...rightIn(start, field) }));
    const own = await ownValues(
      tx,
      applicant,
      applicant === user,
      fields.filter(({ access }) => access !== fieldAccess.hidden),
    );
    return {
      id: start.id,
      name: start.name,
      workflow_id: version.workflow_id,
      workflow_name: definition.name,
      workflow_version: version.no,
      type_id: stateTypeOf(start.kind),
      order_id: start.order,
      label: start.label,
      field_list: withinSight(
        fields.flatMap(({ field, access, columns }, index) => {
          const value = own.get(field.key) ?? field.default_value ?? (field.template || null);
          return access === fieldAccess.hidden ? [] : [fieldItem(field, index + 1, { access, columns }, value, '')];
        }),
      ),
      transition: tx.services.product.running.offersAtStart(definition, applicant.id),
      choose: statesToPick(definition, start),
      applicant: { username: applicant.username, alias: applicant.alias },
      for_self,
      for_others,
    };
  },

  async simpleDescription({ params, query }, { tx, user }) {
    const { version, admin } = await seen(tx, user, params.id);
    const { definition } = version;
    const versions = query.fields ? await versionsOf(tx, params.id) : [];
    return {
      workflow_basic_info: { id: params.id, name: definition.name, version: version.no },
      workflow_state_info: definition.states.map((state) => ({
        id: state.id,
        name: state.name,
        kind: state.kind,
        type_id: stateTypeOf(state.kind),
        order_id: state.order,
        is_hidden: state.hidden,
      })),
      workflow_transition_info: definition.transitions.map((transition) => ({
        id: transition.id,
        name: transition.name,
        source_state_id: transition.source,
        destination_state_id: transition.destination,
        condition_expression: admin
          ? transition.conditions.map((branch) => ({
              ...branch,
              text: describe(branch.expression, wordingOf(definition)),
            }))
          : [],
        attribute_type_id: transition.attribute,
        timer: transition.timer,
      })),
      workflow_field_info: askableFields(versions),
      workflow_table_info: tablesShown(versions),
    };
  },

  async canIntervene({ params }, { tx, user }) {
    const { grants } = await seen(tx, user, params.id);
    return { can_intervene: user.superAdmin || workflowsWith(grants, 'intervene').includes(params.id) };
  },
});

async function starterOf(tx: Db, user: Viewer): Promise<Starter> {
  return { id: user.id, dept_path: await deptPathOf(tx, user.depts), roles: [...user.roleCodes] };
}

const startable = async (tx: Db, user: Viewer, id: number) => (mayReach(user, id) ? versionToStart(tx, id) : null);

/** Ids of the workflows a person marked as favourites. */
async function favouritesOf(tx: Db, user: number): Promise<unknown[]> {
  const kept: unknown = (await preferencesOf(tx, user, favouriteKey))[favouriteKey];
  return Array.isArray(kept) ? kept : [];
}

/** The workflows a person may start or see, in order. */
async function mine(tx: Db, user: Viewer): Promise<Workflow[]> {
  const rows = await tx
    .select({
      flow: workflowTable,
      version: workflowVersionTable.id,
      drafts: sql<boolean>`exists (select 1 from workflow_version draft
        where draft.workflow_id = ${workflowTable.id} and draft.status = 'draft')`,
    })
    .from(workflowTable)
    .leftJoin(
      workflowVersionTable,
      and(eq(workflowVersionTable.workflow_id, workflowTable.id), eq(workflowVersionTable.status, 'published')),
    )
    .where(eq(workflowTable.is_deleted, false))
    .orderBy(asc(workflowTable.order_id), asc(workflowTable.id));
  const versions = await versionsById(
    tx,
    rows.flatMap((row) => row.version ?? []),
  );
  const starter = await starterOf(tx, user);
  const grants = await grantsOf(tx, user);
  const counted = [...versions.values()].filter((version) => countsStarted(version.definition.settings.limit));
  const started = await tx.services.product.running.startedBy(tx, user.id, counted);
  const forOthers = await rulesForOthers(
    tx,
    user,
    [...versions.values()].map(({ definition }) => definition),
  );
  const favourites = await favouritesOf(tx, user.id);
  return rows.flatMap(({ flow, version: id, drafts }) => {
    if (!mayReach(user, flow.id)) return [];
    const version = id === null ? undefined : versions.get(id);
    const limit = version?.definition.settings.limit;
    // A person who starts it for others alone finds it as well.
    const others = flow.module === null && version !== undefined && forOthers(version.definition).length > 0;
    const forMe = limit !== undefined && flow.status === onOff.on && (others || isFor(limit, starter));
    const may = (code: PermissionCode) => mayAdminister(user, code, flow, grants);
    if (!forMe && !may('Retrieve') && !grants.has(flow.id)) return [];
    const why =
      flow.status === onOff.off
        ? '流程已停用'
        : !limit
          ? '流程还没有发布'
          : flow.module !== null
            ? `请到“${moduleName(tx, flow.module)}”页面发起`
            : others
              ? null
              : whyNotStart(limit, starter, started.get(flow.id) ?? { in_period: 0, open: 0 });
    return {
      id: flow.id,
      key: flow.key,
      name: flow.name,
      description: flow.description,
      icon: flow.icon,
      category: flow.category,
      module: flow.module,
      module_name: moduleName(tx, flow.module),
      status: flow.status as 0 | 1,
      published_version: version?.no ?? null,
      can_start: why === null,
      why_not: why ?? '',
      favourite: favourites.includes(flow.id),
      order_id: flow.order_id,
      version: flow.version,
      has_draft: drafts,
      gmt_modified: flow.gmt_modified.slice(0, 19),
      actions: [
        ...(why === null ? ['start'] : []),
        ...(may('Retrieve') ? ['design'] : []),
        ...(may('Update') ? ['edit', flow.status === onOff.on ? 'retire' : 'revive'] : []),
        ...(may('Delete') ? ['delete'] : []),
      ],
    };
  });
}

/** A workflow somebody may start, see or administer; any other is reported as absent. */
async function seen(tx: Db, user: Viewer, id: number): Promise<{ version: Version; grants: Grants; admin: boolean }> {
  const version = await startable(tx, user, id);
  if (!version) throw absent('流程');
  const grants = await grantsOf(tx, user);
  const [flow] = await tx.select().from(workflowTable).where(eq(workflowTable.id, id));
  const held = grants.get(id)?.has('admin') ?? false;
  const admin = held || (flow !== undefined && mayAdminister(user, 'Retrieve', flow, grants));
  if (admin || grants.has(id)) return { version, grants, admin };
  const { definition } = version;
  if (isFor(definition.settings.limit, await starterOf(tx, user))) return { version, grants, admin };
  if ((await rulesForOthers(tx, user, [definition]))(definition).length === 0) throw absent('流程');
  return { version, grants, admin };
}
