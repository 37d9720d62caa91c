import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { ApplicationDetail } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { lineState } from '../../contract/codes.ts';
import { DayStrip } from './SealInput.tsx';

/** Chooses or moves the slots of an application's seals. */
export function Appointing({ row, onClose }: { row: ApplicationDetail; onClose: () => void }) {
  const waiting = row.lines.filter((line) => line.state <= lineState.ready && !line.pending_at);
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={onClose}
      title="预约用印时段"
      name={`stamp:appoint:${row.id}`}
      call={calls.appoint}
      params={{ id: row.id }}
      also={{ version: row.version }}
      initial={{ lines: waiting.map(({ stamp_id, day, part }) => ({ stamp_id, day, part })) }}
      submit="保存预约"
      fields={[
        {
          name: 'lines',
          render: ({ value, onChange }) => {
            const lines = (value ?? []) as { stamp_id: number; day: string | null; part: number | null }[];
            return (
              <div className="kit-stack">
                {lines.map((line) => (
                  <div key={line.stamp_id}>
                    <strong>{row.lines.find((one) => one.stamp_id === line.stamp_id)?.stamp_name}</strong>
                    <DayStrip
                      stamp={line.stamp_id}
                      value={line}
                      onChange={(place) => onChange?.(lines.map((one) => (one === line ? { ...line, ...place } : one)))}
                    />
                  </div>
                ))}
              </div>
            );
          },
        },
      ]}
    />
  );
}
