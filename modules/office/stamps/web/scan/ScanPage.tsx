import { Alert, Button, Descriptions } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import type { Scanned } from '../../contract/ledger.ts';
import { Stamp } from '../../contract/seals.ts';
import { stampType } from '../../contract/seal-codes.ts';
import { StampStatus, stampTo } from '../seals/columns.tsx';
import { CompareFile } from './CompareFile.tsx';
import { ScanBox } from './ScanBox.tsx';

/** Shows the target of a code. */
export default function ScanPage() {
  const [found, setFound] = useState<Scanned | null>(null);
  return (
    <section className="kit-list stamp-scan" aria-label="扫码核验">
      <header className="kit-list-head">
        <h1>扫码核验</h1>
        <p className="kit-muted">扫描用印凭条、印章标签或文件上的二维码，核对真伪和状态</p>
      </header>
      <ScanBox
        label="核验码"
        placeholder="扫码或输入核验码"
        button="核验"
        onAsk={() => setFound(null)}
        onFound={setFound}
      />
      <div aria-live="polite">{found && <Result found={found} />}</div>
    </section>
  );
}

function Result({ found }: { found: Scanned }) {
  const navigate = useNavigate();
  if (found.kind === 'unknown')
    return <Alert type="warning" showIcon title="没有查到这个码，请核对后重试；仍查不到的，请向发文单位核实" />;
  if (found.kind === 'application')
    return (
      <section className="kit-panel kit-stack">
        <h2>{found.title}</h2>
        {found.actions.length === 0 && <p className="kit-muted">现在没有要办理的用印</p>}
        <Button type="primary" onClick={() => void navigate(found.path)}>
          {found.actions.includes('seal') ? '去办理用印' : found.actions.includes('return') ? '去办理归还' : '打开申请'}
        </Button>
      </section>
    );
  if (found.kind === 'stamp')
    return (
      <section className="kit-panel kit-stack">
        <div className="kit-row">
          <h2>{found.name}</h2>
          <StampStatus status={found.status} />
        </div>
        <Descriptions
          column={1}
          items={factsOf(Stamp, {
            stamp_no: found.stamp_no,
            type: stampType.label(found.type),
            dept_name: found.dept_name,
            keeper_now: found.keeper_now,
            place: found.place,
          })}
        />
        <Button
          type="primary"
          onClick={() => void navigate(`${stampTo(found)}${found.actions.includes('inventory') ? '?event=5' : ''}`)}
        >
          {found.actions.includes('inventory') ? '办理盘点' : '打开印章'}
        </Button>
      </section>
    );
  return (
    <section className="kit-panel kit-stack">
      <h2>{found.title ?? '本系统登记的文件'}</h2>
      <Alert
        type={found.valid && !found.caution ? 'success' : 'warning'}
        showIcon
        title={
          found.caution
            ? `由本系统登记，${found.caution}`
            : found.valid
              ? '核验通过：由本系统登记，现行有效'
              : '由本系统登记，但现在不是有效状态，见下方状态'
        }
      />
      <Facts facts={found.facts} />
      {found.files.length > 0 && <CompareFile files={found.files} />}
    </section>
  );
}

const Facts = ({ facts }: { facts: readonly (readonly [string, string])[] }) => (
  <Descriptions
    column={1}
    items={facts.filter(([, value]) => value).map(([label, children], key) => ({ key, label, children }))}
  />
);
