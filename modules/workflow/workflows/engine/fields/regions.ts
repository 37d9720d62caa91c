import { useCascaderAreaData as areaData } from '@vant/area-data';
import type { ChoiceNode } from './choice-tree.ts';

type Area = ReturnType<typeof areaData>[number];
const nodeOf = ({ value, text, children = [] }: Area): ChoiceNode =>
  children.length > 0 ? { value, label: text, children: children.map(nodeOf) } : { value, label: text };

/** Provinces, cities and districts of China with their codes (GB/T 2260), three levels everywhere. */
export const regions: readonly ChoiceNode[] = areaData().map(nodeOf);

const names = new Map<string, string>();
const keep = ({ value, label, children = [] }: ChoiceNode): void => {
  names.set(value, label);
  children.forEach(keep);
};
regions.forEach(keep);

/** The name of a region; for a code that no longer exists, the code itself. */
export const regionName = (code: string): string => names.get(code) ?? code;
export const isRegion = (code: unknown): boolean => typeof code === 'string' && names.has(code);
