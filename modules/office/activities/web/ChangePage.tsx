import { Skeleton } from 'antd';
import { Navigate, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { activityCalls } from '../contract/activities.ts';

/** A change is read and decided on the page of its activity. */
export default function ChangePage() {
  const { data, error } = useCall(activityCalls.changeOf, { params: { id: Number(useParams()['id']) } });
  if (error) return <FailedState error={error} />;
  return data ? (
    <Navigate replace to={`/activity/detail/${data.activity_id}`} />
  ) : (
    <Skeleton active className="kit-panel" />
  );
}
