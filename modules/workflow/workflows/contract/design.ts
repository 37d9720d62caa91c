import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { absent, invalid, stale } from '#kernel/contract/refusal.ts';
import { done, id, idParams, line, name, timestamp, version } from '#kernel/contract/shapes.ts';
import { Draft } from '../engine/definition.ts';
import { badDraft, keyTaken, tooManyParts } from './refusals.ts';
import { Problem } from './shapes.ts';

const int = z.number().int();
const page = 'workflow/list';

export const grantPermissions = ['view', 'intervene', 'admin'] as const;
export const holderTypes = ['user', 'dept', 'role'] as const;
/** `holder`: user name, id of the department or code of the role. */
export const GrantInput = z.object({
  permission: z.enum(grantPermissions).meta({ title: '权限' }),
  holder_type: z.enum(holderTypes).meta({ title: '对象类型' }),
  holder: name(50).meta({ title: '对象' }),
});
export const GrantRow = z.object({
  permission: z.enum(grantPermissions),
  holder_type: z.enum(holderTypes),
  holder: z.string(),
  holder_name: z.string(),
});

const about = {
  description: line(200).meta({ title: '描述' }),
  icon: line(50).regex(/^\w*$/, '请选择列出的图标').meta({ title: '图标' }),
  category: line(50).meta({ title: '分类' }),
  order_id: z.int().min(0).max(99_999).meta({ title: '排序' }),
};
const status = z.literal([0, 1]).meta({ title: '状态' });

/**
 * A workflow as its administrators see it. `definition` is the draft if there is one, else the published version: exports and imports use the same.
 * `problems` are those found without asking the organisation, and named people who have left; `publish` with `dry_run` finds the rest.
 */
export const Design = z.object({
  id: int,
  key: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  category: z.string(),
  module: z.string().nullable(),
  /** The name of the records it decides; empty for plain tickets. */
  module_name: z.string(),
  order_id: int,
  status: z.literal([0, 1]),
  /** Optimistic lock for everything here. */
  version: int,
  published_version: int.nullable(),
  published_at: timestamp.nullable(),
  /** True if the definition differs from the published version. */
  has_draft: z.boolean(),
  definition: Draft,
  /** Numbers free for new parts; a part keeps its number as long as it keeps its key. */
  next_ids: z.object({ state: int, transition: int, field: int }),
  problems: z.array(Problem),
  /** Points that were not proved, and where a ticket may need its administrators. */
  warnings: z.array(Problem),
  grants: z.array(GrantRow),
  /** Tickets of all versions, and those still running. */
  tickets: int,
  running: int,
  gmt_modified: timestamp,
  actions: z.array(z.enum(['edit', 'publish', 'retire', 'revive', 'delete'])),
});
export type Design = z.output<typeof Design>;

/** A module whose records workflows may decide, with the meanings its states may have. */
export const Module = z.object({
  module: z.string(),
  name: z.string(),
  meanings: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      values: z.array(z.object({ value: z.string(), label: z.string() })),
    }),
  ),
});

export const designCalls = {
  add: call({
    method: 'POST',
    path: '/api/workflows/',
    access: grant('Create', page),
    summary: '新增流程',
    body: z.object({
      name: name(50).meta({ title: '名称' }),
      /** Generated if missing. */
      key: z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,49}$/, '只能用小写字母、数字和下划线，以字母开头')
        .optional()
        .meta({ title: '标识' }),
      description: about.description.optional(),
      icon: about.icon.optional(),
      category: about.category.optional(),
      order_id: about.order_id.optional(),
      /** The module whose records it decides; null for plain tickets. If missing: the original's for a copy, else null. */
      module: z.string().trim().max(30).nullable().optional().meta({ title: '业务模块' }),
      /** Import: the initial definition. If missing: start, one approval, end. */
      definition: Draft.optional().meta({ title: '流程定义' }),
      /** Begin with the definition of another workflow. */
      copy_of: id.optional().meta({ title: '复制自' }),
    }),
    reply: z.object({ id: int, version: int }),
    message: '流程已新增',
  }),
  modules: call({
    method: 'GET',
    path: '/api/workflows/modules/',
    access: grant('Retrieve', page),
    summary: '流程可绑定的业务模块',
    reply: z.object({
      value: z.array(Module),
      /** Meanings that the states of every workflow may have. */
      meanings: Module.shape.meanings,
      /** Modules whose records a form may choose. */
      linked: z.array(z.object({ module: z.string(), name: z.string() })),
    }),
  }),
  get: call({
    method: 'GET',
    path: '/api/workflows/{id}/',
    access: grant('Retrieve', page),
    summary: '流程详情',
    params: idParams,
    reply: Design,
    fresh: true,
  }),
  /** Missing fields stay as they are. `definition` replaces the draft, `grants` all grants. Returns the workflow as saved. */
  change: call({
    method: 'PATCH',
    path: '/api/workflows/{id}/',
    access: grant('Update', page),
    summary: '编辑流程',
    params: idParams,
    body: z.object({
      name: name(50).optional().meta({ title: '名称' }),
      description: about.description.optional(),
      icon: about.icon.optional(),
      category: about.category.optional(),
      order_id: about.order_id.optional(),
      status: status.optional(),
      definition: Draft.optional().meta({ title: '流程定义' }),
      /** Discards the draft; `definition` is then the published version. */
      discard_draft: z.literal(true).optional().meta({ title: '放弃草稿' }),
      grants: z.array(GrantInput).max(200, '最多 200 条授权').optional().meta({ title: '授权' }),
      version,
    }),
    reply: Design,
    message: '已保存',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/workflows/{id}/',
    access: grant('Delete', page),
    summary: '删除流程',
    params: idParams,
    reply: done,
    message: '流程已删除',
  }),
};

export const partRefusals = [absent, invalid, stale, badDraft, keyTaken, tooManyParts];
