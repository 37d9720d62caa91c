import { Button, Input } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { composed } from '../../engine/title.ts';

/** The title of a letter, with a button that rewrites it as `关于…的通知`. */
export function TitleInput({ control, docType }: { control: FieldControl; docType: number }) {
  const { onChange, value, ...rest } = control;
  const title = typeof value === 'string' ? value : '';
  const whole = composed(title, docType);
  return (
    <div className="kit-stack">
      <Input {...rest} value={title} maxLength={200} onChange={(event) => onChange?.(event.target.value)} />
      {whole && (
        <div>
          <Button size="small" onClick={() => onChange?.(whole)}>
            补全为“{whole}”
          </Button>
        </div>
      )}
    </div>
  );
}
