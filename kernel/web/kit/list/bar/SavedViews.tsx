import { Button, Popover } from 'antd';
import { Suspense, useState } from 'react';
import { later } from '../../../later.tsx';
import { usePreference } from '../../preferences.tsx';
import type { Listed } from './ViewList.tsx';
import type { View } from './ViewPanel.tsx';

const ViewPanel = later(() => import('./ViewPanel.tsx'));
const none: View[] = [];

interface Props extends Listed {
  list: string;
  search: string;
  onApply: (search: string) => void;
}

/** Named searches and filters that the server keeps for the person, and for the roles they are shared with. */
export function SavedViews({ list, search, onApply, ...listed }: Props) {
  const [views, save] = usePreference<View[]>(`views:${list}`, none);
  const [open, setOpen] = useState(false);
  const now = withoutPage(search);
  const apply = (wanted: string) => {
    onApply(wanted);
    setOpen(false);
  };
  const panel = (
    <Suspense>
      <ViewPanel list={list} {...listed} search={now} views={views} onSave={save} onApply={apply} />
    </Suspense>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={panel} open={open} onOpenChange={setOpen} destroyOnHidden>
      <Button aria-haspopup="dialog">{views.find((view) => view.search === now)?.name ?? '视图'}</Button>
    </Popover>
  );
}

function withoutPage(search: string): string {
  const kept = new URLSearchParams(search);
  kept.delete('page');
  kept.sort();
  return kept.toString();
}
