import { useState } from 'react';
import { ProjectsPage } from '#modules/customers/widgets.tsx';
import { MonitorsPage, WindowsPage } from '#modules/monitors/widgets.tsx';

const categories = [
  { value: 'projects', label: '项目' },
  { value: 'monitors', label: '监测' },
  { value: 'windows', label: '维护窗口' },
];

/** Projects of customers, how they are watched, and when that counts for nothing. */
export default function Projects() {
  const [value, onChange] = useState('projects');
  const tabs = { categories, value, onChange };
  if (value === 'monitors') return <MonitorsPage tabs={tabs} />;
  return value === 'windows' ? <WindowsPage tabs={tabs} /> : <ProjectsPage list={{ tabs }} />;
}
