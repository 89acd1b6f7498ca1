import { z } from 'zod';
import { languageTag } from '../app/draft';
import { described, leftOut } from '../described';
import { bool, createdAt, offsetInstant, oneOf, ownId, trimmed, updatedAt } from '../shapes';
import { choiceColumns, columnNames, csvDelimiters, exportFormatNames, unfitWish } from './exports';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';

/** A form has so many shared presets, and a person so many of their own of each form. */
export const maxExportPresets = 20;
export const exportPresetNameLength = 80;
/** An export takes a look in its query, beside its conditions, and Node refuses requests whose heads have more than 16 KiB. */
const maxQueryBytes = 12 * 1_024;

/** The length of a look in a query, in the longest of the ways in which clients write it. */
const queryBytes = (look: object): number =>
  new URLSearchParams(Object.entries(look).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])))
    .toString()
    .replaceAll('+', '%20').length;

export const ExportPresetFile = described(
  z
    .object({
      format: described(oneOf(exportFormatNames), 'The format.', 'csv'),
      language: described(
        languageTag().optional(),
        'The language of the people who will read the file; absent for a file as the API has it.',
        'en',
      ),
      labels: described(
        bool().optional(),
        'Whether labels stand in place of keys and values. Absent: whether there is a `language`.',
        leftOut,
      ),
      columns: described(
        columnNames().min(1, 'must have at least one column').optional(),
        'The columns in their order, with or without a heading of their own; absent for the usual ones.',
        ['reference:Number', 'answers.name:Full name', 'created_at'],
      ),
      choices: described(oneOf(choiceColumns).optional(), 'The columns of a question with several choices.', 'joined'),
      delimiter: described(oneOf(csvDelimiters).optional(), 'The separator between cells of `csv`.', 'semicolon'),
      bom: described(bool().optional(), 'Whether `csv` begins with a byte order mark.', true),
    })
    .superRefine((file, context) => {
      const unfit = unfitWish(file);
      if (unfit) context.addIssue({ code: 'custom', path: [unfit.wish], message: unfit.message });
    })
    .refine(
      (look) => queryBytes(look) <= maxQueryBytes,
      `must have at most ${maxQueryBytes} bytes as the query of an export, percent-encoded: choose fewer columns, or shorter headings`,
    ),
  'The parameters of exportSubmissions that decide how a file looks, by their names there. Those that are absent have their defaults.',
);
export type ExportPresetFile = z.output<typeof ExportPresetFile>;

const name = () => described(trimmed(1, exportPresetNameLength), 'The name, which no other one of them has.', 'For the accounts');
const shared = () =>
  described(
    bool(),
    'Whether everybody who may read the submissions of the form sees it, and those who may change the form change it. Otherwise it is the own preset of one person.',
    true,
  );
const file = 'How the file looks.';

export const ExportPreset = described(
  z.object({
    id: ownId(),
    name: described(z.string(), 'The name.', 'For the accounts'),
    shared: shared(),
    file: described(ExportPresetFile, file),
    missing: described(
      z.array(z.string()),
      'The keys among its columns that no version of the form has. An export with these columns is refused, so leave them out.',
      [],
    ),
    created_at: createdAt(),
    updated_at: updatedAt(),
  }),
  'The look of exported files of a form, kept under a name.',
);
export type ExportPreset = z.output<typeof ExportPreset>;
carriedAs(ExportPreset, { json: ['file'] });

export const ExportPresets = described(
  z.object({ data: described(z.array(ExportPreset), 'The shared presets by name, and then those of the caller.') }),
  'The export presets of a form that the caller sees.',
);
carriedAs(ExportPresets, { names: { data: 'presets' } });

export const ExportPresetRequest = described(
  z.object({
    name: name(),
    shared: described(shared().default(false), 'Whether it is for everybody who may read the submissions of the form.', true),
    file: described(ExportPresetFile, file),
  }),
  'A new export preset.',
);
carriedAs(ExportPresetRequest, { json: ['file'] });

export const ExportPresetUpdateRequest = described(
  z.object({
    name: name().optional(),
    shared: described(
      shared().optional(),
      'True gives it to everybody who may read the submissions, false makes it that of the caller.',
      true,
    ),
    file: described(ExportPresetFile.optional(), 'How the file looks from now on, as a whole.'),
    if_updated_at: described(
      offsetInstant().optional(),
      'Only if the last change was at this time, as `updated_at` tells; otherwise 409.',
      '2026-03-04T16:05:12.000Z',
    ),
  }),
  'Changes to an export preset. Absent properties stay unchanged.',
);
carriedAs(ExportPresetUpdateRequest, { message: 'ExportPresetPatch', json: ['file'] });

const path = '/app/v1/forms/:id/export-presets';
const params = { id: formId };
const ofPreset = { path: `${path}/:presetId`, params: { ...params, presetId: pathParam('id', "The preset's id.") } } as const;
const roles =
  'A shared preset is changed by owners and editors of the form, and a person changes their own. Service accounts have shared presets only.';

export const listExportPresets = operation({
  method: 'get',
  path,
  params,
  summary: 'List the export presets of a form',
  description: 'Lists the shared presets for exports of the submissions of a form, and those of the caller.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: ExportPresets,
  errors: [401, 403, 404],
  rpc: 'forms.ListExportPresets',
});

export const createExportPreset = operation({
  method: 'post',
  path,
  params,
  summary: 'Keep an export preset of a form',
  description: `Keeps under a name how exported files look: the format, the columns and the options, but not which submissions are in them. ${roles} At most ${maxExportPresets} shared presets of a form, and as many of a person.`,
  access: { scope: 'submissions:write' },
  body: ExportPresetRequest,
  status: 201,
  reply: ExportPreset,
  errors: [400, 401, 403, 404],
  rpc: 'forms.CreateExportPreset',
});

export const updateExportPreset = operation({
  ...ofPreset,
  method: 'patch',
  summary: 'Change an export preset of a form',
  description: `Renames or shares a preset, or changes how its files look. With \`if_updated_at\`, a change that somebody else has made meanwhile is not overwritten. ${roles}`,
  access: { scope: 'submissions:write' },
  patch: ExportPresetUpdateRequest,
  status: 200,
  reply: ExportPreset,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.UpdateExportPreset',
});

export const deleteExportPreset = operation({
  ...ofPreset,
  method: 'delete',
  summary: 'Delete an export preset of a form',
  description: `Deletes a preset, and no file that was made with it. ${roles}`,
  access: { scope: 'submissions:write' },
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'forms.DeleteExportPreset',
});
