import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { keyOf } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { useCodesAt, type CodesAt } from '#kernel/web/kit/permission.tsx';
import { StartsContext, type Start } from '#kernel/web/registry.ts';
import { workflows, type Workflow } from '#modules/workflow/workflows/contract.ts';

/** The preference that stores what one started last, the latest first. */
export const lastStartedKey = 'last_started';
/** The number of entries stored. */
export const mostLast = 6;

/** Something that can be started: a workflow by its id, a module's form by its key. */
export interface Entry {
  key: number | string;
  name: string;
  about: string;
  category: string;
  /** Why it cannot be started now; empty if it can. */
  why: string;
  /** Address of its form, if that is not a workflow's. */
  to?: string;
}

const ofWorkflow = ({ id, name, description, category, why_not }: Workflow): Entry => ({
  key: id,
  name,
  about: description,
  category: category || '其他',
  why: why_not,
});

/** The forms that a module offers to people with its page; empty without it. */
function ofModule({ page, code = 'Create', key, name, about, category, to }: Start, codesAt: CodesAt): Entry[] {
  const codes = codesAt(page);
  if (codes.length === 0) return [];
  const why = codes.includes(code) ? '' : `您没有发起“${name}”的权限，请联系管理员开通`;
  return [{ key, name, about, category, why, to }];
}

/** The forms that all modules offer, once loaded. */
function useStarts(): readonly Start[] | null {
  const loads = useContext(StartsContext);
  const [starts, setStarts] = useState<readonly Start[] | null>(null);
  useEffect(() => {
    let wanted = true;
    void Promise.allSettled(loads.map((load) => load())).then((loaded) => {
      if (wanted) setStarts(loaded.flatMap((one) => (one.status === 'fulfilled' ? one.value.default : [])));
    });
    return () => {
      wanted = false;
    };
  }, [loads]);
  return starts;
}

/** All workflows that somebody sees, fetched page after page. */
async function readWorkflows(signal: AbortSignal): Promise<Workflow[]> {
  const rows: Workflow[] = [];
  for (let page = 1; ; page += 1) {
    const { value, total } = await send(workflows.list, { query: { per_page: 100, page } }, { signal });
    rows.push(...value);
    if (value.length === 0 || rows.length >= total) return rows;
  }
}

/** Everything that somebody may start, or sees that they may not: the workflows and, unless `plain`, the modules' forms. */
export function useEntries(plain: boolean) {
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(workflows.list, 'all'),
    queryFn: ({ signal }) => readWorkflows(signal),
  });
  const codesAt = useCodesAt();
  const starts = useStarts();
  // A workflow of a module is started by the module's own form.
  const flows = data?.filter((flow) => flow.module === null).map(ofWorkflow);
  const forms = plain ? [] : starts?.flatMap((start) => ofModule(start, codesAt));
  const entries = flows && forms && [...flows, ...forms];
  return { entries, error: data ? null : error, retry: () => void refetch() };
}
