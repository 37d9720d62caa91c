import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import { documentRuleCalls, issuingOrgs } from '../../contract/rules.ts';

/** The issuing organisation of a letter, from those configured. */
export function OrgInput({ control }: { control: FieldControl }) {
  const rule = useCall(documentRuleCalls.rule, {}).data;
  const site = useCall(settings.site, {}).data;
  const orgs = rule && site ? issuingOrgs(rule.value, site.value.name) : [];
  const { onChange, value, ...rest } = control;
  return (
    <Select
      {...(rest as object)}
      className="kit-wide"
      showSearch
      loading={!rule || !site}
      placeholder="请选择发文机关"
      notFoundContent="名单里没有；请党政办在“类别与字号”的“公文规则”里添加"
      value={(value as string) || undefined}
      onChange={(chosen: string) => onChange?.(chosen)}
      options={orgs.map((name) => ({ value: name, label: name }))}
    />
  );
}
