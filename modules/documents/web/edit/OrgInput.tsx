import { Input, Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { documentRuleCalls, linesOf } from '../../contract/rules.ts';

/** Who issues a letter: of the organisations that the office has listed; by hand as long as it has listed none. */
export function OrgInput({ control }: { control: FieldControl }) {
  const { data } = useCall(documentRuleCalls.rule, {});
  const orgs = linesOf(data?.value.orgs ?? '');
  const { onChange, value, ...rest } = control;
  if (orgs.length === 0)
    return (
      <Input {...rest} maxLength={100} value={value as string} onChange={(event) => onChange?.(event.target.value)} />
    );
  return (
    <Select
      {...(rest as object)}
      className="kit-wide"
      showSearch
      placeholder="请选择发文机关"
      value={(value as string) || undefined}
      onChange={(chosen: string) => onChange?.(chosen)}
      options={orgs.map((name) => ({ value: name, label: name }))}
    />
  );
}
