import type { FormSettingsDetail } from '@sheaf/client';

/** The languages that the form offers, its own first if it names none. */
export const languagesOf = (form: FormSettingsDetail): string[] => {
  const own = form.default_language ?? form.languages?.[0] ?? 'en';
  return form.languages && form.languages.length > 0 ? form.languages : [own];
};
