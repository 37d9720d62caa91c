import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Keeps secrets that must be read again (keys of applications, passwords of other servers) unreadable in the database. */
export interface SecretBox {
  /** Base64url of nonce, tag and ciphertext; a different text each time. */
  seal(text: string): string;
  /** Returns the text that was sealed. Throws a sentence for people if it was altered, emptied or sealed with another secret. */
  open(sealed: string): string;
  /** 64 hexadecimal digits, the same for the same text: used to find sealed values, and useless without the secret. */
  keyedHash(text: string): string;
}

/** A box whose key is derived from the server's secret: all nodes must share it. */
export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gongdan secret box', 32));
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'gongdan secret mark', 32));
  return {
    keyedHash: (text) => createHmac('sha256', hashKey).update(text, 'utf8').digest('hex'),
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        const hidden = bytes.subarray(nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
      } catch (error) {
        // People see this message in the lists of deliveries and of failed work.
        throw new Error('加密保存的内容无法读取：会话密钥已更换，或内容被改动，请重新填写', { cause: error });
      }
    },
  };
}
