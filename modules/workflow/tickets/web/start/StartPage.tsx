import { Button, Input, Skeleton, Tooltip } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { favouriteKey, workflows, type Workflow } from '#modules/workflow/workflows/contract.ts';
import { StartAgain } from './StartAgain.tsx';
import { StartForm } from './StartForm.tsx';
import '../tickets.css';

const none: number[] = [];

/** Chooses what to start, by category; then its form, under the same address so that it can be bookmarked. */
export default function StartPage() {
  const [search, setSearch] = useSearchParams();
  const chosen = Number(search.get('workflow'));
  const { workflow: _chosen, like: _like, ...place } = Object.fromEntries(search);
  const [above, at] = [Number(search.get('above')), Number(search.get('at'))];
  const below = above > 0 && at > 0 ? { parent_ticket_id: above, parent_ticket_state_id: at } : null;
  const like = Number(search.get('like')) || null;
  const onBack = () => setSearch(place);
  if (chosen > 0 && like !== null && !below)
    return <StartAgain key={`${chosen}:${like}`} workflow={chosen} like={like} onBack={onBack} />;
  if (chosen > 0) return <StartForm key={chosen} workflow={chosen} below={below} onBack={onBack} />;
  return <Choose onChoose={(id) => setSearch({ ...place, workflow: String(id) })} />;
}

function Choose({ onChoose }: { onChoose: (id: number) => void }) {
  const { data, error, refetch } = useCall(workflows.list, { query: { per_page: 100 } });
  const [favourites, save] = usePreference<number[]>(favouriteKey, none);
  const [words, setWords] = useState('');
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const wanted = words.trim().toLowerCase();
  const elsewhere = [...new Set(data.value.map((flow) => flow.module_name))].filter(Boolean);
  const found = data.value.filter(
    (flow) => flow.module === null && `${flow.name}${flow.description}${flow.category}`.toLowerCase().includes(wanted),
  );
  const starred = (flow: Workflow) => favourites.includes(flow.id);
  const groups = [...new Set(found.map((flow) => flow.category || '其他'))].map(
    (name) => [name, found.filter((flow) => (flow.category || '其他') === name)] as const,
  );
  const loved = found.filter(starred);
  if (loved.length > 0) groups.unshift(['收藏', loved]);
  const toggle = (flow: Workflow) =>
    save(starred(flow) ? favourites.filter((id) => id !== flow.id) : [...favourites, flow.id]);
  return (
    <section className="kit-list" aria-label="发起工单">
      <header className="kit-row kit-list-head">
        <h1>发起工单</h1>
        <Input
          className="kit-search"
          type="search"
          allowClear
          placeholder="请输入关键字"
          aria-label="查找流程"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </header>
      {groups.length === 0 && <EmptyState why={wanted ? `没有名称包含“${words}”的流程` : '还没有您可以发起的流程'} />}
      {groups.map(([name, flows]) => (
        <section key={name} aria-label={name}>
          <h2 className="start-group">{name}</h2>
          <ul className="start-cards">
            {flows.map((flow) => (
              <li key={flow.id} className="kit-panel">
                <Tooltip title={flow.why_not}>
                  <button type="button" disabled={!flow.can_start} onClick={() => onChoose(flow.id)}>
                    <strong>{flow.name}</strong>
                    <span className="kit-muted">{flow.why_not || flow.description}</span>
                  </button>
                </Tooltip>
                <Button
                  type="text"
                  size="small"
                  aria-pressed={starred(flow)}
                  aria-label={`${starred(flow) ? '取消收藏' : '收藏'} ${flow.name}`}
                  onClick={() => toggle(flow)}
                >
                  {starred(flow) ? '★' : '☆'}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {elsewhere.length > 0 && <p className="kit-muted">{elsewhere.join('、')}请到各自的页面发起</p>}
    </section>
  );
}
