import { styleText } from 'node:util';
import { momentText } from '#kernel/contract/moment.ts';
import type { DestinationStream } from 'pino';

interface Failure {
  message?: string;
  stack?: string;
  cause?: Failure;
}
interface Entry {
  level: number;
  time: number;
  msg: string;
  reqId?: string;
  call?: string;
  reason?: string;
  err?: Failure;
  [beside: string]: unknown;
}
/** The levels of the log library. */
const [warning, failure] = [40, 50];

/** Sentences for people at the terminal, by the messages that programs read. */
export const sentences: Readonly<Record<string, string>> = {
  'a chain of the logs is broken': '操作日志的校验链断开，日志可能被改动过，请运行 npm run verify',
  'a database connection was lost': '一个数据库连接断开，正在重连',
  'a page broke in the browser': '有人的页面出错',
  'another node keeps its files elsewhere: nothing is taken until all keep them in one place':
    '另一个节点的文件存放在别处，各节点改为同一处之前不接收文件',
  'all nodes keep their files in one place again': '各节点的文件已在同一处存放，恢复接收',
  'call failed': '一次操作出错',
  'clocks of node and database differ': '本机时钟与数据库时钟不一致，请校准',
  'database answers again: what is sent is saved': '数据库已恢复，可以保存',
  'database away: nothing can be saved, reads go to the replica if there is one':
    '数据库连接不上，暂时不能保存；有只读副本时可以查看',
  'content lost': '存储中没有一个文件的内容，请运行 npm run verify 查明，并从备份恢复',
  'database connection failed': '数据库连接出错',
  'acknowledged writes that this database does not have are listed in the file':
    '有已答复的操作不在现在的数据库里，清单在数据目录的 lost-writes 文件中，请逐项核对',
  'acknowledged writes could not be compared with the database': '已答复的操作未能与数据库核对',
  'database of an older history: nothing is written to it':
    '数据库的内容比本系统最后见过的旧，只能查看、不能保存，请运行 npm run doctor',
  'did not stop cleanly': '停止时出错',
  'editor not found': '找不到在线编辑服务',
  'file not kept': '文件没有存下来',
  'job failed': '一项后台任务出错，稍后重试',
  'monitoring ended': '监控线程出错退出',
  'monitoring: not written': '监控结果没有写入',
  'monitoring: our own network': '监控：本机网络的状态有变化',
  'no provider of text messages is set': '没有设置短信服务商，短信未发出',
  'no receipt of a text message': '查询短信回执出错',
  'nobody told': '监控的提醒没有发出',
  'not started': '一个定时发起的工单没有发起',
  'office file not converted': '办公文件没有转换成功，不能预览',
  'pdf not marked': 'PDF 没有加上水印',
  'periodic job failed': '一项定期任务出错，下次再试',
  'periodic job waits: others hold its rows': '一项定期任务在等待其他操作结束',
  'process answers': '一个工作进程已就绪',
  'process ended by itself': '一个工作进程意外退出，正在重新启动',
  'refused, and not written down': '一次拒绝没有记入日志',
  'replica answers again': '只读副本已恢复',
  'replica lost: reads go to the primary': '只读副本连接不上，改读主库',
  'request failed': '一次请求出错',
  'session not prolonged': '登录状态没有延长',
  'sign-on not vouched for': '一次单点登录没有通过',
  sockets: '实时连接出错',
  stopping: '正在停止……',
  'store does not answer': '文件存储没有响应',
  'the mark of another node was not looked for': '没有检查其他节点的文件存放处',
  'the pages are not built, only calls are answered: npm run build': '网页没有构建，请运行 npm run build',
  'this Node release has a known hole': '所用的 Node 版本有已知漏洞',
  'ticket left as it is': '一张工单没有自动处理，请在流程监控中查看',
  'too busy for a call': '系统繁忙，一次操作没有受理',
  'virus scan failed': '文件查毒出错',
};

/** The log at a terminal: one sentence for each line; calls without a fault are left out. */
export const terminal: DestinationStream = {
  write(line) {
    const said = lineOf(JSON.parse(line) as Entry);
    if (said !== null) process.stdout.write(`${said}\n`);
  },
};

/** The lines for an entry of the log, with the place of a failure; null for an entry that does not interest people. */
export function lineOf({
  level,
  time,
  msg,
  reqId,
  call,
  reason,
  err,
  pid: _pid,
  hostname: _host,
  ...beside
}: Entry): string | null {
  // Messages of libraries are in English.
  const ours = Object.hasOwn(sentences, msg) || /\p{Script=Han}/u.test(msg);
  if (level < warning && (call !== undefined || !ours)) return null;
  const [word, colour] =
    level >= failure ? ['错误', 'red' as const] : level >= warning ? ['提醒', 'yellow' as const] : [];
  const why = reason ?? rootOf(err)?.message?.split('\n')[0];
  const said = [sentences[msg] ?? msg, call, why].filter(Boolean).join('：');
  const fields =
    level < warning ? [] : Object.entries(beside).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const tail = [...fields, ...(reqId !== undefined && level >= warning ? [`问题编号 ${reqId}`] : [])].join('，');
  const clock = momentText(new Date(time)).slice(11);
  const line = `  ${styleText('dim', clock)} ${word ? `${styleText(colour!, word)} ` : ''}${said}${tail && `（${tail}）`}`;
  return level >= failure && err?.stack ? `${line}\n${styleText('dim', err.stack)}` : line;
}

/** The root cause of a failure: a failed statement contains the statement, and its cause the reason. */
const rootOf = (err: Failure | undefined): Failure | undefined => (err?.cause ? rootOf(err.cause) : err);
