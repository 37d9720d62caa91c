import { and, eq } from 'drizzle-orm';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import { proveOwner } from '#modules/platform/accounts/service.ts';
import { filesById, type FileStore } from '#modules/platform/files/service.ts';
import { recordHandlers, type RecordViewer } from '#modules/workflow/records/service.ts';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { applicationCalls } from '../contract/applications.ts';
import { lineState } from '../contract/codes.ts';
import { proofMissing, wrongProof } from '../contract/refusals.ts';
import { stampStatus } from '../contract/seal-codes.ts';
import { appoint, cancel, handIn, takeBack } from '../desk/ends.ts';
import { open } from '../desk/opening.ts';
import { askSecond, confirm, refuse, seal } from '../desk/sealing.ts';
import type { Look } from '../files/blanks.ts';
import { lookInto } from '../files/look.ts';
import { askLonger, bringBack, decideLonger, handOver } from '../loans/loans.ts';
import { ofSeals } from '../custody/keeper.ts';

import { ownedBy } from '../seals/visibility.ts';
import { slotsOf } from '../slots/slots.ts';
import { offerFor, sourceShown } from '../sources/offer.ts';
import { stampTable } from '../tables/seals.ts';
import { calendarShown, counts, detailShown, narrowed, rowsShown } from './reading.ts';
import { applications, withLine, type Stored } from './record.ts';
import { sheetOf } from './sheet.ts';
import { columnsOf, writeBeside } from './writing.ts';

interface Services {
  fileStore: FileStore;
  attempts: Attempts;
  publicUrl(): string | null;
}
type Looks = ReadonlyMap<number, Look | null>;

export function applicationModule(services: Services): ServerModule {
  const { fileStore } = services;
  const shown = {
    row: (tx: Db, rows: readonly Stored[], { user }: RecordViewer) => rowsShown(tx, rows, user),
    list: narrowed,
  };
  const handlersWith = (looks: Looks) =>
    recordHandlers(applicationCalls, applications, {
      ...shown,
      check: columnsOf,
      beside: (tx, row, input, viewer) => writeBeside(tx, row, input, viewer.user, looks),
      detail: (tx, row, viewer) => detailShown(tx, row, viewer.user, services.publicUrl()),
    });
  /** Handlers for the seals of the departments that the user heads. */
  const ofDepts = recordHandlers(applicationCalls, applications, {
    ...shown,
    list(query, tx, user) {
      const { where, ...rest } = narrowed(query, tx, user);
      return { ...rest, where: and(where, withLine(ofSeals(ownedBy(user.id)))) };
    },
  });
  /** Inspects the uploaded files before the transaction begins. */
  const writing = (name: 'create' | 'update' | 'again') =>
    staged(applicationCalls[name], {
      async before({ body }, { read, user }) {
        // An application for a record inspects the record's own files.
        const files = body.source ? (await offerFor(read, user!, body.source))?.files : body.files;
        return lookInto(fileStore, read, user!.id, files ?? []);
      },
      run: (input, context) => (handlersWith(input.prepared)[name] as (...asked: unknown[]) => never)(input, context),
    });

  return implement('stamps', applicationCalls, {
    ...handlersWith(new Map()),
    create: writing('create'),
    update: writing('update'),
    again: writing('again'),
    deptApplications: ofDepts.list,
    counts: ({ query }, { tx, user }) => counts(tx, user, query.brief),
    source: ({ query }, { tx, user }) => sourceShown(tx, user, query),
    look: staged(applicationCalls.look, {
      async before({ query }, { read, user }) {
        const file = (await filesById(read, [query.file])).get(query.file);
        if (file?.uploader_id !== user.id) throw absent('文件');
        return (await lookInto(fileStore, read, user.id, [query.file])).get(query.file) ?? null;
      },
      run: ({ prepared }) => prepared ?? { pages: null, blanks: null },
    }),
    async slots({ params, query }, { tx, now }) {
      const [stamp] = await tx.select().from(stampTable).where(eq(stampTable.id, params.id));
      if (!stamp) throw absent('印章');
      const from = query.from ?? dayOf(now);
      const wanted = query.to ?? dayAfter(from, 13);
      const last = dayAfter(from, 60);
      if (wanted < from) return { value: [] };
      const value = await slotsOf(tx, stamp, from, wanted < last ? wanted : last, now);
      if (stamp.status === stampStatus.inUse || stamp.status === stampStatus.out) return { value };
      const why = `印章已${stampStatus.label(stamp.status)}`;
      return { value: value.map((slot) => ({ ...slot, left: 0, why })) };
    },
    calendar: ({ query }, { tx, user }) => calendarShown(tx, user, query),
    async appoint({ params, body }, context) {
      const stamps = body.lines.map((line) => line.stamp_id);
      return appoint(await open(context, params.id, stamps), body);
    },
    async handle({ params, body }, context) {
      const opened = await open(context, params.id, body.stamp_ids);
      return { seal, hand_over: handOver, return: bringBack }[body.kind](opened, body);
    },
    confirm: staged(applicationCalls.confirm, {
      async before({ body }, { read, user }) {
        if (!body.password && !body.code) throw proofMissing();
        if (body.password) await proveOwner(services, read, user, body.password, wrongProof);
        return Boolean(body.password);
      },
      async run({ params, body, prepared }, context) {
        return confirm(await open(context, params.id, body.stamp_ids), { code: body.code, proven: prepared });
      },
    }),
    async askSecond({ params, body }, context) {
      return askSecond(await open(context, params.id, body.stamp_ids));
    },
    async refuse({ params, body }, context) {
      const opened = await open(context, params.id, body.stamp_ids);
      const mine = opened.lines.filter((line) => line.keeper === context.user.id && line.state === lineState.ready);
      return refuse(body.stamp_ids ? opened : { ...opened, lines: mine }, body);
    },
    async cancel({ params, body }, context) {
      return cancel(await open(context, params.id), body.reason);
    },
    async copy({ params, body }, context) {
      return handIn(await open(context, params.id), body.files);
    },
    async takeBack({ params, body }, context) {
      return takeBack(await open(context, params.id), body);
    },
    async extend({ params, body }, context) {
      return askLonger(await open(context, params.id, body.stamp_id === undefined ? undefined : [body.stamp_id]), body);
    },
    async decideExtension({ params, body }, context) {
      return decideLonger(
        await open(context, params.id, body.stamp_id === undefined ? undefined : [body.stamp_id]),
        body,
      );
    },
    sheet: staged(applicationCalls.sheet, {
      async before({ params }, { read, user }) {
        const viewer = await applications.viewerOf(read, user);
        const row = await applications.requireVisible(read, viewer, params.id);
        return processingSheetPdf(await sheetOf(read, fileStore, row, services.publicUrl() ?? '', user.id), user.id);
      },
      run: ({ prepared }) => ({ type: 'application/pdf', bytes: prepared, size: prepared.length }),
    }),
  });
}
