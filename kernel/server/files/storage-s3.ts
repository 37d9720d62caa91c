import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Readable } from 'node:stream';
import { checkKey, type Store } from './storage.ts';

export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

const partSize = 8 * 2 ** 20;
/** Milliseconds until a store must begin its answer; within an answer either side may be silent for twice as long. */
const patience = 30_000;
/** A download holds its connection until its reader has the last byte. There are many of them, and they must not keep other work waiting. */
const readersAtMost = 2000;

/** Any S3-compatible store; its bucket exists already and belongs to this product alone. */
export function createS3Store(place: S3Place, { patienceMs = patience } = {}): Store {
  const { bucket: Bucket } = place;
  const client = clientOf(place, patienceMs, 50);
  const reader = clientOf(place, patienceMs, readersAtMost);
  const at = (key: string) => ({ Bucket, Key: checkKey(key) });
  return {
    async put(key, content) {
      // The library waits for ever on a stream that failed before it began to read.
      const upload = new Upload({ client, params: { ...at(key), Body: content }, partSize, queueSize: 2 });
      const failed = new Promise<never>((_resolve, reject) => content.once('error', reject));
      try {
        await Promise.race([upload.done(), failed]);
      } catch (error) {
        content.destroy();
        await upload.abort().catch(() => undefined);
        throw error;
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const found = await reader.send(new GetObjectCommand({ ...at(key), Range })).catch(notThere);
      return found ? (found.Body as Readable) : null;
    },
    async size(key) {
      const found = await client.send(new HeadObjectCommand(at(key))).catch(notThere);
      return found?.ContentLength ?? null;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
    async list(folder) {
      const keys: string[] = [];
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${checkKey(folder)}/` }))
        for (const one of page.Contents ?? []) if (one.Key) keys.push(one.Key);
      return keys;
    },
  };
}

function clientOf(place: S3Place, patienceMs: number, maxSockets: number): S3Client {
  return new S3Client({
    endpoint: place.endpoint,
    region: place.region,
    credentials: { accessKeyId: place.accessKey, secretAccessKey: place.secretKey },
    // Stores other than Amazon's are addressed by path and often know no trailing checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: patienceMs,
      throwOnRequestTimeout: true,
      socketTimeout: 2 * patienceMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

const notThere = (error: unknown): null => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404) return null;
  throw error;
};
