import nzh from 'nzh/cn';
import { fenOf } from './money.ts';

const digits = '零壹贰叁肆伍陆柒捌玖';

/**
 * Writes an amount in Chinese capitals (支付结算办法，附一): `人民币壹万元零壹角整`. 整 follows yuan and jiao, never fen; 零 stands between yuan and a jiao or fen that
 * does not follow directly: where the yuan end in 0, or there is no jiao.
 */
export function capitals(amount: number): string {
  const fen = fenOf(amount);
  const yuan = Math.floor(fen / 100);
  const [jiao, rest] = [Math.floor(fen / 10) % 10, fen % 10];
  const whole = yuan === 0 ? '' : `${nzh.encodeB(String(yuan))}元`;
  if (jiao === 0 && rest === 0) return `人民币${whole || '零元'}整`;
  const gap = whole !== '' && (yuan % 10 === 0 || jiao === 0) ? '零' : '';
  const tail = [jiao === 0 ? '' : `${digits[jiao]}角`, rest === 0 ? '整' : `${digits[rest]}分`];
  return `人民币${whole}${gap}${tail.join('')}`;
}
