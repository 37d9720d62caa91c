import { Alert, Button } from 'antd';
import { useEffect, useRef } from 'react';
import type { FieldError } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '../../../failure.ts';

interface Props {
  errors: readonly FieldError[];
  failure: CallFailed | null;
  /** The number of reports; each one scrolls to the summary, because the person may be far below it. */
  times: number;
  onJump: (field: string) => void;
  /** Offered if somebody else has saved meanwhile. */
  onTakeFresh?: () => void;
}

/** The obstacles to sending: each field with its error, or the reason why the server refused. */
export function FormTrouble({ errors, failure, onJump, onTakeFresh, times }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (times === 0) return;
    box.current?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, [times]);
  if (errors.length === 0 && !failure) return null;
  const title = errors.length > 0 ? `有 ${errors.length} 处需要修改` : `${failure?.msg}，您填写的内容仍在`;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="kit-trouble">
      <Alert
        role="presentation"
        type="error"
        title={title}
        description={
          errors.length > 0 && (
            <ul>
              {errors.map((error) => (
                <li key={error.field}>
                  <button type="button" className="kit-link" onClick={() => onJump(error.field)}>
                    {error.label}：{error.msg}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
        action={
          onTakeFresh && (
            <Button size="small" onClick={onTakeFresh}>
              载入最新内容
            </Button>
          )
        }
      />
    </div>
  );
}
