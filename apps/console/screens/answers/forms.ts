import { form } from './form';
import { idOf, listOf, pageOf, then } from './people';
import type { Answers } from '../support/recorded-server';

export const listed = (number: number, title: string, more: object = {}) => {
  const { publish_mode: _mode, ...shown } = form({ id: idOf(3, number), title });
  return { ...shown, ...more };
};
export const folderOf = (number: number, label: string, parent?: string) => ({
  id: idOf(4, number),
  label,
  icon: 'folder',
  color: '',
  sort_order: 0,
  role: 'owner',
  created_at: then,
  updated_at: then,
  ...(parent === undefined ? {} : { parent_id: parent }),
});
/** The page of forms; a form is loaded as soon as somebody points at it. */
export const formsPage = (
  forms: readonly { id: string; title: string; [more: string]: unknown }[],
  folders: readonly unknown[] = [],
): Answers => ({
  ...Object.fromEntries(forms.map(({ id, title }) => [`GET /app/v1/forms/${id}`, form({ id, title })])),
  'GET /app/v1/forms': pageOf(forms),
  'GET /api/v1/folders': listOf(folders),
});
