import { useState } from 'react';
import { Tabs } from 'antd';
import { Categories } from './Categories.tsx';
import { NumberBook } from './NumberBook.tsx';
import { NumberRules } from './NumberRules.tsx';

const tabs = [
  { key: 'categories', label: '类别', children: <Categories /> },
  { key: 'rules', label: '机关代字', children: <NumberRules /> },
  { key: 'book', label: '字号簿', children: <NumberBook /> },
];

/** Categories, number rules, and the numbers that were given. */
export default function SettingPage() {
  const [tab, setTab] = useState('categories');
  return <Tabs activeKey={tab} onChange={setTab} items={tabs} destroyOnHidden />;
}
