import { Input, Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { InterfaceGroup } from '../interfaces.ts';

const choiceNames: Record<string, string> = {
  '': '不使用',
  aliyun: '阿里云',
  tencent: '腾讯云',
  http: '通用 HTTP 接口',
  cas: 'CAS',
  oauth2: 'OAuth 2.0',
  oidc: 'OpenID Connect',
};

/** The fields of one connection, kept together as one value. */
export function GroupInput({ group, control }: { group: InterfaceGroup; control: FieldControl }) {
  const { id, onChange, disabled } = control;
  const value = (control.value ?? {}) as Record<string, string>;
  const set = (name: string, text: string) => onChange?.({ ...value, [name]: text });
  return (
    <div id={id} role="group" aria-label={group.title} className="kit-panel">
      {Object.entries(group.fields).map(([name, field]) => {
        const key = `${id ?? group.title}-${name}`;
        const text = value[name] ?? '';
        return (
          <div key={name} style={{ marginBottom: 8 }}>
            <label htmlFor={key}>{field.title}</label>
            {field.kind === 'choice' ? (
              <Select
                id={key}
                className="kit-wide"
                disabled={disabled}
                value={text}
                options={(field.choices ?? []).map((choice) => ({
                  value: choice,
                  label: choiceNames[choice] ?? choice,
                }))}
                onChange={(next: string) => set(name, next)}
              />
            ) : (
              <Input
                id={key}
                type={field.kind === 'secret' ? 'password' : 'text'}
                autoComplete={field.kind === 'secret' ? 'new-password' : 'off'}
                disabled={disabled}
                value={text}
                onFocus={(event) => field.kind === 'secret' && event.target.select()}
                onChange={(event) => set(name, event.target.value)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
