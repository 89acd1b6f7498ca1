import { z } from 'zod';
import { accessCode } from '../app/access-code';
import { FormSettings, keeping, Retention } from '../app/settings';
import { described, describedLike, leftOut } from '../described';
import { bool } from '../shapes';
import { FormDetail } from './forms';
import { foundForm, roleOnForm } from './forms-list';
import { operation } from './operation';
import { idOfForm } from './params';

/** The same settings, which null clears. */
const clearable = <S extends Readonly<Record<string, z.ZodOptional<z.ZodType>>>>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, setting]) => [name, describedLike(setting, setting.unwrap().nullable().optional())]),
  ) as { [Name in keyof S]: z.ZodOptional<z.ZodNullable<ReturnType<S[Name]['unwrap']>>> };

/** Absent settings stay as they are; null clears one. */
export const FormSettingsRequest = described(
  z.object({
    ...clearable(FormSettings.shape),
    retention: described(
      Retention.nullable().optional(),
      'The days after which things are erased, replaced as a whole. For what is absent, or with null, those of the instance apply. For owners of the form.',
    ),
    legal_hold: described(
      bool().nullable().optional(),
      'Whether nothing of the form may be erased, neither by hand nor after its time. For owners of the form; it is lifted by owners and admins of the workspace, owners by a grant, and those who run the instance, but not for having created the form.',
      false,
    ),
    searchable: described(
      bool().nullable().optional(),
      "Whether the answers of the form can be searched, which is the default. If false, they are removed from the search index; `q`, filters and sorting by an answer get 400, and a person's submissions are not found here.",
      true,
    ),
    access_code: described(
      accessCode().nullable().optional(),
      'The code that respondents have to enter before they see anything of the form. It is stored as a hash and never returned. A new code ends what the earlier one has opened.',
      'spring-2026',
    ),
  }),
  'Changes to the settings of a form. Absent settings stay unchanged; null clears one.',
);

export type FormSettingsPatch = z.output<typeof FormSettingsRequest>;

const accessCodeState = {
  has_access_code: described(z.literal(true).optional(), 'Whether respondents need a code for the form; absent if they do not.', leftOut),
};

export type AccessCodeState = z.output<z.ZodObject<typeof accessCodeState>>;

/** A form with the settings that v1 does not know. */
export const FormSettingsDetail = described(
  FormDetail.extend({ ...FormSettings.shape, ...keeping, ...accessCodeState, ...foundForm, role: roleOnForm() }),
  'A form with the settings that v1 does not have.',
);

const path = '/app/v1/forms/:id';
const params = { id: idOfForm };

export const getFormSettings = operation({
  method: 'get',
  path,
  params,
  summary: 'Get a form with all settings',
  description:
    'Returns a form with the settings that v1 does not have, above all those of the hosted form, its place, its unpublished changes and the number of its submissions.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormSettingsDetail,
  errors: [401, 403, 404],
  rpc: 'forms.GetFormSettings',
  // Submissions are counted by their own service.
  composed: true,
  answer: 'FormSettings',
});

/** The message has the changes as JSON, nulls among them. */
export const updateFormSettings = operation({
  method: 'patch',
  path,
  params,
  summary: 'Update the settings of a form',
  description:
    'Changes settings of a form, with immediate effect. Absent settings stay unchanged, a given setting is replaced as a whole, and null clears it. For owners and editors.',
  access: { scope: 'forms:write' },
  body: FormSettingsRequest,
  status: 200,
  reply: FormSettingsDetail,
  errors: [400, 401, 403, 404],
});
