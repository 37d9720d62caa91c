import { Button, Spin } from 'antd';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import type { StartedRow } from '#modules/platform/started/contract.ts';
import { registry } from '../pages.ts';

const acts = Object.fromEntries(Object.entries(registry.startedActs).map(([key, load]) => [key, later(load)]));
/** For tickets, and for other records decided by a ticket that have no actions of their own. */
const ofTickets = 'ticket';

/** The actions on an item that I started. They are queried when the menu is opened, because a list has many rows. */
export function RowActs({ row }: { row: StartedRow }) {
  const [open, setOpen] = useState(false);
  const Acts = acts[row.key] ?? (row.ticket ? acts[ofTickets] : undefined);
  const none = <span className="kit-muted">现在不能催办或撤回</span>;
  return (
    <>
      {Acts &&
        row.stands === 'running' &&
        (open ? (
          <Suspense fallback={<Spin size="small" />}>
            <Acts row={row} none={none} />
          </Suspense>
        ) : (
          <Button size="small" aria-label={`催办或撤回“${row.title}”`} onClick={() => setOpen(true)}>
            催办/撤回
          </Button>
        ))}
      {row.copy_path && (
        <Link to={row.copy_path}>
          <Button size="small">复制</Button>
        </Link>
      )}
    </>
  );
}
