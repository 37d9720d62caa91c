import { Checkbox } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { MenuRow } from '../../contract.ts';

/** The behaviour of a menu's page: mounted anew each time, left out of the second level. */
export function MenuMeta({ id, value, onChange, disabled }: FieldControl) {
  const meta = (value ?? {}) as NonNullable<MenuRow['meta']>;
  return (
    <div id={id} role="group" aria-label="页面行为" className="kit-row">
      <Checkbox
        disabled={disabled}
        checked={meta.noCache === true}
        onChange={(event) => onChange?.({ ...meta, noCache: event.target.checked })}
      >
        每次打开都重新载入
      </Checkbox>
      <Checkbox
        disabled={disabled}
        checked={meta.show === false}
        onChange={(event) => onChange?.({ ...meta, show: !event.target.checked })}
      >
        不列入二级侧栏
      </Checkbox>
    </div>
  );
}
