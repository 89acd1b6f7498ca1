import { hash } from 'node:crypto';
import { FieldList, FormSettings, closedReasons, isField, type ClosedReason, type FormItem, type Payment } from '@sheaf/contracts';
import type { Call, Client, FormsDefinition, SubmissionsDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { stepsOf, type Step } from '@sheaf/form-view';

/** The latest version of a form, as a respondent fills it in now. */
export interface OpenForm {
  id: string;
  title: string;
  version: number;
  /** Never used again, unlike the number; undefined if `submissions` does not know it. */
  versionId: string | undefined;
  items: readonly FormItem[];
  steps: readonly Step[];
  /** Whether each respondent gets options in an order of their own. */
  isShuffled: boolean;
  settings: FormSettings;
  /** Changes with the settings, so that the theme's files can be cached. */
  settingsHash: string;
  payment: Payment | undefined;
  /** Why the form takes no submissions; undefined while it is open. */
  closedBecause: ClosedReason | undefined;
  opensAt: Date | undefined;
  closesAt: Date | undefined;
  closedMessage: string | undefined;
  timeZone: string | undefined;
  /** The start token, for the spam check. */
  started: string;
  proofBits: number | undefined;
  /** The values of options without a place left, by the key of the field. */
  fullOptions: ReadonlyMap<string, readonly string[]>;
}

type Version = Pick<OpenForm, 'items' | 'steps' | 'isShuffled'>;
type Settings = Pick<OpenForm, 'settings' | 'settingsHash'>;

const maxBytes = 32 * 1_024 * 1_024;

/** Reads forms from `submissions`, which has them in memory. Only their fields are remembered here: a version never changes. */
export class KnownForms {
  private readonly versions = new LRUCache<string, Version & { bytes: number }>({
    max: 1_000,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => 1_024 + 8 * bytes,
  });
  private readonly settings = new LRUCache<string, Settings>({
    max: 1_000,
    maxSize: maxBytes,
    sizeCalculation: (_, json) => 1_024 + 4 * json.length,
  });

  constructor(
    private readonly submissions: Client<SubmissionsDefinition>,
    private readonly forms: Client<FormsDefinition>,
  ) {}

  /**
   * @param view whether a respondent opens the form, which is counted
   * @throws Problem `not_found`, `unavailable`
   */
  async load(form: string, call: Call, { view = false } = {}): Promise<OpenForm> {
    const found = await this.submissions.getIntakeForm(call, { form, view });
    return {
      id: found.id,
      title: found.title,
      version: found.version,
      versionId: found.version_id,
      ...this.versionOf({ id: found.id, version: found.version, versionId: found.version_id }, found.fields),
      ...this.settingsOf(found.settings.toString()),
      payment: found.payment ?? undefined,
      // An unknown reason comes from a newer version of `submissions`.
      closedBecause: found.open ? undefined : (ClosedBecause.safeParse(found.closed_because).data ?? 'closed'),
      opensAt: dateOf(found.opens_at),
      closesAt: dateOf(found.closes_at),
      closedMessage: found.closed_message,
      timeZone: found.timezone,
      started: found.started,
      proofBits: found.proof_bits,
      fullOptions: new Map(found.full_options.map(({ key, values }) => [key, values])),
    };
  }

  /** The fields and elements of an earlier version. @throws Problem `not_found`, `bad_request`, `unavailable` */
  async itemsOf(formId: string, version: number, call: Call): Promise<readonly FormItem[]> {
    const { fields, version_id: versionId } = await this.forms.getPublishedForm(call, { form: formId, version });
    return this.versionOf({ id: formId, version, versionId }, fields).items;
  }

  private versionOf({ id, version: number, versionId = '' }: Pick<OpenForm, 'id' | 'version' | 'versionId'>, fields: Buffer): Version {
    const name = `${id}:${number}:${versionId}`;
    const known = this.versions.get(name);
    if (known) return known;
    const items = FieldList.parse(JSON.parse(fields.toString()));
    const isShuffled = items.some((item) => isField(item) && item.shuffle === true);
    const version = { items, steps: stepsOf(items), isShuffled, bytes: fields.length };
    this.versions.set(name, version);
    return version;
  }

  private settingsOf(json: string): Settings {
    const known = this.settings.get(json);
    if (known) return known;
    const settings = {
      settings: json === '' ? {} : StoredSettings.parse(JSON.parse(json)),
      settingsHash: hash('sha256', json, 'base64url').slice(0, 12),
    };
    this.settings.set(json, settings);
    return settings;
  }
}

const ClosedBecause = z.enum(closedReasons);

/** In place of the logo, stored settings have its hash. Origins with a wildcard could be stored once. */
const StoredSettings = FormSettings.extend({
  embed_origins: z.array(z.string()).optional(),
  theme: FormSettings.shape.theme.unwrap().extend({ logo: z.string().optional() }).optional(),
});

const dateOf = (instant: string | undefined): Date | undefined => (instant === undefined ? undefined : new Date(instant));
