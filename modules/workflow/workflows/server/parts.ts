import type { z } from 'zod';
import { absent } from '#kernel/contract/refusal.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { administered } from '../definition/administer.ts';
import { partCalls } from '../contract/parts.ts';
import { tooManyParts } from '../contract/refusals.ts';
import { designOf } from '../design.ts';
import { currentOf, knownOf, saveDraft, touch, versionRows } from '../definition/draft.ts';
import type { Definition } from '../engine/definition.ts';
import { nextId } from '../engine/identity.ts';
import { withChange, withoutPart, withPart, type PartKind } from '../definition/parts.ts';

const nouns: Record<PartKind, { noun: string; most: number; key: string }> = {
  states: { noun: '环节', most: 100, key: 'state' },
  transitions: { noun: '流转', most: 300, key: 'transition' },
  fields: { noun: '字段', most: 200, key: 'field' },
};

interface Context {
  tx: Db;
  user: Viewer;
  audit(change: Change): void;
}
interface Asked {
  params: { id: number; cid?: number };
  body?: { version?: number | undefined; key?: string | undefined };
}

/** The calls of one kind of part; each change goes through the whole draft, as the designer's own saving does. */
function partsOf<Part>(kind: PartKind, partsIn: (definition: Definition) => Part[]) {
  const { noun, most, key: prefix } = nouns[kind];

  async function opened({ tx, user }: Context, id: number, version?: number) {
    const flow = await administered(tx, user, 'Update', id, true);
    if (version !== undefined && version !== flow.version)
      checkVersion('流程', flow, version, await designOf(tx, user, flow));
    const rows = await versionRows(tx, flow);
    return { flow, rows, definition: currentOf(rows).definition };
  }
  type Opened = Awaited<ReturnType<typeof opened>>;

  async function saved({ tx, audit }: Context, { flow, definition: before }: Opened, after: Definition, key: string) {
    const touched = await touch(tx, flow);
    const kept = await saveDraft(tx, touched, after);
    const find = (definition: Definition) => definition[kind].find((part) => part.key === key);
    const [was, is] = [find(before), find(kept)];
    const named = is ?? was;
    const change = { before: was && { [noun]: was }, after: is && { [noun]: is } };
    audit({ type: '流程', id: flow.id, title: `${flow.name} - ${named?.name ?? key}`, ...defined(change) });
    return { id: named?.id ?? 0, key, version: touched.version };
  }

  const partOf = ({ definition }: Opened, cid: number | undefined) => {
    const part = definition[kind].find((candidate) => candidate.id === cid);
    if (!part) throw absent(`该${noun}`);
    return part;
  };

  return {
    async list({ params }: Asked, { tx, user }: Pick<Context, 'tx' | 'user'>) {
      const flow = await administered(tx, user, 'Retrieve', params.id, false);
      const { definition } = currentOf(await versionRows(tx, flow));
      return { value: partsIn(definition), version: flow.version };
    },
    async add({ params, body }: Asked, context: Context) {
      const { version, key: wanted, ...rest } = body ?? {};
      const open = await opened(context, params.id, version);
      const parts = open.definition[kind];
      if (parts.length >= most) throw tooManyParts(noun, most);
      const id = nextId(knownOf(open.rows)[kind], parts);
      const key = wanted ?? `${prefix}_${id}`;
      return saved(context, open, withPart(open.definition, kind, { ...rest, id, key }), key);
    },
    async change({ params, body }: Asked, context: Context) {
      const { version, ...rest } = body ?? {};
      const open = await opened(context, params.id, version);
      const part = partOf(open, params.cid);
      return saved(context, open, withChange(open.definition, kind, part.id, rest), rest.key ?? part.key);
    },
    async remove({ params }: Asked, context: Context) {
      const open = await opened(context, params.id);
      const part = partOf(open, params.cid);
      return saved(context, open, withoutPart(open.definition, kind, part), part.key);
    },
  };
}

function defined(change: { before: object | undefined; after: object | undefined }) {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

// A reply is typed as if it might be changed, which a definition may not be; it is only written down.
type Written = z.output<typeof Definition>;
const states = partsOf('states', (of) => of.states as Written['states']);
const transitions = partsOf('transitions', (of) => of.transitions as Written['transitions']);
const fields = partsOf('fields', (of) => of.fields as Written['fields']);

export const partModule = implement('workflows', partCalls, {
  states: states.list,
  addState: states.add,
  changeState: states.change,
  removeState: states.remove,
  transitions: transitions.list,
  addTransition: transitions.add,
  changeTransition: transitions.change,
  removeTransition: transitions.remove,
  fields: fields.list,
  addField: fields.add,
  changeField: fields.change,
  removeField: fields.remove,
});
