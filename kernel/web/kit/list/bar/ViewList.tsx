import { Button } from 'antd';
import type { AnyListCall } from '../list-call.ts';
import { readState } from '../listState.ts';
import { RowCount } from './RowCount.tsx';

/** Returns the list's query for a saved address; parameters that the list does not take are left out, whoever wrote the address. */
function asked(search: string, { fixed, keys }: Listed): Record<string, unknown> {
  const { filters, search_value } = readState(new URLSearchParams(search), keys);
  return { ...fixed, search_value, ...filters };
}

export interface Listed {
  call: AnyListCall;
  /** Part of the query that is always sent. */
  fixed?: Record<string, unknown> | undefined;
  /** The parameters that the list takes from its address. */
  keys: readonly string[];
}

interface LineProps extends Listed {
  name: string;
  search: string;
  hint?: string;
  chosen: boolean;
  onApply: () => void;
  /** Absent if the person may not remove it. */
  onRemove?: (() => void) | undefined;
}

/** One view: its name, its owner and its number of rows. */
export function ViewLine({ name, search, hint, chosen, onApply, onRemove, ...listed }: LineProps) {
  return (
    <li>
      <Button type="text" aria-pressed={chosen} title={hint} onClick={onApply}>
        {name}
      </Button>
      <RowCount call={listed.call} query={asked(search, listed)} />
      <span className="kit-grow" />
      {onRemove && (
        <Button type="text" size="small" aria-label={`删除视图 ${name}`} onClick={onRemove}>
          ×
        </Button>
      )}
    </li>
  );
}
