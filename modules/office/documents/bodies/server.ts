import { absent } from '#kernel/contract/refusal.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { keepRead, readSent } from './known.ts';
import { bodyWay, documentBodies } from '../contract/files/body.ts';

/** Tells how a sent file will be set as a body, and what will be lost. */
export const documentBodiesModule = implement('documents', documentBodies, {
  read: staged(documentBodies.read, {
    async before({ body }, { read, user, services }) {
      const found = await readSent(services, read, { fileId: body.file, user, field: 'file' });
      if (!found) throw absent('文件');
      return found;
    },
    async run({ prepared }, { tx }) {
      await keepRead(tx, prepared);
      const { way, words, pages, losses } = prepared;
      const characters = words.replace(/\s/g, '').length;
      return { value: { way: way as 1, way_name: bodyWay.label(way), characters, pages, losses } };
    },
  }),
});
