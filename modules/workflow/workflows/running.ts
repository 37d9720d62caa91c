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

/** What workflows know of a module whose records they decide. */
export interface BoundModule {
  /** What people call its records. */
  name: string;
  /** Keys of the fields it fills in for whoever sends a record off; its page asks for no others. */
  fills: readonly string[];
  /** What its page shows whoever decides one; without it nobody can tell whether it is as it was when somebody did. */
  content?(tx: Db, id: number): Promise<object | undefined>;
  /** What a state of its workflows may mean to it. */
  meanings?: readonly Meaning[];
  /** What it asks of a definition besides, before it is published for its records. */
  problems?(tx: Db, flow: BoundFlow, definition: Definition): Promise<Problem[]>;
  /** What of it starts a workflow, in words; none where it may go. */
  uses(tx: Db, flow: BoundFlow): Promise<string[]>;
}

export interface TicketCount {
  total: number;
  /** Neither over nor deleted. */
  running: number;
}

export interface MigrationAsked {
  /** Ids of the versions tickets are taken from. */
  from: readonly number[];
  to: Version;
  ticket_ids?: readonly number[] | undefined;
  /** Only tickets with a larger id. */
  after: number;
  dry_run: boolean;
  /** State of an old version → the one of the new in which its tickets go on. */
  states: ReadonlyMap<number, number>;
  /** Branches that the new version has more are opened. */
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

/** What a schedule begins: a ticket of a person who is not at a desk. */
export interface InName {
  workflow_id: number;
  person: number;
  /** Who wrote it in their name: they decide it as little as that person does. */
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

/** What workflows ask of whatever runs them, a module above. */
export interface Running {
  /** How many tickets stand on workflows, by workflow id; deleted ones count in `total`, for they keep their version. */
  counts(tx: Db, workflowIds: readonly number[]): Promise<Map<number, TicketCount>>;
  /** The same by version id. */
  countsOfVersions(tx: Db, versionIds: readonly number[]): Promise<Map<number, TicketCount>>;
  /** How often a person started workflows, as their limit counts it; by workflow id. */
  startedBy(tx: Db, person: number, flows: readonly InForce[]): Promise<Map<number, Started>>;
  /** The buttons of a ticket that is not created yet. */
  offersAtStart(definition: Definition, person: number): Offered[];
  /** Says for each running ticket what moving it to another version would mean and, unless it is a dry run, moves those that can be. */
  migrate(tx: Db, asked: MigrationAsked): Promise<MigrationReport>;
  /** Walks a definition as a ticket of an applicant would; nothing is written. */
  simulate(tx: Db, asked: SimulationAsked): Promise<Simulation>;
  /** Begins a ticket in the name of a person, as if they pressed the button; throws the refusal they would read. */
  startInName(tx: Db, asked: InName): Promise<{ id: number; sn: string }>;
  /** Throws the same, and begins nothing. */
  tryInName(tx: Db, asked: InName): Promise<void>;
  /** Whom a state would ask for an applicant. */
  whoWould(tx: Db, asked: WouldAsked): Promise<Would>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    running: Running;
  }
  interface ModuleDefinition {
    /** What runs workflows; said by one module. */
    running?: Running;
  }
}
