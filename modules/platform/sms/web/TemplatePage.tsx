import { Button, Tag } from 'antd';
import { useState } from 'react';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { smsType } from '../contract/labels.ts';
import { smsTemplates } from '../contract/templates.ts';
import { RulesDrawer } from './RulesDrawer.tsx';
import { typeOptions } from './labels.ts';

const states = [
  { value: '1', label: '启用' },
  { value: '0', label: '停用' },
];

/** Reusable texts with placeholders. */
export default function TemplatePage() {
  const [rules, setRules] = useState(false);
  return (
    <>
      <NounPage
        card={['status', 'type', 'content']}
        calls={smsTemplates}
        name="sms/template"
        title="短信模板"
        noun="短信模板"
        purpose="常用的短信内容，其他模块按编码使用"
        columns={[
          'name',
          'code',
          'content',
          'type',
          { key: 'provider_template_id', hidden: true },
          { key: 'status', render: (one) => (one.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
        ]}
        filters={[
          { key: 'type', kind: 'select', options: typeOptions, often: true },
          { key: 'status', kind: 'select', options: states },
        ]}
        initial={{ type: smsType.notice }}
        primary={<Button onClick={() => setRules(true)}>短信规则</Button>}
        removal="已发送的短信不受影响，使用它的模块将不能再发送"
        empty="还没有短信模板"
      />
      <RulesDrawer open={rules} onClose={() => setRules(false)} />
    </>
  );
}
