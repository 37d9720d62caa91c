import { Tag } from 'antd';
import type { Difference } from './differences.ts';

const kinds = { state: '环节', transition: '流转', field: '字段', settings: '' } as const;
const changes = {
  added: { label: '新增', color: 'success' },
  removed: { label: '删除', color: 'error' },
  changed: { label: '修改', color: 'warning' },
} as const;

/** Differences between two versions, part by part. */
export function DifferenceList({ changes: found }: { changes: readonly Difference[] }) {
  if (found.length === 0) return <p className="kit-muted">两个版本的内容相同</p>;
  return (
    <section aria-label="版本差异">
      <p className="kit-muted">共 {found.length} 处不同</p>
      <ul className="designer-plain diff">
        {found.map((one) => (
          <li key={`${one.kind}${one.id}`} className={`diff-${one.change}`}>
            <Tag color={changes[one.change].color}>{changes[one.change].label}</Tag>
            {kinds[one.kind]}“{one.name}”
            {one.lines.length > 0 && (
              <dl>
                {one.lines.map(({ what, before, after }) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      <del>{before}</del> → <ins>{after}</ins>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
