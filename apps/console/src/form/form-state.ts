import { getPublicForm, type FormSettingsDetail, type FoundForm } from '@sheaf/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../api/client';

type Shown = Pick<
  FoundForm & FormSettingsDetail,
  'id' | 'status' | 'current_version' | 'updated_at' | 'opens_at' | 'closes_at' | 'max_submissions' | 'submissions'
>;

/** The state of a form for the people who look at it. */
export type FormState =
  // It takes submissions, as far as its settings and counts tell.
  'active' | 'archived' | 'disabled' | 'trashed' | 'never_published' | 'not_yet_open' | 'closed' | 'full' | 'payments_not_set_up';

export function stateOf(form: Omit<Shown, 'id' | 'updated_at'>, now: number): FormState {
  const { status, opens_at: opens, closes_at: closes, max_submissions: limit, submissions } = form;
  if (status !== 'active') return status as FormState;
  if (form.current_version === 0) return 'never_published';
  if (opens !== undefined && now < Date.parse(opens)) return 'not_yet_open';
  if (closes !== undefined && now >= Date.parse(closes)) return 'closed';
  return limit !== undefined && (submissions?.total ?? 0) >= limit ? 'full' : 'active';
}

/** The state of a form for respondents, who are told more than its settings: of places that payments hold, and of payments that are not set up. */
const respondentsQuery = ({ id, updated_at: version }: Pick<Shown, 'id' | 'updated_at'>) =>
  queryOptions({
    queryKey: ['form-as-respondents-see-it', id, version],
    queryFn: ({ signal }) => getPublicForm({ client, path: { form: id }, signal }),
    staleTime: 'static',
  });

/** @param asks whether to ask what respondents are told, once; of an open form, that counts as a view. Without, what is known of it is used. */
export function useFormState(form: Shown, { asks = false } = {}): FormState {
  const state = stateOf(form, useMinute());
  const { data } = useQuery({ ...respondentsQuery(form), enabled: asks && state === 'active' });
  const told = data?.closed_because;
  return state === 'active' && (told === 'full' || told === 'payments_not_set_up') ? told : state;
}

/** The time, told anew each minute, because an opening time may pass. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
