import { hkdfSync } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';

/** The rights of an access token: one file, for one person's session, for some minutes. */
export interface Pass {
  fileId: number;
  userId: number;
  sessionId: number;
  write: boolean;
}
/** An issued pass with its time. */
export interface GivenPass extends Pass {
  made: Date;
}
export interface Passes {
  /** `ends` in milliseconds since 1970, as the protocol's `access_token_ttl` requires. */
  make(pass: Pass, now: Date): { token: string; ends: number };
  /** Null if it is forged, for another purpose or too old. */
  read(token: string, now: Date): GivenPass | null;
}

/** Minutes an access token is valid; the page fetches a new one before. */
export const passMinutes = 60;
const audience = 'wopi';

interface Claims {
  file: number;
  sub: string;
  sid: number;
  write: boolean;
  exp: number;
}

export function createPasses(secret: string): Passes {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'wopi access token', 32));
  const sign = createSigner({ key, algorithm: 'HS256', aud: audience });
  const verify = createVerifier({
    key,
    algorithms: ['HS256'],
    allowedAud: audience,
    requiredClaims: ['file', 'sub', 'sid', 'write', 'exp', 'aud'],
    // Checked below by the request's clock.
    ignoreExpiration: true,
  });
  return {
    make({ fileId, userId, sessionId, write }, now) {
      const exp = Math.floor(now.getTime() / 1000) + passMinutes * 60;
      const claims: Claims = { file: fileId, sub: String(userId), sid: sessionId, write, exp };
      return { token: sign(claims), ends: exp * 1000 };
    },
    read(token, now) {
      const claims = claimsIn(verify, token);
      if (!claims || claims.exp * 1000 <= now.getTime()) return null;
      const made = new Date((claims.exp - passMinutes * 60) * 1000);
      return { fileId: claims.file, userId: Number(claims.sub), sessionId: claims.sid, write: claims.write, made };
    },
  };
}

function claimsIn(verify: (token: string) => unknown, token: string): Claims | null {
  try {
    return verify(token) as Claims;
  } catch {
    return null;
  }
}
