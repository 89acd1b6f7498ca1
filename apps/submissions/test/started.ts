import { withAccessHash } from '@sheaf/contracts';
import { Broker, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, Problem, type Caller, type User } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import {
  clientsWith,
  connect,
  Forms,
  open,
  serve,
  Submissions,
  type Call,
  type Client,
  type FormsDefinition,
  type SubmissionsDefinition,
} from '@sheaf/rpc';
import {
  aUser,
  brokerUrl,
  callAs,
  eachOnce,
  freshDatabase,
  servingSettings,
  startNeighbour,
  TestClock,
  testProcess,
  verifyTestCaller,
} from '@sheaf/testing';
import { pino } from 'pino';
import { z } from 'zod';
import { admission } from '../src/access-code/admission';
import type { Deps } from '../src/deps';
import { ExactForms } from '../src/exact/exact-forms';
import { formsView, type VersionName } from '../src/form/forms-view';
import { GuardSettings, intakeGuard } from '../src/intake/guard';
import type { FormQueue } from '../src/form-queue';
import { listBlocks } from '../src/list/blocks';
import { Steps } from '../src/insights/steps';
import { Visits } from '../src/insights/visits';
import { KnownVersions } from '../src/insights/known-versions';
import { migrations } from '../src/migrations';
import { MatchedPatterns } from '../src/form/patterns';
import { searchBlocks } from '../src/search/search-index';
import { doors } from '../src/server';
import { noFiles } from './no-files';

interface FakeForm {
  id: string;
  title?: string;
  status?: string;
  /** JSON; by default a name, a story and stars. */
  fields?: Buffer;
  /** The fields of the draft, if a test needs one. */
  draft?: readonly object[];
  /** The fields of versions before the latest, which is 3. */
  earlier?: Record<number, Buffer>;
  /** All versions with their ids, in place of those above. */
  published?: readonly PublishedVersion[];
  payment?: { amount?: number; amount_from?: string; currency: string };
  opens_at?: string;
  closes_at?: string;
  max_submissions?: number;
  closed_message?: string;
  timezone?: string;
  legal_hold?: boolean;
  labels?: {
    key: string;
    label: string;
    options: Record<string, string>;
    type?: string;
    values?: string[];
    translated_options?: { value: string; label: string }[];
    types?: { type: string; versions: number[] }[];
    parts?: { name: string; kind: string; label?: string; options?: { value: string; label: string }[] }[];
  }[];
  languages?: string[];
  /** The keys whose answers have no order. */
  unordered?: string[];
  /** Null: not sent, as by an earlier release. */
  settings?: Record<string, unknown> | null;
  /** As stored. */
  access_hash?: string;
}

/** A version as a `forms` has it that tells the ids of versions. */
export interface PublishedVersion {
  version: number;
  version_id: string;
  published_at: string;
  fields: Buffer;
}

const latest = 3;
const PublishedQuery = z.object({ form: z.string(), version: z.int().optional() });

function versionAmong(published: readonly PublishedVersion[] | undefined, number: number | undefined): PublishedVersion | undefined {
  if (!published) return undefined;
  const found = number === undefined ? published.at(-1) : published.find(({ version }) => version === number);
  if (!found) throw Problem.notFound('version');
  return found;
}

/** The service on its own database, with users and a fake `forms` service whose forms the test defines. */
export class Started {
  readonly instanceId = newId();
  readonly workspaceId = newId();
  /** A caller who also owns the instance. */
  readonly owner: User = { ...this.member('owner'), instanceRole: 'owner' };
  readonly editor = this.member('editor');
  readonly viewer = this.member('viewer');
  readonly outsider = aUser({ instanceId: this.instanceId });
  readonly stranger = aUser({ instanceId: newId(), roles: { [this.workspaceId]: 'owner' } });
  readonly respondent: Caller = { kind: 'respondent', instanceId: this.instanceId };
  readonly clock = new TestClock();
  readonly received: DomainEvent[] = [];
  /** How often this service has asked for the field keys of a form. */
  keyQuestions = 0;
  private confirm: (ids: string[]) => void = () => undefined;
  /** Log lines. */
  readonly logged: string[] = [];
  client!: Client<SubmissionsDefinition>;
  db!: Database;
  deps!: Deps;
  broker!: Broker;
  patterns!: MatchedPatterns;
  neighbour!: Awaited<ReturnType<typeof startNeighbour<FormsDefinition>>>;
  blocks!: FormQueue;
  searchBlocks!: FormQueue;
  versions!: KnownVersions;
  visits!: Visits;
  steps!: Steps;

  /** The forms that every caller owns, as far as `forms` tells. */
  owned: { id: string; workspace_id: string; legal_hold: boolean }[] = [];
  /** Makes `forms` an earlier release, which has no versions but the latest to give. */
  latestOnly = false;

  readonly log = pino({ level: 'debug' }, { write: (line) => this.logged.push(line) });
  private readonly process = testProcess('submissions');
  private readonly forms = new Map<string, FakeForm>();

  /** `settings`: overrides the guard's defaults. `overrides`: added to a service without files and payments. */
  async start(settings: Record<string, unknown> = {}, overrides: Pick<Partial<Deps>, 'files' | 'payments' | 'saved'> = {}): Promise<this> {
    const { process, clock } = this;
    this.db = (await freshDatabase(migrations)).db;
    const { db } = this;
    this.neighbour = await startNeighbour(Forms, {
      getPublishedForm: open(
        ['respondent', ...clientsWith('submissions:write')],
        PublishedQuery,
        ({ form, version: asked }, { caller }) => {
          const version = this.latestOnly ? latest : (asked ?? latest);
          const {
            id,
            status = 'active',
            settings = {},
            earlier,
            draft: _draft,
            published,
            access_hash: accessHash,
            ...rest
          } = this.findForm(form, caller.instanceId);
          const wanted = versionAmong(published, asked);
          return Promise.resolve({
            id,
            title: 'Survey',
            status,
            version,
            fields: earlier?.[version] ?? fields,
            settings: Buffer.from(settings ? withAccessHash(JSON.stringify(settings), accessHash) : ''),
            ...rest,
            ...wanted,
          });
        },
      ),
      getFormAccess: open(
        clientsWith('submissions:read', 'submissions:write'),
        z.object({ form_id: z.string() }),
        ({ form_id }, { caller }) => {
          const { legal_hold, status = 'active' } = this.findForm(form_id, caller.instanceId);
          return Promise.resolve({
            form_id,
            legal_hold,
            workspace_id: this.workspaceId,
            creator_kind: 'user',
            creator_id: this.owner.id,
            grants: {},
            status,
          });
        },
      ),
      listOwnedForms: open(['user'], z.object({ after_id: z.string().optional(), limit: z.int() }), ({ after_id: after = '', limit }) =>
        Promise.resolve({
          forms: this.owned
            .filter(({ id }) => id > after)
            .sort((a, b) => (a.id < b.id ? -1 : 1))
            .slice(0, limit),
        }),
      ),
      getVersion: open(
        clientsWith('submissions:read', 'submissions:write'),
        z.object({ form_id: z.string(), version: z.string() }),
        ({ form_id, version }, { caller }) => {
          const form = this.findForm(form_id, caller.instanceId);
          const number = Number(version);
          const wanted = versionAmong(form.published, number);
          return Promise.resolve({
            version: number,
            fields: number === latest ? (form.fields ?? fields) : form.earlier?.[number],
            published_at: '2026-01-01T00:00:00.000Z',
            published_by: { kind: 'user', id: this.owner.id },
            ...(wanted && { ...wanted, id: wanted.version_id }),
          });
        },
      ),
      listFormAccess: open(
        clientsWith('forms:read', 'submissions:read'),
        z.object({ form_ids: z.array(z.string()) }),
        (wanted, { caller }) =>
          Promise.resolve({
            forms: wanted.form_ids
              .filter((id) => this.forms.has(id) && caller.instanceId === this.instanceId)
              .map((form_id) => ({
                form_id,
                workspace_id: this.workspaceId,
                creator_kind: 'user',
                creator_id: this.owner.id,
                grants: {},
                status: 'active',
              })),
          }),
      ),
      getDraft: open(clientsWith('forms:read'), z.object({ id: z.string() }), ({ id }, { caller }) => {
        const { draft = [], payment } = this.findForm(id, caller.instanceId);
        if (caller.id !== this.owner.id) return Promise.reject(Problem.forbidden('Only editors may read drafts.'));
        const updated_at = '2026-01-01T00:00:00.000Z';
        return Promise.resolve({ fields: Buffer.from(JSON.stringify(draft)), payment, revision: 1, updated_at });
      }),
      getForm: open(clientsWith('forms:read', 'submissions:read'), z.object({ id: z.string() }), ({ id }, { caller }) =>
        Promise.resolve({ id, title: 'Survey', status: 'active', timezone: this.findForm(id, caller.instanceId).timezone }),
      ),
      listFieldKeys: open(
        clientsWith('submissions:read'),
        z.object({ form_id: z.string(), labels: z.boolean(), fields: z.boolean() }),
        ({ form_id, labels }) => {
          this.keyQuestions += 1;
          return Promise.resolve({
            keys: this.keysOf(form_id),
            labels: labels ? (this.findForm(form_id, this.instanceId).labels ?? []) : [],
            title: 'Survey',
            languages: this.findForm(form_id, this.instanceId).languages ?? [],
            timezone: this.findForm(form_id, this.instanceId).timezone,
            unordered: this.findForm(form_id, this.instanceId).unordered ?? [],
          });
        },
      ),
    });
    process.onStop('neighbour', () => this.neighbour.stop());

    const broker = (this.broker = await Broker.connect(process, brokerUrl()));
    const outbox = startRelay(process, {
      db,
      broker,
      source: 'submissions',
      clock,
      settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
    });
    const guard = intakeGuard({ db, clock, log: this.log, settings: GuardSettings.parse(settings) });
    const patterns = (this.patterns = new MatchedPatterns({ log: this.log }));
    process.onStop('patterns', () => patterns.stop());
    this.blocks = listBlocks({ db, clock, log: this.log });
    process.onStop('list blocks', () => this.blocks.stop());
    this.searchBlocks = searchBlocks({ db, clock, log: this.log });
    process.onStop('search blocks', () => this.searchBlocks.stop());
    this.versions = new KnownVersions({ db, log: this.log });
    process.onStop('known versions', () => this.versions.idle());
    this.visits = new Visits({ db, clock });
    this.steps = new Steps({ db, clock });
    const forms = formsView(this.neighbour.client, broker, {
      patterns,
      clock,
      staleMs: 600_000,
      onVersion: (version, fields) => this.versions.note(version, fields),
    });
    this.deps = {
      db,
      outbox,
      clock,
      forms,
      admission: admission({ db, clock }),
      exact: new ExactForms({ db, forms }),
      guard,
      visits: this.visits,
      steps: this.steps,
      queue: { submissions: 1_000, bytes: 10_000_000 },
      blocks: this.blocks,
      searchBlocks: this.searchBlocks,
      files: noFiles,
      graceMs: 7 * 86_400_000,
      saved: { formBytes: 0 },
      ...overrides,
    };
    this.client = await this.startProcess();
    const onEvent = eachOnce((event: DomainEvent) => this.received.push(event));
    for (const channel of ['submissions', 'submissions-more'])
      broker.listen(`sheaf.events.${channel}.>`, { onEvent, onGap: () => undefined });
    this.confirm = (ids) => broker.confirm('submissions', 'delivery', ids);
    return this;
  }

  /** Another process on the same database, identical to the first except for `overrides`. */
  async startProcess(overrides: Pick<Partial<Deps>, 'forms' | 'payments' | 'files'> = {}): Promise<Client<SubmissionsDefinition>> {
    const process = testProcess('submissions');
    const port = await serve(process, {
      protocol: Submissions,
      doors: doors({ ...this.deps, ...overrides }),
      verify: verifyTestCaller,
      settings: servingSettings,
      problemOf,
    });
    const connection = connect(`127.0.0.1:${port}`, Submissions);
    this.process.onStop('process', () => process.stop());
    this.process.onStop('client', () => connection.close());
    return connection.client;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.db.destroy();
  }

  aForm(settings: Omit<FakeForm, 'id'> = {}): string {
    const id = newId();
    this.forms.set(id, { id, ...settings });
    return id;
  }

  /** Gives a form other versions, as a publication or a restore of `forms` does. */
  setVersions(id: string, published: readonly PublishedVersion[]): void {
    this.forms.set(id, { ...this.findForm(id, this.instanceId), published });
  }

  /** Publishes another price, which this service has not heard of. */
  setPayment(id: string, payment: FakeForm['payment']): void {
    const { payment: _, ...form } = this.findForm(id, this.instanceId);
    this.forms.set(id, { ...form, ...(payment && { payment }) });
  }

  setAccessHash(id: string, hash: string): void {
    this.forms.set(id, { ...this.findForm(id, this.instanceId), access_hash: hash });
  }

  /** A process that knows no form yet. */
  startAfresh(): Promise<Client<SubmissionsDefinition>> {
    const { patterns, clock, broker } = this;
    const onVersion = (version: VersionName, fields: Buffer) => this.versions.note(version, fields);
    return this.startProcess({ forms: formsView(this.neighbour.client, broker, { patterns, clock, staleMs: 600_000, onVersion }) });
  }

  /** Gives a form another status, which this service has not heard of. */
  setStatus(id: string, status: string): void {
    this.forms.set(id, { ...this.findForm(id, this.instanceId), status });
  }

  /** Gives a form another latest version. */
  republish(id: string, fields: Buffer): void {
    this.forms.set(id, { ...this.findForm(id, this.instanceId), fields });
  }

  /** Submits answers from this address. */
  submit(
    form: string,
    data: unknown = { name: 'Ada' },
    options: {
      idempotency_key?: string;
      address?: string;
      hp?: string;
      started?: string;
      proof?: string;
      saved?: Buffer;
      confirmed?: boolean;
    } = {},
  ) {
    const { address, ...rest } = options;
    const call: Call = { ...callAs(this.respondent), address };
    return this.client.submit(call, { form, data: Buffer.from(JSON.stringify(data)), ...rest });
  }

  /** The ids in the list, and its total. */
  async list(form_id: string, options: { status?: string } = {}): Promise<{ total: number; ids: string[] }> {
    return idsOf(await this.client.listSubmissions(callAs(this.owner), { form_id, limit: 100, offset: 0, ...options }));
  }

  /**
   * The events of this subject that subscribers would be sent, in order. Confirms each in place of `delivery`, as the next event is sent
   * only then.
   */
  eventsOf(subject: string): Record<string, unknown>[] {
    const received = this.received.filter((event) => event.subject === subject);
    this.confirm(received.map(({ id }) => id));
    return received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  /** The audit entries of this submission: the action and the actor. */
  async auditOf(subject: string): Promise<string[][]> {
    const rows = await this.db<{ body: string; type: string; subject: string; position: number }>('outbox')
      .where({ subject, type: 'audit.recorded' })
      .orderBy('position');
    return rows.map(({ body }) => {
      const { action, actor } = JSON.parse(body) as { action: string; actor: { id: string } };
      return [action, actor.id];
    });
  }

  private member(role: 'owner' | 'editor' | 'viewer') {
    return aUser({ instanceId: this.instanceId, roles: { [this.workspaceId]: role } });
  }

  /** The keys of the form's latest version, and one that only an earlier version had. */
  private keysOf(id: string): string[] {
    const items = JSON.parse((this.forms.get(id)?.fields ?? fields).toString()) as { key?: string }[];
    return ['n', ...items.flatMap(({ key }) => key ?? [])];
  }

  private findForm(id: string, instance: string): FakeForm {
    const form = this.forms.get(id);
    if (!form || instance !== this.instanceId) throw Problem.notFound('form');
    return form;
  }
}

const fields = Buffer.from(
  JSON.stringify([
    { key: 'name', label: 'Name', type: 'short_text', required: true },
    { key: 'story', label: 'Story', type: 'long_text', required: false },
    { key: 'stars', label: 'Stars', type: 'rating', required: false },
  ]),
);

export const idsOf = ({ total, submissions }: { total: number; submissions: { id: string }[] }) => ({
  total,
  ids: submissions.map(({ id }) => id),
});
