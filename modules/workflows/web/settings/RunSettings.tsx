import { Checkbox, Form, Input, InputNumber, Select, Space } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { noticeCalls } from '../../contract/notices.ts';
import type { Draft } from '../designer/state/draft.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { CheckList } from './CheckList.tsx';
import { AfterwardSettings } from './AfterwardSettings.tsx';

interface Props {
  draft: Draft;
  onChange: (part: Partial<Draft['settings']>) => void;
}

/** How tickets are named and numbered, who may see what, what a return does, which channels are told. */
export function RunSettings({ draft, onChange }: Props) {
  const { settings, fields } = draft;
  const { number_rule: rule } = settings;
  const { data: notices } = useCall(noticeCalls.simpleNotices, {});
  const keys = fields.map(({ key, name }) => ({ value: key, label: name }));
  const inserts = ['{creator}', '{workflow}', ...fields.map((field) => `{${field.key}}`)].join(' ');
  return (
    <Form layout="vertical" component="div">
      <Form.Item
        label="工单标题"
        htmlFor="settings-title"
        extra={`可以插入：${inserts}；字段要在“仅查看者可见的字段”里`}
      >
        <Input
          id="settings-title"
          maxLength={200}
          value={settings.title_template}
          onChange={(event) => onChange({ title_template: event.target.value })}
        />
      </Form.Item>
      <Form.Item
        label="通知内容"
        htmlFor="settings-content"
        extra={`写在消息和通知里。可以插入：${['{title}', '{sn}', '{state}', '{gmt_created}', inserts].join(' ')}`}
      >
        <Input.TextArea
          id="settings-content"
          maxLength={1000}
          autoSize={{ minRows: 2, maxRows: 6 }}
          value={settings.content_template}
          onChange={(event) => onChange({ content_template: event.target.value })}
        />
      </Form.Item>
      <CheckList checks={settings.checks ?? []} fields={fields} onChange={(checks) => onChange({ checks })} />
      <Form.Item label="编号">
        <Space wrap>
          <Input
            aria-label="编号前缀"
            placeholder="前缀"
            maxLength={8}
            value={rule.prefix}
            onChange={(event) => onChange({ number_rule: { ...rule, prefix: event.target.value.toUpperCase() } })}
          />
          <InputNumber
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
