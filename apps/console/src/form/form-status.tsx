import { Badge, type Tone } from '../parts/states';
import { useWords } from '../words/use-words';
import { words } from './words';

const tones: Record<string, Tone> = { active: 'good', disabled: 'waiting', trashed: 'bad' };

/** Whether a form takes submissions. */
export function FormStatus({ form }: { form: { status: string; current_version: number } }) {
  const say = useWords(words);
  if (form.status === 'active' && form.current_version === 0) return <Badge>{say.neverPublished}</Badge>;
  const label = { active: say.active, archived: say.archived, disabled: say.disabled, trashed: say.trashed }[form.status];
  return <Badge tone={tones[form.status] ?? 'neutral'}>{label ?? form.status}</Badge>;
}
