import { Alert } from 'antd';
import type { Detail } from '../../contract/shapes.ts';
import { since } from '../log/differences.ts';

/** The changes for the reader since their last decision, field by field. */
export function SinceDecided({ ticket }: { ticket: Pick<Detail, 'since_decided' | 'field_list'> }) {
  const { since_decided: decided, field_list } = ticket;
  if (!decided) return null;
  const changed = since(decided, [...field_list, ...(decided.record ?? [])]);
  if (changed.length === 0) return <Alert type="info" showIcon title="您上次办理之后，您看到的内容没有变化" />;
  return (
    <Alert
      type="warning"
      showIcon
      title={`您上次办理之后，有 ${changed.length} 项内容变了`}
      description={
        <ul className="ticket-since" aria-label="上次办理之后的变化">
          {changed.map(({ key, name, from, to }) => (
            <li key={key}>
              {name}：<del>{from}</del> → <ins>{to}</ins>
            </li>
          ))}
        </ul>
      }
    />
  );
}
