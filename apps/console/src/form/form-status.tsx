import { Badge, type Tone } from '../parts/states';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import { useFormState, type FormState } from './form-state';

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  disabled: 'waiting',
  not_yet_open: 'waiting',
  closed: 'waiting',
  full: 'waiting',
  payments_not_set_up: 'waiting',
  trashed: 'bad',
};

/** Whether a form takes submissions, and otherwise why not. */
export function FormStatus({ form }: { form: Parameters<typeof useFormState>[0] }) {
  const say = useWords('form');
  const state = useFormState(form);
  return <Badge tone={tones[state] ?? 'neutral'}>{nameIn(say.states satisfies Record<FormState, string>, state)}</Badge>;
}
