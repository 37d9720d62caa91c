import { Alert, Button } from 'antd';
import { minuteOf } from '../../show/Moment.tsx';
import type { useDraft } from '../draft.ts';

interface Props {
  draft: Pick<ReturnType<typeof useDraft>, 'found' | 'restore' | 'drop'>;
  onRestore: (values: Record<string, unknown>) => void;
}

/** Offers an earlier draft that was not sent. */
export function DraftFound({ draft: { found, restore, drop }, onRestore }: Props) {
  if (!found) return null;
  return (
    <Alert
      type="info"
      title={`有一份 ${minuteOf(found.at)} 未提交的草稿`}
      action={
        <>
          <Button size="small" onClick={() => onRestore(restore())}>
            恢复草稿
          </Button>
          <Button size="small" type="text" onClick={drop}>
            丢弃
          </Button>
        </>
      }
    />
  );
}
