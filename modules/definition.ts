import type { SQL } from 'drizzle-orm';
import type { Call } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Ports, ServerModule } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Services } from '#kernel/server/services.ts';
import type { MenuSeed } from './access/seed.ts';
import type { Holders } from './access/service.ts';
import type { Albums } from './activities/service.ts';
import type { Identity, SendCode } from './accounts/service.ts';
import type { ChannelAdapters } from './deliveries/service.ts';
import type { DraftDocument, Opening, PaperKeeper } from './documents/service.ts';
import type { Feeds } from './feeds/service.ts';
import type { FileStore, Owners, Signer } from './files/service.ts';
import type { LinkModule } from './links/service.ts';
import type { Leaves } from './people/service/leaves.ts';
import type { AwayNow } from './people/service/cards.ts';
import type { Powers } from './people/service/powers.ts';
import type { Followed, OnDuty } from './leaders/service.ts';
import type { Occupants } from './rooms/service.ts';
import type { Settings } from './settings/service.ts';
import type { Stampables } from './stamps/service.ts';
import type { RecordModule, SecretTickets } from './tickets/service.ts';
import type { Keeping } from './tokens/service.ts';
import type { VerifiedRecords } from './verification/service.ts';
import type { Waits } from './waits/service.ts';
import type { Hosting } from './wopi/service.ts';
import type { Running } from './workflows/service.ts';

/** What modules share, beyond what the kernel brings. */
declare module '#kernel/server/services.ts' {
  interface Services {
    identity: Identity;
    settings: Settings;
    sendCode: SendCode;
    /** Whether a code by text message reaches anybody. */
    codesLeave(): Promise<boolean>;
    identifySigned: Ports['identifySigned'];
    identifyByToken: Ports['identifyByToken'];
    hosting: Hosting;
    signer: Signer;
    fileStore: FileStore;
    adapters: ChannelAdapters;
    product: Product;
  }
}
export type { Services };

/** What of a department's is still under way, as `(id) => statement that counts it`, by how many of it are said: 枚印章. */
export type InDepts = Readonly<Record<string, (dept: number) => SQL>>;

/** What all modules bring together, for those that ask the others. */
export interface Product {
  /** Every module that answers calls; read once all of them stand. */
  servers(): readonly ServerModule[];
  calls(): readonly Call[];
  tasks(): readonly Task[];
  owners: Owners;
  records: Readonly<Record<string, RecordModule>>;
  stampable: Stampables;
  linked: Readonly<Record<string, LinkModule>>;
  /** By what else people see documents. */
  openings: readonly Opening[];
  verified: VerifiedRecords;
  feeds: Feeds;
  occupants: Occupants;
  followed: Followed;
  waits: readonly Waits[];
  leaves: readonly Leaves[];
  powers: readonly Powers[];
  secretTickets: readonly SecretTickets[];
  inDepts: InDepts;
  holders: Holders;
  papers: PaperKeeper;
  albums: Albums;
  awayNow: AwayNow;
  keeping: Keeping;
  /** Absent where there are no documents. */
  draftDocument?: DraftDocument | undefined;
  running: Running;
  /** Absent where no rosters are kept. */
  onDuty?: OnDuty | undefined;
}

/** What one module brings to the product, in one value: a new module is a folder with a `module.ts` and a line in `apps/server/modules.ts`. */
export interface ModuleDefinition {
  /** What answers its calls; made of `services` only where something is kept for the product, or asked of a module above. */
  servers?(services: Services): readonly ServerModule[];
  /** What is done beside requests. */
  tasks?(services: Services): Task[];
  schedules?: readonly Schedule[];
  /** Pages of its menu, parents before children. */
  menus?: readonly MenuSeed[];
  /** What an empty database begins with besides; run at every start. */
  seed?(tx: Db): Promise<void>;
  /** Whose files these are, who sees them. */
  owners?: Owners;
  /** Records that tickets decide; they hear of each turn. */
  records?: Readonly<Record<string, RecordModule>>;
  /** Records that may be sealed. */
  stampable?: Stampables;
  /** Records that may be linked to each other. */
  linked?: Readonly<Record<string, LinkModule>>;
  /** By what of it people see documents besides. */
  openings?: readonly Opening[];
  /** What it puts into people's calendars. */
  feeds?: Feeds;
  /** Its records that take rooms, and what may be known of them. */
  occupants?: Occupants;
  /** Its records that leaders' entries follow, and what it does with what a leader answered to the entry. */
  followed?: Followed;
  /** What of it waits for people. */
  waits?: readonly Waits[];
  /** What of it is somebody's, to be handed over before they leave. */
  leaves?: readonly Leaves[];
  /** What of it goes by who somebody is, beyond their roles. */
  powers?: Powers;
  /** What of it hangs on a department that is therefore not deleted. */
  inDepts?: InDepts;
  /** Who holds roles; said by one module. */
  holders?: Holders;
  /** What documents ask of whoever keeps papers; said by one module. */
  papers?: PaperKeeper;
  /** Albums of the records of others; said by one module. */
  albums?: Albums;
  /** Who is away at this moment; said by one module. */
  awayNow?: AwayNow;
  /** What applications may be kept to; said by one module. */
  keeping?: Keeping;
  /** Whether what of it a ticket decides is secret. */
  secretTickets?: readonly SecretTickets[];
  /** Writes drafts of documents for others; said by one module. */
  draftDocument?: DraftDocument;
  /** Who is on duty; said by one module. */
  onDuty?: OnDuty;
  /** What runs workflows; said by one module. */
  running?: Running;
  /** Records anybody may check by the code printed on them. */
  verified?: VerifiedRecords;
}
