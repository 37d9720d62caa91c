import { App, Button, Input, List, Skeleton, Tag } from 'antd';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { Pager } from '#kernel/web/kit/list/Pager.tsx';
import { members } from '../../contract/members.ts';
import { PersonPicker } from '../picking/PersonPicker.tsx';

const invalidates = ['accounts', 'oauth'];

/** The members of a role: search, add, remove. The buttons need `Update` on their page. */
export function RoleMembers({ roleId }: { roleId: number }) {
  const { message } = App.useApp();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number[]>([]);
  const [until, setUntil] = useState('');
  const { data, error, refetch } = useCall(
    members.list,
    { params: { id: roleId }, query: { search_value: search, page } },
    { placeholderData: keepPreviousData },
  );
  const adding = useSend(members.add, {
    invalidates,
    onSuccess: ({ added }, { body }) => {
      setChosen([]);
      setUntil('');
      const before = body.user_ids.length - added;
      const kept = `${before} 人已是成员，期限不变`;
      if (added === 0) void message.warning(`所选 ${kept}`);
      else void message.success(`已添加 ${added} 人，须重新登录后生效${before > 0 ? `；另有 ${kept}` : ''}`);
    },
  });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  return (
    <section className="kit-stack" aria-label="角色成员">
      <WithCode code="Update">
        <div className="kit-row">
          <label className="kit-row">
            到期日期
            <Input
              type="date"
              style={{ width: 150 }}
              value={until}
              onChange={(event) => setUntil(event.target.value)}
            />
          </label>
          <span className="kit-muted">填写后到这一天为止，次日自动移除并通知本人；不填则长期有效</span>
        </div>
        <div className="kit-row">
          <div className="kit-grow">
            <PersonPicker by="id" multiple value={chosen} onChange={setChosen} placeholder="输入姓名或拼音添加成员" />
          </div>
          <Button
            type="primary"
            disabled={chosen.length === 0}
            loading={adding.isPending}
            onClick={() =>
              adding.mutate({ params: { id: roleId }, body: { user_ids: chosen, ...(until && { until }) } })
            }
          >
            添加成员
          </Button>
        </div>
      </WithCode>
      <SearchBox
        label="搜索成员"
        value={search}
        onSearch={(text) => {
          setSearch(text);
          setPage(1);
        }}
      />
      <List
        dataSource={data.value}
        locale={{ emptyText: <EmptyState why={search ? '没有符合条件的成员' : '该角色还没有成员'} /> }}
        renderItem={(person) => (
          <List.Item
            actions={[
              <CallButton
                key="remove"
                call={members.remove}
                asked={{ params: { id: roleId, userId: person.id } }}
                allowed={person.actions.includes('remove')}
                invalidates={invalidates}
                size="small"
                danger
                confirm={{ title: `移除“${person.alias}”`, content: '该用户将失去该角色的权限，须重新登录' }}
              >
                移除
              </CallButton>,
            ]}
          >
            <List.Item.Meta
              title={
                <>
                  {person.alias} {!person.is_active && <Tag>已停用</Tag>}
                </>
              }
              description={[person.username, person.dept_name, person.until && `至 ${person.until}`]
                .filter(Boolean)
                .join(' · ')}
            />
          </List.Item>
        )}
      />
      {data.total > data.per_page && (
        <Pager size="small" current={data.page} pageSize={data.per_page} total={data.total} onChange={setPage} />
      )}
    </section>
  );
}
