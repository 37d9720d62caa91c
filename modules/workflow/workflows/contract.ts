import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { actions, flag, id, idParams, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { FieldItem, Offered } from './contract/shapes.ts';

const int = z.number().int();

/** The preference that holds the ids of one's favourite workflows. */
export const favouriteKey = 'favourite_workflows';

export const Workflow = z.object({
  id: int,
  key: z.string().meta(field('标识')),
  name: z.string().meta(field('名称')),
  description: z.string().meta(field('描述')),
  icon: z.string(),
  category: z.string().meta(field('分类')),
  /** The module whose records run on it; null for plain tickets. */
  module: z.string().nullable(),
  /** The name of those records; empty for plain tickets. */
  module_name: z.string().meta(field('业务模块')),
  status: z.literal([0, 1]).meta(field('状态')),
  /** Number of the published version; null while there is none. */
  published_version: int.nullable().meta(field('版本')),
  can_start: z.boolean(),
  /** Why it cannot be started now; empty if it can. */
  why_not: z.string(),
  favourite: z.boolean(),
  order_id: int,
  /** Optimistic lock, for changes of the workflow. */
  version: int,
  has_draft: z.boolean(),
  gmt_modified: timestamp,
  /** `start`; for its administrators also `design`, `edit`, `retire` or `revive`, `delete`. */
  actions,
});
export type Workflow = z.output<typeof Workflow>;

/**
 * A field by which lists of tickets may be filtered: words in it, a range, one of its choices (`true` and `false` for yes and no), a person. `own`:
 * in one's own tickets only.
 */
export const FieldFilter = z.object({
  field_key: z.string(),
  field_name: z.string(),
  filter: z.enum(['text', 'number', 'date', 'datetime', 'choice', 'person', 'region']),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  sortable: z.boolean(),
  own: z.boolean(),
});
export type FieldFilter = z.output<typeof FieldFilter>;

const conditions = z.array(z.object({ expression: z.unknown(), target_state_id: int, text: z.string() }));

export const workflows = {
  list: call({
    method: 'GET',
    path: '/api/workflows/',
    access: signedIn,
    summary: '流程列表',
    query: listQuery({
      sort: ['order_id', 'name', 'gmt_created'],
      filters: {
        /** Only those I may start. */
        startable: flag.optional(),
        category: z.string().trim().max(50).optional(),
        module: z.string().trim().max(30).optional(),
        status: z.coerce.number().int().min(0).max(1).optional(),
      },
    }),
    reply: listOf(Workflow),
  }),
  initState: call({
    method: 'GET',
    path: '/api/workflows/{id}/init_state/',
    access: signedIn,
    summary: '流程的开始环节',
    params: idParams,
    /** `begin_for`: the person in whose name it is to be started; I myself if missing. */
    query: z.object({ begin_for: name(50).optional().meta({ title: '申请人' }) }),
    reply: z.object({
      id: int,
      name: z.string(),
      workflow_id: int,
      workflow_name: z.string(),
      workflow_version: int,
      type_id: int,
      order_id: int,
      label: z.unknown(),
      field_list: z.array(FieldItem),
      transition: z.array(Offered),
      /** States whose people the creator chooses. */
      choose: z.array(z.object({ state_id: int, state_name: z.string() })),
      /** The person in whose name it would be started. */
      applicant: z.object({ username: z.string(), alias: z.string() }),
      /** I may start it in my own name, and in that of others. */
      for_self: z.boolean(),
      for_others: z.boolean(),
    }),
    fresh: true,
  }),
  simpleDescription: call({
    method: 'GET',
    path: '/api/workflows/{id}/simple_description/',
    access: signedIn,
    summary: '流程的环节与流转',
    params: idParams,
    /** `fields`: also return the fields that lists may be filtered by. */
    query: z.object({ ticket_id: id.optional(), fields: flag.optional() }),
    reply: z.object({
      workflow_basic_info: z.object({ id: int, name: z.string(), version: int }),
      workflow_state_info: z.array(
        z.object({ id: int, name: z.string(), kind: z.string(), type_id: int, order_id: int, is_hidden: z.boolean() }),
      ),
      workflow_transition_info: z.array(
        z.object({
          id: int,
          name: z.string(),
          source_state_id: int,
          destination_state_id: int,
          /** Only for the workflow's administrators; empty for everybody else. */
          condition_expression: conditions,
          attribute_type_id: int,
          timer: int,
        }),
      ),
      workflow_field_info: z.array(FieldFilter),
      /** Tables of the form whose rows may be exported. */
      workflow_table_info: z.array(z.object({ field_key: z.string(), field_name: z.string(), own: z.boolean() })),
    }),
  }),
  canIntervene: call({
    method: 'GET',
    path: '/api/workflows/{id}/can_intervene/',
    access: signedIn,
    summary: '能否干预流程',
    params: idParams,
    reply: z.object({ can_intervene: z.boolean() }),
    fresh: true,
  }),
};
