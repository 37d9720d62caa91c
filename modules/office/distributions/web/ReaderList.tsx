import { StatePages } from '#kernel/web/kit/list/StatePages.tsx';
import { deviceName } from '#kernel/contract/words/device.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { distributions } from '../contract.ts';
import type { Reader } from '../contract/shapes.ts';
import { CopyState } from './columns.tsx';

const states = { 0: '未读', 1: '已读', 2: '已回复' };

/** All recipients, one page at a time. */
export function ReaderList({ id }: { id: number }) {
  return (
    <div className="kit-panel">
      <StatePages
        call={distributions.readers}
        id={id}
        states={states}
        title="接收人"
        heading={<h2 className="dist-heading">接收人</h2>}
        line={(reader) => <Line reader={reader} />}
      />
    </div>
  );
}

function Line({ reader }: { reader: Reader }) {
  const read = [reader.client && deviceName(reader.client), reader.urged_count > 0 && `催读 ${reader.urged_count} 次`]
    .filter(Boolean)
    .join(' · ');
  return (
    <li>
      <span className="dist-name">{reader.alias}</span>
      <span className="kit-muted">{reader.dept_name}</span>
      <span className="kit-grow" />
      <span className="kit-muted">{read}</span>
      {reader.read_time && <Moment at={reader.read_time} />}
      <CopyState state={reader.state} label={reader.state_name} />
      {reader.reply && <p className="dist-reply">{reader.reply}</p>}
    </li>
  );
}
