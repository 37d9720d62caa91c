import { Button, Input } from 'antd';
import { Suspense, useRef } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { Insert, Putting } from './TemplateText.tsx';

export type { Insert };

interface Props {
  id: string;
  label: string;
  max: number;
  value: string;
  inserts: readonly Insert[];
  onChange: (text: string) => void;
}

const TemplateText = later(() => patiently(() => import('./TemplateText.tsx')));

/** A text with placeholders for each ticket, inserted by name at the cursor. */
export function TemplateInput(props: Props) {
  const { label, inserts } = props;
  const text = useRef<Putting>(null);
  return (
    <>
      <Suspense fallback={<Input disabled aria-label={label} />}>
        <TemplateText {...props} ref={text} />
      </Suspense>
      <div className="kit-row settings-inserts" role="group" aria-label={`插入${label}`}>
        {inserts.map(({ key, name }) => (
          <Button key={key} size="small" onClick={() => text.current?.put(key)}>
            {name}
          </Button>
        ))}
      </div>
    </>
  );
}
