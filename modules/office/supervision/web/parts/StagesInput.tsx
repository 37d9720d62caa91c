import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { SubInput } from '../../contract/shapes.ts';

/** Stages of a task with day and share: none, or shares that add up to 100. */
export function StagesInput(control: FieldControl) {
  const sum = (rows: unknown) =>
    ((rows as { weight?: number }[] | undefined) ?? []).reduce((all, { weight }) => all + (weight ?? 0), 0);
  const shared = sum(control.value);
  return (
    <RowsInput
      control={control}
      of={SubInput.shape.stages}
      fresh={(rows) => ({ title: '', weight: Math.max(1, 100 - sum(rows)), evidence: false })}
      add="添加阶段"
      tools={shared > 0 && <span className="kit-muted">权重合计 {shared}，应为 100</span>}
    />
  );
}
