import { Badge, type Tone } from '../parts/states';
import { useWords } from '../words/use-words';
import { words } from './words';

const tones: Record<string, Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

/** How a delivery ended, or that it still waits. */
export function DeliveryState({ state }: { state: string }) {
  const say = useWords(words);
  const names: Record<string, string> = { pending: say.pending, succeeded: say.succeeded, failed: say.failed, cancelled: say.cancelled };
  return <Badge tone={tones[state] ?? 'neutral'}>{names[state] ?? state}</Badge>;
}
