import { EventCache, LastKnown, type Broker } from '@sheaf/events';
import {
  answerKinds,
  countryNames,
  fieldKinds,
  FieldList,
  fieldsOf,
  fieldsOfItem,
  folded,
  isComputed,
  isEnding,
  answerTraits,
  hasFiles,
  isSignature,
  maxDrawing,
  type Field,
  isMeant,
  isRanked,
  isRepeat,
  partsOfKind,
  type AnswerKind,
  type FieldType,
  type FormEnding,
  type FormItem,
  type Part,
  type PartKind,
  type PartName,
  withoutAccessHash,
  type FormSettings,
  type FoundVersion,
  type Payment,
} from '@sheaf/contracts';
import {
  formRole,
  instanceOf,
  isId,
  Problem,
  type Client as ClientCaller,
  type Clock,
  type FormAccess,
  type FormRole,
} from '@sheaf/kernel';
import { toFormAccess, type Asked, type Call, type Client, type FormsDefinition } from '@sheaf/rpc';
import { whole } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';
import type { SoughtLabel } from '../search/filter';
import { partKey } from '../search/terms';
import type { SubmissionRow } from '../submission/submissions.queries';
import { exactRules, type ExactRules } from '../exact/rules';
import { outlineOf, type Outline } from './outline';
import { answerCheck, type AnswerCheck, type Answers } from './answers';
import type { Patterns } from './patterns';

/** The files that a field accepts; anything within the operator's limits if it sets no rule. */
export interface FileRules {
  accept: readonly string[] | undefined;
  maxBytes: number | undefined;
  /** Whether it is the picture of a signature, on which something must be drawn. */
  isDrawing: boolean;
}

/** The parts of a published form that intake needs. */
export interface PublishedForm {
  id: string;
  title: string;
  status: string;
  version: number;
  /** Undefined from an earlier release of `forms`. */
  versionId: string | undefined;
  /** The fields as JSON, as they were published. */
  fields: Buffer;
  /** The price of a submission; undefined if it is free. */
  payment: Payment | undefined;
  check: AnswerCheck;
  /** Answers without those that are computed, also in the items of repeats. */
  given: (answers: Answers) => Answers;
  /** The fields that accept files, by key. */
  fileFields: ReadonlyMap<string, FileRules>;
  endings: readonly FormEnding[];
  /** Undefined if no rule of the form holds across submissions. */
  exact: ExactRules | undefined;
  outline: Outline;
  opensAt: Date | undefined;
  closesAt: Date | undefined;
  maxSubmissions: number | undefined;
  closedMessage: string | undefined;
  timezone: string | undefined;
  /** The settings that v1 does not have, with a hash in place of the logo. */
  settings: FormSettings;
  /** The same as JSON, for passing on. */
  settingsJson: Buffer;
  /** The hash of the code that respondents need; undefined if they need none. */
  accessHash: string | undefined;
}

/** A part of the answers to a field, or a field in the items of a repeat. */
export interface FieldPart extends Part {
  /** Of a field in an item: its values in their order, each with the name that people see. */
  options?: readonly (readonly [value: string, label: string])[];
}

/** The names that people see for a field and its options. */
export interface FieldLabels {
  label: string;
  /** By value, in their order; none of countries, which have the same names in all forms. */
  options: ReadonlyMap<string, string>;
  /** The kind of its answers; undefined from an earlier release of `forms`, or for a type that only a later one has. */
  kind: AnswerKind | undefined;
  /** The parts of its answers in all versions, those of the newest first; absent if they have none, or from an earlier release of `forms`. */
  parts?: readonly FieldPart[];
  /** Whether the order of its options is the answer. */
  isRanked?: boolean;
  /** The versions in which it was; absent if all had the same type. */
  rankedIn?: readonly number[];
}

/** The kind of the answers in some versions of a form. */
export interface KindInVersions {
  kind: AnswerKind | undefined;
  versions: readonly number[];
}

/** The order of the answers to a field. */
export interface FieldOrder {
  /** Undefined from an earlier release of `forms`. */
  kind: AnswerKind | undefined;
  /** Of the versions, if they differ. An earlier release of `forms` does not tell. */
  kinds?: readonly KindInVersions[];
  /** Whether they are numbers, dates or times. */
  isNumeric: boolean;
  /** The values of its options, in their order. */
  options: readonly string[];
  /** In which the form was written, if that is known. */
  language: string | undefined;
}

/** A form as exports show it. */
export interface LabelledForm {
  keys: string[];
  labels: ReadonlyMap<string, FieldLabels>;
  /** Empty from an earlier release of `forms`. */
  title: string;
  timezone: string | undefined;
  /** Undefined where its author has not said it, and from an earlier release. */
  writtenIn?: string | undefined;
}

export type Version = Pick<PublishedForm, 'fields' | 'check' | 'given' | 'fileFields' | 'endings' | 'exact' | 'outline'>;

/** The fields of the version that a submission was made against. */
export type MadeAgainst = Pick<SubmissionRow, 'form_id' | 'schema_version' | 'version_id' | 'created_at'>;

/** Whether a submission was made against the version, so that nothing has to be asked for. */
export const isVersionOf = (
  { version, versionId }: Pick<PublishedForm, 'version' | 'versionId'>,
  { schema_version, version_id }: MadeAgainst,
): boolean => version === schema_version && versionId === (version_id ?? undefined);

/** A version by its number, and by the id that is never used again, if it is known. */
export interface VersionName {
  formId: string;
  version: number;
  versionId: string | undefined;
}

/** A form in the trash, or without a version by now, is not published; what was sent to it was received all the same. */
export function ifNotFound(error: unknown): undefined {
  if (Problem.from(error).code !== 'not_found') throw error;
}

/** This service's view of forms: loaded from `forms` once and cached until an event reports a change. */
export interface FormsView {
  /** @throws Problem `not_found` if no published form has this id or slug. */
  published(form: string, asked: Asked): Promise<PublishedForm>;
  /** The name of the version that is published now, and its rules. Never cached: what is stored against it must not be of an earlier one. */
  versionNow(formId: string, asked: Asked): Promise<Pick<PublishedForm, 'version' | 'versionId' | 'exact'>>;
  /**
   * The version that a submission of a published form was made against. Undefined if there is no such version any more, or from an earlier
   * release of `forms`, which knows only the latest one.
   * @throws UnreadableVersion if a later release has made it: nothing may be decided as if it were gone
   */
  publishedVersionOf(made: MadeAgainst, asked: Asked): Promise<Version | undefined>;
  /** The version that a submission was made against, even if its form is in the trash. @throws MissingVersion if there is none any more */
  versionOf(made: MadeAgainst, asked: Asked<ClientCaller>): Promise<Version>;
  /**
   * The fields of the version of this name as JSON, for a caller who has a role on the form. A later release may have made them.
   * @throws MissingVersion if there is none any more
   */
  fieldsOf(name: VersionName, asked: Asked<ClientCaller>): Promise<Buffer>;
  /**
   * The check of the form's draft, its payment, and the form's time zone. Never cached.
   * @throws Problem `not_found`, `forbidden` for callers who may not change the form
   */
  draft(
    formId: string,
    asked: Asked<ClientCaller>,
  ): Promise<{ check: AnswerCheck; payment: Payment | undefined; timezone: string | undefined }>;
  /** The caller's role on the form; undefined if they have none. @throws Problem `not_found` if the form is not in their instance. */
  roleOn(formId: string, asked: Asked<ClientCaller>): Promise<FormRole | undefined>;
  /** The caller's role, and the form's workspace. */
  standingOn(formId: string, asked: Asked<ClientCaller>): Promise<{ role: FormRole | undefined; workspaceId: string }>;
  /** The facts from which the caller's role follows, and whether the form is in the trash. Never cached: what they allow may go on for long. */
  accessNow(formId: string, asked: Asked<ClientCaller>): Promise<FormAccess & { isTrashed: boolean }>;
  /** The caller's role on each form; undefined for those that are not in their instance. One call, never cached. */
  rolesOn(formIds: readonly string[], asked: Asked<ClientCaller>): Promise<ReadonlyMap<string, FormRole | undefined>>;
  /** As `standingOn`, and whether nothing of the form may be erased. Never cached, because nothing undoes an erasure. */
  holdOn(formId: string, asked: Asked<ClientCaller>): Promise<{ role: FormRole | undefined; workspaceId: string; isHeld: boolean }>;
  /** Some of the forms that the caller owns, after this id, in the order of their ids. Never cached. */
  owned(afterId: string, limit: number, asked: Asked<ClientCaller>): Promise<{ id: string; workspaceId: string; isHeld: boolean }[]>;
  /** The keys that answers of any version of the form may have. Never cached. */
  fieldKeys(formId: string, call: Call): Promise<string[]>;
  /** Which of the keys no version of the form has. The caller must have a role on the form. */
  unknownKeys(formId: string, keys: readonly string[], asked: Asked<ClientCaller>): Promise<string[]>;
  /** How submissions are sorted by the answers to a field of any version. */
  orderOf(formId: string, key: string, asked: Asked<ClientCaller>): Promise<FieldOrder>;
  /** The fields whose answers are files in any version. An earlier release of `forms` names none. */
  fileFields(formId: string, asked: Asked<ClientCaller>): Promise<ReadonlyMap<string, FieldOrder>>;
  /** The time zone of the form; undefined if it has none. */
  timezoneOf(formId: string, asked: Asked<ClientCaller>): Promise<string | undefined>;
  /** The options of the form that people see under another name than answers have, with each of these names; countries too. */
  optionLabels(formId: string, asked: Asked<ClientCaller>): Promise<readonly SoughtLabel[]>;
  /**
   * `fieldKeys` with the labels of the fields and their options, in the language if they are translated. An earlier release of `forms` sends
   * none.
   */
  fieldLabels(formId: string, call: Call, language?: string): Promise<LabelledForm>;
}

export const formsViewSettings = {
  /**
   * Maximum age of cached form data while `forms` is unreachable. A form keeps taking submissions for this long, even one that has been
   * closed in the meantime if that event is missed as well.
   */
  STALE_FORMS_MS: whole(0, 86_400_000).default(600_000),
};

/** An event usually drops a changed entry long before this; an entry of this age is reloaded in any case. */
const cacheMs = 30_000;

/** The fields are held as JSON; their answer checks take several times that size. */
const bytesOfVersion = ({ fields }: Version) => 4_096 + 8 * fields.length;
const bytesOfForm = (form: PublishedForm) => bytesOfVersion(form) + 4 * form.settingsJson.length;
const publishedBytes = 64 * 1_024 * 1_024;

/** The version that has a number now, as `forms` tells it. */
interface Numbered extends FoundVersion {
  fields: Buffer;
}

/** The files that a field takes. The picture of a signature is as every page draws it. */
const rulesOf = (field: Field): FileRules =>
  isSignature(field)
    ? { accept: ['image/png'], maxBytes: maxDrawing.bytes, isDrawing: true }
    : { accept: field.accept, maxBytes: field.max_bytes, isDrawing: false };

/** @throws UnreadableVersion */
function readItems(json: Buffer): FormItem[] {
  const { data, error } = FieldList.safeParse(JSON.parse(json.toString()));
  if (!data) throw new UnreadableVersion(error);
  return data;
}

/** @throws UnreadableVersion */
function versionOf(json: Buffer, patterns: Patterns): Version {
  const items = readItems(json);
  const files = fieldsOf(items)
    .filter(hasFiles)
    .map((field) => [field.key, rulesOf(field)] as const);
  return {
    fields: json,
    check: answerCheck(items, patterns),
    given: givenTo(fieldsOf(items)),
    fileFields: new Map(files),
    endings: items.filter(isEnding),
    exact: exactRules(items),
    outline: outlineOf(items),
  };
}

/** The items of a repeat lose theirs too. Answers that were not checked may be anything. */
function givenTo(fields: readonly Field[]): Version['given'] {
  const computed = new Set(fields.filter(isComputed).map(({ key }) => key));
  const inItems = new Map(fields.filter(isRepeat).map((repeat) => [repeat.key, givenTo(fieldsOfItem(repeat))]));
  return (answers) =>
    Object.fromEntries(
      Object.entries(answers).flatMap(([key, answer]) => {
        const inItem = inItems.get(key);
        if (computed.has(key)) return [];
        return [[key, inItem && Array.isArray(answer) ? answer.map((item: unknown) => (isItem(item) ? inItem(item) : item)) : answer]];
      }),
    );
}

const isItem = (item: unknown): item is Answers => typeof item === 'object' && item !== null && !Array.isArray(item);

/** By the id as well, because another version may get the same number after a restore. */
const keyOf = ({ formId, version, versionId = '' }: VersionName): string => `${formId}:${version}:${versionId}`;

const nameOf = ({ form_id, schema_version, version_id }: MadeAgainst): VersionName => ({
  formId: form_id,
  version: schema_version,
  versionId: version_id ?? undefined,
});

/** `forms` has no such version any more: its database was restored to a moment before the publication. */
export class MissingVersion extends Problem {
  constructor(version: number) {
    super('conflict', `Version ${version} of the form, which the answers were made against, is missing.`);
  }
}

/** A later release of `forms` has published it, with kinds of questions or conditions that this one does not know. */
export class UnreadableVersion extends Problem {
  constructor(cause: unknown) {
    super('unavailable', 'A later release of Sheaf has made the questions of this form. Please try again once all of Sheaf is upgraded.', {
      cause,
    });
  }
}

type FormMessage = Awaited<ReturnType<Client<FormsDefinition>['getPublishedForm']>>;

function toPublishedForm(found: FormMessage, version: Version): PublishedForm {
  // An earlier release of `forms` sends no settings.
  const { json, accessHash } = withoutAccessHash(found.settings.length === 0 ? '{}' : found.settings.toString());
  return {
    id: found.id,
    title: found.title,
    status: found.status,
    version: found.version,
    versionId: found.version_id,
    ...version,
    payment: found.payment ?? undefined,
    opensAt: found.opens_at === undefined ? undefined : new Date(found.opens_at),
    closesAt: found.closes_at === undefined ? undefined : new Date(found.closes_at),
    maxSubmissions: found.max_submissions,
    closedMessage: found.closed_message,
    timezone: found.timezone,
    settings: JSON.parse(json) as FormSettings,
    settingsJson: Buffer.from(json),
    accessHash,
  };
}

interface Options {
  patterns: Patterns;
  clock: Clock;
  staleMs: number;
  /** Called with each version that this process comes to know, and its fields as JSON. Possibly more than once. */
  onVersion: (name: VersionName, fields: Buffer) => void;
  ttlMs?: number;
}

export function formsView(
  forms: Client<FormsDefinition>,
  broker: Pick<Broker, 'listen' | 'sightOf'>,
  { patterns, clock, staleMs, onVersion, ttlMs = cacheMs }: Options,
): FormsView {
  const tagsOf = ({ subject: formId }: { subject: string }) => [formId];
  const published = new LastKnown<PublishedForm>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 2_000,
    maxBytes: publishedBytes,
    bytesOf: bytesOfForm,
    ttlMs,
    tagsOf,
    staleMs,
    clock,
    isAnswered: (failure) => failure instanceof UnreadableVersion,
  });
  // Versions never change, and their answer checks are expensive to build, so they are cached apart from the form's mutable data.
  const versions = new LRUCache<string, Version>({ max: 2_000, maxSize: publishedBytes, sizeCalculation: bytesOfVersion });
  // Submissions from before versions had ids name theirs by its number, which another one may get. That takes a publication, and thus an event.
  const numbered = new EventCache<Numbered>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 2_000,
    maxBytes: 16 * 1_024 * 1_024,
    bytesOf: ({ fields }) => fields.length,
    ttlMs,
    tagsOf,
  });
  // Versions only ever add keys, so what is known stays true; only an unknown key needs a question.
  const fieldKeys = new LRUCache<string, ReadonlySet<string>>({ max: 2_000, maxSize: 200_000, sizeCalculation: ({ size }) => size + 1 });
  const orders = new EventCache<{ fields: ReadonlyMap<string, FieldOrder>; timezone: string | undefined }>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 2_000,
    maxBytes: 16 * 1_024 * 1_024,
    bytesOf: ({ fields }) => 256 * (1 + [...fields.values()].reduce((sum, { options }) => sum + 1 + options.length, 0)),
    ttlMs,
    tagsOf,
  });
  const optionLabels = new EventCache<readonly SoughtLabel[]>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 2_000,
    maxBytes: 16 * 1_024 * 1_024,
    bytesOf: (labels) => 256 * (1 + labels.length) + 64 * (labels.at(-1)?.keys.length ?? 0),
    ttlMs,
    tagsOf,
  });
  const access = new EventCache<FormAccess>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 20_000,
    maxBytes: 32 * 1_024 * 1_024,
    ttlMs: cacheMs,
    tagsOf,
  });

  const versionFrom = (name: VersionName, fields: Buffer): Version => {
    const known = versions.get(keyOf(name));
    if (known) return known;
    const version = versionOf(fields, patterns);
    versions.set(keyOf(name), version);
    onVersion(name, fields);
    return version;
  };

  const cachedOf = (name: VersionName): Version | undefined => (name.versionId === undefined ? undefined : versions.get(keyOf(name)));

  /** The version of this name, which `load` asks `forms` for by its number. @throws MissingVersion if it is not the one that is meant */
  const meant = async (name: VersionName, madeAt: Date | undefined, load: () => Promise<Numbered>): Promise<Numbered> => {
    const { formId, version, versionId } = name;
    const found =
      versionId === undefined
        ? await numbered.get(`${formId}:${version}`, async () => ({ value: await load(), tags: [formId] }))
        : await load();
    if (!isMeant({ versionId, madeAt }, found)) throw new MissingVersion(version);
    return found;
  };

  const meantVersion = async (name: VersionName, madeAt: Date | undefined, load: () => Promise<Numbered>): Promise<Version> => {
    const known = cachedOf(name);
    if (known) return known;
    const { id, fields } = await meant(name, madeAt, load);
    return versionFrom({ ...name, versionId: id }, fields);
  };

  const loadVersion =
    ({ formId, version }: VersionName, { call }: Asked<ClientCaller>) =>
    async (): Promise<Numbered> => {
      const found = await forms.getVersion(call, { form_id: formId, version: String(version) }).catch((error: unknown) => {
        throw Problem.from(error).code === 'not_found' ? new MissingVersion(version) : error;
      });
      if (!found.fields) throw new Error('forms sent a version without fields');
      return { id: found.id, publishedAt: found.published_at, fields: found.fields };
    };

  const standingOn: FormsView['standingOn'] = async (formId, { caller, call }) => {
    if (!isId(formId)) throw Problem.notFound('form');
    const facts = await access.get(`${caller.instanceId}:${formId}`, async () => {
      const value = toFormAccess(await forms.getFormAccess(call, { form_id: formId }));
      return { value, tags: [formId] };
    });
    return { role: formRole(caller, facts), workspaceId: facts.workspaceId };
  };

  const ordersOf = (formId: string, { caller, call }: Asked<ClientCaller>) =>
    orders.get(`${caller.instanceId}:${formId}`, async () => {
      const {
        keys,
        labels,
        unordered,
        written_in: language,
        timezone,
      } = await forms.listFieldKeys(call, { form_id: formId, labels: true });
      const labelled = new Map(labels.map((field) => [field.key, { ...labelsOf(field), kinds: kindsOf(field) }]));
      const fields = new Map(
        keys.map((each): [string, FieldOrder] => {
          const { kind, kinds = [], options } = labelled.get(each) ?? {};
          return [each, { kind, kinds, isNumeric: !unordered.includes(each), options: [...(options?.keys() ?? [])], language }];
        }),
      );
      return { value: { fields, timezone }, tags: [formId] };
    });

  return {
    standingOn,

    holdOn: async (formId, { caller, call }) => {
      if (!isId(formId)) throw Problem.notFound('form');
      const found = await forms.getFormAccess(call, { form_id: formId });
      const facts = toFormAccess(found);
      return { role: formRole(caller, facts), workspaceId: facts.workspaceId, isHeld: found.legal_hold ?? false };
    },

    accessNow: async (formId, { call }) => {
      if (!isId(formId)) throw Problem.notFound('form');
      const found = await forms.getFormAccess(call, { form_id: formId });
      return { ...toFormAccess(found), isTrashed: found.status === 'trashed' };
    },

    owned: async (afterId, limit, { call }) =>
      (await forms.listOwnedForms(call, { after_id: afterId, limit })).forms.map(({ id, workspace_id, legal_hold }) => ({
        id,
        workspaceId: workspace_id,
        isHeld: legal_hold,
      })),

    roleOn: async (formId, asked) => (await standingOn(formId, asked)).role,

    rolesOn: async (formIds, { caller, call }) => {
      const { forms: found } = await forms.listFormAccess(call, { form_ids: [...formIds] });
      return new Map(found.map((facts) => [facts.form_id, formRole(caller, toFormAccess(facts))]));
    },

    published: (form, { caller, call }) =>
      published.get(`${instanceOf(caller)}:${form}`, async () => {
        const found = await forms.getPublishedForm(call, { form });
        const version = versionFrom({ formId: found.id, version: found.version, versionId: found.version_id }, found.fields);
        return { value: toPublishedForm(found, version), tags: [found.id] };
      }),

    versionNow: async (form, { call }) => {
      const { version, version_id: versionId, fields } = await forms.getPublishedForm(call, { form });
      return { version, versionId, exact: exactRules(readItems(fields)) };
    },

    publishedVersionOf: async (made, { call }) => {
      const name = nameOf(made);
      const load = async () => {
        const found = await forms.getPublishedForm(call, { form: name.formId, version: name.version });
        if (found.version !== name.version) throw new MissingVersion(name.version);
        return { id: found.version_id, publishedAt: found.published_at, fields: found.fields };
      };
      return meantVersion(name, made.created_at, load).catch((error: unknown) => {
        if (error instanceof MissingVersion) return undefined;
        throw error;
      });
    },

    versionOf: (made, asked) => meantVersion(nameOf(made), made.created_at, loadVersion(nameOf(made), asked)),

    fieldsOf: async (name, asked) => (cachedOf(name) ?? (await meant(name, undefined, loadVersion(name, asked)))).fields,

    draft: async (formId, { call }) => {
      const [{ fields, payment }, { timezone }] = await Promise.all([
        forms.getDraft(call, { id: formId }),
        forms.getForm(call, { id: formId }),
      ]);
      return { check: answerCheck(readItems(fields), patterns), payment: payment ?? undefined, timezone };
    },

    fieldKeys: async (formId, call) => (await forms.listFieldKeys(call, { form_id: formId })).keys,

    unknownKeys: async (formId, keys, asked) => {
      const missingIn = (known: ReadonlySet<string> | undefined) => keys.filter((key) => known?.has(key) !== true);
      if (missingIn(fieldKeys.get(`${asked.caller.instanceId}:${formId}`)).length === 0) return [];
      const known = new Set((await forms.listFieldKeys(asked.call, { form_id: formId })).keys);
      fieldKeys.set(`${asked.caller.instanceId}:${formId}`, known);
      return missingIn(known);
    },

    orderOf: async (formId, key, asked) =>
      (await ordersOf(formId, asked)).fields.get(key) ?? { kind: undefined, isNumeric: false, options: [], language: undefined },

    fileFields: async (formId, asked) =>
      new Map(
        [...(await ordersOf(formId, asked)).fields].filter(([, { kind, kinds = [] }]) =>
          [{ kind }, ...kinds].some((each) => each.kind !== undefined && answerTraits(each.kind).hasFiles === true),
        ),
      ),

    timezoneOf: async (formId, asked) => (await ordersOf(formId, asked)).timezone,

    optionLabels: (formId, { caller, call }) =>
      optionLabels.get(`${caller.instanceId}:${formId}`, async () => {
        const { labels, languages } = await forms.listFieldKeys(call, { form_id: formId, labels: true });
        const ofOptions = labels.flatMap(({ key, options, translated_options, parts }) =>
          [...Object.entries(options), ...[...translated_options, ...parts.flatMap((part) => part.options)].map(valueAndLabel)]
            // The words of an answer are in the index.
            .filter(([value, label]) => folded(value) !== folded(label))
            .map(([value, label]) => ({ keys: [key], value, label })),
        );
        const countries = labels.flatMap(({ key, type }) => countryKeys(key, kindOf(type)));
        return { value: [...ofOptions, ...countryLabels(countries, languages)], tags: [formId] };
      }),

    fieldLabels: async (formId, call, language) => {
      const {
        keys,
        labels,
        title,
        timezone,
        written_in: writtenIn,
      } = await forms.listFieldKeys(call, { form_id: formId, labels: true, language });
      return { keys, labels: new Map(labels.map((field) => [field.key, labelsOf(field)])), title, timezone, writtenIn };
    },
  };
}

/** The languages of the console, in which members read the names. */
const memberLanguages = ['en', 'de', 'fr', 'es'];

/** The keys under which a search finds the countries of a field: its own, or that of a part. */
const countryKeys = (key: string, kind: AnswerKind = 'text'): string[] => [
  ...(kind === 'country' ? [key] : []),
  ...partsOfKind(kind).flatMap((part) => (part.kind === 'country' ? partKey(key, part.name as PartName) : [])),
];

/** The names of countries in the languages of a form, each once for all its fields. */
function countryLabels(keys: readonly string[], languages: readonly string[]): SoughtLabel[] {
  if (keys.length === 0) return [];
  const found = new Map<string, SoughtLabel>();
  for (const language of new Set([...memberLanguages, ...languages]))
    for (const [value, label] of countryNames(language)) found.set(`${value} ${folded(label)}`, { keys, value, label });
  return [...found.values()];
}

type LabelsMessage = Awaited<ReturnType<Client<FormsDefinition>['listFieldKeys']>>['labels'][number];

/** An earlier release of `forms` does not tell the order of the options. */
function labelsOf({ label, options, type, values, types, parts }: LabelsMessage): FieldLabels {
  const ordered = values.map((value) => [value, options[value] ?? value] as const);
  return {
    label,
    options: new Map(ordered.length > 0 ? ordered : Object.entries(options)),
    kind: kindOf(type),
    ...(parts.length > 0 && { parts: parts.map(partOf) }),
    isRanked: isRankedType(type),
    ...(types.length > 0 && { rankedIn: types.flatMap((each) => (isRankedType(each.type) ? each.versions : [])) }),
  };
}

const partOf = ({ name, kind, label, options }: LabelsMessage['parts'][number]): FieldPart => ({
  name,
  // A later release may have others, whose answers are shown as they are.
  kind: Object.hasOwn(answerKinds, kind) ? (kind as PartKind) : 'text',
  required: false,
  ...(label !== undefined && { label }),
  ...(options.length > 0 && { options: options.map(valueAndLabel) }),
});

const valueAndLabel = ({ value, label }: { value: string; label: string }) => [value, label] as const;

const isRankedType = (type: string): boolean => isKnown(type) && isRanked({ type });

const kindsOf = ({ types }: LabelsMessage): KindInVersions[] => types.map(({ type, versions }) => ({ kind: kindOf(type), versions }));

const isKnown = (type: string): type is FieldType => Object.hasOwn(fieldKinds, type);

const kindOf = (type: string): AnswerKind | undefined => (isKnown(type) ? fieldKinds[type].answer : undefined);
