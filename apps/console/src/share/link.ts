import type { FormSettingsDetail } from '@sheaf/client';

/** The last part of a form's address: its slug, or its id if it has none. */
export const nameOf = ({ slug, id }: Pick<FormSettingsDetail, 'slug' | 'id'>): string => slug ?? id;

/** The address of the form's page, in a language if one is given. */
export const linkOf = (form: Pick<FormSettingsDetail, 'slug' | 'id'>, language?: string): string =>
  `${location.origin}/f/${nameOf(form)}${language === undefined ? '' : `?lang=${encodeURIComponent(language)}`}`;
