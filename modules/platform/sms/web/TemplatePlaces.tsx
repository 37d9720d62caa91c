import { Input } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

const own = ['name', '姓名'];

/** The values of a template; the recipient's own name is filled in automatically. */
export function TemplatePlaces({
  control: { id, value, onChange, disabled },
  template,
}: {
  control: FieldControl;
  template: { content: string; params: string[] } | undefined;
}) {
  const filled = (value ?? {}) as Record<string, string>;
  const set = (place: string, text: string) =>
    onChange?.(Object.fromEntries(Object.entries({ ...filled, [place]: text }).filter(([, one]) => one !== '')));
  return (
    <div className="kit-stack" role="group" aria-label="模板内容">
      <p className="sms-text">{template?.content}</p>
      {template?.params
        .filter((place) => !own.includes(place))
        .map((place, index) => (
          <Input
            key={place}
            id={index === 0 ? id : undefined}
            aria-label={place}
            addonBefore={place}
            disabled={disabled}
            maxLength={100}
            value={filled[place] ?? ''}
            onChange={(event) => set(place, event.target.value)}
          />
        ))}
    </div>
  );
}
