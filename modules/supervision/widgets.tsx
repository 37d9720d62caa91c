import { Button } from 'antd';
import { useContext, useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { sources } from './contract/codes.ts';
import { items } from './contract/supervise.ts';
import { itemFields } from './web/parts/actions.tsx';

export interface RaiseProps {
  /** The record it comes from, and which of its decisions. */
  source: { module: keyof typeof modules | (string & {}); id: number; key?: string };
  title: string;
  content: string;
  dept?: number | null;
  owner?: number | null;
  /** `YYYY-MM-DD HH:mm` */
  due?: string | null;
  /** Key of the sources of an item. */
  kind?: keyof typeof sources;
}
const modules = { documents: 3, meetings: 2, contracts: 9, stamps: 6 } as const;
const asked = ['title', 'content', 'lead_dept', 'owner', 'due_at', 'requirement', 'leader', 'level'];

/** 转督办: makes a supervised item of a record, once; where there is one already it leads there. For who may make items. */
export function RaiseButton({ source, title, content, dept, owner, due, kind }: RaiseProps) {
  const codesAt = useContext(PermissionContext);
  const may = codesAt('/supervise/list').includes('Create');
  const [open, setOpen] = useState(false);
  const query = { source_module: source.module, source_id: source.id, per_page: 100 };
  const { data } = useCall(items.list, { query }, { enabled: may });
  if (!may || !data) return null;
  const known = data.value.find((row) => row.source_key === (source.key ?? ''));
  if (known) return <Link to={`/supervise/detail/${known.id}`}>已转督办 {known.sn}</Link>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>转督办</Button>
      <FormDrawer
        open={open}
        onClose={() => setOpen(false)}
        title={`转督办：${title}`}
        name={`supervise:raise:${source.module}:${source.id}:${source.key ?? ''}`}
        call={items.create}
        fields={itemFields().filter((field) => asked.includes(field.name))}
        initial={{
          title: title.slice(0, 120),
          content,
          lead_dept: dept,
          owner,
          due_at: due?.replace(' ', 'T'),
          level: 1,
        }}
        also={{ from: source, source: kind ?? modules[source.module as 'documents'] ?? 9 }}
        submit="转督办"
        onDone={() => setOpen(false)}
      />
    </>
  );
}
