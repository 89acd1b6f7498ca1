import {
  isCheck,
  isComputed,
  isField,
  isRepeat,
  truncate,
  withOthers,
  type Field,
  type FormDocument,
  type FormElement,
  type FormItem,
} from '@sheaf/contracts';
import { formulasOf } from '@sheaf/formulas';
import { writeSheets } from '@sheaf/workbook';
import { survey } from './questions';
import { Lists } from './write-choices';
import type { Names } from './write-expressions';
import { asWritten, isAskedWithChoice, questionRows, relevantCells, type Writing } from './write-question';
import { repeatRows } from './write-repeat';
import { hasFallback, sheetOf, textCells, textsOf, writtenLanguages, type Row } from './write-row';

/** The sheet that names what XLSForms cannot say. Programs that read XLSForms leave out sheets that they do not know. */
export const leftOutSheet = 'left_out';

/**
 * Writes a form as an XLSForm (xlsform.org), which ODK, Kobo and others read. What XLSForms cannot say is named in the sheet `left_out`, with the
 * question that it belongs to.
 */
export async function writeXlsForm(document: FormDocument): Promise<Buffer> {
  const { title, settings } = document;
  const languages = writtenLanguages(settings, document.fields);
  const leftOut: Row[] = settingsLeftOut(document).map((part) => ({ 'left out': part }));
  const items = withOthers(document.fields);
  const lists = new Lists(languages);
  const writing: Writing = {
    languages,
    lists,
    names: namesOf(items),
    formulas: formulasOf(items),
    leaveOut: (of, what) => void leftOut.push({ question: truncate('key' in of ? of.key : of.label, 100), 'left out': what }),
  };
  const rows = rowsOf(items, writing);
  const settingsRow: Row = {
    form_title: title,
    ...(languages.own === undefined ? {} : { default_language: languages.nameOf(languages.own) }),
    ...(lists.hasTwice ? { allow_choice_duplicates: 'yes' } : {}),
  };
  return writeSheets([
    sheetOf(survey, rows, ['type', 'name', ...Object.keys(textCells('label', '', () => '', languages))]),
    sheetOf('choices', lists.rows, ['list_name', 'name']),
    sheetOf('settings', [settingsRow], ['form_title']),
    { name: leftOutSheet, columns: ['question', 'left out'], rows: leftOut },
  ]);
}

/** The parts of the document beside its questions that are none of an XLSForm's. */
function settingsLeftOut({ settings, payment, publish_mode, ...rest }: FormDocument): string[] {
  const { languages: _, default_language: __, ...others } = settings;
  const { sheaf: ___, version: ____, title: _____, fields: ______, ...times } = rest;
  const parts = { ...others, ...times, payment, publish_mode: publish_mode === 'auto' ? publish_mode : undefined };
  return Object.entries(parts).flatMap(([part, value]) => (value === undefined ? [] : [`the form’s ${part}`]));
}

/** The fields, with those of repeats. */
const allFields = (items: readonly FormItem[]): Field[] => items.filter(isField).flatMap((field) => [field, ...(field.fields ?? [])]);

function namesOf(items: readonly FormItem[]): Names {
  const known = new Map(allFields(items).map((field) => [field.key, asWritten(field)]));
  return { get: (key) => known.get(key) };
}

/** A page goes on until the next one, and a section until the next of either; in an XLSForm, both are groups with an end. */
function rowsOf(items: readonly FormItem[], writing: Writing): Row[] {
  const rows: Row[] = [];
  const open: FormElement['type'][] = [];
  const taken = new Set(allFields(items).map(({ key }) => key));
  const checks = items.filter(isCheck);
  const nameFor = (type: string): string => {
    for (let number = 1; ; number += 1) {
      const name = `${type}_${number}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
  const closeTo = (types: readonly FormElement['type'][]) => {
    while (open.length > 0 && types.includes(open.at(-1) ?? 'statement')) {
      rows.push({ type: 'end_group' });
      open.pop();
    }
  };
  for (const item of items) {
    if (isField(item)) {
      const own = checks.filter(({ at }) => at === item.key);
      if (isAskedWithChoice(item, writing.names) || isComputed(item))
        for (const { message } of own) writing.leaveOut(item, `the check "${message}"`);
      if (isAskedWithChoice(item, writing.names)) continue;
      rows.push(...(isRepeat(item) ? repeatRows : questionRows)(item, own, writing));
    } else if (item.type === 'ending')
      writing.leaveOut({ label: item.title }, 'the ending: people read the same text whatever they answer');
    else if (item.type === 'statement') rows.push({ type: 'note', name: nameFor('note'), ...elementCells(item, writing) });
    else if (item.type !== 'check') {
      closeTo(item.type === 'page' ? ['section', 'page'] : ['section']);
      open.push(item.type);
      const appearance = item.type === 'page' ? 'field-list' : '';
      rows.push({ type: 'begin_group', name: nameFor(item.type), appearance, ...elementCells(item, writing) });
    }
  }
  closeTo(['section', 'page']);
  return rows;
}

function elementCells(item: FormElement, writing: Writing): Row {
  if (hasFallback(item)) writing.leaveOut(item, 'the words in place of a missing answer');
  return {
    ...textsOf(item, 'label', 'label', writing),
    ...textsOf(item, 'help', 'hint', writing),
    ...relevantCells(item, writing),
  };
}
