import { Checkbox, Form, Input, Select, Space } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { noticeCalls } from '../../contract/notices.ts';
import type { Draft } from '../designer/state/draft.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { CheckList } from './CheckList.tsx';
import { DoublesSettings } from './DoublesSettings.tsx';
import { AfterwardSettings } from './AfterwardSettings.tsx';
import { TemplateInput, type Insert } from './TemplateInput.tsx';

const ofStart: readonly Insert[] = [
  { key: 'creator', name: '发起人' },
  { key: 'workflow', name: '流程名称' },
];
const ofTicket: readonly Insert[] = [
  { key: 'title', name: '工单标题' },
  { key: 'sn', name: '流水号' },
  { key: 'state', name: '当前环节' },
  { key: 'gmt_created', name: '创建时间' },
];

interface Props {
  draft: Draft;
  onChange: (part: Partial<Draft['settings']>) => void;
}

/** Titles and numbers of tickets, visibility, the effect of a return, and channels for notices. */
export function RunSettings({ draft, onChange }: Props) {
  const { settings, fields } = draft;
  const { number_rule: rule } = settings;
  const { data: notices } = useCall(noticeCalls.simpleNotices, {});
  const keys = fields.map(({ key, name }) => ({ value: key, label: name }));
  const inserts: Insert[] = [...ofStart, ...fields.map(({ key, name }) => ({ key, name }))];
  return (
    <Form layout="vertical" component="div">
      <Form.Item label="工单标题" htmlFor="settings-title" extra="插入的字段要在“仅查看者可见的字段”里">
        <TemplateInput
          id="settings-title"
          label="工单标题"
          max={200}
          value={settings.title_template}
          inserts={inserts}
          onChange={(title_template) => onChange({ title_template: title_template.replaceAll('\n', ' ') })}
        />
      </Form.Item>
      <Form.Item label="通知内容" htmlFor="settings-content" extra="写在消息和通知里">
        <TemplateInput
          id="settings-content"
          label="通知内容"
          max={1000}
          value={settings.content_template}
          inserts={[...ofTicket, ...inserts]}
          onChange={(content_template) => onChange({ content_template })}
        />
      </Form.Item>
      <CheckList checks={settings.checks ?? []} fields={fields} onChange={(checks) => onChange({ checks })} />
      <DoublesSettings doubles={settings.doubles} fields={fields} onChange={(doubles) => onChange({ doubles })} />
      <Form.Item label="编号">
        <Space wrap>
          <Input
            aria-label="编号前缀"
            placeholder="前缀"
            maxLength={8}
            value={rule.prefix}
            onChange={(event) => onChange({ number_rule: { ...rule, prefix: event.target.value.toUpperCase() } })}
          />
          <NumberInput
            aria-label="编号位数"
            min={3}
            max={8}
            suffix="位"
            value={rule.digits}
            onChange={(digits) => onChange({ number_rule: { ...rule, digits: digits ?? 4 } })}
          />
          <Select
            aria-label="编号周期"
            options={[
              { value: 'day', label: '每日重新编号' },
              { value: 'month', label: '每月重新编号' },
              { value: 'year', label: '每年重新编号' },
            ]}
            value={rule.period}
            onChange={(period) => onChange({ number_rule: { ...rule, period } })}
          />
        </Space>
      </Form.Item>
      <Form.Item>
        <Checkbox
          checked={settings.view_permission_check}
          onChange={(event) => onChange({ view_permission_check: event.target.checked })}
        >
          只有相关人员可以查看工单
        </Checkbox>
      </Form.Item>
      <LabelledSelect
        id="settings-display"
        label="仅查看者可见的字段"
        mode="multiple"
        options={keys}
        value={[...settings.display_form]}
        onChange={(display_form) => onChange({ display_form })}
      />
      <LabelledSelect
        id="settings-resubmit"
        label="退回后重新提交"
        options={[
          { value: 1, label: '从头审批' },
          { value: 2, label: '关键字段未改时直达退回人' },
        ]}
        value={settings.resubmit_mode}
        onChange={(resubmit_mode) => onChange({ resubmit_mode })}
      />
      {settings.resubmit_mode === 2 && (
        <LabelledSelect
          id="settings-keys"
          label="关键字段"
          mode="multiple"
          options={keys}
          value={[...settings.key_fields]}
          onChange={(key_fields) => onChange({ key_fields })}
        />
      )}
      <AfterwardSettings settings={settings} onChange={onChange} />
      <LabelledSelect
        id="settings-notices"
        label="通知方式"
        mode="multiple"
        placeholder="只发站内消息"
        options={notices?.value.map(({ id, name, type_name }) => ({ value: id, label: `${name}（${type_name}）` }))}
        value={[...settings.notices]}
        onChange={(chosen) => onChange({ notices: chosen })}
      />
    </Form>
  );
}
