import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { id, idParams, partialOf, version } from '#kernel/contract/shapes.ts';
import { State, Transition } from '../engine/definition.ts';
import { Field, options } from '../engine/form.ts';

const page = 'workflow/list';
const cidParams = z.object({ id, cid: id });
const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, '只能用小写字母、数字和下划线，以字母开头')
  .meta({ title: '标识' });

/** The result: the part's number and key, and the workflow's version to send with the next change. */
const Saved = z.object({ id: z.number().int(), key: z.string(), version: z.number().int() });

const listOfParts = <R extends z.ZodType>(row: R) => z.object({ value: z.array(row), version: z.number().int() });

/** New parts: the server numbers them, and chooses a key if none is given. */
export const NewState = State.omit({ id: true }).extend({ key: key.optional(), version });
export const NewTransition = Transition.omit({ id: true }).extend({ key: key.optional(), version });
export const NewField = Field.omit({ id: true }).extend({ version });

const stripped = <S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) => options(partialOf(shape));
/** Changes of a part: missing fields stay. */
export const StateChange = stripped(State.omit({ id: true })).extend({ version });
export const TransitionChange = stripped(Transition.omit({ id: true })).extend({ version });
export const FieldChange = stripped(Field.omit({ id: true })).extend({ version });

function callsOf<R extends z.ZodType, N extends z.ZodType, C extends z.ZodType>(
  path: string,
  noun: string,
  { row, add, change }: { row: R; add: N; change: C },
) {
  const all = `/api/workflows/{id}/${path}/`;
  return {
    list: call({
      method: 'GET',
      path: all,
      access: grant('Retrieve', page),
      summary: `查看流程${noun}`,
      params: idParams,
      reply: listOfParts(row),
      fresh: true,
    }),
    add: call({
      method: 'POST',
      path: all,
      access: grant('Update', page),
      summary: `新增流程${noun}`,
      params: idParams,
      body: add,
      reply: Saved,
      message: `${noun}已新增`,
    }),
    change: call({
      method: 'PATCH',
      path: `${all}{cid}/`,
      access: grant('Update', page),
      summary: `编辑流程${noun}`,
      params: cidParams,
      body: change,
      reply: Saved,
      message: `${noun}已保存`,
    }),
    remove: call({
      method: 'DELETE',
      path: `${all}{cid}/`,
      access: grant('Update', page),
      summary: `删除流程${noun}`,
      params: cidParams,
      reply: Saved,
      message: `${noun}已删除`,
    }),
  };
}

const states = callsOf('states', '环节', { row: State, add: NewState, change: StateChange });
const transitions = callsOf('transitions', '流转', { row: Transition, add: NewTransition, change: TransitionChange });
const fields = callsOf('custom_fields', '字段', { row: Field, add: NewField, change: FieldChange });

/** The parts of the draft one by one; a workflow without a draft gets one from its published version. */
export const partCalls = {
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
};
