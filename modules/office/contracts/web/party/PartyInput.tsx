import { AutoComplete, Button, Input, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { contractParties, creditCode, partyStanding, type Side } from '../../contract/parties.ts';

const most = 5;
const more = [
  ['role', '角色，如乙方'],
  ['legal_person', '法定代表人'],
  ['contact_name', '联系人'],
  ['contact_phone', '联系电话'],
  ['address', '地址'],
  ['bank_name', '开户银行'],
  ['bank_account', '银行账号'],
] as const;
type Given = Partial<Side> & { name: string };

export function Standing({ of, why }: { of: number; why?: string }) {
  return (
    <Tag color={partyStanding.tones[of]} title={why}>
      {partyStanding.label(of)}
    </Tag>
  );
}

/** The other sides of a contract: known parties are offered by name or code, with whether a contract is allowed. */
export function PartyInput({ control }: { control: FieldControl }) {
  const { value, onChange, disabled = false } = control;
  const given = (value as Given[] | undefined) ?? [];
  // An empty first line for typing, which is not sent while it is empty.
  const all = given.length > 0 ? given : [{ name: '', role: '乙方' }];
  const change = (at: number, next: Partial<Given>) =>
    onChange?.(
      all
        .map((one, index) => (index === at ? { ...one, ...next } : one))
        .filter((one) => all.length > 1 || one.name !== '' || one.credit_code),
    );
  return (
    <div id={control.id} className="kit-stack">
      {all.map((one, at) => (
        <OneSide
          key={at}
          side={one}
          disabled={disabled}
          onChange={(next) => change(at, next)}
          onRemove={() => onChange?.(all.filter((_one, index) => index !== at))}
        />
      ))}
      <div>
        <Button disabled={disabled || all.length >= most} onClick={() => onChange?.([...all, { name: '' }])}>
          添加相对方
        </Button>
      </div>
    </div>
  );
}

interface OneProps {
  side: Given;
  disabled: boolean;
  onChange: (next: Partial<Given>) => void;
  onRemove: () => void;
}

function OneSide({ side, disabled, onChange, onRemove }: OneProps) {
  const searching = useSearching();
  const [open, setOpen] = useState(false);
  const { data = [] } = useCall(
    contractParties.partyOptions,
    { query: { search_value: searching.search } },
    { enabled: searching.search !== '' },
  );
  const known = data.find((one) => one.name === side.name);
  const wrong = side.credit_code !== undefined && !creditCode.safeParse(side.credit_code).success;
  return (
    <div className="kit-stack">
      <div className="kit-row">
        <AutoComplete
          aria-label="相对方名称"
          className="kit-grow"
          disabled={disabled}
          placeholder="输入名称或统一社会信用代码"
          value={side.name}
          options={data.map((one) => ({
            value: one.name,
            label: (
              <span>
                {one.name} <span className="kit-muted">{one.credit_code}</span> <Standing of={one.standing} />
              </span>
            ),
          }))}
          onSearch={searching.setText}
          onChange={(name: string) => onChange({ name, party_id: null })}
          onSelect={(name: string) => {
            const chosen = data.find((one) => one.name === name);
            onChange({ name, party_id: chosen?.id ?? null, credit_code: chosen?.credit_code ?? '' });
          }}
        />
        <Input
          aria-label="统一社会信用代码"
          className="contract-code"
          disabled={disabled}
          placeholder="统一社会信用代码"
          maxLength={18}
          status={wrong ? 'error' : ''}
          value={side.credit_code ?? ''}
          onChange={(event) => onChange({ credit_code: event.target.value.trim().toUpperCase() })}
        />
        {known && known.standing > 0 && <Standing of={known.standing} why={known.standing_reason} />}
        <Button size="small" type="link" onClick={() => setOpen(!open)}>
          {open ? '收起' : '更多'}
        </Button>
        <Button size="small" disabled={disabled} onClick={onRemove}>
          删除
        </Button>
      </div>
      {wrong && <p className="kit-muted">统一社会信用代码为 18 位且末位为校验码，请核对</p>}
      {open && (
        <div className="contract-values">
          {more.map(([key, label]) => (
            <label key={key}>
              {label}
              <Input
                disabled={disabled}
                placeholder={key.startsWith('bank') ? '已填写的留空不变' : ''}
                value={side[key] ?? ''}
                onChange={(event) => onChange({ [key]: event.target.value })}
              />
            </label>
          ))}
        </div>
      )}
    </div>
  );
}
