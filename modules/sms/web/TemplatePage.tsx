import { Button, Tag } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { sms } from '../contract.ts';
import type { Template } from '../contract/templates.ts';
import { RulesDrawer } from './RulesDrawer.tsx';
import { typeLabel, typeOptions } from './labels.ts';

const numbered = (options: { value: string; label: string }[]) =>
  options.map(({ value, label }) => ({ value: Number(value), label }));
const states = [
  { value: '1', label: '启用' },
  { value: '0', label: '停用' },
];
const fields: FormField[] = [
  { name: 'code', label: '编码', help: '程序按编码使用模板，如 duty_notice' },
  { name: 'name', label: '名称' },
  {
    name: 'content',
    label: '内容',
    kind: 'textarea',
    help: '要填写的地方写成 {时间}；{name} 换成接收人姓名；不写签名',
  },
  {
    name: 'type',
    label: '类型',
    kind: 'select',
    options: numbered(typeOptions),
    help: '通知在免打扰时段内顺延，告警立即发出',
  },
  { name: 'sign', label: '签名', help: '不填则用接口设置中的签名' },
  { name: 'provider_template_id', label: '服务商模板编号' },
  { name: 'status', label: '状态', kind: 'select', options: numbered(states) },
];

/** Texts that are sent again and again, with places to fill in. */
export default function TemplatePage() {
  const [open, setOpen] = useState<Template | 'new' | null>(null);
  const [rules, setRules] = useState(false);
  return (
    <>
      <ListPage<Template>
        name="sms/template"
        title="短信模板"
        purpose="常用的短信内容，其他模块按编码使用"
        call={sms.templates}
        columns={[
          { key: 'name', title: '名称', main: true, sort: true },
          { key: 'code', title: '编码', sort: true },
          { key: 'content', title: '内容' },
          { key: 'type', title: '类型', render: (one) => typeLabel(one.type) },
          { key: 'provider_template_id', title: '服务商模板编号', hidden: true },
          {
            key: 'status',
            title: '状态',
            render: (one) => (one.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
          },
        ]}
        filters={[
          { key: 'type', label: '类型', kind: 'select', options: typeOptions, often: true },
          { key: 'status', label: '状态', kind: 'select', options: states },
        ]}
        primary={
          <>
            <Button onClick={() => setRules(true)}>短信规则</Button>
            <WithCode code="Create">
              <Button type="primary" onClick={() => setOpen('new')}>
                新增短信模板
              </Button>
            </WithCode>
          </>
        }
        onOpen={(one) => one.actions.includes('update') && setOpen(one)}
        rowActions={(one) => (
          <CallButton
            call={sms.removeTemplate}
            asked={{ params: { id: one.id } }}
            allowed={one.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除模板“${one.name}”`, content: '已发送的短信不受影响，使用它的模块将不能再发送' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: '还没有短信模板' }}
      />
      <RulesDrawer open={rules} onClose={() => setRules(false)} />
      <EditDrawer
        noun="短信模板"
        name="sms-template"
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.name}
        add={sms.addTemplate}
        change={sms.editTemplate}
        initial={{ type: 2, status: 1 }}
        fields={fields}
      />
    </>
  );
}
