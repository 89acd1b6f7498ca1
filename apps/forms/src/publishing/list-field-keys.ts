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
  translated_options: { value: string; label: string }[];
  /** Its types, if not all versions have the same one. */
  types: versions.TypeInVersions[];
  /** The parts of its answers in all versions, those of the newest first; of a repeat, the fields of its items. */
  parts: { name: string; kind: string; label?: string | undefined }[];
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
      const labelled = ({ name, kind, label }: Part) => ({ name, kind, label: Object.hasOwn(rows, name) ? rows[name] : label });
      return {
        ...labelsOf(field, translated, parted.get(key) ?? []),
        types: types.get(key) ?? [],
        parts: isRepeat(field)
          ? firstOfEach((parted.get(key) ?? []).flatMap(fieldsOfItem), (inner) => inner.key).map((inner) => ({
              name: inner.key,
              kind: answerKindOf(inner),
              label: labelTextOf({ ...inner, label: translated(inner)?.label ?? inner.label }),
            }))
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

/** Those of the versions, then those that only the draft has, as JSON. */
function fieldsAsJson(published: readonly { key: string; field: string }[], drafted: readonly { key: string; field: string }[]): string {
  const known = new Set(published.map(({ key }) => key));
  return `[${[...published, ...drafted.filter(({ key }) => !known.has(key))].map(({ field }) => field).join()}]`;
}

const writtenIn = ({ default_language: own, languages }: FormSettings): string | undefined => own ?? languages?.[0];

const settingsOf = async (db: Database, formId: string) => JSON.parse(await settingsTextOf(db, formId)) as FormSettings;

type Translation = NonNullable<Field['translations']>[string];

/** Chooses the translation for readers of a language; none if the form was written in it. */
function translationTo(wanted: string, settings: FormSettings): (field: Field) => Translation | undefined {
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

function labelsOf(
  field: Field,
  translated: (field: Field) => Translation | undefined,
  inVersions: readonly Field[],
): Omit<FieldLabels, 'types' | 'parts'> {
  const { key, label, translations = {} } = field;
  // The options in the items of a repeat are found as its own. The columns of a matrix are chosen as options are. Those of earlier versions keep their labels, as its rows do, but a field that is none any more has
  // other answers.
  const asked = isMatrix(field) ? [field, ...inVersions] : [];
  const columns = firstOfEach(
    asked.flatMap((version) => version.columns ?? []),
    ({ value }) => value,
  );
  const options: readonly { value: string; label: string }[] = field.options ?? [
    ...columns,
    ...fieldsOfItem(field).flatMap((inner) => inner.options ?? []),
  ];
  const translation = translated(field);
  const ofItems = fieldsOfItem(field).map((inner) => translated(inner)?.options ?? {});
  const ofOptions =
    (field.columns ? translation?.columns : translation?.options) ?? (Object.assign({}, ...ofItems) as Record<string, string>);
  const optionLabel = (value: string, own: string) => (Object.hasOwn(ofOptions, value) ? (ofOptions[value] ?? own) : own);
  return {
    key,
    label: labelTextOf({ ...field, label: translation?.label ?? label }),
    options: Object.fromEntries(options.map(({ value, label: own }) => [value, optionLabel(value, own)])),
    type: plainTypeOf(field),
    values: options.map(({ value }) => value),
    translated_options: [translations, ...fieldsOfItem(field).map((inner) => inner.translations ?? {})]
      .flatMap((each) => Object.values(each))
      .flatMap(({ options: others, columns }) => Object.entries(others ?? columns ?? {}).map(([value, own]) => ({ value, label: own }))),
  };
}
