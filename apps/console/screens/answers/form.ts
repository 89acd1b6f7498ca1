import { byAda, idOf, listOf, then, workspaceId, type Role } from './people';
import type { Answers } from '../support/recorded-server';

export const formId = idOf(3);
export const at = (page: string): string => `/console/forms/${formId}/${page}`;
export const app = `/app/v1/forms/${formId}`;
export const api = `/api/v1/forms/${formId}`;

/** A published form, as the application sees it. */
export const form = (more: object = {}, role: Role = 'owner') => ({
  id: formId,
  title: 'Site visit',
  status: 'active',
  favorite: false,
  current_version: 1,
  publish_mode: 'draft',
  created_at: then,
  updated_at: then,
  role,
  workspace_id: workspaceId,
  unpublished_changes: false,
  submissions: { total: 0, new: 0, spam: 0 },
  ...more,
});
/** Of a form in the application, what the contract does not have. */
const inApplicationOnly =
  /^(?:workspace_id|unpublished_changes|submissions|slug|description|thank_you|languages|default_language|translations|theme|embed_origins|retention|review_before_sending|resume)$/;
/** The same form as the contract shows it. */
export const formOfContract = (more: object = {}) =>
  Object.fromEntries(Object.entries(form(more)).filter(([name]) => !inApplicationOnly.test(name)));

export const shortText = (key: string, label = key, more: object = {}) => ({ key, label, type: 'short_text', required: false, ...more });
export const version = (number: number, fields: readonly unknown[]) => ({
  version: number,
  published_at: then,
  published_by: byAda,
  fields,
});
export const draft = (fields: readonly unknown[], revision = 1) => ({ fields, revision, updated_at: then });

/** Nothing is erased by its age, nor will be. */
export const keepsAll = { in_force: {}, upcoming: [] };

/** The answers that the pages of a form ask for. */
export const formWith = (fields: readonly unknown[], more: object = {}, role: Role = 'owner'): Answers => ({
  [`GET ${app}`]: form(more, role),
  [`GET ${app}/draft`]: draft(fields),
  [`GET ${app}/versions`]: listOf([{ version: 1, published_at: then, published_by: byAda }]),
  [`GET ${app}/versions/1`]: version(1, fields),
  [`GET ${app}/grants`]: listOf([]),
  [`GET ${app}/retention`]: keepsAll,
});

/** The answer of a check before publishing. The texts of the warnings are for others than the console. */
export const checked = (changes: readonly object[], warnings: readonly { message: string }[] = [], more: object = {}) => ({
  changes,
  warnings: warnings.map(({ message }) => message),
  warning_details: warnings,
  affected: [],
  affected_options: [],
  ...more,
});

/** Each save is taken, as the next revision. */
export const saving: Answers = {
  [`PUT ${app}/draft`]: ({ body }: { body: { fields: unknown[]; revision: number } }) => draft(body.fields, body.revision + 1),
};
