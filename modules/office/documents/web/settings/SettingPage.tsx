import { useState } from 'react';
import { Tabs } from 'antd';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { documentRuleCalls, documentRules } from '../../contract/rules.ts';
import { docType } from '../../contract/shapes.ts';
import { Categories } from './Categories.tsx';
import { DocumentNumbers } from './NumberBook.tsx';
import { NumberRules } from './NumberRules.tsx';
import { Letterheads } from '#modules/platform/letterheads/widgets.tsx';

/** People who keep the book also maintain the rules. */
function Rules() {
  const may = usePermission();
  return (
    <RulesPanel
      untitled
      rules={documentRules}
      read={documentRuleCalls.rule}
      save={documentRuleCalls.saveRule}
      readOnly={may('Update') ? null : '您可以查看公文规则，修改请联系党政办'}
    />
  );
}

const tabs = [
  { key: 'categories', label: '类别', children: <Categories /> },
  { key: 'rules', label: '机关代字', children: <NumberRules /> },
  { key: 'redheads', label: '红头模板', children: <Letterheads docTypes={docType.names} /> },
  {
    key: 'words',
    label: '公文规则',
    children: <Rules />,
  },
  { key: 'book', label: '字号簿', children: <DocumentNumbers /> },
];

/** Categories, number rules, letterheads, the office's own rules, and the book of numbers. */
export default function SettingPage() {
  const [tab, setTab] = useState('categories');
  return <Tabs activeKey={tab} onChange={setTab} items={tabs} destroyOnHidden />;
}
