import { onOff } from '#kernel/contract/titles.ts';
import { linkModules } from '#modules/platform/links/service.ts';
import { eq } from 'drizzle-orm';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { administered, type Flow } from '../definition/administer.ts';
import { designCalls } from '../contract/design.ts';
import { hasTickets, keyTaken, nameTaken, usedByModule } from '../contract/refusals.ts';
import { designOf } from '../design.ts';
import { currentOf, discardDraft, saveDraft, settled, touch, versionRows } from '../definition/draft.ts';
import type { Definition } from '../engine/definition.ts';
import { knownParts } from '../engine/identity.ts';
import type { Meaning } from '../engine/meanings.ts';
import { grantRows, saveGrants } from '../definition/holders.ts';
import { blank } from '../engine/gallery/blank.ts';
import { businessModule, businessModules, meaningsOf, moduleName, usesOf } from '../definition/record-check.ts';
import { hashOf } from '../service.ts';
import { workflowTable, workflowVersionTable } from '../tables.ts';

export const designModule = implement('workflows', designCalls, {
  async add({ body }, { tx, user, audit }) {
    const { definition, copy_of, key, module: wanted, ...about } = body;
    const origin = copy_of === undefined ? null : await originOf(tx, user, copy_of);
    const module = wanted === undefined ? (origin?.module ?? null) : wanted;
    if (module !== null && !businessModule(tx, module)) throw unknownModule(module);
    const begun = (definition as Definition | undefined) ?? (await begunWith(tx, about.name, origin));
    const [row] = await tx
      .insert(workflowTable)
      .values({ ...about, module, key: key ?? (await freeKey(tx)), creator_id: user.id })
      .returning()
      .catch(refuseOn('workflow_name_unique', () => nameTaken(about.name)))
      .catch(refuseOn('workflow_key_unique', () => keyTaken(key ?? '')));
    const kept = settled(about.name, begun, knownParts([]));
    await tx
      .insert(workflowVersionTable)
      .values({ workflow_id: row!.id, no: 1, status: 'draft', definition: kept, hash: hashOf(kept) });
    audit({ type: '流程', id: row!.id, title: row!.name, after: { ...titled(tx, row!), ...sizeOf(kept) } });
    return { id: row!.id, version: row!.version };
  },

  modules: async (_input, { tx }) => ({
    value: businessModules(tx).map(([module, { name, meanings = [] }]) => ({
      module,
      name,
      meanings: meanings.map(shown),
    })),
    meanings: meaningsOf(tx, null).map(shown),
    linked: linkModules(tx).map(([module, { name }]) => ({ module, name })),
  }),

  async get({ params }, { tx, user }) {
    return designOf(tx, user, await administered(tx, user, 'Retrieve', params.id, false));
  },

  async change({ params, body }, { tx, user, audit }) {
    const before = await administered(tx, user, 'Update', params.id, true);
    if (body.version !== undefined && body.version !== before.version)
      checkVersion('流程', before, body.version, await designOf(tx, user, before));
    const { definition, discard_draft, grants, version: _version, ...about } = body;
    const after = await touch(tx, before, about).catch(
      refuseOn('workflow_name_unique', () => nameTaken(about.name ?? '')),
    );
    const grantsBefore = grants && (await grantRows(tx, before.id));
    if (discard_draft) await discardDraft(tx, after);
    const saved = definition && (await saveDraft(tx, after, definition as Definition));
    if (grants) await saveGrants(tx, before.id, grants);
    const design = await designOf(tx, user, after);
    audit({
      type: '流程',
      id: before.id,
      title: after.name,
      before: { ...titled(tx, before), ...(grantsBefore ? { 授权: grantsBefore.map(said) } : {}) },
      after: {
        ...titled(tx, after),
        ...(saved ? sizeOf(saved) : {}),
        ...(discard_draft ? { 草稿: '已放弃' } : {}),
        ...(grants ? { 授权: design.grants.map(said) } : {}),
      },
    });
    return design;
  },

  async remove({ params }, { tx, user, audit }) {
    const flow = await administered(tx, user, 'Delete', params.id, true);
    const { total } = (await tx.services.product.running.counts(tx, [flow.id])).get(flow.id) ?? { total: 0 };
    if (total > 0) throw hasTickets(total);
    const uses = await usesOf(tx, flow);
    if (uses.length > 0) throw usedByModule(moduleName(tx, flow.module), uses);
    await touch(tx, flow, { is_deleted: true });
    audit({ type: '流程', id: flow.id, title: flow.name, before: titled(tx, flow) });
    return { id: flow.id };
  },
});

const originOf = (tx: Db, user: Viewer, id: number): Promise<Flow> =>
  administered(tx, user, 'Retrieve', id, false).catch(() => Promise.reject(absent('要复制的流程')));

const begunWith = async (tx: Db, name: string, origin: Flow | null): Promise<Definition> =>
  origin ? currentOf(await versionRows(tx, origin)).definition : blank(name);

const unknownModule = (module: string) =>
  invalid([{ field: 'module', label: '业务模块', msg: `没有业务模块“${module}”，请重新选择` }]);

const shown = ({ values, ...meaning }: Meaning) => ({
  ...meaning,
  values: Object.entries(values).map(([value, label]) => ({ value, label })),
});

/** `flow7`: the first free number from the count of workflows on, because keys of deleted ones may be used again. */
async function freeKey(tx: Db): Promise<string> {
  for (let number = (await tx.$count(workflowTable)) + 1; ; number++) {
    const key = `flow${number}`;
    if ((await tx.$count(workflowTable, eq(workflowTable.key, key))) === 0) return key;
  }
}

const titled = (tx: Db, flow: Flow) => ({
  名称: flow.name,
  描述: flow.description,
  分类: flow.category,
  图标: flow.icon,
  排序: flow.order_id,
  状态: flow.status === onOff.on ? '启用' : '停用',
  ...(flow.module === null ? {} : { 业务模块: moduleName(tx, flow.module) }),
});
const sizeOf = ({ states, transitions, fields }: Definition) => ({
  草稿: `${states.length} 个环节，${transitions.length} 个流转，${fields.length} 个字段`,
});
const permissionNames = { view: '查看', intervene: '干预', admin: '管理' };
const said = (grant: { permission: keyof typeof permissionNames; holder_name: string; holder: string }) =>
  `${permissionNames[grant.permission]}：${grant.holder_name || grant.holder}`;
