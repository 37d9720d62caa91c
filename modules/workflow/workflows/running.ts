import type { SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';
import type { releaseCalls } from './contract/release.ts';
import type { Offered } from './contract/shapes.ts';
import type { Definition, State } from './engine/definition.ts';
import type { Meaning } from './engine/meanings.ts';
import type { Problem } from './engine/check/problem.ts';
import type { Started } from './engine/start-rule.ts';
import type { Version } from './service.ts';

/** A workflow bound to a module: as it stands, or as it would be published. */
export interface BoundFlow {
  id: number;
  key: string;
}

/** A module whose records workflows decide. */
export interface BoundModule {
  /** The name of its records. */
  name: string;
  /** Keys of the fields it fills in when a record is sent; its page asks for no others. */
  fills: readonly string[];
  /** The content shown to a record's deciders; without it nobody can tell whether it is unchanged since a decision. */
  content?(tx: Db, id: number): Promise<object | undefined>;
  /** Meanings that states of its workflows may have. */
  meanings?: readonly Meaning[];
  /** Further requirements of a definition before it is published for its records. */
  problems?(tx: Db, flow: BoundFlow, definition: Definition): Promise<Problem[]>;
  /** The parts of it that start a workflow, in words; empty if the workflow may be deleted. */
  uses(tx: Db, flow: BoundFlow): Promise<string[]>;
}

export interface TicketCount {
  total: number;
  /** Tickets that are neither over nor deleted. */
  running: number;
}

export interface MigrationAsked {
  /** Ids of the versions tickets are moved from. */
  from: readonly number[];
  to: Version;
  ticket_ids?: readonly number[] | undefined;
  /** Only tickets with a larger id. */
  after: number;
  dry_run: boolean;
  /** State of an old version → the state of the new one in which its tickets continue. */
  states: ReadonlyMap<number, number>;
  /** Opens branches that only the new version has. */
  open_branches: boolean;
  actor: number;
  origin: Origin;
  now: Date;
}
export type MigrationReport = Omit<ReplyOf<typeof releaseCalls.migrate>, 'dry_run' | 'to_no' | 'targets'>;

export interface SimulationAsked {
  workflow_id: number;
  definition: Definition;
  applicant: string;
  /** The person who would start it for the applicant; null if the applicant does. */
  begun_by: number | null;
  values: Readonly<Record<string, unknown>>;
  /** State key → user names. */
  choose: Readonly<Record<string, readonly string[]>>;
  /** State key → transition key. */
  decisions: Readonly<Record<string, string>>;
}
export type Simulation = Omit<ReplyOf<typeof releaseCalls.simulate>, 'no'>;

export interface WouldAsked {
  workflow_id: number;
  definition: Definition;
  state: State;
  applicant: string;
}
export type Would = ReplyOf<typeof releaseCalls.whoWould>;

/** A scheduled start: a ticket in the name of a person who is not present. */
export interface InName {
  workflow_id: number;
  person: number;
  /** The authors who wrote it in their name: like that person, they may not decide it. */
  authors: readonly number[];
  fields: Readonly<Record<string, unknown>>;
  suggestion: string;
  now: Date;
}

/** A workflow by the definition that is in force. */
export interface InForce {
  workflow_id: number;
  definition: Definition;
}

/** Services that workflows need from the module above that runs them. */
export interface Running {
  /** The number of tickets on workflows, by workflow id; deleted ones count in `total`, because they keep their version. */
  counts(tx: Db, workflowIds: readonly number[]): Promise<Map<number, TicketCount>>;
  /** The same by version id. */
  countsOfVersions(tx: Db, versionIds: readonly number[]): Promise<Map<number, TicketCount>>;
  /** Condition: tickets that are not over follow a version, which is the given id in a query. */
  isFollowed(version: SQL): SQL;
  /** The number of workflows a person started, as their limit counts it; by workflow id. */
  startedBy(tx: Db, person: number, flows: readonly InForce[]): Promise<Map<number, Started>>;
  /** The buttons of a ticket that is not created yet. */
  offersAtStart(definition: Definition, person: number): Offered[];
  /** Reports for each running ticket what moving it to another version would mean and, unless it is a dry run, moves those that can be moved. */
  migrate(tx: Db, asked: MigrationAsked): Promise<MigrationReport>;
  /** Walks a definition as a ticket of an applicant would; nothing is written. */
  simulate(tx: Db, asked: SimulationAsked): Promise<Simulation>;
  /** Begins a ticket in the name of a person, as if they pressed the button; throws the refusal they would read. */
  startInName(tx: Db, asked: InName): Promise<{ id: number; sn: string }>;
  /** Throws the same refusals, without beginning anything. */
  tryInName(tx: Db, asked: InName): Promise<void>;
  /** The people a state would ask for an applicant. */
  whoWould(tx: Db, asked: WouldAsked): Promise<Would>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    running: Running;
  }
  interface ModuleDefinition {
    /** The services that run workflows, provided by one module. */
    running?: Running;
  }
}
