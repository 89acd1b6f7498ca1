import { Badge, type Tone } from '../parts/states';
import { useWords } from '../words/use-words';

const tones: Record<string, Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

/** How a delivery ended, or that it still waits. */
export function DeliveryState({ state }: { state: string }) {
  const names: Readonly<Record<string, string | undefined>> = useWords('deliveries').states;
  return <Badge tone={tones[state] ?? 'neutral'}>{names[state] ?? state}</Badge>;
}
