import { Button, Checkbox, Input, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { activityCalls } from '../../contract/activities.ts';
import { nations } from '../../contract/codes.ts';
import { Guest } from '../../contract/shapes.ts';

type Shown = Partial<Guest> & { noted?: string };
const names = new Intl.DisplayNames('zh-CN', { type: 'region' });
const choices = nations.map((value) => ({ value, label: names.of(value) ?? value }));
const lines = ['name', 'org', 'title', 'topic', 'phone'] as const;
const blank: Shown = { nationality: 'CN', is_external: true, note_of: null };

/** Speakers, a card each. Earlier speakers are found by name, and their note holds for a year. */
export function GuestsInput({
  value = [],
  onChange,
}: {
  value?: Shown[] | undefined;
  onChange?: ((next: Shown[]) => void) | undefined;
}) {
  const [words, setWords] = useState('');
  const { data } = useCall(activityCalls.guests, { query: { search_value: words } }, { enabled: words !== '' });
  const known = data?.value ?? [];
  const put = (at: number, more: Shown) => onChange?.(value.map((one, no) => (no === at ? { ...one, ...more } : one)));
  return (
    <div className="kit-stack">
      {value.map((guest, at) => (
        <fieldset key={at} className="kit-panel activity-guest" aria-label={`嘉宾 ${at + 1}`}>
          {lines.map((key) => {
            const label = Guest.shape[key].meta()?.title as string;
            const change = (next: string) =>
              put(at, { [key]: next, ...(key === 'name' || key === 'org' ? { note_of: null } : {}) });
            return (
              <Input
                key={key}
                aria-label={label}
                placeholder={label}
                value={guest[key] ?? ''}
                onChange={(event) => change(event.target.value)}
              />
            );
          })}
          <Select
            aria-label="国籍"
            showSearch={{ optionFilterProp: 'label' }}
            options={choices}
            value={guest.nationality ?? 'CN'}
            onChange={(nationality) => put(at, { nationality })}
          />
          <Checkbox
            checked={guest.is_external ?? true}
            onChange={(event) => put(at, { is_external: event.target.checked })}
          >
            校外嘉宾
          </Checkbox>
          {guest.note_of ? (
            <span className="kit-row kit-muted">
              {guest.noted || '沿用以往的背景说明'}
              <Button size="small" onClick={() => put(at, { note_of: null, noted: '' })}>
                重新填写
              </Button>
            </span>
          ) : (
            <Input.TextArea
              aria-label="背景说明"
              placeholder="背景说明：身份、学术背景、以往合作；只有审核人员能看到"
              autoSize={{ minRows: 2 }}
              value={guest.background ?? ''}
              onChange={(event) => put(at, { background: event.target.value })}
            />
          )}
          <Button danger onClick={() => onChange?.(value.filter((_one, no) => no !== at))}>
            移除这位嘉宾
          </Button>
        </fieldset>
      ))}
      <div className="kit-row">
        <Button onClick={() => onChange?.([...value, blank])}>添加嘉宾</Button>
        <Select
          className="kit-grow"
          aria-label="从以往嘉宾中选择"
          placeholder="输入姓名，从以往嘉宾中选择"
          showSearch={{ onSearch: setWords, filterOption: false }}
          value={null}
          options={known.map((one) => ({
            value: one.id,
            label: `${one.name}（${one.org}）${one.at} ${one.topic}${one.noted ? '，背景说明可沿用' : ''}`,
          }))}
          onChange={(id: number | null) => {
            const found = known.find((one) => one.id === id);
            if (!found) return;
            const { id: visit, noted, at: _at, approved_by: _by, ...who } = found;
            onChange?.([...value, { ...blank, ...who, note_of: noted ? visit : null }]);
          }}
        />
      </div>
    </div>
  );
}
