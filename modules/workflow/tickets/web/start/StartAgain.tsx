import { Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { tickets } from '../../contract.ts';
import { StartForm } from './StartForm.tsx';

interface Props {
  workflow: number;
  /** The ticket whose values are copied. */
  like: number;
  onBack: () => void;
}

/** A new ticket's form with the values of an earlier one. */
export function StartAgain({ workflow, like, onBack }: Props) {
  const { data, error, refetch } = useCall(tickets.copy, { params: { id: like } }, { refetchOnWindowFocus: false });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  return <StartForm workflow={workflow} below={null} begun={data} onBack={onBack} />;
}
