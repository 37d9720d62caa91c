import type { FigureFilter } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { DeptPicker } from './DeptPicker.tsx';

/** The department filter of a statistics page, with all below it. */
export const deptFilter = ({ value, onChange }: FigureFilter) => (
  <span className="figures-dept">
    <DeptPicker placeholder="全部部门" value={Number(value) || null} onChange={onChange} />
  </span>
);
