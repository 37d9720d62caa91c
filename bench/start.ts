import { shown, type Table } from './report.ts';
import { memoryOf, startServer } from './stage.ts';

const aim = 3000;

/** The server with its own database, started on existing data; nothing else may run on `dataDir`. */
export async function measureStart(dataDir: string, size: number, times: number): Promise<Table> {
  const rows: Table['rows'] = [];
  for (let count = 1; count <= times; count += 1) {
    const server = await startServer({ DATA_DIR: dataDir });
    const idle = memoryOf(server.pid);
    rows.push([`第 ${count} 次`, shown(server.readyAfter, 0), aim, idle === null ? null : shown(idle, 0)]);
    await server.stop();
  }
  return {
    name: 'start',
    title: '启动',
    about: `从启动进程到 /readyz 可用，含启动内置数据库（${shown(size)} 张工单）。`,
    columns: ['', '就绪 ms', '目标 ms', '空闲内存 MB'],
    rows,
  };
}
