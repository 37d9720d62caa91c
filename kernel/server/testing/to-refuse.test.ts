import { expect, test } from 'vitest';
import { codes, refusal, type Refusal } from '#kernel/contract/refusal.ts';

interface Period {
  from: string;
  to: string;
  days: number;
}
const late = refusal(
  codes.refused,
  (name: string, { from, to }: Period, others: readonly Period[]) =>
    `“${name}”在 ${from.slice(0, 10)} 到 ${to.slice(0, 10)} 已被占用，可改为 ${others.map((one) => one.from).join('、')}`,
);
const other = refusal(codes.refused, (name: string) => `“${name}”不存在`);
const answered = ({ code, message }: Refusal) => ({ code: code as number, msg: message });
const period = { from: '2026-12-01 09:00:00', to: '2026-12-02 10:00:00', days: 2 };
const answer = answered(late('会议室', period, [{ ...period, from: '2026-12-03' }]));

test('a refusal matches by its kind, whatever its values are, also objects and lists', () => {
  expect(answer).toRefuse(late);
  expect(answer).not.toRefuse(other);
  expect(answered(other('会议室'))).not.toRefuse(late);
});

test('an expected object matches if its given properties do', () => {
  expect(answer).toRefuse(late, '会议室', { from: '2026-12-01' }, [{ ...period, from: '2026-12-03' }]);
  expect(answer).not.toRefuse(late, '会议室', { from: '2026-12-05' }, [{ ...period, from: '2026-12-03' }]);
  expect(answer).not.toRefuse(late, '会议室', {}, [period]);
});
