import { PaperFigures } from './PaperFigures.tsx';

/** How many papers there are, how far they are read, and what was looked for in vain. */
export default function StatisticsPage() {
  return (
    <section className="kit-list" aria-label="阅读统计">
      <header>
        <h1>阅读统计</h1>
        <p className="kit-muted">您管理的制度文件；搜索未找到的词不记录是谁搜的</p>
      </header>
      <PaperFigures by="must_read" title="必读文件的确认率" none="没有现行的必读文件" />
      <PaperFigures by="overdue" title="逾期未确认，按部门" none="没有逾期未确认的人员" />
      <PaperFigures by="miss" title="搜索最多而没有找到的词，近 90 天" none="近 90 天没有搜索落空" />
      <PaperFigures by="expired" title="已过失效日期的文件" none="没有已过失效日期的文件" />
      <PaperFigures by="category" title="各分类文件" none="还没有制度文件" />
      <PaperFigures by="dept" title="各部门文件" none="还没有制度文件" />
      <PaperFigures by="status" title="各状态文件" none="还没有制度文件" />
    </section>
  );
}
