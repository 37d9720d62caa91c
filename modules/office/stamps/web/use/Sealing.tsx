import { Button, Tag } from 'antd';
import { Link, useNavigate } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { applyPath } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { SealState } from './columns.tsx';

interface Of {
  module: string;
  id: number;
}
/** The offer of a record and its applicants; live, because the files to be sealed are made some moments after approval. */
export const useSource = (query: Of, enabled = true) =>
  useCall(calls.source, { query }, { quiet: true, enabled, meta: live }).data;

/** In the action bar of a record: opens an application prefilled from it, if one is possible now. */
export function ApplySeal(of: Of) {
  const to = useNavigate();
  if (!useSource(of)?.offer) return null;
  return <Button onClick={() => to(applyPath(of.module, of.id))}>申请用印</Button>;
}

/** On the page of a record: the progress of its sealing. */
export function Sealed(of: Of) {
  const asked = useSource(of)?.applications ?? [];
  if (asked.length === 0) return null;
  return (
    <section className="kit-panel" aria-label="用印">
      <h2>用印</h2>
      <ul className="kit-lines">
        {asked.map((one) => (
          <li key={one.id}>
            <Link to={`/stamp/detail/${one.id}`}>{one.title}</Link> <SealState status={one.seal_status} />
            {!one.same && <Tag color="warning">内容已变更，须重新申请</Tag>}
          </li>
        ))}
      </ul>
    </section>
  );
}
