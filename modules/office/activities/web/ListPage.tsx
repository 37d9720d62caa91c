import { Button } from 'antd';
import { useContext } from 'react';
import { Link } from 'react-router';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { activities as calls } from '../contract/activities.ts';
import type { ActivityRow } from '../contract/shapes.ts';
import { activityColumns, activityFilters } from './columns.tsx';

const tabs = { duty: '待办', owner: '我申报', worked: '已办', cc: '抄送', all: '全部' };
const none: Readonly<Record<string, string>> = {
  duty: '没有等待办理的审批；待总结的活动在“我申报”中',
  owner: '没有活动，可到“活动申报”填写',
};

/** 活动列表: waiting for me, declared by me, and all that I may see. */
export default function ActivityListPage() {
  const declares = useContext(PermissionContext)('/activity/declare').includes('Create');
  return (
    <ListPage<ActivityRow>
      card={['activity_status', 'start_time', 'dept_name']}
      name="activity/list"
      title="活动列表"
      call={calls.list}
      columns={activityColumns}
      filters={activityFilters}
      categories={Object.entries(tabs).map(([value, label]) => ({ value, label, empty: none[value] }))}
      primary={
        declares && (
          <Link to="/activity/declare">
            <Button type="primary">申报活动</Button>
          </Link>
        )
      }
      to={(row) => `/activity/detail/${row.id}`}
      empty={{ why: '还没有活动，可到“活动申报”填写' }}
    />
  );
}
