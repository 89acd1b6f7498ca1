import {
  updateForm,
  updateFormSettings,
  type FormDetail,
  type FormSettingsDetail,
  type FormSettingsRequest,
  type FormUpdateRequest,
} from '@sheaf/client';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { client } from '../api/client';
import { formQuery } from './form';

/** All settings of a form by their names in the API. Null clears one. */
export type Settings = Omit<FormUpdateRequest, 'favorite' | 'folder_id'> & FormSettingsRequest;

/** Those that the first of two operations changes; the second one changes all others. */
const ofForm: ReadonlySet<string> = new Set<keyof Settings>([
  'title',
  'slug',
  'status',
  'publish_mode',
  'opens_at',
  'closes_at',
  'max_submissions',
  'closed_message',
  'timezone',
]);

/** Sends only the settings that are given, and shows the answer on every screen of the form. */
async function saveSettings(queryClient: QueryClient, id: string, changes: Partial<Settings>): Promise<void> {
  const [first, second] = [
    Object.entries(changes).filter(([name]) => ofForm.has(name)),
    Object.entries(changes).filter(([name]) => !ofForm.has(name)),
  ];
  if (first.length > 0) await show(queryClient, id, first, await updateForm({ client, path: { id }, body: Object.fromEntries(first) }));
  if (second.length > 0)
    await show(queryClient, id, second, await updateFormSettings({ client, path: { id }, body: Object.fromEntries(second) }));
  void queryClient.invalidateQueries({ queryKey: ['forms'] });
  void queryClient.invalidateQueries({ queryKey: ['form', id], predicate: ({ queryKey }) => queryKey[2] !== 'submissions' });
}

/** An answer that was asked for earlier must not overwrite this one. A setting that was cleared is absent from the answer. */
async function show(
  queryClient: QueryClient,
  id: string,
  sent: readonly [string, unknown][],
  answer: FormDetail | FormSettingsDetail,
): Promise<void> {
  const { queryKey } = formQuery(id);
  await queryClient.cancelQueries({ queryKey, exact: true });
  const cleared = new Set(sent.flatMap(([name, value]) => (value === null ? [name] : [])));
  if (cleared.has('access_code')) cleared.add('has_access_code');
  queryClient.setQueryData(queryKey, (before) => {
    if (before === undefined) return before;
    const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !cleared.has(name))) as FormSettingsDetail;
    return { ...kept, ...answer };
  });
}

export function useSaveSettings(id: string): (changes: Partial<Settings>) => Promise<void> {
  const queryClient = useQueryClient();
  return (changes) => saveSettings(queryClient, id, changes);
}
