import { Alert, Button, Drawer, Form, Input } from 'antd';
import { useState } from 'react';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { mostInBatch } from '../../../contract/actions.ts';
import type { Row } from '../../../contract/shapes.ts';
import { Phrases } from '../../record/Phrases.tsx';
import { batchNames, useDeciding } from './useDeciding.tsx';

export type BatchAction = 'agree' | 'refuse' | 'deliver';
/** True if a ticket may be handled together with others; those that decide a record are opened one by one. */
export const inBatch = (row: Pick<Row, 'actions'>): boolean => row.actions.includes('batch');

interface Props {
  action: BatchAction;
  rows: readonly Row[];
  /** `decided`: the selection was used and is cleared. */
  onClose: (decided: boolean) => void;
}

/** Applies one action to several tickets, each checked on its own, once the time to undo is over. */
export function BatchDrawer({ action, rows, onClose }: Props) {
  const narrow = useNarrow();
  // The list below is reloaded after sending: the selection stays as it was.
  const [chosen] = useState(rows);
  const [words, setWords] = useState('');
  const [target, setTarget] = useState<string | undefined>();
  const [errors, setErrors] = useState<FieldError[]>([]);
  const decide = useDeciding();
  const name = batchNames[action];
  const open = chosen.filter(inBatch);
  const inSavepoint = chosen.length - open.length;
  const wrong = (field: string) => errors.find((error) => error.field === field)?.msg;
  const go = () => {
    const lacking: FieldError[] = [];
    if (action === 'deliver' && !target) lacking.push({ field: 'target', label: '转交给', msg: '请选择人员' });
    if (action === 'refuse' && words.trim() === '')
      lacking.push({ field: 'words', label: '意见', msg: '拒绝需要填写意见' });
    setErrors(lacking);
    if (lacking.length > 0) return;
    void decide(open, { action, suggestion: words, ...(target ? { target_username: target } : {}) });
    onClose(true);
  };
  const many = open.length > mostInBatch;
  return (
    <Drawer
      title={`批量${name}`}
      open
      onClose={() => onClose(false)}
      size={narrow ? '100%' : 520}
      footer={
        <div className="kit-row ticket-foot">
          <Button type="primary" danger={action === 'refuse'} disabled={open.length === 0 || many} onClick={go}>
            {name} {open.length} 张
          </Button>
          <Button onClick={() => onClose(false)}>取消</Button>
        </div>
      }
    >
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
              <PersonPicker id="batch-target" value={target} onChange={setTarget} />
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
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          </Form.Item>
          <Phrases typed={words} onPick={(phrase) => setWords(words + phrase)} />
        </Form>
        <ul className="ticket-log">
          {open.map((row) => (
            <li key={row.id}>
              {row.title} <span className="kit-muted">{row.sn}</span>
            </li>
          ))}
        </ul>
      </div>
    </Drawer>
  );
}
