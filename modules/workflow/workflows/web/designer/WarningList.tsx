import { Alert } from 'antd';
import type { Problem } from '../../contract/shapes.ts';

/** Points that were not proved, and where a ticket may need its administrators; each line leads to the place to change. */
export function WarningList({ warnings, onGo }: { warnings: readonly Problem[]; onGo: (warning: Problem) => void }) {
  return (
    <Alert
      type="warning"
      showIcon
      title="可以发布，但请先看一看"
      description={
        <ul className="designer-plain">
          {warnings.map((warning) => (
            <li key={`${warning.kind}${warning.key}${warning.msg}`}>
              <button type="button" className="kit-link" onClick={() => onGo(warning)}>
                {warning.msg}
              </button>
            </li>
          ))}
        </ul>
      }
    />
  );
}
