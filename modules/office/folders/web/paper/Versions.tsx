import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import type { PaperDetail } from '../../contract/papers.ts';
import { PaperStatus } from '../columns.tsx';
import { Compare } from './Compare.tsx';

/** All versions of a paper, each to open or to compare with this one. */
export function Versions({ paper }: { paper: PaperDetail }) {
  const [other, setOther] = useState<number | null>(null);
  if (paper.versions.length < 2) return null;
  return (
    <section className="kit-panel folder-side" aria-label="历次版本">
      <h2>历次版本</h2>
      <ul>
        {paper.versions.map((one) => (
          <li key={one.id}>
            {one.id === paper.id ? (
              <strong>第 {one.version_no} 版</strong>
            ) : (
              <Link to={`/folder/detail/${one.id}`}>第 {one.version_no} 版</Link>
            )}
            <span className="kit-muted">{one.publish_date}</span>
            <PaperStatus status={one.status} />
            {one.id !== paper.id && (
              <Button size="small" onClick={() => setOther(one.id)}>
                对比
              </Button>
            )}
          </li>
        ))}
      </ul>
      {other !== null && <Compare paper={paper} other={other} onClose={() => setOther(null)} />}
    </section>
  );
}
