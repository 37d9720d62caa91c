import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { projectsCall, ProjectsPage } from '#modules/services/customers/widgets.tsx';
import { MonitorsPage, useMonitorTabs, WindowsPage, windowsCall } from '#modules/services/monitors/widgets.tsx';

const one = { query: { per_page: 1 } };

/** Projects of customers, the state of those that are monitored, and their maintenance windows. */
export default function Projects() {
  const [value, onChange] = useState('projects');
  const monitors = useMonitorTabs();
  const counted = (reply: { total: number } | undefined) => (reply ? { count: reply.total } : {});
  const projects = counted(useCall(projectsCall, one).data);
  const windows = counted(useCall(windowsCall, one).data);
  const categories = [
    { value: 'projects', label: '项目', ...projects },
    ...monitors,
    { value: 'windows', label: '维护窗口', ...windows },
  ];
  const tabs = { categories, value, onChange };
  const [kind, status] = value.split(':');
  if (kind === 'monitors')
    return <MonitorsPage key={value} tabs={tabs} {...(status ? { status: Number(status) } : {})} />;
  return kind === 'windows' ? <WindowsPage tabs={tabs} /> : <ProjectsPage list={{ tabs }} />;
}
