import type { Calls } from '#kernel/contract/call.ts';
import { useCall } from '../../calls.ts';
import { TreePicker, type TreeControl } from '../form/TreePicker.tsx';
import type { Node } from './moving.ts';
import { pickable } from './nodes.ts';

type Props = TreeControl & {
  /** The list of `treeCalls`. */
  call: Calls[string];
  query?: Record<string, unknown>;
};

/** Chooses categories of a tree; disabled ones are shown but cannot be chosen. */
export function CategoryPicker({ call, query = {}, placeholder = '请选择分类', ...control }: Props) {
  const { data = [], isPending } = useCall(call, { query });
  return (
    <TreePicker
      {...control}
      placeholder={placeholder}
      {...(control.id ? {} : { label: placeholder })}
      loading={isPending}
      nodes={pickable(data as readonly Node[], undefined, true)}
    />
  );
}
