import { Button } from 'antd';
import { Link, useNavigate } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { applyPath } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { SealState } from './columns.tsx';

/** On the page of a record that is sealed: how far that has come, and the form of an application that begins with it. */
export function Sealing({ module, id }: { module: string; id: number }) {
  const to = useNavigate();
  const { data } = useCall(calls.source, { query: { module, id } }, { quiet: true });
  if (!data?.offer) return null;
  return (
    <section className="kit-panel" aria-label="用印">
      <h2>用印</h2>
      <ul className="kit-lines">
        {data.applications.map((one) => (
          <li key={one.id}>
            <Link to={`/stamp/detail/${one.id}`}>{one.title}</Link> <SealState status={one.seal_status} />
          </li>
        ))}
      </ul>
      <Button onClick={() => to(applyPath(module, id))}>申请用印</Button>
    </section>
  );
}
