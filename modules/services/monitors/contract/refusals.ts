import { codes, refusal } from '#kernel/contract/refusal.ts';

export const wrongTarget = refusal(
  codes.refused,
  (target: string, example: string) => `监测目标“${target.slice(0, 100)}”不正确，请填写如 ${example}`,
);
/** The port of an address (`host:port`, or an http address) if it is invalid; null otherwise. */
export function noSuchPort(address: string): string | null {
  const port = /^(?:https?:\/\/)?(?:\[[^\]]*\]|[^\s:/@?#[\]]+):(\d+)(?:[/?#]|$)/i.exec(address)?.[1];
  return port !== undefined && (Number(port) < 1 || Number(port) > 65_535) ? port : null;
}
export const portOut = (port: string): string => `端口 ${port.slice(0, 20)} 不在 1–65535 之间`;
export const wrongPort = refusal(
  codes.refused,
  (target: string, port: string) => `监测目标“${target.slice(0, 100)}”的${portOut(port)}，请修改后再保存`,
);
export const wrongSetting = refusal(codes.refused, (said: string) => said);
export const notWatched = refusal(codes.refused, (name: string) => `项目“${name}”还没有设置监测，请先填写监测设置`);
export const noPing = refusal(codes.refused, () => '服务器没有 fping 程序，不能使用 Ping，请改用 TCP 端口');
export const claimedBefore = refusal(
  codes.refused,
  (by: string, at: string) => `该异常已由${by}于 ${at} 认领，无需再次认领`,
);
export const overBefore = refusal(codes.notNow, (at: string) => `该异常已于 ${at} 恢复，无需认领`);
export const stillDown = refusal(codes.notNow, () => '该异常还没有恢复，请在恢复后填写处理结果，或先停止监测');
export const neverLooked = refusal(codes.refused, (month: string) => `${month} 还没有监测数据，请选择有监测的月份`);
export const monthNotOver = refusal(codes.notNow, (month: string) => `${month} 还没有结束，请在下月核对服务月报`);
export const reportStands = refusal(codes.refused, (month: string) => `${month} 的服务月报已经核对，不能再改`);
export const pageClosed = refusal(codes.notNow, () => '状态页没有开放，请先开放再选择项目');
export const notOnPage = refusal(
  codes.refused,
  (ids: readonly number[]) => `项目（编号 ${ids.join('、')}）不属于该客户或没有监测，请重新选择`,
);
export const noOrders = refusal(codes.notNow, () => '还没有启用的故障类别，不能转报修，请先在报修设置中添加');
export const orderedBefore = refusal(codes.refused, (what: string) => `该异常已转为${what}，请到那里办理`);
export const reasonWanted = refusal(codes.refused, () => '不计入统计的，请在备注里写明原因');
