import { Button, Input, Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFinds } from '#kernel/web/kit/find/useSpelling.ts';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { favouriteKey } from '#modules/workflow/workflows/contract.ts';
import { lastStartedKey, mostLast, useEntries, type Entry } from './entries.ts';
import '../tickets.css';

type Key = Entry['key'];
const none: Key[] = [];

interface Props {
  /** Workflows only: the new ticket hangs below another. */
  plain: boolean;
  /** Address of a workflow's form. */
  formOf: (workflow: number) => string;
  onChoose: (workflow: number) => void;
}

/** Everything that can be started, by category: favourites first; the last started ones link to their forms. */
export function Launch({ plain, formOf, onChoose }: Props) {
  const { entries, error, retry } = useEntries(plain);
  const [favourites, mark] = usePreference<Key[]>(favouriteKey, none);
  const [last, keepLast] = usePreference<Key[]>(lastStartedKey, none);
  const [words, setWords] = useState('');
  const finds = useFinds(words);
  if (error) return <FailedState error={error} retry={retry} />;
  if (!entries) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const found = entries.filter((entry) => finds(entry.name, `${entry.about} ${entry.category}`));
  const groups = [...Map.groupBy(found, (entry) => entry.category)];
  const marked = found.filter(({ key }) => favourites.includes(key));
  if (marked.length > 0) groups.unshift(['收藏', marked]);
  const before = last.flatMap((key) => entries.find((entry) => entry.key === key && entry.why === '') ?? []);
  const note = ({ key }: Entry) => keepLast([key, ...last.filter((other) => other !== key)].slice(0, mostLast));
  const toggle = ({ key }: Entry) =>
    mark(favourites.includes(key) ? favourites.filter((other) => other !== key) : [...favourites, key]);
  return (
    <section className="kit-list" aria-label="发起">
      <header className="kit-row kit-list-head">
        <h1>发起</h1>
        <Input
          className="kit-search"
          type="search"
          allowClear
          placeholder="请输入关键字或拼音"
          aria-label="查找可发起的事项"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </header>
      {before.length > 0 && words.trim() === '' && (
        <nav className="kit-row start-last" aria-label="最近发起">
          <span className="kit-muted">最近发起</span>
          {before.map((entry) => (
            <Link key={entry.key} to={entry.to ?? formOf(Number(entry.key))} onClick={() => note(entry)}>
              {entry.name}
            </Link>
          ))}
        </nav>
      )}
      {groups.length === 0 && (
        <EmptyState why={words.trim() ? `没有符合“${words.trim()}”的事项，请更换关键字` : '还没有您可以发起的事项'} />
      )}
      {groups.map(([category, group]) => (
        <section key={category} aria-label={category}>
          <h2 className="start-group">{category}</h2>
          <ul className="start-cards">
            {group.map((entry) => (
              <Card
                key={entry.key}
                entry={entry}
                marked={favourites.includes(entry.key)}
                onNote={() => note(entry)}
                onChoose={() => onChoose(Number(entry.key))}
                onMark={() => toggle(entry)}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

interface CardProps {
  entry: Entry;
  marked: boolean;
  onNote: () => void;
  onChoose: () => void;
  onMark: () => void;
}

function Card({ entry: { name, about, why, to }, marked, onNote, onChoose, onMark }: CardProps) {
  const said = (
    <>
      <strong>{name}</strong>
      <span className="kit-muted">{why || about}</span>
    </>
  );
  return (
    <li className="kit-panel">
      {to && !why ? (
        <Link className="start-card" to={to} onClick={onNote}>
          {said}
        </Link>
      ) : (
        <button
          type="button"
          className="start-card"
          disabled={why !== ''}
          onClick={() => {
            onNote();
            onChoose();
          }}
        >
          {said}
        </button>
      )}
      <Button
        type="text"
        size="small"
        aria-pressed={marked}
        aria-label={`${marked ? '取消收藏' : '收藏'} ${name}`}
        onClick={onMark}
      >
        {marked ? '★' : '☆'}
      </Button>
    </li>
  );
}
