import { Form, Input, Radio, Select } from 'antd';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { PeopleField } from '#modules/workflow/workflows/widgets.tsx';
import { halves, type Half } from '../../contract/leave.ts';
import { Phrases } from '../record/Phrases.tsx';
import {
  chosenDay,
  chosenSigner,
  chosenState,
  isOpinion,
  needsWords,
  targetOf,
  whoseLabel,
  withPerson,
  type Asking,
  severalOf,
} from './asking.ts';
import type { Action } from './actions.ts';
import { MentionBox } from './MentionBox.tsx';
import { opinionKinds } from './opinion-kinds.ts';

interface Props {
  offer: Offered;
  action: Action;
  asking: Asking;
  errors: readonly FieldError[];
  disabled: boolean;
  onChange: (part: Partial<Asking>, field: string) => void;
}

const typesFor = (whom: string) => [
  { value: 'before', label: `在${whom}之前（完成后回到${whom}）` },
  { value: 'parallel', label: `与${whom}同时` },
  { value: 'after', label: `在${whom}之后` },
];
const modes = [
  { value: 'all', label: '每个人都要办理' },
  { value: 'any', label: '一个人办理即可' },
  { value: 'sequential', label: '按顺序依次办理' },
];
const ways = [
  { value: 1, label: '逐个环节重新办理' },
  { value: 2, label: '改好后直接回到我' },
];

const besides = [
  { value: 'keep', label: '继续办理' },
  { value: 'end', label: '一并结束，不再办理' },
];

/** The inputs of an action: people, a state, a way, a comment. */
export function ActionFields({ offer, action, asking, errors, disabled, onChange }: Props) {
  const target = targetOf(offer);
  const put = (field: string, label: string, required: boolean, grouped = false) => {
    const error = errors.find((one) => one.field === field);
    return {
      label,
      required,
      ...(grouped ? {} : { htmlFor: `act-${field}` }),
      validateStatus: error ? ('error' as const) : ('' as const),
      help: error && <span id={`act-${field}-error`}>{error.msg}</span>,
    };
  };
  const wrong = (field: string) =>
    errors.some((one) => one.field === field)
      ? { 'aria-invalid': 'true' as const, 'aria-describedby': `act-${field}-error` }
      : {};
  const opinion = isOpinion(offer);
  const who = opinion ? 'mentions' : 'target_username';
  const picker = (
    <PeopleField
      id={`act-${who}`}
      one={target === 'one'}
      disabled={disabled}
      value={asking.people}
      onChange={(people) => onChange({ people }, who)}
      {...wrong(who)}
    />
  );
  return (
    <Form layout="vertical" component="div" className="kit-form">
      {target !== 'none' && <Form.Item {...put(who, action.people, target !== 'optional')}>{picker}</Form.Item>}
      {offer.code === 'add_node' && (
        <Form.Item {...put('type', '加签方式', true, true)}>
          <Radio.Group
            className="ticket-ways"
            aria-label="加签方式"
            disabled={disabled}
            options={typesFor(offer.from_admin ? '办理人' : '我')}
            value={asking.type}
            onChange={(event) => onChange({ type: event.target.value as Asking['type'] }, 'type')}
          />
        </Form.Item>
      )}
      {offer.code === 'add_node' && asking.people.length > 1 && (
        <Form.Item {...put('mode', '多人时', true, true)}>
          <Radio.Group
            className="ticket-ways"
            aria-label="多人时"
            disabled={disabled}
            options={modes}
            value={asking.mode}
            onChange={(event) => onChange({ mode: event.target.value as Asking['mode'] }, 'mode')}
          />
        </Form.Item>
      )}
      {offer.states.length > 0 && (
        <Form.Item {...put('state_id', action.where, !severalOf(asking))}>
          <Select
            id="act-state_id"
            className="kit-wide"
            disabled={disabled || severalOf(asking)}
            placeholder="请选择环节"
            options={offer.states.map((state) => ({ value: state.state_id, label: state.state_name }))}
            value={chosenState(offer, asking)}
            onChange={(state_id) => onChange({ state_id }, 'state_id')}
            {...wrong('state_id')}
          />
        </Form.Item>
      )}
      {offer.beside && (
        <Form.Item
          {...put('state_ids', '或同时退回到几个分支', false)}
          extra="每个分支选一个环节；这些环节重新办理，其他分支不动，办完后回到汇合"
        >
          <Select
            id="act-state_ids"
            className="kit-wide"
            mode="multiple"
            allowClear
            disabled={disabled}
            placeholder="不选"
            options={offer.beside.map(({ state_id, state_name, branch }) => ({
              value: state_id,
              label: state_name,
              disabled: offer.beside!.some(
                (other) =>
                  other.branch === branch && other.state_id !== state_id && asking.state_ids?.includes(other.state_id),
              ),
            }))}
            value={asking.state_ids ?? []}
            onChange={(state_ids: number[]) => onChange({ state_ids }, 'state_ids')}
          />
        </Form.Item>
      )}
      {(asking.beside !== undefined || errors.some(({ field }) => field === 'beside')) && (
        <Form.Item {...put('beside', '其他分支', true, true)}>
          <Radio.Group
            className="ticket-ways"
            aria-label="其他分支"
            disabled={disabled}
            options={besides}
            value={asking.beside}
            onChange={(event) => onChange({ beside: event.target.value as 'keep' | 'end' }, 'beside')}
          />
        </Form.Item>
      )}
      {offer.resubmit_mode !== null && !severalOf(asking) && (
        <Form.Item {...put('resubmit_mode', '对方改好后', true, true)} extra="关键内容有改动时，会重新逐个环节办理">
          <Radio.Group
            className="ticket-ways"
            aria-label="对方改好后"
            disabled={disabled}
            options={ways}
            value={asking.resubmit_mode ?? offer.resubmit_mode}
            onChange={(event) => onChange({ resubmit_mode: event.target.value as 1 | 2 }, 'resubmit_mode')}
          />
        </Form.Item>
      )}
      {offer.leave && (
        <>
          <Form.Item {...put('day', '返岗日期', true)} extra="开始工作的第一天">
            <DateInput
              id="act-day"
              kind="date"
              disabled={disabled}
              min={offer.leave.from.slice(0, 10)}
              value={chosenDay(offer, asking)}
              onChange={(day) => onChange({ day }, 'day')}
              {...wrong('day')}
            />
          </Form.Item>
          <Form.Item {...put('half', '返岗时段', true, true)}>
            <Radio.Group
              aria-label="返岗时段"
              disabled={disabled}
              options={Object.entries(halves).map(([value, label]) => ({ value, label }))}
              value={asking.half ?? 'am'}
              onChange={(event) => onChange({ half: event.target.value as Half }, 'half')}
            />
          </Form.Item>
        </>
      )}
      {offer.added.length > 0 && (
        <Form.Item {...put('task_no', whoseLabel(offer), true, true)}>
          <Radio.Group
            className="ticket-ways"
            aria-label={whoseLabel(offer)}
            disabled={disabled}
            options={offer.added.map((one) => ({ value: one.task_no, label: one.alias }))}
            value={chosenSigner(offer, asking)}
            onChange={(event) => onChange({ added: event.target.value as number }, 'task_no')}
          />
        </Form.Item>
      )}
      <Form.Item {...put('suggestion', action.words, needsWords(offer))}>
        {opinion ? (
          <MentionBox
            id="act-suggestion"
            rows={{ minRows: 3, maxRows: 10 }}
            disabled={disabled}
            value={asking.words}
            onChange={(words) => onChange({ words }, 'suggestion')}
            onMention={(username) => onChange({ people: withPerson(asking.people, username) }, who)}
            {...wrong('suggestion')}
          />
        ) : (
          <Input.TextArea
            id="act-suggestion"
            autoSize={{ minRows: 3, maxRows: 10 }}
            maxLength={2000}
            disabled={disabled}
            value={asking.words}
            onChange={(event) => onChange({ words: event.target.value }, 'suggestion')}
            {...wrong('suggestion')}
          />
        )}
      </Form.Item>
      {opinion && target === 'none' && asking.people.length > 0 && (
        <Form.Item {...put(who, '提到', false)}>{picker}</Form.Item>
      )}
      {opinion && (
        <Form.Item {...put('files', '附件', false)}>
          <FilesInput
            id="act-files"
            label="附件"
            module="tickets"
            accept={opinionKinds}
            max={20}
            disabled={disabled}
            value={asking.files ?? []}
            onChange={(files) => onChange({ files }, 'files')}
          />
        </Form.Item>
      )}
      <Phrases
        typed={asking.words}
        disabled={disabled}
        onPick={(phrase) => onChange({ words: `${asking.words}${phrase}` }, 'suggestion')}
      />
    </Form>
  );
}
