import { useState } from 'react';
import { Tabs } from 'antd';
import { docTypes } from '../../contract/shapes.ts';
import { Categories } from './Categories.tsx';
import { DocumentNumbers } from './NumberBook.tsx';
import { NumberRules } from './NumberRules.tsx';
import { Letterheads } from '#modules/letterheads/widgets.tsx';

const tabs = [
  { key: 'categories', label: '类别', children: <Categories /> },
  { key: 'rules', label: '机关代字', children: <NumberRules /> },
  { key: 'redheads', label: '红头模板', children: <Letterheads docTypes={docTypes} /> },
  { key: 'book', label: '字号簿', children: <DocumentNumbers /> },
];

/** Categories, number rules, letterheads, and the numbers that were given. */
export default function SettingPage() {
  const [tab, setTab] = useState('categories');
  return <Tabs activeKey={tab} onChange={setTab} items={tabs} destroyOnHidden />;
}
