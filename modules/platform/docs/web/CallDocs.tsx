import { Collapse, Input, Skeleton, Tag } from 'antd';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { docs, type Operation } from '../contract.ts';

interface Entry {
  method: string;
  path: string;
  operation: Operation;
  /** The text that is searched, in lower case. */
  text: string;
}
const colours: Record<string, string> = { get: 'blue', post: 'green', put: 'orange', patch: 'gold', delete: 'red' };

/** Every call of this server, to search and to read. */
export default function CallDocs() {
  const { data, error, refetch } = useCall(docs.openapi, {}, { staleTime: Infinity });
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const entries = useMemo(() => (data ? entriesOf(data) : []), [data]);
  const found = wanted
    ? entries.filter((entry) => wanted.split(/\s+/).every((word) => entry.text.includes(word)))
    : entries;
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  return (
    <section className="kit-list" aria-label="接口文档">
      <header className="kit-row kit-list-head">
        <div>
          <h1>接口文档</h1>
          <p className="kit-muted">
            {data.info.title} {data.info.version}，OpenAPI {data.openapi}，共 {entries.length} 个接口
          </p>
        </div>
      </header>
      <Input
        allowClear
        aria-label="搜索接口"
        placeholder="搜索路径、说明、权限"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {found.length === 0 ? (
        <EmptyState why="没有符合条件的接口，可换个关键字" />
      ) : (
        <Collapse
          items={found.map((entry) => ({
            key: `${entry.method} ${entry.path}`,
            label: <Headline of={entry} />,
            children: <Details of={entry.operation} />,
          }))}
        />
      )}
    </section>
  );
}

function Headline({ of: { method, path, operation } }: { of: Entry }) {
  return (
    // Paths and permissions have no natural place for a line break.
    <span className="kit-row" style={{ overflowWrap: 'anywhere' }}>
      <Tag color={colours[method]}>{method.toUpperCase()}</Tag>
      <code>{path}</code>
      <span>{operation.summary}</span>
      <span className="kit-muted">{operation.description}</span>
    </span>
  );
}

function Details({ of: { parameters, requestBody, responses } }: { of: Operation }) {
  const parts: [string, unknown][] = [
    ['参数', parameters.length > 0 ? parameters : undefined],
    ['提交', requestBody],
    ['答复', responses],
  ];
  return (
    <div className="kit-stack">
      {parts.map(
        ([title, part]) =>
          part !== undefined && (
            <section key={title}>
              <h3>{title}</h3>
              <pre tabIndex={0} style={{ overflowX: 'auto' }}>
                {JSON.stringify(part, null, 2)}
              </pre>
            </section>
          ),
      )}
    </div>
  );
}

function entriesOf(document: ReplyOf<typeof docs.openapi>): Entry[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method,
      path,
      operation,
      text: [method, path, operation.summary, operation.description, ...operation.tags].join(' ').toLowerCase(),
    })),
  );
}
