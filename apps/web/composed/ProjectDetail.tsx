import { ProjectDetail } from '#modules/services/customers/widgets.tsx';
import { MonitorPanel } from '#modules/services/monitors/widgets.tsx';

/** One project, and its monitoring. */
export default function Project() {
  return <ProjectDetail>{(row) => <MonitorPanel project={row} />}</ProjectDetail>;
}
