import { send } from '#kernel/web/client.ts';
import { accounts } from '#modules/accounts/contract.ts';

/** Fetches a proof-of-work challenge and solves it: base64 of `{challenge, solution}`, as the server's verifier takes it. */
export async function solveFresh(): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Error('当前不是安全连接（HTTPS），无法完成安全校验，请稍后再试或联系管理员');
  const challenge = await send(accounts.challenge, {});
  const { algorithm } = challenge.parameters;
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    algorithm.startsWith('PBKDF2') ? import('altcha-lib/algorithms/pbkdf2') : import('altcha-lib/algorithms/sha'),
  ]);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('安全校验未完成，请重试');
  return btoa(JSON.stringify({ challenge, solution }));
}
