import {
  answerFormOf,
  answerKindOf,
  fieldsOf,
  isField,
  hasFiles,
  isFile,
  isFromAddress,
  isHidden,
  isTypedNumber,
  normalAnswer,
  type Field,
} from '@sheaf/contracts';
import { dayIn } from '@sheaf/formulas';
import {
  fieldsWithItems,
  initialValues,
  innerKey,
  outerKey,
  readAnswers,
  readPlainNumber,
  rewriteNumber,
  withFirstItems,
  writeNumber,
  type Fault,
  type KeptFile,
  type Read,
  type Values,
} from '@sheaf/form-view';
import type { OpenForm } from './known-forms';
import type { Posted, PostedFile } from './posted';
import type { Tokens } from './tokens';
import type { PageTokens } from './untouched-pages';

/** Everything that a respondent has entered so far, on all steps. Pages keeps nothing: it arrives with each request. */
export interface Entered {
  /** Names this attempt; also its idempotency key. */
  token: string;
  /** The start token of the page that was opened first. */
  started: string;
  /** A proof that ties the token to the address. Only a page that many people get has it here; other pages are signed as they are drawn. */
  here?: string;
  values: Values;
  files: ReadonlyMap<string, readonly KeptFile[]>;
  /** Why files were refused that arrived with this request. */
  faults: readonly Fault[];
  /** Whether the answers were saved for later, and have to be erased once they are sent. */
  isSaved: boolean;
  /** The token under which they are saved, if not their own: whoever gave the respondent a link must not read what is saved after it was opened. */
  savesAs: string | undefined;
  /** Whether the respondent has sent answers before, to be counted as one who began. */
  hasBegun: boolean;
  /** The furthest step that the respondent has got to in this version; undefined where that is the step that the page shows. */
  furthest?: number | undefined;
  /** Whether these answers may be sent however short it is since the page was opened: a person confirmed them, or a link filled them in. */
  isConfirmed: boolean;
}

const valueName = (key: string) => `a.${key}`;
const keptName = (key: string) => `kept.${key}`;
export const fileName = (key: string) => `file.${key}`;
const droppedName = (key: string) => `dropped.${key}`;

/** An untouched form: its controls have values from the address, for fields that allow it, and defaults. */
export function untouched(form: OpenForm, tokens: PageTokens, query: URLSearchParams, language: string): Entered {
  let isConfirmed = false;
  const values = fieldsOf(form.items).flatMap((field): [string, readonly string[]][] => {
    const asked = takesValue(field) ? query.getAll(field.key).filter((value) => value !== '') : [];
    if (asked.length > 0 && !isHidden(field)) isConfirmed = true;
    const initial =
      asked.length > 0 ? asked.slice(0, 1_000).map((value) => fromAddress(field, value, language)) : initialValues(field, language);
    return initial.length === 0 ? [] : [[field.key, initial]];
  });
  return {
    ...tokens,
    values: withFirstItems(form.items, new Map(values), language),
    files: new Map(),
    faults: [],
    isSaved: false,
    savesAs: undefined,
    hasBegun: false,
    isConfirmed,
  };
}

/** An address is the same for every respondent, so a number in it is a plain one; the control shows it in their language. */
function fromAddress(field: Field, value: string, language: string): string {
  // A list box has the codes of countries as they are kept.
  if (answerKindOf(field) === 'country') return String(normalAnswer(answerFormOf(field), value));
  const number = isTypedNumber(field) ? readPlainNumber(value.trim()) : undefined;
  return number === undefined ? value : writeNumber(number, language);
}

/** Values that were entered in one language as a page in another one shows them. */
export function inLanguage({ items }: OpenForm, values: Values, from: string, to: string): Map<string, readonly string[]> {
  const fields = fieldsOf(items).flatMap((field) => [field, ...(field.fields ?? [])]);
  const numbers = new Set(fields.flatMap((field) => (isTypedNumber(field) ? [field.key] : [])));
  return new Map(
    [...values].map(([key, typed]) => [key, numbers.has(innerKey(key)) ? typed.map((value) => rewriteNumber(value, from, to)) : typed]),
  );
}

const takesValue = (field: Field): boolean => field.prefill === true || isFromAddress(field);

/** The values that the address has for fields. */
export const filling = ({ items }: OpenForm, query: URLSearchParams): [string, string][] => {
  if (query.size === 0) return [];
  const keys = new Set(fieldsOf(items).flatMap((field) => (takesValue(field) ? [field.key] : [])));
  return [...query].filter(([name]) => keys.has(name));
};

/** The values that arrived with a page. Controls of fields that the form does not have any more are left out. */
export function arrived(
  form: OpenForm,
  posted: Posted,
  {
    token,
    tokens,
    uploaded,
    faults,
  }: { token: string; tokens: Tokens; uploaded: ReadonlyMap<string, readonly KeptFile[]>; faults: readonly Fault[] },
): Entered {
  const counts = new Map([...enteredValues(posted)].filter(([key]) => outerKey(key) === key));
  const values = new Map<string, readonly string[]>();
  const files = new Map<string, readonly KeptFile[]>();
  for (const field of fieldsWithItems(fieldsOf(form.items), counts)) {
    if (hasFiles(field)) {
      const all = [...keptFiles(form, field, posted.all(keptName(field.key)), tokens), ...(uploaded.get(field.key) ?? [])];
      // A further file replaces the only one.
      const kept = field.multiple === true ? all : all.slice(-1);
      if (kept.length > 0) files.set(field.key, kept);
    }
    if (!isFile(field)) {
      const entered = posted.all(valueName(field.key));
      if (entered.length > 0) values.set(field.key, entered);
    }
  }
  const isOn = (name: string) => posted.get(name) === '1';
  const started = posted.get('started') ?? '';
  const savesAs = posted.get('saves_as');
  return {
    ...{ token, started, values, files, faults, isSaved: isOn('saved'), hasBegun: true, isConfirmed: isOn('confirmed') },
    savesAs: savesAs !== undefined && tokens.isPage(form.id, savesAs) ? savesAs : undefined,
    furthest: furthestIn(form, posted),
  };
}

/** Anybody can send any page. */
function furthestIn({ steps }: OpenForm, posted: Posted): number | undefined {
  const said = posted.get('furthest') ?? '';
  return /^\d{1,3}$/.test(said) && Number(said) <= steps.length ? Number(said) : undefined;
}

export function keptFiles(form: Pick<OpenForm, 'id'>, { key }: Pick<Field, 'key'>, sent: readonly string[], tokens: Tokens): KeptFile[] {
  return sent.flatMap((token) => {
    const upload = tokens.readUpload(token);
    return upload?.form === form.id && upload.field === key ? [{ id: upload.id, name: upload.name, size: upload.size, token }] : [];
  });
}

/** The hidden control for a file that did not arrive, because the form could not be read: its respondent is told once it can be. */
export const droppedControl = ({ control, name }: PostedFile): readonly [string, string] => [
  droppedName(control.slice(fileName('').length)),
  name,
];

export const isDropped = (control: string): boolean => control.startsWith(droppedName(''));

/** The faults of files that did not arrive with an earlier attempt. */
export const droppedFiles = ({ items }: OpenForm, posted: Posted): Fault[] =>
  fieldsOf(items)
    .filter(hasFiles)
    .flatMap(({ key }) => posted.all(droppedName(key)).map((name) => notStored(key, name)));

const notStoredCode = 'not_stored';

export const notStored = (key: string, file: string): Fault => ({
  ...{ key, code: notStoredCode, file },
  params: {},
  message: 'could not be stored',
});

/** Whether a file has to be chosen again, for no fault of its own. */
export const lacksFiles = ({ faults }: Entered): boolean => faults.some(({ code }) => code === notStoredCode);

export function withoutFile(entered: Entered, key: string, id: string): Entered {
  const files = new Map(entered.files);
  files.set(
    key,
    (files.get(key) ?? []).filter((file) => file.id !== id),
  );
  return { ...entered, files };
}

export const withoutValues = (entered: Entered, keys: ReadonlySet<string>): Entered => ({
  ...entered,
  values: new Map([...entered.values].filter(([key]) => !keys.has(key))),
});

export const readEntered = (
  form: Pick<OpenForm, 'items' | 'timeZone'>,
  { values, files }: Pick<Entered, 'values' | 'files'>,
  language: string,
): Read =>
  readAnswers(form.items, values, new Map([...files].map(([key, kept]) => [key, kept.map(({ id }) => id)])), language, () => today(form));

/** The day in the time zone of the form. */
export const today = ({ timeZone }: Pick<OpenForm, 'timeZone'>): string => dayIn(timeZone, new Date());

/** The hidden controls of a page: what was entered in fields that it does not show. */
export function carried(form: OpenForm, { values, files }: Entered, onPage: ReadonlySet<string>): (readonly [string, string])[] {
  return fieldsWithItems(form.items.filter(isField), values).flatMap((field): (readonly [string, string])[] => {
    if (onPage.has(outerKey(field.key))) return [];
    return [
      ...(files.get(field.key) ?? []).map(({ token }) => [keptName(field.key), token] as const),
      ...(values.get(field.key) ?? []).map((value) => [valueName(field.key), value] as const),
    ];
  });
}

/** The values of all fields, also those that the form does not have any more. */
export const enteredValues = (posted: Posted): Values => byKey(posted, 'a.');

/** The kept files of all fields, also those that the form does not have any more. */
export const enteredFiles = (form: Pick<OpenForm, 'id'>, posted: Posted, tokens: Tokens): Map<string, readonly KeptFile[]> =>
  new Map([...byKey(posted, 'kept.')].map(([key, sent]) => [key, keptFiles(form, { key }, sent, tokens)]));

const byKey = (posted: Posted, prefix: string): Values =>
  new Map([...posted.entries()].flatMap(([name, values]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), values]] : [])));
