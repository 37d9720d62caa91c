import { Button, Input, Skeleton } from 'antd';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { folders } from '../contract.ts';
import type { Paper } from '../contract/list.ts';
import { paperStatus } from '../contract/list.ts';
import { flat, Marks, paperColumns, PaperStatus, usePaperFilters } from './columns.tsx';
import './folders.css';

const inForce = '1';

/** The reading page: sections at first; with a category, a word or all, a list. */
export default function HomePage() {
  const [address] = useSearchParams();
  return address.size > 0 ? <Browse /> : <Sections />;
}

const toConfirm: ListFilter = {
  key: 'to_confirm',
  kind: 'select',
  often: true,
  options: [{ value: 'true', label: '待我确认' }],
};

function Browse() {
  const go = useNavigate();
  return (
    <ListPage<Paper>
      card={['must_read', 'category_name', 'publish_date']}
      name="folder/index"
      title="查找制度文件"
      purpose="按分类、部门、发文字号或正文中的字词查找"
      call={folders.papers}
      columns={paperColumns}
      filters={[...usePaperFilters(), toConfirm]}
      primary={<Button onClick={() => go('/folder/index')}>返回制度首页</Button>}
      to={(row) => `/folder/detail/${row.id}`}
      empty={{ why: '还没有您可以阅读的文件' }}
    />
  );
}

function Sections() {
  const go = useNavigate();
  const { data, error, refetch } = useCall(folders.index, {}, { refetchOnWindowFocus: true });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  const find = (search: Record<string, string>) =>
    go(`/folder/index?${new URLSearchParams({ ...search, status: inForce }).toString()}`);
  return (
    <section className="kit-list" aria-label="制度首页">
      <header className="kit-row kit-list-head">
        <div>
          <h1>制度首页</h1>
          <p className="kit-muted">现行有效的制度文件，必读的排在前面</p>
        </div>
      </header>
      <div className="kit-row kit-tools">
        <Input
          type="search"
          className="kit-search"
          aria-label="搜索制度文件"
          placeholder="标题、发文字号、正文中的字词，按回车查找"
          onPressEnter={({ currentTarget }) => {
            const text = currentTarget.value.trim();
            if (text) void find({ search_value: text });
          }}
        />
        <Button onClick={() => void find({})}>全部文件</Button>
      </div>
      {data ? (
        <div className="folder-shelves">
          {data.must_read.length > 0 && (
            <Section title={`必读，待确认 ${data.must_read.length} 份`} papers={data.must_read} none="" wide />
          )}
          <Section title="最新发布" papers={data.latest} none="还没有您可以阅读的文件" />
          <Section title="阅读最多" papers={data.hot} none="还没有人阅读" />
          <section className="kit-panel" aria-label="分类">
            <h2>分类</h2>
            <ul className="folder-tree">
              {flat(data.categories).map(({ node, level }) => (
                <li key={node.id} data-level={level}>
                  <button type="button" className="kit-link" onClick={() => void find({ category: String(node.id) })}>
                    {node.name}
                  </button>
                  <span className="kit-muted kit-figures">{node.count}</span>
                </li>
              ))}
            </ul>
          </section>
          <Section title="我的收藏" papers={data.my_collect} none="阅读文件时点“收藏”，就会出现在这里" />
        </div>
      ) : (
        <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />
      )}
    </section>
  );
}

function Section({
  title,
  papers,
  none,
  wide,
}: {
  title: string;
  papers: readonly Paper[];
  none: string;
  wide?: boolean;
}) {
  return (
    <section className="kit-panel" aria-label={title} data-wide={wide}>
      <h2>{title}</h2>
      {papers.length === 0 && <p className="kit-muted">{none}</p>}
      <ul className="folder-section">
        {papers.map((paper) => (
          <li key={paper.id}>
            <Link to={`/folder/detail/${paper.id}`}>{paper.title}</Link>
            <Marks paper={paper} />
            {paper.status !== paperStatus.inForce && <PaperStatus status={paper.status} />}
            <span className="kit-muted kit-grow">{paper.fwh}</span>
            <span className="kit-muted kit-figures">
              {paper.to_confirm && paper.read_deadline ? `请于 ${paper.read_deadline} 前确认` : paper.publish_date}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
