import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { id, idParams, name, text, timestamp, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { stateKinds } from '../engine/codes.ts';
import { Draft, State } from '../engine/definition.ts';
import { Person, Problem } from './shapes.ts';

const int = z.number().int();
const page = 'workflow/list';

export const VersionRow = z.object({
  no: int.meta(field('版本')),
  status: z.enum(['draft', 'published', 'retired']).meta(field('状态')),
  note: z.string().meta(field('说明')),
  published_by: z.string(),
  published_by_alias: z.string().meta(field('发布人')),
  published_at: timestamp.nullable().meta(field('发布时间')),
  states: int.meta(field('环节')),
  transitions: int,
  fields: int,
  /** Tickets started on it, and those still running. */
  tickets: int.meta(field('工单')),
  running: int.meta(field('运行中')),
  /** Only for the version asked for with `no`. */
  definition: Draft.optional(),
});

/** One step of a simulated ticket, in order. */
export const SimulatedStep = z.object({
  state_id: int,
  state_key: z.string(),
  state_name: z.string(),
  kind: z.enum(stateKinds),
  /** The ticket's visits to this state so far, beginning with 1. */
  visit: int,
  /** The people who get a task, or a copy in a state of kind cc. */
  people: z.array(Person),
  /** The people who would be asked but are not: the creator, somebody who agreed before, … */
  left_out: z.array(Person),
  /** Why exactly these people: their source and the rule that changed it, as sentences. */
  reasons: z.array(z.string()),
  /** `skipped`: nobody has to act here. `undecided`: it would wait here; see `stop`. */
  outcome: z.enum(['decided', 'skipped', 'automatic', 'ended', 'undecided']),
  /** The people who decided in the simulation, in order. */
  decided_by: z.array(z.object({ person: Person, transition_name: z.string() })),
  /** The transition taken; null at the end. */
  transition: z.object({ id: int, key: z.string(), name: z.string() }).nullable(),
  to_state_id: int.nullable(),
});
export type SimulatedStep = z.output<typeof SimulatedStep>;

const Place = z.object({ state_id: int, state_name: z.string() });
export const MigrationRow = z.object({
  ticket_id: int,
  sn: z.string().meta(field('流水号')),
  title: z.string().meta(field('标题')),
  from_no: int,
  state_name: z.string().meta(field('现在的环节')),
  /** The new state; empty if it cannot be moved. */
  to_state_name: z.string().meta(field('迁移后的环节')),
  can_move: z.boolean().meta(field('结果')),
  moved: z.boolean(),
  /** Its present states for which one of the new version must be named. */
  needs: z.array(Place),
  /** Differences for it, or why it cannot be moved, as sentences. */
  msgs: z.array(z.string()),
});
export type MigrationRow = z.output<typeof MigrationRow>;

export const releaseCalls = {
  publish: call({
    method: 'POST',
    path: '/api/workflows/{id}/publish/',
    access: grant('Update', page),
    summary: '发布流程',
    params: idParams,
    body: z.object({
      /** Only checks: publishes nothing and returns the problems without refusing. */
      dry_run: z.boolean().default(false).meta({ title: '只检查' }),
      note: text(200).default('').meta({ title: '版本说明' }),
      version,
    }),
    reply: z.object({
      published: z.boolean(),
      /** Number of the new version, or the one it would get. */
      no: int,
      problems: z.array(Problem),
      /** Allowed but worth knowing: points that were not proved, and where a ticket may need its administrators. */
      warnings: z.array(Problem),
      version: int,
    }),
    says: ({ published, no }: { published: boolean; no: number }) => (published ? `已发布：第 ${no} 版` : '检查完成'),
  }),
  simulate: call({
    method: 'POST',
    path: '/api/workflows/{id}/simulate/',
    access: grant('Retrieve', page),
    summary: '模拟流程',
    params: idParams,
    body: z.object({
      /** Number of a version; if missing, the draft if there is one, else the published version. */
      no: id.optional().meta({ title: '版本' }),
      applicant: name(50).meta({ title: '发起人' }),
      values: z.record(z.string().max(50), z.unknown()).default({}).meta({ title: '表单内容' }),
      /** State key → user names chosen for it. */
      choose: z
        .record(z.string().max(50), z.array(name(50)).max(50))
        .default({})
        .meta({ title: '选定的办理人' }),
      /** State key → key of the transition taken there (the first time); elsewhere the first that agrees. */
      decisions: z.record(z.string().max(50), z.string().max(50)).default({}).meta({ title: '选定的流转' }),
    }),
    reply: z.object({
      /** Null: the draft. */
      no: int.nullable(),
      applicant: Person,
      title: z.string(),
      finishes: z.boolean(),
      act_state_id: int,
      act_state_name: z.string(),
      steps: z.array(SimulatedStep),
      /** Why it stops before an end, e.g. nobody is found or the applicant may not start it; empty if it finishes. */
      stop: z.string(),
      /** Given values that no step could write, with the reason. */
      ignored: z.array(z.object({ field_key: z.string(), msg: z.string() })),
    }),
    message: '模拟完成',
  }),
  whoWould: call({
    method: 'POST',
    path: '/api/workflows/{id}/people/',
    access: grant('Retrieve', page),
    summary: '试查环节的办理人',
    params: idParams,
    body: z.object({
      applicant: name(50).meta({ title: '发起人' }),
      /** The state as drawn, saved or not. */
      state: State.meta({ title: '环节' }),
    }),
    reply: z.object({ people: z.array(Person), left_out: z.array(Person), reasons: z.array(z.string()) }),
    message: '查询完成',
  }),
  versions: call({
    method: 'GET',
    path: '/api/workflows/{id}/versions/',
    access: grant('Retrieve', page),
    summary: '流程版本',
    params: idParams,
    query: z.object({ no: id.optional() }),
    /** Newest first, the draft before all others; with `no` only that one. */
    reply: z.object({ value: z.array(VersionRow) }),
    fresh: true,
  }),
  migrate: call({
    method: 'POST',
    path: '/api/workflows/{id}/migrate/',
    access: grant('Update', page),
    summary: '迁移工单到当前版本',
    params: idParams,
    body: z.object({
      /** Reports what would happen, without doing it. */
      dry_run: z.boolean().default(true).meta({ title: '试运行' }),
      /** If missing: running tickets of every older version. */
      from_no: id.optional().meta({ title: '原版本' }),
      /** Ids of the tickets; if missing, all, 200 at a time. */
      ticket_ids: z.array(id).max(200, '一次最多 200 张').optional().meta({ title: '工单' }),
      /** The last ticket id of the previous batch; the next 200 follow. */
      after: id.optional().meta({ title: '起始工单' }),
      /** Tickets in a state of the old version continue in one of the new, with the new state's people. */
      states: z
        .array(z.object({ from: id, to: id }))
        .max(100)
        .default([])
        .meta({ title: '环节对应' }),
      open_branches: z.boolean().default(false).meta({ title: '开出新增的分支' }),
    }),
    reply: z.object({
      dry_run: z.boolean(),
      /** The published version, to which tickets are moved. */
      to_no: int,
      /** Its states that ask people. */
      targets: z.array(Place),
      /** In order of ticket id. */
      value: z.array(MigrationRow),
      /** Running tickets on older versions altogether. */
      total: int,
      can_move: int,
      moved: int,
      /** Send as `after` for the rest; null when these were all. */
      next_after: int.nullable(),
    }),
    message: '处理完成',
  }),
};
