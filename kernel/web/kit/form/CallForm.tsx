import { App, Button, Form } from 'antd';
import { use, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Asked, Calls, ReplyOf } from '#kernel/contract/call.ts';
import { codes, unfilled } from '#kernel/contract/refusal.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { announce } from '../../announce.ts';
import { useSend } from '../../calls.ts';
import { fieldErrors } from '../../client.ts';
import type { CallFailed } from '../../failure.ts';
import { useLeaveGuard } from '../page.tsx';
import { useDraft } from './draft.ts';
import { FieldInput } from './FieldInput.tsx';
import type { FormField, NamedField } from './FieldInput.tsx';
import { namedFields } from './fields.ts';
import { DraftFound } from './parts/DraftFound.tsx';
import { FillContext } from './parts/fill.ts';
import { FormTrouble } from './trouble/FormTrouble.tsx';
import { check, ruleOf, shapeOf } from './rules.ts';
import { useTrouble } from './trouble/trouble.ts';
import { HeldSays } from './parts/HeldSays.tsx';
import { HoldContext, useHeld, type Hold, type Obstacle } from './parts/waiting.ts';
import '../kit.css';

type Values = Record<string, unknown>;
type AnyCall = Calls[string];

export interface CallFormProps<C extends AnyCall> {
  /** The key of the draft; it must differ from that of any other record. */
  name: string;
  call: C;
  fields: readonly FormField[];
  /** The initial values of the form. */
  initial?: Values;
  /** Sent with the body: the version that was read, and values that no field shows. */
  also?: Values;
  params?: Record<string, unknown>;
  /** The label names the action: 提交申请, not 确定. */
  submit: string;
  /** A second way to send the form, named after its result (保存草稿), with additional values for the body. */
  other?: { label: string; also: Values };
  invalidates?: readonly string[];
  /** The form stays disabled until the returned promise settles. */
  onDone: (reply: ReplyOf<C>) => void | Promise<void>;
  /** Called after a refusal was shown, to offer what a conflict (4009) allows. */
  onRefused?: (failure: CallFailed, body: Values) => void;
  /**
   * Returns a question to confirm before sending, for actions that are costly or irreversible; it names the number of people concerned. Null asks
   * nothing.
   */
  ask?: (body: Values) => Promise<{ title: string; content?: ReactNode } | null>;
  onCancel?: () => void;
  /** Called with whether there are values that were typed and not sent. */
  onDirty?: (dirty: boolean) => void;
  /** Offers more buttons beside 提交, given the present values and a function that deletes their draft. */
  extra?: (values: Values, drop: () => void) => ReactNode;
  /** Content that follows from the present values; on a wide screen it stays visible beside the fields. */
  beside?: (values: Values) => ReactNode;
  /** Keeps nothing in the browser: for passwords. */
  secret?: boolean;
}

/** The values with the newer one of two versions. */
const withVersion = (also: Values, version: number): Values =>
  version > Number(also['version'] ?? version) ? { ...also, version } : also;

/**
 * A form with the rules of the call's body. Errors are shown at the field and in a summary that leads to the first; typed values survive every
 * failure and are kept as a draft.
 */
export function CallForm<C extends AnyCall>(props: CallFormProps<C>) {
  const {
    name,
    call,
    initial = {},
    params,
    submit,
    other,
    invalidates,
    onDone,
    onCancel,
    onDirty,
    extra,
    beside,
    secret,
  } = props;
  const [form] = Form.useForm<Values>();
  const [values, setValues] = useState<Values>(initial);
  const [dirty, setDirty] = useState(false);
  /** The version of the record that was loaded into the form after a refusal, which the page may not know yet. */
  const [loaded, setLoaded] = useState(0);
  const also = props.also && withVersion(props.also, loaded);
  const { errors, failure, times, ...trouble } = useTrouble();
  const draft = useDraft(name, secret);
  useLeaveGuard(name, dirty);
  const shape = shapeOf(call.body, also);
  const fields = namedFields(shape, props.fields);
  const shown = fields.filter((field) => !field.when || field.when(values));
  const labelOf = (field: string) => fields.find((one) => one.name === field)?.label ?? '提交的内容';

  const become = (isDirty: boolean) => {
    setDirty(isDirty);
    onDirty?.(isDirty);
  };
  const place = (found: FieldError[]) =>
    form.setFields(
      shown.map((field) => ({
        name: field.name,
        errors: found.filter((e) => e.field === field.name).map((e) => e.msg),
      })),
    );
  const sending = useSend(call, {
    invalidates,
    quiet: true,
    attempt: draft.attempt,
    onSuccess: (reply) => {
      draft.drop();
      become(false);
      return onDone(reply);
    },
    onError: (error, asked) => {
      if (error.sentBefore) draft.renew();
      const found = fieldErrors(error);
      // Errors at fields are not shown again in a dialog; the client itself reports an ended session.
      if (found.length === 0 && error.code !== codes.signedOut) announce(error);
      place(found);
      trouble.tell(found, error);
      props.onRefused?.(error, (asked as { body: Values }).body);
    },
  });
  const bodyOf = (all: Values): Values => {
    const body: Values = { ...also };
    for (const field of shown) body[field.name] = blank(all[field.name]) ? undefined : all[field.name];
    // A field that was emptied on purpose must be sent as empty, or the old value would stay.
    for (const field of shown)
      if (body[field.name] === undefined && !blank(initial[field.name]))
        body[field.name] = emptied(initial[field.name]);
    return body;
  };
  const { held, hold } = useHeld();
  const { forget } = trouble;
  const unreadBefore = useRef<readonly Obstacle[]>([]);
  // A complaint that was told when the form was sent goes with what it was about, which may leave the value as it was. It stays when a text that was
  // sent while it was typed is left, as by the focus of the summary.
  useEffect(() => {
    const isStill = (one: Obstacle) => held.some(({ field, says }) => field === one.field && says === one.says);
    const fixed = unreadBefore.current.flatMap((one) => (isStill(one) ? [] : (one.field ?? [])));
    unreadBefore.current = held.filter(({ passes }) => !passes);
    if (fixed.length === 0) return;
    forget(...fixed);
    form.setFields(fixed.map((name) => ({ name, errors: [] })));
  }, [held, forget, form]);
  const coming = held.some(({ passes }) => passes);
  const { modal } = App.useApp();
  const [weighing, setWeighing] = useState(false);
  const send = async (besides?: Values) => {
    if (coming) return;
    const body = { ...bodyOf(form.getFieldsValue(true) as Values), ...besides };
    const tried = call.body ? check(call.body, body, labelOf) : ({ ok: true } as const);
    const lacking = besides ? [] : lackingIn(shown, body);
    const found = tried.ok ? [...lacking, ...reversed(shown, body)] : [...tried.errors, ...lacking];
    const unread = new Map(held.map(({ field = '', says }) => [field, says]));
    const wrong = [
      ...Array.from(unread, ([field, msg]) => ({ field, label: labelOf(field), msg })),
      ...found.filter(({ field }) => !unread.has(field)),
    ];
    place(wrong);
    if (wrong.length > 0) return trouble.tell(wrong);
    trouble.clear();
    const go = () => sending.mutate({ params, body } as Asked<C>);
    if (!props.ask) return go();
    setWeighing(true);
    const question = await props.ask(body).catch((error: unknown) => void trouble.tell([], error as CallFailed));
    setWeighing(false);
    if (question === undefined) return;
    if (question === null) return go();
    modal.confirm({
      ...question,
      okText: submit,
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      onOk: go,
    });
  };
  const restore = (kept: Values) => {
    form.setFieldsValue(kept);
    setValues({ ...initial, ...kept });
    become(true);
  };
  const fill = (given: Values) => {
    form.setFieldsValue(given);
    const all = form.getFieldsValue(true) as Values;
    setValues({ ...all });
    become(true);
    draft.keep({ ...all });
    trouble.forget(...Object.keys(given));
  };

  const filled = (
    <FillContext value={fill}>
      <HoldContext value={hold}>
        <Form
          form={form}
          layout="vertical"
          className="kit-form"
          initialValues={initial}
          requiredMark
          scrollToFirstError={false}
          onFinish={() => void send()}
          onValuesChange={(changed: Values, all: Values) => {
            setValues({ ...fixedIn(initial, fields), ...all });
            become(true);
            draft.keep({ ...all });
            const fixed = Object.keys(changed);
            trouble.forget(...fixed);
          }}
        >
          <DraftFound draft={draft} onRestore={restore} />
          <FormTrouble
            times={times}
            errors={errors}
            failure={failure}
            onJump={(field) => form.focusField(field)}
            onTakeFresh={
              failure?.code === codes.stale
                ? () => {
                    const fresh = (failure.data as { current?: Values } | null)?.current ?? {};
                    restore(Object.fromEntries(fields.map((field) => [field.name, fresh[field.name]])));
                    setLoaded(Number(fresh['version'] ?? 0));
                    trouble.clear();
                  }
                : undefined
            }
          />
          {shown.map((field, index) => {
            const schema = shape[field.name];
            const rule = schema ? ruleOf(schema) : { required: false, type: 'other' as const };
            return (
              <div key={field.name}>
                {field.group && field.group !== shown[index - 1]?.group && <h2>{field.group}</h2>}
                <Form.Item
                  name={field.name}
                  label={field.label}
                  required={rule.required || (field.needed ?? false)}
                  extra={field.help}
                  validateTrigger={[]}
                >
                  <Bound
                    field={field}
                    rule={rule}
                    values={values}
                    disabled={sending.isPending || field.given === true}
                  />
                </Form.Item>
              </div>
            );
          })}
          <div className="kit-actions">
            <Button type="primary" htmlType="submit" loading={sending.isPending || weighing} disabled={coming}>
              {submit}
            </Button>
            {other && (
              <Button disabled={sending.isPending || weighing || coming} onClick={() => void send(other.also)}>
                {other.label}
              </Button>
            )}
            {extra?.(values, draft.drop)}
            {onCancel && <Button onClick={onCancel}>取消</Button>}
            <HeldSays held={held.filter(({ passes }) => passes)} />
          </div>
        </Form>
      </HoldContext>
    </FillContext>
  );
  if (!beside) return filled;
  return (
    <div className="kit-form-beside">
      {filled}
      <aside>{beside(values)}</aside>
    </div>
  );
}

/** Receives the props that the form passes to its only child, and names its field where a value in it keeps the form from being sent. */
function Bound(props: Omit<Parameters<typeof FieldInput>[0], 'control'> & Parameters<typeof FieldInput>[0]['control']) {
  const { field, rule, values, ...control } = props;
  const hold = use(HoldContext);
  const holdHere = useCallback<Hold>((obstacle) => hold({ ...obstacle, field: field.name }), [hold, field.name]);
  return (
    <HoldContext value={holdHere}>
      <FieldInput field={field} rule={rule} values={values} control={control} />
    </HoldContext>
  );
}

/** Errors for required values that are missing. */
const lackingIn = (fields: readonly NamedField[], body: Values): FieldError[] =>
  fields.flatMap(({ name, label, needed }) =>
    needed && blank(body[name]) ? [{ field: name, label, msg: unfilled }] : [],
  );

/** Errors for dates before the date that they must not precede. */
function reversed(fields: readonly NamedField[], body: Values): FieldError[] {
  return fields.flatMap(({ name, label, notBefore }) => {
    const [end, start] = [body[name], notBefore && body[notBefore]];
    if (typeof end !== 'string' || typeof start !== 'string' || !end || !start || end >= start) return [];
    return [{ field: name, label, msg: `不能早于“${fields.find((one) => one.name === notBefore)?.label ?? ''}”` }];
  });
}

/** The initial values without a field: they stay as they are, and fields may depend on them. */
function fixedIn(initial: Values, fields: readonly FormField[]): Values {
  const named = new Set(fields.map((field) => field.name));
  return Object.fromEntries(Object.entries(initial).filter(([name]) => !named.has(name)));
}

function blank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function emptied(before: unknown): unknown {
  if (typeof before === 'string') return '';
  return Array.isArray(before) ? [] : null;
}
