import type { ComponentProps } from 'react';
import { cutTree } from '../../../engine/fields/choice-tree.ts';
import { regions } from '../../../engine/fields/regions.ts';
import { PathInput } from './PathInput.tsx';

interface Props extends Omit<ComponentProps<typeof PathInput>, 'nodes'> {
  /** 1 provinces, 2 cities, 3 districts. */
  levels?: number;
}

const byLevels = [1, 2, 3].map((levels) => cutTree(regions, levels));

/** Chooses a region of China. */
export default function RegionInput({ levels = 3, ...rest }: Props) {
  return <PathInput {...rest} nodes={byLevels[levels - 1] ?? regions} />;
}
