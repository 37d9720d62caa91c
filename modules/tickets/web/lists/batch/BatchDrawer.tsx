import { Alert, Button, Drawer, Form, Input } from 'antd';
import { useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { useSend } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { PersonPicker } from '#modules/people/widgets.tsx';
import { mostInBatch, ticketActions } from '../../../contract/actions.ts';
import type { Row } from '../../../contract/shapes.ts';
import { Phrases } from '../../record/Phrases.tsx';
import { BatchResults } from './BatchResults.tsx';

export type BatchAction = 'agree' | 'refuse' | 'deliver';
/** Whether a ticket may be handled together with others; those that decide a record are opened one by one. */
export const inBatch = (row: Pick<Row, 'actions'>): boolean => row.actions.includes('batch');

export const batchNames: Readonly<Record<BatchAction, string>> = { agree: '同意', refuse: '拒绝', deliver: '转交' };

interface Props {
  action: BatchAction;
  rows: readonly Row[];
  /** `changed`: something was sent, so that the choice is spent. */
  onClose: (changed: boolean) => void;
}

/** Does one thing to several tickets, each checked as if alone; afterwards what became of each. */
export function BatchDrawer({ action, rows, onClose }: Props) {
  const narrow = useNarrow();
  // The list beneath is read anew after sending: what was chosen stays as it was.
  const [chosen] = useState(rows);
  const [words, setWords] = useState('');
  const [target, setTarget] = useState<string | undefined>();
  const [errors, setErrors] = useState<FieldError[]>([]);
  const [results, setResults] = useState<ReplyOf<typeof ticketActions.batch>['value'] | null>(null);
  const name = batchNames[action];
  const open = chosen.filter(inBatch);
  const inSavepoint = chosen.length - open.length;
  const sending = useSend(ticketActions.batch, { onSuccess: (reply) => setResults(reply.value) });
  const wrong = (field: string) => errors.find((error) => error.field === field)?.msg;
  const go = () => {
    const lacking: FieldError[] = [];
    if (action === 'deliver' && !target) lacking.push({ field: 'target', label: '转交给', msg: '请选择人员' });
    if (action === 'refuse' && words.trim() === '')
      lacking.push({ field: 'words', label: '意见', msg: '拒绝需要填写意见' });
    setErrors(lacking);
    if (lacking.length > 0) return;
    const body = { ticket_ids: open.map((row) => row.id), action, suggestion: words };
    sending.mutate({ body: target ? { ...body, target_username: target } : body });
  };
  const close = () => onClose(results !== null);
  const many = open.length > mostInBatch;
  return (
    <Drawer
      title={`批量${name}`}
      open
      onClose={close}
      size={narrow ? '100%' : 520}
      footer={
        <div className="kit-row ticket-foot">
          {results ? (
            <Button type="primary" onClick={close}>
              完成
            </Button>
          ) : (
            <>
              <Button
                type="primary"
                danger={action === 'refuse'}
                loading={sending.isPending}
                disabled={open.length === 0 || many}
                onClick={go}
              >
                {name} {open.length} 张
              </Button>
              <Button onClick={close}>取消</Button>
            </>
          )}
        </div>
      }
    >
      {results ? (
        <BatchResults rows={chosen} results={results} name={name} />
      ) : (
        <div className="kit-stack">
          {many && <Alert type="warning" title={`一次最多 ${mostInBatch} 张，现在选了 ${open.length} 张`} />}
          {inSavepoint > 0 && <Alert type="warning" title={`${inSavepoint} 张需要逐张打开办理，不在这次之内`} />}
          <Form layout="vertical" component="div">
            {action === 'deliver' && (
              <Form.Item
                label="转交给"
                htmlFor="batch-target"
                required
                validateStatus={wrong('target') ? 'error' : ''}
                help={wrong('target')}
              >
                <PersonPicker id="batch-target" disabled={sending.isPending} value={target} onChange={setTarget} />
              </Form.Item>
            )}
            <Form.Item
              label={action === 'deliver' ? '说明' : '意见'}
              htmlFor="batch-words"
              required={action === 'refuse'}
              validateStatus={wrong('words') ? 'error' : ''}
              help={wrong('words')}
            >
              <Input.TextArea
                id="batch-words"
                autoSize={{ minRows: 3, maxRows: 8 }}
                maxLength={2000}
                disabled={sending.isPending}
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            </Form.Item>
            <Phrases typed={words} disabled={sending.isPending} onPick={(phrase) => setWords(words + phrase)} />
          </Form>
          <ul className="ticket-log">
            {open.map((row) => (
              <li key={row.id}>
                {row.title} <span className="kit-muted">{row.sn}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Drawer>
  );
}
