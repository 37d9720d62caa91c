import { Input, Select } from 'antd';
import { useState } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { InterfaceGroup } from '../contract/interfaces.ts';
import './settings.css';

const choiceNames: Record<string, string> = {
  '': '不使用',
  aliyun: '阿里云',
  tencent: '腾讯云',
  cas: 'CAS',
  oauth2: 'OAuth 2.0',
  oidc: 'OpenID Connect',
};

/** The fields of one connection, stored together as one value. */
export function GroupInput({ group, control }: { group: InterfaceGroup; control: FieldControl }) {
  const { id, onChange, disabled } = control;
  const value = (control.value ?? {}) as Record<string, string>;
  const used = Object.values(value).filter(Boolean).length;
  const [open, setOpen] = useState(used > 0);
  const set = (name: string, text: string) => onChange?.({ ...value, [name]: text });
  return (
    <details
      id={id}
      className="kit-panel settings-group"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{used > 0 ? `已填写 ${used} 项` : '未设置'}</summary>
      {group.help && <p className="kit-muted">{group.help}</p>}
      <div role="group" aria-label={group.title}>
        {Object.entries(group.fields).map(([name, field]) => {
          const key = `${id ?? group.title}-${name}`;
          const text = value[name] ?? '';
          return (
            <div key={name}>
              <label htmlFor={key}>{field.title}</label>
              {field.kind === 'choice' ? (
                <Select
                  id={key}
                  className="kit-wide"
                  disabled={disabled}
                  value={text}
                  options={(field.choices ?? []).map((choice) => ({
                    value: choice,
                    label: field.named?.[choice] ?? choiceNames[choice] ?? choice,
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
    </details>
  );
}
