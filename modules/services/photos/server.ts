import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { treeHandlers } from '#kernel/server/tree/handlers.ts';
import { albumTree } from './albums/albums.ts';
import { albums } from './contract/albums.ts';
import { photoState } from './contract/codes.ts';
import { originals } from './contract/originals.ts';
import { photos } from './contract/photos.ts';
import { reviews, toggledBare } from './contract/reviews.ts';
import { photoStatistics } from './contract/statistics.ts';
import { zipped } from './download.ts';
import { contributors, counted, detail, listed, tags, wall } from './gallery/reading.ts';
import { requirePhoto } from './gallery/rows.ts';
import { askOriginal, decideOriginal, fetchOriginal, requests } from './originals.ts';
import { review } from './review/review.ts';
import { setSlot } from './review/slots.ts';
import { statistics } from './statistics.ts';
import { change, changeOne, like, remove, rotate, turnedFile, withdrawConsent } from './taking/change.ts';
import { create, createMany, withEach } from './taking/create.ts';

const tree = treeHandlers(albums, albumTree);
const acts = { 1: 'approve', 2: 'down', 3: 'return' } as const;

export const photoModules: readonly ServerModule[] = [
  implement('photos', albums, { ...tree, patch: tree.change }),
  implement('photos', { statistics: photoStatistics.call }, { statistics }),
  implement('photos', reviews, {
    review: ({ body }, context) => withEach(context.tx, body.ids, (id) => review(context, id, body)),
    async setState({ params: { id }, body: { state, ...body } }, context) {
      const wanted = state ?? ((await requirePhoto(context.tx, context.user, id)).state === photoState.shown ? 2 : 1);
      // A toggle carries no reason; a call with a state must have one.
      const reason = body.reason || (state === undefined ? toggledBare : '');
      return review(context, id, { ...body, reason, act: acts[wanted] });
    },
    top: ({ params, body }, context) => setSlot(context, params.id, 'top', body.top),
    com: ({ params, body }, context) => setSlot(context, params.id, 'com', body.com),
  }),
  implement('photos', originals, {
    list: requests,
    ask: ({ params, body }, context) => askOriginal(context, params.id, body),
    decide: ({ params, body }, context) => decideOriginal(context, params.id, body),
    fetch: ({ params }, context) => fetchOriginal(context, params.id),
  }),
  implement('photos', photos, {
    wall,
    list: listed,
    create: ({ body }, context) => create(context, body),
    createMany: ({ body }, context) => createMany(context, body),
    detail,
    change: ({ params: { id }, body: { withdraw, ...body } }, context) =>
      withdraw === undefined ? change(context, id, body) : withdrawConsent(context, id, withdraw),
    remove: ({ params }, context) => remove(context, params.id),
    changeMany: ({ body }, context) => withEach(context.tx, body.ids, (id) => changeOne(context, id, body)),
    like: ({ params, body }, context) => like(context, params.id, body.liked),
    rotate: staged(photos.rotate, {
      before: ({ params, body }, context) => turnedFile(context, params.id, body.quarters),
      run: ({ params, prepared }, context) => rotate(context, params.id, prepared),
    }),
    tags,
    count: counted,
    users: contributors,
    download: ({ body }, context) => zipped(context, body.ids),
  }),
];
