import {
  answerKindOf,
  asSentItem,
  Field,
  fieldsOfItem,
  hasParts,
  isMatrix,
  isOrdered,
  isRepeat,
  labelTextOf,
  partsOf,
  plainTypeOf,
  type FormSettings,
  type Part,
} from '@sheaf/contracts';
import { authorize, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { loadForm } from '../form/load-form';
import { settingsTextOf } from '../settings/settings.queries';
import * as versions from './versions.queries';

interface FieldLabels {
  key: string;
  label: string;
  /** By value. */
  options: Record<string, string>;
  type: string;
  /** Of the options, in their order. */
  values: string[];
  /** Of the options, in the other languages of the form. */
  translated_options: OptionLabel[];
  /** Its types, if not all versions have the same one. */
  types: versions.TypeInVersions[];
  /** The parts of its answers in all versions, those of the newest first; of a repeat, the fields of its items. */
  parts: FieldPart[];
}

interface FieldPart {
  name: string;
  kind: string;
  label?: string | undefined;
  /** Of a field in the items of a repeat, in their order. */
  options: OptionLabel[];
}

interface OptionLabel {
  value: string;
  label: string;
}

interface FieldKeys {
  keys: string[];
  labels: FieldLabels[];
  unordered: string[];
  title?: string | undefined;
  timezone?: string | undefined;
  written_in?: string | undefined;
  languages: string[];
  fields?: string | undefined;
}

/**
 * The keys that answers may have in any version: those of the latest version in its order, then the removed ones. With `labels`, also what
 * the newest version with such a field calls it and its options, in the `language` if they are translated, and the form's title, time zone and languages.
 * `unordered` are those whose answers have no order there. With `whole`, also the fields themselves, and those that only the draft has: a webhook may name a question before it is published.
 */
export async function listFieldKeys(
  { db }: Deps,
  caller: Client,
  { formId, labels, language, whole }: { formId: string; labels: boolean; whole: boolean; language?: string | undefined },
): Promise<FieldKeys> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read this form');
  const found = await versions.fieldsOfAllVersions(db, form.id);
  const keys = {
    keys: found.map(({ key }) => key),
    fields: whole ? fieldsAsJson(found, await versions.fieldsOfDraft(db, form.id)) : undefined,
    unordered: found.filter(({ field }) => !isOrdered(JSON.parse(field) as Field)).map(({ key }) => key),
  };
  if (!labels) return { ...keys, labels: [], languages: [] };
  const settings = await settingsOf(db, form.id);
  const types = await versions.changedTypes(db, form.id);
  const parted = await partedVersions(db, form.id);
  const translated = language === undefined ? () => undefined : translationTo(language, settings);
  return {
    ...keys,
    labels: found.map(({ key, field: stored }) => {
      const field = Field.parse(asSentItem(JSON.parse(stored)));
      const { rows = {} } = translated(field) ?? {};
      const labelled = ({ name, kind, label }: Part) => ({
        ...{ name, kind, options: [] },
        label: Object.hasOwn(rows, name) ? rows[name] : label,
      });
      return {
        ...labelsOf(field, translated, parted.get(key) ?? []),
        types: types.get(key) ?? [],
        parts: isRepeat(field)
          ? partsOfItems((parted.get(key) ?? []).flatMap(fieldsOfItem), translated)
          : hasParts(field)
            ? firstOfEach((parted.get(key) ?? []).flatMap(partsOf), ({ name }) => name).map(labelled)
            : [],
      };
    }),
    title: form.title,
    timezone: form.timezone ?? undefined,
    written_in: writtenIn(settings),
    languages: [...new Set([settings.default_language, ...(settings.languages ?? [])])].filter((tag) => tag !== undefined),
  };
}

/** By key, the newest first. An answer to a version that asked for a part, or offered a column, is shown for as long as it is kept. */
async function partedVersions(db: Database, formId: string): Promise<ReadonlyMap<string, readonly Field[]>> {
  const found = new Map<string, Field[]>();
  const parted = [...(await versions.partedFields(db, formId)), ...(await versions.repeatsOfAllVersions(db, formId))];
  for (const { key, field } of parted) found.set(key, [...(found.get(key) ?? []), Field.parse(asSentItem(JSON.parse(field)))]);
  return found;
}

function firstOfEach<Each>(all: readonly Each[], nameOf: (each: Each) => string): Each[] {
  const names = new Set<string>();
  return all.filter((each) => !names.has(nameOf(each)) && names.add(nameOf(each)));
}

/** @param fields those of the items in all versions, the newest first */
const partsOfItems = (fields: readonly Field[], translated: Translator): FieldPart[] =>
  firstOfEach(fields, ({ key }) => key).map((newest) => ({
    name: newest.key,
    kind: answerKindOf(newest),
    label: labelTextOf({ ...newest, label: translated(newest)?.label ?? newest.label }),
    options: firstOfEach(
      fields.filter(({ key }) => key === newest.key).flatMap((field) => labelledOptions(field.options ?? [], translated(field)?.options)),
      ({ value }) => value,
    ),
  }));

/** Those of the versions, then those that only the draft has, as JSON. */
function fieldsAsJson(published: readonly { key: string; field: string }[], drafted: readonly { key: string; field: string }[]): string {
  const known = new Set(published.map(({ key }) => key));
  return `[${[...published, ...drafted.filter(({ key }) => !known.has(key))].map(({ field }) => field).join()}]`;
}

const writtenIn = ({ default_language: own, languages }: FormSettings): string | undefined => own ?? languages?.[0];

const settingsOf = async (db: Database, formId: string) => JSON.parse(await settingsTextOf(db, formId)) as FormSettings;

type Translation = NonNullable<Field['translations']>[string];

type Translator = (field: Field) => Translation | undefined;

/** Chooses the translation for readers of a language; none if the form was written in it. */
function translationTo(wanted: string, settings: FormSettings): Translator {
  const primary = (tag: string) => tag.split('-')[0];
  const isSame = (tag: string) => primary(tag) === primary(wanted);
  const authorLanguage = writtenIn(settings);
  return ({ translations = {} }) => {
    const exact = translations[wanted];
    if (exact || (authorLanguage !== undefined && isSame(authorLanguage))) return exact;
    const closest = Object.keys(translations).find(isSame);
    return closest === undefined ? undefined : translations[closest];
  };
}

function labelsOf(field: Field, translated: Translator, inVersions: readonly Field[]): Omit<FieldLabels, 'types' | 'parts'> {
  const { key, label, translations = {} } = field;
  // The columns of a matrix are chosen as options are. Those of earlier versions keep their labels, as its rows do, but a field that is none any
  // more has other answers.
  const asked = isMatrix(field) ? [field, ...inVersions] : [];
  const columns = firstOfEach(
    asked.flatMap((version) => version.columns ?? []),
    ({ value }) => value,
  );
  const translation = translated(field);
  const options = labelledOptions(field.options ?? columns, field.columns ? translation?.columns : translation?.options);
  return {
    key,
    label: labelTextOf({ ...field, label: translation?.label ?? label }),
    options: Object.fromEntries(options.map(({ value, label: own }) => [value, own])),
    type: plainTypeOf(field),
    values: options.map(({ value }) => value),
    // The options in the items of a repeat are found as its own.
    translated_options: [translations, ...fieldsOfItem(field).map((inner) => inner.translations ?? {})]
      .flatMap((each) => Object.values(each))
      .flatMap(({ options: others, columns: own }) => Object.entries(others ?? own ?? {}).map(([value, text]) => ({ value, label: text }))),
  };
}

const labelledOptions = (options: readonly OptionLabel[], translations: Readonly<Record<string, string>> = {}): OptionLabel[] =>
  options.map(({ value, label }) => ({ value, label: Object.hasOwn(translations, value) ? (translations[value] ?? label) : label }));
