import { getFormSettings, type FormSettingsDetail } from '@sheaf/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { client } from '../api/client';

/** A form with its settings, the caller's role on it, and its counts. */
export const formQuery = (id: string) =>
  queryOptions({
    queryKey: ['form', id],
    queryFn: ({ signal }) => getFormSettings({ client, path: { id }, signal }),
  });

/** The form of the page. Its keys begin with ['form', id]: what changes on it makes them stale (shell/live-changes.ts). */
export function useForm(): FormSettingsDetail {
  const { form } = useParams({ from: '/shell/console/forms/$form' });
  return useSuspenseQuery(formQuery(form)).data;
}

/** Editors and owners change a form; viewers read it. */
export const mayEdit = (form: FormSettingsDetail): boolean => form.role !== 'viewer' && form.status !== 'trashed';
export const isOwner = (form: FormSettingsDetail): boolean => form.role === 'owner';
