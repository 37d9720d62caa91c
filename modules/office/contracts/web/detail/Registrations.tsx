import { Tag } from 'antd';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { stage } from '../../contract/codes.ts';
import { registerCalls } from '../../contract/performing/register.ts';

/** A value in words: amounts with separators, files and lists by their contents. */
function said(value: unknown): string {
  if (value === null || value === undefined || value === '') return '无';
  if (typeof value === 'boolean') return value ? '是' : '否';
  return typeof value === 'number' ? moneyText(value) : String(value);
}

/** 登记记录: all registrations of a contract, with their changes. */
export function Registrations({ id, version }: { id: number; version: number }) {
  const { data } = useCall(registerCalls.registrations, { params: { id } }, { meta: { version } });
  if (!data || data.length === 0) return null;
  return (
    <section className="kit-panel" aria-label="登记记录">
      <h2>登记记录</h2>
      {data.map((row) => (
        <div key={row.id} className="contract-node">
          <div className="kit-row">
            <Tag>{row.type_name}</Tag>
            {row.from_stage !== row.to_stage && (
              <span>
                {stage.label(row.from_stage)} → {stage.label(row.to_stage)}
              </span>
            )}
            <span className="kit-muted">
              {row.who} · <Moment at={row.at} />
            </span>
          </div>
          {row.reason && <p>{row.reason}</p>}
          {row.changes.map((change) => (
            <p key={change.field} className="kit-muted">
              {change.label}：{change.before !== null && <>{said(change.before)} → </>}
              {said(change.after)}
            </p>
          ))}
          {row.files.length > 0 && <FileLinks files={row.files} />}
        </div>
      ))}
    </section>
  );
}
